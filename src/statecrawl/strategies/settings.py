"""The rules a strategy plays by: what a reset costs, and how ties are broken."""

from dataclasses import dataclass, replace
from enum import StrEnum

from statecrawl.model.cheapest_paths import Ties


class TieOrder(StrEnum):
    """Which of several equally good events of a state is fired first."""

    FIXED = "fixed"  # the first in enabled order
    RANDOM = "random"  # any, by the seeded generator


class SearchMethod(StrEnum):
    """How the nearest target is found."""

    INDEXED = "indexed"  # kept up to date from task to task; any target at the least distance
    REFERENCE = "reference"  # searched anew for each task, in the fixed order of ties of the published figures


class StatePreference(StrEnum):
    """Which states come first, whatever the strategy."""

    NONE = "none"
    DIVERSE = "diverse"  # those unlike any seen before


@dataclass(frozen=True, slots=True, kw_only=True)
class StrategySettings:
    """Handed to every strategy."""

    reset_cost: float = 2.0
    ties: Ties = Ties.WALK
    order: TieOrder = TieOrder.FIXED
    search: SearchMethod = SearchMethod.INDEXED
    prefer: StatePreference = StatePreference.NONE
    aging: float = 1.0  # probability only: below 1, older explorations of an event count less
    seed: int = 0
    by_url: bool = False  # a whole site is crawled: its URLs first, and no page more than its share

    def with_seed(self, seed: int) -> "StrategySettings":
        return replace(self, seed=seed)

    def with_reset_cost(self, reset_cost: float) -> "StrategySettings":
        return replace(self, reset_cost=reset_cost)
