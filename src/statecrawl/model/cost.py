"""Cost of a crawl: events and resets.

Dincturk et al., "A Model-Based Approach for Crawling Rich Internet Applications", 2014, §7.1.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Cost:
    """Events fired and resets made; the first load of the page counts as a reset."""

    events: int = 0
    resets: int = 0

    def __add__(self, other: "Cost") -> "Cost":
        return Cost(self.events + other.events, self.resets + other.resets)

    def total(self, reset_cost: float) -> float:
        """Return events + c_r × resets, in units of one event."""
        return self.events + reset_cost * self.resets
