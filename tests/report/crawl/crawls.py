"""Crawls for properties: facts of small applications, as a crawl would have told them."""

from collections.abc import Sequence

from hypothesis import strategies as st

from statecrawl.journal.facts import CrawlStarted, EventRefused, Fact, StateFound, TransitionExplored

EVENTS = ("click a", "click b", 'click a "c" #c in nav', "input d = e")


@st.composite
def crawls(draw: st.DrawFn, most: int = 6) -> list[Fact]:
    """Some states, of which some events were explored; those that are not reached are there as well."""
    ids = [f"{number:04x}" for number in draw(st.permutations(range(10, 10 + draw(st.integers(1, most)))))]
    enabled = {state: draw(st.lists(st.sampled_from(EVENTS), unique=True)) for state in ids}
    return facts_of(draw, ids, enabled)


def facts_of(draw: st.DrawFn, ids: Sequence[str], enabled: dict[str, list[str]]) -> list[Fact]:
    facts: list[Fact] = [CrawlStarted(application="app", configuration={}, reset_cost=2.0, at=100.0)]
    for number, state in enumerate(ids):
        url = draw(st.sampled_from(["http://app.test/", "http://app.test/two"]))
        at = 100.0 + draw(st.floats(-5, 50))
        facts.append(StateFound(state=state, events=tuple(enabled[state]), url=url, title=f"title {number}", at=at))
    fired = 0
    for state in ids:
        for event in enabled[state]:
            match draw(st.sampled_from(["explored", "explored", "open", "refused"])):
                case "explored":
                    fired += draw(st.integers(1, 3))
                    target = draw(st.sampled_from(ids))
                    facts.append(TransitionExplored(state=state, event=event, target=target, fired=fired, resets=1))
                case "refused":
                    facts.append(EventRefused(state=state, event=event, reason="denied: it says 'pay'"))
    return facts
