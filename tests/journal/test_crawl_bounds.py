"""Events beyond a bound are refused, with the option that would have to be larger."""

import pytest

from statecrawl.journal.crawl_bounds import CrawlBounds, CrawlBoundsTracker, exhaustion_reason, option_of
from statecrawl.journal.facts import EventAdded, EventRefused, Fact, StateFound, TransitionExplored
from statecrawl.journal.fold import FoldedCrawl, fold

HOME = "http://h/"


def found(state: str, *events: str, url: str = HOME) -> StateFound:
    return StateFound(state=state, events=events, url=url)


def opened(path: str) -> EventAdded:
    return EventAdded(state="home", event=f"open {HOME}{path}")


def crawled_within(bounds: CrawlBounds, *facts: Fact) -> tuple[list[EventRefused], list[Fact]]:
    """Return the refusals, and the journal including them."""
    crawl, journal, refused = FoldedCrawl(), [], []
    bounding = CrawlBoundsTracker(bounds, crawl)
    for fact in facts:
        crawl.apply(fact)
        journal.append(fact)
        for refusal in bounding.refusals_after(fact):
            crawl.apply(refusal)
            journal.append(refusal)
            refused.append(refusal)
    return refused, journal


SITE = (found("home", "open http://h/a", "press"), opened("item/1"), opened("item/2"), opened("b"), opened("item/2"))


@pytest.mark.parametrize(
    ("bounds", "beyond"),
    [
        (CrawlBounds(), []),
        (CrawlBounds(urls=4), []),
        (CrawlBounds(urls=2), ["item/2", "b"]),
        (CrawlBounds(urls_alike=1), ["item/2"]),
        (CrawlBounds(urls=3, urls_alike=1), ["item/2", "b"]),
    ],
)
def test_of_addresses_only_so_many_are_opened(bounds: CrawlBounds, beyond: list[str]) -> None:
    refused, _ = crawled_within(bounds, *SITE)
    assert [refusal.event.removeprefix(f"open {HOME}") for refusal in refused] == beyond


def test_of_one_address_only_so_many_states_are_expanded() -> None:
    states = (found("home", "press"), found("more", "a", "b", url=f"{HOME}#x"), found("else", "c", url=f"{HOME}else"))
    refused, _ = crawled_within(CrawlBounds(states_at_url=1), *states)
    assert [(refusal.state, refusal.event) for refusal in refused] == [("more", "a"), ("more", "b")]


@pytest.mark.parametrize(
    ("bounds", "option"),
    [
        (CrawlBounds(urls=2), "--max-urls"),
        (CrawlBounds(urls_alike=1), "--max-alike"),
        (CrawlBounds(states_at_url=1), "--max-states-per-url"),
        (CrawlBounds(depth=0), "--max-depth"),
    ],
)
def test_the_option_that_would_change_it(bounds: CrawlBounds, option: str) -> None:
    refused, _ = crawled_within(bounds, *SITE, found("more", "a"))
    assert {option_of(refusal.reason) for refusal in refused} == {option}


def test_routes_are_urls_of_their_own() -> None:
    states = (found("home", "press"), *(found(path, "a", url=f"{HOME}#/{path}") for path in ("users", "orders")))
    refused, _ = crawled_within(CrawlBounds(states_at_url=1), *states)
    assert refused == []


def test_queries_with_ever_new_names_are_alike() -> None:
    names = "abcdefghijklmnopqrstuvwxyz"
    refused, _ = crawled_within(CrawlBounds(urls_alike=3), found("home"), *(opened(f"find?{name}=1") for name in names))
    assert len(refused) == len(names) - 10 - 3


def test_whoever_goes_on_counts_what_was_there_before() -> None:
    bounds = CrawlBounds(urls=2, states_at_url=1)
    _, journal = crawled_within(bounds, *SITE[:2])
    crawl = fold(journal)
    bounding = CrawlBoundsTracker(bounds, crawl)
    for fact in (opened("c"), found("more", "x")):
        crawl.apply(fact)
        assert len(bounding.refusals_after(fact)) == 1


@pytest.mark.parametrize(
    ("bounds", "why"),
    [
        (CrawlBounds(), "complete"),
        (CrawlBounds(urls=2), "max-urls"),
        (CrawlBounds(urls_alike=1), "max-alike"),
        (CrawlBounds(states_at_url=1), "max-states-per-url"),
        (CrawlBounds(depth=1), "max-depth"),
    ],
)
def test_the_end_says_which_bound_was_met(bounds: CrawlBounds, why: str) -> None:
    """The crawl ends for this reason once all other events are explored."""
    _, journal = crawled_within(
        bounds, *SITE, found("next", "x"), TransitionExplored(state="home", event="press", target="next")
    )
    crawl = fold(journal)
    assert exhaustion_reason(crawl) == "unreachable"
    for state, events in enumerate(crawl.graph.events):
        for position in range(len(events)):
            if (state, position) not in crawl.closed:
                name, event = crawl.graph.ids[state], crawl.graph.event(state, position).local
                crawl.apply(TransitionExplored(state=name, event=event, target=name))
    assert exhaustion_reason(crawl) == why
