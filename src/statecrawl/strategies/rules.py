"""The rules a strategy plays by: what a reset costs, and how ties are broken."""

from dataclasses import dataclass, replace
from enum import StrEnum

from statecrawl.model.paths import Ties


class Order(StrEnum):
    """Which of several equally good events of a state is fired first."""

    FIXED = "fixed"  # the first in enabled order
    RANDOM = "random"  # any, by the seeded generator


class Search(StrEnum):
    """How the nearest target is found."""

    INDEXED = "indexed"  # kept up to date from task to task; any target at the least distance
    REFERENCE = "reference"  # searched anew for each task, in the fixed order of ties of the published figures


class Prefer(StrEnum):
    """Which states come first, whatever the strategy."""

    NONE = "none"
    DIVERSE = "diverse"  # those unlike any seen before


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Handed to every strategy."""

    reset_cost: float = 2.0
    ties: Ties = Ties.WALK
    order: Order = Order.FIXED
    search: Search = Search.INDEXED
    prefer: Prefer = Prefer.NONE
    aging: float = 1.0  # probability only: below 1, older explorations of an event count less
    seed: int = 0
    by_url: bool = False  # a whole site is crawled: its URLs first, and no page more than its share

    def with_seed(self, seed: int) -> "Rules":
        return replace(self, seed=seed)

    def with_reset_cost(self, reset_cost: float) -> "Rules":
        return replace(self, reset_cost=reset_cost)
