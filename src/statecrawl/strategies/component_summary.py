"""Summary of a crawl by components: what was found, what was left out, and how far that can be trusted."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from statecrawl.journal.facts import CrawlStarted, Fact, StateFound
from statecrawl.journal.fold import FoldedCrawl
from statecrawl.model.component_tasks import OpenEnd, Unit, Value
from statecrawl.model.graph import UNEXPLORED
from statecrawl.strategies.component_frontier import ComponentFrontier
from statecrawl.strategies.greedy import Greedy
from statecrawl.strategies.journal_feed import StrategyFeed, since_revision
from statecrawl.strategies.settings import ModelKind, StrategySettings


@dataclass(frozen=True, slots=True, kw_only=True)
class ComponentSummary:
    """Components of a crawl. Without any, the crawl distinguishes states."""

    is_used: bool = False  # whether events were left out because of components
    components: int = 0  # parts of the page that have shown more than one value
    component_states: int = 0  # their values
    spare: int = 0  # events left out, because they were fired elsewhere
    independence_checked: int = 0  # random events that were fired nevertheless
    independence_violated: int = 0  # events that did something else than predicted
    check_events: int = 0  # all events spent on checks, with the walks to them
    deviating_share: float = 1.0  # of the events left out, fewer than this would do something else
    confidence: float = 0.95
    cut: tuple[str, ...] = ()  # rows and open ends, in words
    switched_at: int | None = None  # number of states when components came into use by themselves
    parts: tuple[tuple[str, int], ...] = ()  # components in words, each with the number of its states
    unexplained: int = 0  # events that did different things for no visible reason


NO_COMPONENTS = ComponentSummary()


def summary_of_frontier(frontier: ComponentFrontier | None) -> ComponentSummary:
    """Summarize what a strategy knows about components."""
    if frontier is None:
        return NO_COMPONENTS
    components, trust = frontier.components, frontier.trust
    changing = components.changing()
    return ComponentSummary(
        is_used=frontier.is_active,
        components=len(changing),
        component_states=sum(map(len, changing.values())),
        spare=frontier.spare,
        independence_checked=trust.checked,
        independence_violated=trust.violated,
        check_events=frontier.check_events,
        deviating_share=round(trust.deviating_share, 4),
        confidence=trust.confidence,
        cut=()
        if not frontier.is_active
        else (*map(_rows_in_words, _outermost(components.rows())), *map(_open_end_in_words, components.open_ends())),
        switched_at=frontier.switched_at,
        parts=tuple(_parts_in_words(changing)),
        unexplained=len(components.unsteady()),
    )


def summary_of_facts(facts: Iterable[Fact]) -> ComponentSummary:
    """Summarize the components of a recorded crawl."""
    return summary_of_frontier(folded_components(facts))


def folded_components(facts: Iterable[Fact]) -> ComponentFrontier | None:
    """Return what a recorded crawl knew about components; None if it recorded no regions."""
    known = since_revision(facts)
    started = [fact for fact in known if isinstance(fact, CrawlStarted)]
    settings = started[-1].configuration if started else {}
    if not any(isinstance(fact, StateFound) and fact.regions for fact in known):
        return None
    crawl = FoldedCrawl()
    strategy = Greedy(
        crawl.graph,
        StrategySettings(
            model=_model_of(settings),
            exhaustive=settings.get("exhaustive") is True,
            confidence=_confidence_of(settings),
        ),
    )
    StrategyFeed(crawl, strategy).push(known)
    return strategy.component_frontier


def differing_parts(frontier: ComponentFrontier, one: int, other: int) -> tuple[str, ...]:
    """Return the parts of the page that differ between two states, in words."""
    changing = frontier.components.changing()
    return tuple(unit_in_words(unit, changing) for unit in sorted(frontier.components.changed_units(one, other)))


def spare_events(frontier: ComponentFrontier, state: int) -> int:
    """Return how many events of a state were left out, because they were fired in another context."""
    graph = frontier.graph
    return sum(
        frontier.is_spare((state, position)) and graph.targets[state][position] == UNEXPLORED
        for position in range(len(graph.events[state]))
    )


def _model_of(settings: Mapping[str, Any]) -> ModelKind:
    """Return the model of a run. Older releases had states only; of models of newer ones, nothing can be said."""
    model = settings.get("model")
    return ModelKind(model) if model in tuple(ModelKind) else ModelKind.STATES


def _confidence_of(settings: Mapping[str, Any]) -> float:
    confidence = settings.get("confidence")
    return confidence if isinstance(confidence, float) and 0 < confidence < 1 else NO_COMPONENTS.confidence


def _parts_in_words(changing: Mapping[Unit, frozenset[Value]]) -> Iterator[tuple[str, int]]:
    """Yield the components with the most states first."""
    for unit, values in sorted(changing.items(), key=lambda item: (-len(item[1]), item[0])):
        yield unit_in_words(unit, changing), len(values)


def unit_in_words(unit: Unit, changing: Collection[Unit]) -> str:
    """Return the name of a part of the page. Equal ones beside each other are numbered."""
    place, ordinal = unit
    return f"{readable(place)} ({ordinal + 1})" if ordinal > 0 or (place, 1) in changing else readable(place)


def _outermost(places: Collection[str]) -> list[str]:
    """Return the places that are not inside another one of them."""
    return sorted(place for place in places if not any(place.startswith(f"{other}>") for other in places))


def _rows_in_words(place: str) -> str:
    return f"rows of {readable(place)}: none, one and several of each look are distinguished"


def _open_end_in_words(end: OpenEnd) -> str:
    seen = f"{end.kept} values are distinguished, {end.values} were seen"
    return f"{readable(end.unit[0])}: {seen}; '{end.event}' makes new ones"


def readable(place: str) -> str:
    """Return the place of a region in words for people."""
    return place.replace(">", " > ") or "the page"
