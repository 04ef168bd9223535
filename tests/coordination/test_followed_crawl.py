"""A process that explores nothing knows why a crawl ends, and what is known about components."""

from statecrawl.coordination.followed_crawl import FollowedCrawl
from statecrawl.journal.facts import Fact, StateFound, TransitionExplored
from statecrawl.model.graph import Graph
from statecrawl.model.regions import Region
from statecrawl.strategies.component_summary import NO_COMPONENTS
from statecrawl.strategies.registry import make_strategy
from statecrawl.strategies.settings import ModelKind, StrategySettings
from statecrawl.strategies.strategy import Strategy


def strategy(graph: Graph) -> Strategy:
    return make_strategy("greedy", graph, StrategySettings(model=ModelKind.COMPONENTS))


def page(state: str, clock: str) -> StateFound:
    regions = (Region("clock", "c", clock, clock), Region("menu", "m", "m", "m", (0,)))
    return StateFound(state=state, events=("tick",), regions=regions)


FACTS: list[Fact] = [page("s", "1"), page("t", "2"), TransitionExplored(state="s", event="tick", target="t")]


def test_without_components_every_event_of_every_state_is_needed() -> None:
    followed = FollowedCrawl(None)
    followed.extend(FACTS)
    assert followed.components() == NO_COMPONENTS
    assert followed.exhaustion_reason() == "unreachable"
    followed.extend([TransitionExplored(state="t", event="tick", target="t")])
    assert followed.exhaustion_reason() == "complete"


def test_with_components_some_events_are_spare() -> None:
    followed = FollowedCrawl(strategy)
    followed.extend(FACTS)
    assert (followed.components().spare, followed.components().components) == (1, 1)
    assert followed.exhaustion_reason() == "components"
