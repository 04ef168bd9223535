"""How several nodes crawl together: the architecture, who fires which event, and what the nodes share."""

import math
from dataclasses import dataclass
from typing import Any

from statecrawl.coordination.balance import Balance
from statecrawl.coordination.components import Responsibility
from statecrawl.coordination.partition import Partition, PartitionKey, PartitionRule
from statecrawl.coordination.shared_facts import SharingExtent, SharingRules
from statecrawl.errors import BadInput, UnknownName

CLIENT_SERVER, DIST_RIA, PEER_TO_PEER = "client-server", "dist-ria", "peer-to-peer"
ARCHITECTURES = (CLIENT_SERVER, DIST_RIA, PEER_TO_PEER)
BALANCES = tuple(balance for balance in Balance if balance is not Balance.DYNAMIC)  # dynamic is client-server
MAX_SHARE_SECONDS = 3600.0
NEVER_COUNT = 1_000_000  # more facts than ever wait at the same time

# Architectures in which an option has a meaning. In client-server, the coordinator assigns every event. In Dist-RIA,
# nodes share states as soon as they find them. Peers do not know the load of the others.
ARCHITECTURES_WITH = {
    "partition": (DIST_RIA, PEER_TO_PEER),
    "partition-by": (DIST_RIA, PEER_TO_PEER),
    "balance": (DIST_RIA,),
    "share": (PEER_TO_PEER,),
    "share-every": (PEER_TO_PEER,),
    "share-interval": (PEER_TO_PEER,),
    "components": (DIST_RIA, PEER_TO_PEER),
}


def _check(kind: str, name: str | None, known: tuple[str, ...]) -> None:
    if name is not None and name not in known:
        raise UnknownName(kind, name, known)


@dataclass(frozen=True, slots=True, kw_only=True)
class FleetSettings:
    """Settings that all nodes of a crawl share. None: the default."""

    architecture: str = CLIENT_SERVER
    partition: str | None = None  # one of `PartitionRule`
    partition_by: str | None = None  # one of `PartitionKey`
    balance: str | None = None  # one of `BALANCES`
    share: str | None = None  # one of `SharingExtent`
    share_every: int | None = None  # facts
    share_seconds: float | None = None
    components: str | None = None  # one of `Responsibility`

    def __post_init__(self) -> None:
        _check("architecture", self.architecture, ARCHITECTURES)
        _check("partition", self.partition, tuple(PartitionRule))
        _check("key of a partition", self.partition_by, tuple(PartitionKey))
        _check("balance", self.balance, BALANCES)
        _check("extent of sharing", self.share, tuple(SharingExtent))
        _check("responsibility for components", self.components, tuple(Responsibility))
        self._check_architecture()
        if self.partition in (PartitionRule.RANGE, PartitionRule.STRIDE) and self.partition_by not in (
            None,
            PartitionKey.EVENT,
        ):
            raise BadInput(f"--partition {self.partition} goes by position in the state: leave out --partition-by.")
        if self.share_every is not None and self.share_every < 1:
            raise BadInput(f"--share-every must be 1 or more, not {self.share_every}.")
        if self.share_seconds is not None and not 0 <= self.share_seconds <= MAX_SHARE_SECONDS:
            raise BadInput(
                f"--share-interval must be between 0 and {MAX_SHARE_SECONDS:.0f} s, not {self.share_seconds:g}."
            )

    def _check_architecture(self) -> None:
        given = {
            "partition": self.partition,
            "partition-by": self.partition_by,
            "balance": self.balance,
            "share": self.share,
            "share-every": self.share_every,
            "share-interval": self.share_seconds,
            "components": self.components,
        }
        for name, value in given.items():
            if value is not None and self.architecture not in ARCHITECTURES_WITH[name]:
                needed = " or ".join(ARCHITECTURES_WITH[name])
                raise BadInput(f"--{name} needs --architecture {needed}: {self.architecture} does not use it.")

    def check_components(self) -> None:
        """Raise BadInput if a crawl by components cannot have these settings.

        All nodes need all facts in the same order, and each component belongs to one node.
        """
        if self.balancing is not Balance.STATIC:
            raise BadInput(f"--balance {self.balance} assigns events of states: leave it out with --model components.")
        if self.sharing != SharingRules():
            raise BadInput(
                "with --model components, peers share everything at once: leave out --share, --share-every and"
                " --share-interval."
            )

    @property
    def event_partition(self) -> Partition:
        """Which node each event belongs to."""
        return Partition(
            PartitionRule(self.partition or PartitionRule.RENDEZVOUS),
            PartitionKey(self.partition_by or PartitionKey.EVENT),
        )

    @property
    def responsibility(self) -> Responsibility:
        """Which node crawls a component."""
        return Responsibility(self.components or Responsibility.GATE_KEEPERS)

    @property
    def balancing(self) -> Balance:
        """How the events of a new state are distributed."""
        return Balance(self.balance or Balance.STATIC)

    @property
    def sharing(self) -> SharingRules:
        """What peers share, and when."""
        default = 1 if self.share_seconds is None else NEVER_COUNT  # an interval alone is not cut short by a count
        return SharingRules(
            extent=SharingExtent(self.share or SharingExtent.ALL),
            count=default if self.share_every is None else self.share_every,
            seconds=math.inf if self.share_seconds is None else self.share_seconds,
        )

    def recorded_settings(self) -> dict[str, Any]:
        """Return the settings that the journal records, by option name."""
        settings = {"architecture": self.architecture}
        if self.architecture != CLIENT_SERVER:
            partition = self.event_partition
            settings |= {"partition": str(partition.rule), "partition-by": str(partition.key)}
        if self.architecture == DIST_RIA:
            settings["balance"] = str(self.balancing)
        if self.architecture == PEER_TO_PEER:
            settings["share"] = str(self.sharing.extent)
        return settings
