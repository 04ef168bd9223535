"""Events that must not be fired are not fired, even if the journal has lost their refusals."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from statecrawl.config.plan import CrawlLimits, CrawlPlan
from statecrawl.config.site import SiteSettings
from statecrawl.crawler.assembly import crawl
from statecrawl.crawler.outcome import Outcome
from statecrawl.journal.facts import CrawlEnded, EventAdded, EventRefused, Fact, StateFound
from statecrawl.journal.fold import fold
from statecrawl.stores.evidence import JOURNAL_NAME
from statecrawl.stores.sqlite_journal import open_journal, open_reader
from tests.fleet.test_refusals import SHELVES, Shop, events_of, is_harmful, refused_in

pytestmark = pytest.mark.browser


def crawled(shop: Shop, plan: CrawlPlan) -> Outcome:
    async def run() -> Outcome:
        await shop.open()
        try:
            return await crawl(replace(plan, url=shop.url), lambda _: None, lambda _: None)
        finally:
            await shop.close()

    return asyncio.run(run())


def rewrite(folder: Path, change: Callable[[list[Fact]], list[Fact]]) -> None:
    """The journal of a crawl, as somebody else might have left it."""
    before = list(open_reader(folder / JOURNAL_NAME).read())
    for file in folder.glob(f"{JOURNAL_NAME}*"):
        file.unlink()
    journal = open_journal(folder / JOURNAL_NAME)
    journal.append(change(before))
    journal.close()


def test_refusals_that_a_journal_has_lost_are_found_again_before_anything_is_fired(tmp_path: Path) -> None:
    shop = Shop()
    plan = CrawlPlan(
        url="http://unknown.test/",
        out=tmp_path / "crawl",
        strategy="greedy",
        name="shop",
        screenshots=False,
        learn_states=0,
        reset_cost=3.0,
        site=SiteSettings(),
        limits=CrawlLimits(events=3),
    )
    assert crawled(shop, plan).ended_because == "max-events"

    def forgetful(facts: list[Fact]) -> list[Fact]:
        kept = [fact for fact in facts if not isinstance(fact, EventRefused | CrawlEnded)]
        first = next(fact.state for fact in kept if isinstance(fact, StateFound))
        outside = ("http://elsewhere.test/", f"{shop.url}account/delete", f"{shop.url}private/attic")
        return [*kept, *(EventAdded(state=first, event=f"open {address}") for address in outside)]

    rewrite(plan.out, forgetful)
    outcome = crawled(shop, replace(plan, limits=CrawlLimits()))
    assert (outcome.ended_because, outcome.states) == ("complete", SHELVES + 1)
    assert not shop.harm
    assert not {"/account/delete", "/private/attic"} & set(shop.paths)
    known = fold(open_reader(plan.out / JOURNAL_NAME).read())
    named = {(known.graph.ids[state], event.local) for state, event in events_of(known)}
    assert refused_in(known) == {pair for pair in named if is_harmful(pair[1]) or "elsewhere" in pair[1]}
    assert sum("button" in event for _, event in refused_in(known)) == 2 * SHELVES
