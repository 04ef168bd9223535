"""Grids of simulated crawls: which applications, with how many nodes, in which architectures."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from statecrawl.coordination.balance import Balance
from statecrawl.coordination.components import Responsibility
from statecrawl.coordination.partition import PartitionRule
from statecrawl.coordination.shared_facts import SharingExtent
from statecrawl.errors import BadInput, UnknownName
from statecrawl.lab.experiment import ALL
from statecrawl.lab.paces import ARCHITECTURES, CLIENT_SERVER, DIST_RIA, OURS, PACES, PEER_TO_PEER
from statecrawl.lab.scale_run import CROWD_STRATEGIES, MOST_MACHINES
from statecrawl.ports.scale_run import ScaleSetting
from statecrawl.strategies.registry import STRATEGIES
from statecrawl.testbed.compositions import check_composition

MOST_NODES = 10_000
RANGE = re.compile(r"([0-9]{1,6})(?:\.\.([0-9]{1,6}))?")


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeGrid:
    """A validated grid. The constructor raises BadInput or UnknownName. None stands for the default."""

    apps: tuple[str, ...]
    nodes: tuple[int, ...]
    architectures: tuple[str, ...] = (CLIENT_SERVER,)
    strategies: tuple[str, ...] = ("greedy",)
    partition: PartitionRule | None = None
    share: SharingExtent | None = None
    share_every: int | None = None
    share_interval: float | None = None
    balance: Balance | None = None
    components: Responsibility | None = None  # None: crawl by states
    pace: str = OURS
    seed: int = 0

    def __post_init__(self) -> None:
        for kind, chosen, known in (
            ("architecture", self.architectures, ARCHITECTURES),
            ("strategy", self.strategies, tuple(STRATEGIES)),
        ):
            for name in chosen:
                if name != ALL and name not in known:
                    raise UnknownName(kind, name, [*known, ALL])
        if self.pace not in PACES:
            raise UnknownName("pace", self.pace, PACES)
        if self.share_every is not None and self.share_every < 1:
            raise BadInput(f"--share-every must be at least 1 fact, not {self.share_every}.")
        if self.share_interval is not None and not 0 <= self.share_interval < 10**6:
            raise BadInput(f"--share-interval must be 0 seconds or more, not {self.share_interval}.")
        self._check_together()

    def _check_together(self) -> None:
        chosen = self.chosen_architectures
        shares = {"--share": self.share, "--share-every": self.share_every, "--share-interval": self.share_interval}
        for option, value in shares.items():
            if value is not None and PEER_TO_PEER not in chosen:
                raise BadInput(f"{option} sets what peers share: add --architecture {PEER_TO_PEER}.")
        if self.partition is not None and chosen == [CLIENT_SERVER]:
            raise BadInput(
                "--partition sets how events are assigned to nodes, but the coordinator of client-server assigns single"
                f" tasks: add --architecture {DIST_RIA} or {PEER_TO_PEER}."
            )
        if self.balance is Balance.DYNAMIC:
            raise BadInput(
                f"--balance {self.balance} is the same as the {CLIENT_SERVER} architecture: use --architecture"
                f" {CLIENT_SERVER} instead."
            )
        if self.balance is not None and DIST_RIA not in chosen:
            raise BadInput(f"--balance applies to Dist-RIA: add --architecture {DIST_RIA}.")
        if self.components is not None:
            self._check_components()
        self._check_crowd()

    def _check_components(self) -> None:
        """Check that the applications have known components, and that nothing else assigns their events."""
        if self.chosen_architectures == [CLIENT_SERVER]:
            raise BadInput(
                "--components sets which node crawls a component, but the coordinator of client-server assigns single"
                f" tasks: add --architecture {DIST_RIA} or {PEER_TO_PEER}."
            )
        others = {
            "--balance": self.balance,
            "--share": self.share,
            "--share-every": self.share_every,
            "--share-interval": self.share_interval,
        }
        for option, value in others.items():
            if value is not None:
                raise BadInput(f"with --components, nodes share everything at once: leave out {option}.")
        for app in self.apps:
            check_composition(app)

    def _check_crowd(self) -> None:
        """Check a number of nodes that is too large for a model each, so that they share one."""
        crowded = max(self.nodes) > MOST_MACHINES and self.chosen_architectures != [CLIENT_SERVER]
        others = [name for name in self.chosen_strategies if name not in CROWD_STRATEGIES]
        if crowded and others:
            raise BadInput(
                f"with more than {MOST_MACHINES} nodes, {DIST_RIA} and {PEER_TO_PEER} can be simulated with"
                f" {' and '.join(CROWD_STRATEGIES)}, but not with {others[0]}."
            )
        special = (
            self.share is SharingExtent.SHORTER or self.share_every not in (None, 1) or self.share_interval is not None
        )
        special = special or self.components is not None
        if crowded and (special or self.balance not in (None, Balance.STATIC) or self.partition is not None):
            raise BadInput(
                "--components, --partition, --balance, --share shorter and batches can be simulated with up to"
                f" {MOST_MACHINES} nodes only."
            )

    @property
    def chosen_architectures(self) -> list[str]:
        return [name for name in ARCHITECTURES if ALL in self.architectures or name in self.architectures]

    @property
    def chosen_strategies(self) -> list[str]:
        return [name for name in STRATEGIES if ALL in self.strategies or name in self.strategies]

    def settings(self) -> list[ScaleSetting]:
        """Return all crawls, application by application."""
        return [
            ScaleSetting(
                app=app,
                architecture=architecture,
                nodes=nodes,
                strategy=strategy,
                partition=str(self.partition or PartitionRule.RENDEZVOUS),
                share=str(self.share or SharingExtent.ALL),
                share_every=self.share_every or 1,
                share_interval=self.share_interval,
                balance=str(self.balance or Balance.STATIC),
                components=None if self.components is None else str(self.components),
                pace=self.pace,
                seed=self.seed,
            )
            for app in self.apps
            for architecture in self.chosen_architectures
            for strategy in self.chosen_strategies
            for nodes in self.nodes
        ]


def node_counts(written: Sequence[str]) -> tuple[int, ...]:
    """Parse "1..8", "1,2,4,8" or several of these into ascending numbers. Raises BadInput."""
    counts: set[int] = set()
    for part in ",".join(written).split(","):
        match = RANGE.fullmatch(part.strip())
        if match is None:
            raise BadInput(f"--nodes {part.strip()!r} is not a number of nodes: write 4, 1..8 or 1,2,4,8.")
        first, last = int(match[1]), int(match[2] or match[1])
        if not 1 <= first <= last <= MOST_NODES:
            raise BadInput(
                f"--nodes {part.strip()} is out of range: write numbers from 1 to {MOST_NODES:,}, the lower one first."
            )
        counts.update(range(first, last + 1))
    return tuple(sorted(counts))
