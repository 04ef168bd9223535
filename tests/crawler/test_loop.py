"""Crawls of the bundled applications in a real Chromium: the model found is the true one."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from statecrawl.config.plan import CrawlLimits, CrawlPlan, Scope
from statecrawl.crawler.assembly import crawl
from statecrawl.crawler.loop import CrawlLoop
from statecrawl.crawler.start_page import ASKS_WHO
from statecrawl.errors import BadInput
from statecrawl.journal.facts import CostMeasured, CrawlEnded, EventRefused
from statecrawl.stores.evidence import JOURNAL_NAME, EvidenceWriter
from statecrawl.stores.sqlite_journal import open_reader
from statecrawl.testbed.catalogue import application
from statecrawl.testbed.event_kinds import HIDDEN
from statecrawl.testbed.model_match import mismatch
from statecrawl.testbed.sites.registry import site_named
from statecrawl.testbed.sites.server import start
from statecrawl.testbed.volatile import volatile
from tests.browser.stage import let_learn
from tests.crawler.bundled_crawl import EVERYTHING, crawled

pytestmark = pytest.mark.browser

ALL_STRATEGIES = ("breadth-first", "depth-first", "greedy", "hypercube", "menu", "probability")


@pytest.mark.parametrize(
    ("app", "strategy"),
    [
        *(("tiny", strategy) for strategy in ALL_STRATEGIES),
        ("viol8", "hypercube"),
        ("hypercube:3", "hypercube"),
        ("pager:4", "greedy"),
        ("menusite:2,2", "menu"),
        ("widgets:2,3", "probability"),
        ("linked:2,3", "greedy"),
        ("altoro", "menu"),
        ("test-ria", "greedy"),
    ],
)
def test_the_model_found_is_the_true_one(app: str, strategy: str, tmp_path: Path) -> None:
    outcome, crawling = crawled(app, tmp_path / "crawl", lambda plan: replace(plan, strategy=strategy))
    assert mismatch(crawling.crawl.graph, application(app).truth) is None
    assert outcome.complete
    assert outcome.ended_because == "complete"
    assert outcome.diverged == outcome.hung == outcome.external == 0


def test_two_pages_find_the_same_model(tmp_path: Path) -> None:
    outcome, crawling = crawled("test-ria", tmp_path / "crawl", lambda plan: replace(plan, pages=2))
    assert mismatch(crawling.crawl.graph, application("test-ria").truth) is None
    assert outcome.complete


def test_dynamic_content_makes_no_states(tmp_path: Path) -> None:
    """Learning may take all the time there is: a busy machine would wait for its share for minutes."""
    outcome, crawling = crawled(
        "volatile", tmp_path / "crawl", lambda plan: replace(plan, learn_states=20), prepare=let_learn
    )
    assert mismatch(crawling.crawl.graph, volatile().truth) is None
    assert outcome.rules > 0
    with_rules = [fact for fact in _facts(tmp_path) if type(fact).__name__ == "EquivalenceRevised"]
    assert with_rules, "what was learnt is in the journal"


def test_dynamic_content_makes_states_when_nothing_is_learned(tmp_path: Path) -> None:
    """The test above would prove nothing if the application were stable by itself."""
    _, crawling = crawled("volatile", tmp_path / "crawl", lambda plan: replace(plan, limits=CrawlLimits(states=20)))
    assert len(crawling.crawl.graph) > len(volatile().truth)


def test_every_kind_of_event_is_found(tmp_path: Path) -> None:
    """The first page has them all: once it is explored, every hidden state has been seen."""

    def told(crawling: CrawlLoop) -> None:
        graph = crawling.crawl.graph
        if graph.remaining[0] == len([pair for pair in crawling.crawl.closed if pair[0] == 0]) and not _missing(
            crawling
        ):
            crawling.stop("all found")

    def change(plan: CrawlPlan) -> CrawlPlan:
        return replace(plan, strategy="greedy", limits=CrawlLimits(events=400))

    _, crawling = crawled("kinds", tmp_path / "crawl", change, told)
    assert _missing(crawling) == []


def _missing(crawling: CrawlLoop) -> list[str]:
    evidence = crawling.evidence
    assert isinstance(evidence, EvidenceWriter)
    texts = [evidence.html(state) for state in crawling.crawl.graph.ids]
    return [kind for kind, text in HIDDEN.items() if not any(text in html for html in texts)]


def test_a_limit_ends_the_crawl_and_says_so(tmp_path: Path) -> None:
    outcome, _ = crawled("pager:9", tmp_path / "crawl", lambda plan: replace(plan, limits=CrawlLimits(states=4)))
    assert (outcome.states, outcome.complete, outcome.ended_because) == (4, False, "max-states")
    assert [fact.reason for fact in _facts(tmp_path) if isinstance(fact, CrawlEnded)] == ["max-states"]


def test_what_lies_too_deep_is_not_expanded(tmp_path: Path) -> None:
    outcome, crawling = crawled("pager:9", tmp_path / "crawl", lambda plan: replace(plan, limits=CrawlLimits(depth=2)))
    assert len(crawling.crawl.graph) == 3
    assert (outcome.complete, outcome.ended_because) == (False, "max-depth")
    assert sum(outcome.refusals.values()) == outcome.refused > 0


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"scope": Scope()}, "allow-dangerous on, not off"),
        ({"values": (("city", ("Rome",)),)}, "with values none, not "),
        ({"ignore_selectors": ("h1", "p")}, "with ignore none, not h1, p"),
        ({"trusted": True}, "with trusted-input off, not on"),
        ({"equivalence": "exact"}, "with equivalence content, not exact"),
    ],
)
def test_other_settings_make_another_crawl(changed: dict[str, Any], words: str, tmp_path: Path) -> None:
    out = tmp_path / "crawl"
    crawled("tiny", out, lambda plan: replace(plan, name="tiny", limits=CrawlLimits(events=2)))
    with pytest.raises(BadInput, match="name another directory with --out") as refused:
        crawled("tiny", out, lambda plan: replace(plan, name="tiny", **changed))
    assert words in str(refused.value)


def test_what_a_reset_costs_is_measured_however_often_the_crawl_was_stopped(tmp_path: Path) -> None:
    out = tmp_path / "crawl"
    crawled("widgets:2,4", out, lambda plan: replace(plan, name="widgets", limits=CrawlLimits(events=5)))
    assert not any(isinstance(fact, CostMeasured) for fact in _facts(tmp_path))
    outcome, _ = crawled("widgets:2,4", out, lambda plan: replace(plan, name="widgets"))
    assert outcome.complete
    assert any(isinstance(fact, CostMeasured) for fact in _facts(tmp_path))


def test_an_application_that_needs_no_reset_is_reset_once_to_know_what_that_costs(tmp_path: Path) -> None:
    outcome, _ = crawled("widgets:2,4", tmp_path / "crawl", lambda plan: replace(plan, strategy="greedy", pages=2))
    assert outcome.complete
    assert any(isinstance(fact, CostMeasured) for fact in _facts(tmp_path))


@pytest.mark.parametrize(
    ("place", "scope", "words"),
    [
        ("nothing-here", EVERYTHING, ["the start page answers with status 404", "is not HTML but text/plain"]),
        ("", Scope(prefix="/app/"), ["which is out of scope"]),
        ("", EVERYTHING, []),
    ],
)
def test_a_first_page_that_cannot_be_meant(place: str, scope: Scope, words: list[str], tmp_path: Path) -> None:
    outcome, _ = crawled(
        "tiny",
        tmp_path / "crawl",
        lambda plan: replace(plan, url=plan.url + place, scope=scope, limits=CrawlLimits(events=1)),
    )
    told = [each.text for each in outcome.qualifications if each.kind == "start"]
    assert len(told) == len(words)
    assert all(expected in text for expected, text in zip(words, told, strict=True))


def test_a_start_page_that_asks_for_a_password_qualifies_the_crawl(tmp_path: Path) -> None:
    def change(plan: CrawlPlan) -> CrawlPlan:
        return replace(plan, limits=CrawlLimits(events=1))

    outcome, _ = crawled("office", tmp_path / "crawl", change)
    assert ("start", ASKS_WHO) in [(each.kind, each.text) for each in outcome.qualifications]


def test_a_crawl_goes_on_where_it_ended(tmp_path: Path) -> None:
    out = tmp_path / "crawl"
    outcomes = []
    begun: list[CrawlLoop] = []

    async def run() -> None:
        serving = await start(site_named("test-ria"))
        plan = CrawlPlan(url=serving.url, out=out, scope=EVERYTHING, screenshots=False, learn_states=0)
        outcomes.append(await crawl(replace(plan, limits=CrawlLimits(events=200)), begun.append, lambda _: None))
        outcomes.append(await crawl(plan, begun.append, lambda _: None))
        await serving.close()

    asyncio.run(run())
    assert not outcomes[0].complete
    assert outcomes[1].complete
    assert mismatch(begun[1].crawl.graph, application("test-ria").truth) is None
    assert outcomes[1].transitions == 305


def test_dangerous_elements_are_not_touched(tmp_path: Path) -> None:
    change: Callable[[CrawlPlan], CrawlPlan] = lambda plan: replace(plan, scope=Scope(), limits=CrawlLimits(events=300))  # noqa: E731
    _, crawling = crawled("altoro", tmp_path / "crawl", change)
    refused = [fact for fact in _facts(tmp_path) if isinstance(fact, EventRefused)]
    assert any("Sign off" in fact.event for fact in refused)
    fired = {
        crawling.crawl.graph.event(state, position).local for state, position, _ in crawling.crawl.graph.transitions()
    }
    assert not any("Sign off" in event for event in fired)


def test_stopping_keeps_what_was_found(tmp_path: Path) -> None:
    def told(crawling: CrawlLoop) -> None:
        if crawling.crawl.graph.explored >= 50:
            crawling.stop("interrupted")

    outcome, crawling = crawled("test-ria", tmp_path / "crawl", told=told)
    assert outcome.ended_because == "interrupted"
    kept = [fact for fact in _facts(tmp_path) if type(fact).__name__ == "TransitionExplored"]
    assert len(kept) == crawling.crawl.graph.explored >= 50


def _facts(tmp_path: Path) -> list[object]:
    reader = open_reader(tmp_path / "crawl" / JOURNAL_NAME)
    try:
        return list(reader.read())
    finally:
        reader.close()
