"""Settings of a strategy: cost of a reset, search method, and order among equals."""

from dataclasses import dataclass, replace
from enum import StrEnum

from statecrawl.model.cheapest_paths import Ties


class TieOrder(StrEnum):
    """Which of several equally good events of a state comes first."""

    FIXED = "fixed"  # the first in enabled order
    RANDOM = "random"  # a random one, by the seeded generator


class SearchMethod(StrEnum):
    """How the nearest target is found."""

    INDEXED = "indexed"  # from an index updated with each task; any target at the least distance
    REFERENCE = "reference"  # by a new search for each task, in the fixed tie order of the published figures


class StatePreference(StrEnum):
    """Which states come first in every strategy."""

    NONE = "none"
    DIVERSE = "diverse"  # states unlike any found before


class ModelKind(StrEnum):
    """What a crawl has to explore; see `strategies.component_frontier`."""

    AUTO = "auto"  # states, until they grow several times faster than what their regions show; then components
    COMPONENTS = "components"  # every event of every component state
    STATES = "states"  # every event of every state


@dataclass(frozen=True, slots=True, kw_only=True)
class StrategySettings:
    """Settings passed to every strategy."""

    reset_cost: float = 2.0
    ties: Ties = Ties.WALK
    order: TieOrder = TieOrder.FIXED
    search: SearchMethod = SearchMethod.INDEXED
    prefer: StatePreference = StatePreference.NONE
    aging: float = 1.0  # probability only: below 1, older explorations of an event count less
    seed: int = 0
    model: ModelKind = ModelKind.STATES
    exhaustive: bool = False  # with components: distinguish all rows and all values of open ends
    confidence: float = 0.95  # with which the independence of components is claimed
    by_url: bool = False  # site crawl: URLs first, and equal attention to all pages; see `site_frontier`

    def with_seed(self, seed: int) -> "StrategySettings":
        return replace(self, seed=seed)

    def with_reset_cost(self, reset_cost: float) -> "StrategySettings":
        return replace(self, reset_cost=reset_cost)
