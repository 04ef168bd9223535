"""Messages of the progress display."""

from pathlib import Path

import pytest

from statecrawl.cli import progress
from statecrawl.cli.progress import SWITCHED, ProgressDisplay
from statecrawl.config.plan import CrawlPlan
from statecrawl.crawler.resume import RESUMED_WITH
from statecrawl.journal.facts import EquivalenceRevised, Fact, StateFound
from statecrawl.journal.fold import fold
from statecrawl.strategies.component_summary import NO_COMPONENTS, ComponentSummary
from tests.crawler.test_live_view import FACTS, Watched

REVISED = EquivalenceRevised(revision=1, rules=(("p", "text"), ("i", "text")))


@pytest.mark.parametrize(
    ("known", "what"),
    [([StateFound(state="c", events=("x",))], "1 of 2 states remain"), ([], "the crawl starts again")],
)
def test_found_dynamic_content_is_reported_once(known: list[Fact], what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(progress, "note", said.append)
    crawl = Watched(CrawlPlan(url="http://127.0.0.1/", out=Path("crawl")))
    show = ProgressDisplay(quiet=False)
    for facts in (FACTS, [*FACTS, REVISED, *known], [*FACTS, REVISED, *known]):
        crawl.crawl = fold(facts)
        show.update(crawl)
        show.refresh()
    told = [words for words in said if "dynamic" in words]
    assert told == [f"found dynamic content, which is ignored from now on (2 rules): {what}"]


def test_rules_of_an_earlier_run_are_not_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(progress, "note", said.append)
    crawl = Watched(CrawlPlan(url="http://127.0.0.1/", out=Path("crawl")), fold([*FACTS, REVISED, FACTS[1]]))
    show = ProgressDisplay(quiet=False)
    show.update(crawl)
    show.refresh()
    assert not [words for words in said if "dynamic" in words]


def test_the_change_to_parts_of_the_page_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(progress, "note", said.append)
    crawl = Watched(CrawlPlan(url="http://127.0.0.1/", out=Path("crawl")))
    crawl.warnings = (f"{RESUMED_WITH} auto, where the last run had --model states: …",)
    show = ProgressDisplay(quiet=False)
    for components in (NO_COMPONENTS, *[ComponentSummary(is_used=True, spare=7, switched_at=50)] * 2):
        crawl.components = components
        show.update(crawl)
        show.refresh()
    assert [words for words in said if words in (SWITCHED, *crawl.warnings)] == [*crawl.warnings, SWITCHED]
