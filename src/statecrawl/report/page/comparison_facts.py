"""Facts of the comparison: runs by application and strategy, with median and range over the seeds."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import median

from statecrawl.model.cost import Cost
from statecrawl.ports.measurement import MeasuredRun, PublishedFigure

ORDER = ("depth-first", "breadth-first", "greedy", "hypercube", "menu", "probability")  # columns of the paper


@dataclass(frozen=True, slots=True, kw_only=True)
class AppComparison:
    """One application: measurements, bounds and published figures."""

    name: str
    title: str
    states: int
    transitions: int
    reset_cost: float
    event_seconds: float
    runs: tuple[MeasuredRun, ...]  # one or several (seeds) per strategy
    optimal_states: tuple[float, float | None]  # lower and upper bound of the cost to find all states
    completion_bound: float | None  # no complete crawl costs less
    published_states: Mapping[str, PublishedFigure]  # by strategy; may be empty
    published_complete: Mapping[str, PublishedFigure]
    published_optimal: PublishedFigure | None
    remarks: tuple[str, ...]

    @property
    def tallies(self) -> tuple["ComparisonCount", ...]:
        """One for each strategy, in the order of the paper, then in the order of the runs."""
        return tuple(
            ComparisonCount(strategy=name, runs=tuple(run for run in self.runs if run.strategy == name))
            for name in ordered(run.strategy for run in self.runs)
        )

    def published_cost(self, published: PublishedFigure) -> float:
        """Return the cost from its events, its resets and our reset cost, because some costs are misprinted."""
        return published.events + self.reset_cost * published.resets


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedSpread:
    """Median and range of one quantity over the runs that have it."""

    median: float
    low: float
    high: float

    @property
    def wide(self) -> bool:
        return self.low < self.high


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlCost:
    """Events, resets and their cost, over `runs` runs."""

    events: SeedSpread
    resets: SeedSpread
    cost: SeedSpread
    runs: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonCount:
    """One strategy on one application."""

    strategy: str
    runs: tuple[MeasuredRun, ...]  # never empty

    def cost_at(self, share: float) -> SeedSpread | None:
        """Return the cost to find this share of the states; None if no run found as many."""
        return spread(run.cost_at(share) for run in self.runs)

    @property
    def first(self) -> SeedSpread | None:
        return spread(run.discovery[0].total(run.reset_cost) for run in self.runs if run.discovery)

    @property
    def to_all_states(self) -> CrawlCost | None:
        return _spent([(run.to_all_states, run.reset_cost) for run in self.runs])

    @property
    def to_completion(self) -> CrawlCost | None:
        return _spent([(run.cost if run.complete else None, run.reset_cost) for run in self.runs])

    @property
    def reached(self) -> float:
        """Largest share of the states that a run found."""
        return max(run.states / max(run.expected_states, 1) for run in self.runs)

    @property
    def stopped_at(self) -> float:
        """Cost at the end of the most expensive run."""
        return max(run.total for run in self.runs)


def spread(values: Iterable[float | None]) -> SeedSpread | None:
    known = [value for value in values if value is not None]
    return SeedSpread(median=median(known), low=min(known), high=max(known)) if known else None


def ordered(strategies: Iterable[str]) -> tuple[str, ...]:
    """Return each strategy once: those of the paper in its order, then the others in the given order."""
    names = dict.fromkeys(strategies)
    return tuple([name for name in ORDER if name in names] + [name for name in names if name not in ORDER])


def _spent(costs: list[tuple[Cost | None, float]]) -> CrawlCost | None:
    known = [(cost, reset_cost) for cost, reset_cost in costs if cost is not None]
    events = spread(cost.events for cost, _ in known)
    resets = spread(cost.resets for cost, _ in known)
    total = spread(cost.total(reset_cost) for cost, reset_cost in known)
    if events is None or resets is None or total is None:
        return None
    return CrawlCost(events=events, resets=resets, cost=total, runs=len(known))
