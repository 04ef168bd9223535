"""A URL that must not be opened is not opened by any event."""

import pytest

from statecrawl.journal.crawl_bounds import NO_BOUNDS, CrawlBoundsTracker
from statecrawl.journal.facts import EventAdded, EventRefused, Fact, StateFound
from statecrawl.journal.fold import FoldedCrawl
from statecrawl.journal.refusal_reasons import DANGEROUS, EXCLUDED, ROBOTS

HOME, URL = "home", "http://h/things/1"
FOUND = StateFound(state=HOME, events=(f"open {URL}", "open http://h/next"))
DANGER = f"{DANGEROUS}it says 'Delete'"


def refusals_after(*facts: Fact, crawl: FoldedCrawl) -> list[EventRefused]:
    """Return the refusals after these facts, for a process that knows the facts in `crawl` already."""
    bounding, refused = CrawlBoundsTracker(NO_BOUNDS, crawl), list[EventRefused]()
    for fact in facts:
        crawl.apply(fact)
        refused += bounding.refusals_after(fact)
        crawl.extend(refused)
    return refused


def left_out(reason: str = DANGER) -> tuple[Fact, Fact]:
    """Report a link whose URL must not be opened for this reason."""
    name = f"unopened {URL}"
    return EventAdded(state=HOME, event=name), EventRefused(state=HOME, event=name, reason=reason)


@pytest.mark.parametrize("resumed", [False, True])
@pytest.mark.parametrize("reason", [DANGER, f"{EXCLUDED}--deny-element 'Delete'"])
def test_a_url_that_is_known_is_not_opened_after_a_link_calls_it_dangerous(reason: str, *, resumed: bool) -> None:
    before = FoldedCrawl().extend([FOUND]) if resumed else FoldedCrawl()
    facts = [*([] if resumed else [FOUND]), *left_out(reason)]
    assert refusals_after(*facts, crawl=before) == [EventRefused(state=HOME, event=f"open {URL}", reason=reason)]


@pytest.mark.parametrize("resumed", [False, True])
def test_nor_is_it_when_a_harmless_link_comes_later(*, resumed: bool) -> None:
    facts = [StateFound(state=HOME, events=()), *left_out()]
    before = FoldedCrawl().extend(facts) if resumed else FoldedCrawl()
    named = [EventAdded(state=HOME, event=f"{how} {URL}") for how in ("try", "open")]
    assert refusals_after(*([] if resumed else facts), *named, crawl=before) == [
        EventRefused(state=HOME, event=f"{how} {URL}", reason=DANGER) for how in ("try", "open")
    ]


def test_what_is_not_opened_for_another_reason_says_nothing_about_other_events() -> None:
    assert refusals_after(FOUND, *left_out(ROBOTS), crawl=FoldedCrawl()) == []
