"""Summary of a crawl by components: what was found, what was left out, and how far that can be trusted."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from statecrawl.journal.facts import CrawlStarted, Fact, StateFound
from statecrawl.journal.fold import FoldedCrawl
from statecrawl.model.component_tasks import OpenEnd
from statecrawl.model.components import Components
from statecrawl.model.graph import UNEXPLORED
from statecrawl.strategies.component_frontier import ComponentFrontier
from statecrawl.strategies.greedy import Greedy
from statecrawl.strategies.journal_feed import StrategyFeed, since_revision
from statecrawl.strategies.settings import ModelKind, StrategySettings

SHOWN = 4  # states from which a part that was cut can get its name


@dataclass(frozen=True, slots=True, kw_only=True)
class CutPart:
    """Parts of the page with the same place, of which not everything is distinguished."""

    place: str
    ordinals: tuple[int, ...] = ()  # of the parts; none if they are rows, whose number is not distinguished
    event: str = ""  # that makes new values without end; see `OpenEnd`
    example: str = ""
    fired: int = 0
    kept: tuple[int, int] = (0, 0)  # the fewest and the most values of one part that are distinguished
    shown_in: tuple[int, ...] = ()  # some of the states that show the parts

    @property
    def is_rows(self) -> bool:
        return not self.ordinals


@dataclass(frozen=True, slots=True, kw_only=True)
class ComponentSummary:
    """Components of a crawl. Without any, the crawl distinguishes states."""

    is_used: bool = False  # whether events were left out because of components
    components: int = 0  # parts of the page that have shown more than one value
    component_states: int = 0  # their values
    spare: int = 0  # events left out, because they were fired elsewhere
    far: int = 0  # of them, those in states that are too far from the first page to be checked
    independence_checked: int = 0  # random events that were fired nevertheless
    independence_violated: int = 0  # events that did something else than predicted
    check_events: int = 0  # all events spent on checks, with the walks to them
    deviating_share: float = 1.0  # of the events left out, fewer than this would do something else
    confidence: float = 0.95
    cut: tuple[CutPart, ...] = ()  # rows and open ends
    switched_at: int | None = None  # number of states when components came into use by themselves
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
        far=frontier.far,
        independence_checked=trust.checked,
        independence_violated=trust.violated,
        check_events=frontier.check_events,
        deviating_share=round(trust.deviating_share, 4),
        confidence=trust.confidence,
        cut=tuple(_cut_parts(components)) if frontier.is_active else (),
        switched_at=frontier.switched_at,
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


def left_out(frontier: ComponentFrontier, state: int) -> list[tuple[int, int]]:
    """Return the events of a state that were left out, each with the state in which an equal one was fired."""
    graph, components = frontier.graph, frontier.components
    found = []
    for position, target in enumerate(graph.targets[state]):
        task = components.task((state, position))
        if target == UNEXPLORED and task is not None and frontier.is_spare((state, position)):
            found += [(position, fired_in) for fired_in, _ in components.record(task).outcomes[:1]]
    return found


def _model_of(settings: Mapping[str, Any]) -> ModelKind:
    """Return the model of a run. Older releases had states only; of models of newer ones, nothing can be said."""
    model = settings.get("model")
    return ModelKind(model) if model in tuple(ModelKind) else ModelKind.STATES


def _confidence_of(settings: Mapping[str, Any]) -> float:
    confidence = settings.get("confidence")
    return confidence if isinstance(confidence, float) and 0 < confidence < 1 else NO_COMPONENTS.confidence


def _cut_parts(components: Components) -> Iterator[CutPart]:
    """Yield the rows, then the open ends. Those of one place with the same event are told together."""
    for place in _outermost(components.rows()):
        yield CutPart(place=place, shown_in=_some(components.holders(place)))
    alike: dict[tuple[str, str], list[OpenEnd]] = {}
    for end in components.open_ends():
        alike.setdefault((end.unit[0], end.event), []).append(end)
    for (place, event), ends in alike.items():
        kept = [end.kept for end in ends]
        yield CutPart(
            place=place,
            ordinals=tuple(sorted({end.unit[1] for end in ends})),
            event=event,
            example=ends[0].example,
            fired=max(end.fired for end in ends),
            kept=(min(kept), max(kept)),
            shown_in=_some(components.holders(place)),
        )


def _some(states: Sequence[int]) -> tuple[int, ...]:
    """Return a few states, from the first to the last."""
    last = len(states) - 1
    return tuple(dict.fromkeys(states[last * number // (SHOWN - 1)] for number in range(SHOWN)))


def _outermost(places: Collection[str]) -> list[str]:
    """Return the places that are not inside another one of them."""
    return sorted(place for place in places if not any(place.startswith(f"{other}>") for other in places))
