"""Comparison of the two ways to assign components to members, in simulation.

    python -m statecrawl.lab.component_fleets [--runs 5] [--nodes 4] [--architecture dist-ria]

crawls applications whose components are known, with handlers and with gate-keepers (`coordination.components`). It
prints what was spent until every task was fired, on average: events, resets, claims, all messages, and those that
contain facts. The random checks that follow are the same for both.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from statistics import mean

import typer

from statecrawl.coordination.components import Responsibility
from statecrawl.coordination.partition import Partition
from statecrawl.coordination.shared_facts import SharingRules
from statecrawl.journal.facts import ComponentClaimed
from statecrawl.journal.fold import FoldedCrawl
from statecrawl.model.graph import Graph
from statecrawl.simulation.cluster import SimulatedCluster
from statecrawl.simulation.dist_ria import SimulatedDistRia
from statecrawl.simulation.peer_to_peer import SimulatedPeers
from statecrawl.strategies.journal_feed import StrategyFeed
from statecrawl.strategies.registry import make_strategy
from statecrawl.strategies.settings import ModelKind, StrategySettings
from statecrawl.strategies.strategy import Strategy
from statecrawl.testbed.compositions import Composition, panels_composition, random_composition, widgets_composition

APPLICATIONS: dict[str, Callable[[], Composition]] = {
    "widgets:6,5": partial(widgets_composition, 6, 5),
    "random, 5 machines": partial(random_composition, 1, machines=5),
    "panels:20,3": partial(panels_composition, 20, 3),
    "panels:8,6": partial(panels_composition, 8, 6),
}
ARCHITECTURES: dict[str, Callable[..., SimulatedCluster]] = {
    "dist-ria": partial(SimulatedDistRia, partition=Partition()),
    "peer-to-peer": partial(SimulatedPeers, partition=Partition(), sharing=SharingRules()),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Spending:
    """What a crawl has spent until every task was fired."""

    seconds: float
    events: float
    resets: float
    messages: float
    reports: float  # messages that contain facts
    claims: float
    repeated: float  # events that another member had fired


class _Progress:
    """Follows the journal of a cluster until every task was fired."""

    def __init__(self, cluster: SimulatedCluster) -> None:
        self._cluster = cluster
        self._crawl = FoldedCrawl()
        self._strategy = cluster.make_strategy(self._crawl.graph)
        self._feed = StrategyFeed(self._crawl, self._strategy)

    def is_done(self) -> bool:
        new = self._cluster.journal.facts[self._crawl.position :]
        if not new:
            return False
        self._feed.push(new)
        frontier = self._strategy.component_frontier
        return self._crawl.graph.explored > 0 and frontier is not None and not frontier.components.untried


def spending(
    composition: Composition, architecture: str, responsibility: Responsibility, nodes: int, seed: int
) -> Spending:
    """Crawl an application until every task was fired."""
    cluster = ARCHITECTURES[architecture](
        composition.application.truth,
        _strategy,
        nodes=nodes,
        seed=seed,
        regions=composition.page_regions,
        responsibility=responsibility,
    )
    cluster.run(_Progress(cluster).is_done)
    return Spending(
        seconds=cluster.kernel.now,
        events=sum(node.events for node in cluster.nodes),
        resets=sum(node.resets for node in cluster.nodes),
        messages=cluster.network.carried,
        reports=sum(node.reports for node in cluster.nodes),
        claims=sum(isinstance(fact, ComponentClaimed) for fact in cluster.journal.facts),
        repeated=cluster.repeated,
    )


def _strategy(graph: Graph) -> Strategy:
    return make_strategy("novelty", graph, StrategySettings(reset_cost=2.0, model=ModelKind.COMPONENTS))


def average(runs: Iterable[Spending]) -> Spending:
    """Return the average of several crawls."""
    all_runs = list(runs)
    names = Spending.__slots__
    return Spending(**{name: mean(getattr(run, name) for run in all_runs) for name in names})


def rows(architecture: str, nodes: int, runs: int) -> Iterable[str]:
    """Yield the lines of a table."""
    yield "| application | components | seconds | events | resets | messages | with facts | claims | twice |"
    yield "|---|---|--:|--:|--:|--:|--:|--:|--:|"
    for name, make in APPLICATIONS.items():
        known = make()
        for kind in Responsibility:
            spent = average(spending(known, architecture, kind, nodes, seed) for seed in range(runs))
            yield (
                f"| {name} | {kind} | {spent.seconds:.1f} | {spent.events:.0f} | {spent.resets:.1f}"
                f" | {spent.messages:.0f} | {spent.reports:.0f} | {spent.claims:.1f} | {spent.repeated:.1f} |"
            )


def main(architecture: str = "dist-ria", nodes: int = 4, runs: int = 5) -> None:
    """Print the comparison."""
    for row in rows(architecture, nodes, runs):
        typer.echo(row)


if __name__ == "__main__":
    typer.run(main)
