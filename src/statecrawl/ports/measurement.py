"""Results of an experiment: one run of one strategy on one application, and the published figures for it."""

from dataclasses import dataclass
from math import ceil

from statecrawl.model.cost import Cost

QUARTILES = (0.25, 0.50, 0.75, 1.00)  # the box plots of Dincturk et al. 2014, figures 5 and 6


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredRun:
    """Measurements of one crawl."""

    app: str
    strategy: str
    seed: int
    reset_cost: float
    event_seconds: float  # duration of one event in the application, for estimates of time
    states: int  # found
    transitions: int  # explored
    complete: bool  # False if the crawl was interrupted
    cost: Cost  # of the whole crawl
    discovery: tuple[Cost, ...]  # cost at which each state was found, in order
    next_task_mean_us: float
    next_task_p999_us: float
    seconds: float  # wall-clock time on the machine that ran it
    expected_states: int  # states in the true model of the application

    @property
    def total(self) -> float:
        return self.cost.total(self.reset_cost)

    @property
    def to_all_states(self) -> Cost | None:
        """Cost up to the last state found; None if some states were not found."""
        return self.discovery[-1] if self.discovery and self.states == self.expected_states else None

    def cost_at(self, share: float) -> float | None:
        """Cost of finding this share of the application's states; None if the crawl did not find so many."""
        index = ceil(share * self.expected_states) - 1
        return self.discovery[index].total(self.reset_cost) if index < len(self.discovery) else None

    @property
    def quartiles(self) -> tuple[float | None, ...]:
        return tuple(self.cost_at(share) for share in QUARTILES)


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedFigure:
    """Group of cells in a published table: events, resets, cost and time as printed."""

    events: int
    resets: int
    cost: float | None = None
    seconds: float | None = None
