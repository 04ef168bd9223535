"""The cost of a reset, in events: measured at the start of a crawl, because strategies weigh resets against events."""

from statecrawl.config.plan import CrawlPlan
from statecrawl.crawler.durations import EventTimes

DEFAULT_RESET_COST = 2.0  # until it is measured
TIMED_EVENTS = 30  # and
TIMED_RESETS = 2  # that are timed before the cost is known
MOST_UNTIMED = 2 * TIMED_EVENTS  # events after which a reset is made only to time it
LEAST_COST, MOST_COST = 1.0, 200.0  # of a reset, in events


class ResetCost:
    """The cost of a reset in one run of a crawl."""

    def __init__(self, plan: CrawlPlan, times: EventTimes) -> None:
        self.is_given = plan.reset_cost is not None
        self.value = DEFAULT_RESET_COST if plan.reset_cost is None else plan.reset_cost
        self._times = times

    def resume(self, cost: float | None) -> None:
        """Use the cost that an earlier run has measured, unless the plan gives one."""
        if not self.is_given and cost is not None:
            self.value = cost

    def measure(self) -> bool:
        """Take over the measured cost; return whether there is one and the plan gives none."""
        measured = 0.0 if self.is_given else self._times.reset_cost()
        if measured:
            self.value = round(min(max(measured, LEAST_COST), MOST_COST), 2)
        return bool(measured)

    @property
    def is_timed(self) -> bool:
        """Whether enough events and resets were timed."""
        return len(self._times.events) >= TIMED_EVENTS and len(self._times.resets) >= TIMED_RESETS

    @property
    def needs_reset(self) -> bool:
        """Whether a reset has to be made only to time it: the application has not needed one so far."""
        return len(self._times.events) >= MOST_UNTIMED and not self.is_timed
