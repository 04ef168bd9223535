"""What an experiment yields: one run of one strategy on one application, and what was published about it."""

from dataclasses import dataclass
from math import ceil

from statecrawl.model.cost import Cost

QUARTILES = (0.25, 0.50, 0.75, 1.00)  # the box plots of Dincturk et al. 2014, figures 5 and 6


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredRun:
    """One crawl, measured."""

    app: str
    strategy: str
    seed: int
    reset_cost: float
    event_seconds: float  # how long one event takes in the application, for estimates of time
    states: int  # found
    transitions: int  # explored
    complete: bool  # False when it was interrupted
    cost: Cost  # at the end
    discovery: tuple[Cost, ...]  # cost at which each state was found, in order
    next_task_mean_us: float
    next_task_p999_us: float
    seconds: float  # of real time, on the machine that ran it
    expected_states: int  # states the application has

    @property
    def total(self) -> float:
        return self.cost.total(self.reset_cost)

    @property
    def to_all_states(self) -> Cost | None:
        """What it had cost when the last state was found; None when not all were found."""
        return self.discovery[-1] if self.discovery and self.states == self.expected_states else None

    def cost_at(self, share: float) -> float | None:
        """Cost to find this share of all the application's states; None when it was not reached."""
        index = ceil(share * self.expected_states) - 1
        return self.discovery[index].total(self.reset_cost) if index < len(self.discovery) else None

    @property
    def quartiles(self) -> tuple[float | None, ...]:
        return tuple(self.cost_at(share) for share in QUARTILES)


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedFigure:
    """One cell group of a published table: events, resets, cost and time as printed."""

    events: int
    resets: int
    cost: float | None = None
    seconds: float | None = None
