"""Crawls part by part, of applications whose components were counted by hand, in a real Chromium."""

import json
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from statecrawl.config.plan import CrawlPlan
from statecrawl.crawler.loop import CrawlLoop
from statecrawl.crawler.outcome import Outcome
from statecrawl.stores.evidence import EvidenceReader, journal_of
from statecrawl.stores.sqlite_journal import open_reader
from statecrawl.strategies.component_summary import summary_of_facts, summary_of_frontier
from statecrawl.testbed.component_truth import seen_component_states
from statecrawl.testbed.component_truths import component_truth
from tests.cli.command import statecrawl
from tests.crawler.bundled_crawl import crawled

pytestmark = pytest.mark.browser


def by_components(plan: CrawlPlan) -> CrawlPlan:
    return replace(plan, model="components")


def missing(app: str, out: Path, crawling: CrawlLoop) -> set[tuple[str, str]]:
    """The true component states that no stored document shows."""
    evidence, truth = EvidenceReader(out), component_truth(app)
    documents = (evidence.html(state) for state in crawling.crawl.graph.ids)
    return set(truth.all_states() - seen_component_states(truth, documents))


def test_six_independent_widgets_take_hardly_more_events_than_tasks(tmp_path: Path) -> None:
    outcome, crawling = crawled("widgets:6,5", tmp_path, by_components)
    assert outcome.completeness == "components"
    assert not outcome.complete
    assert missing("widgets:6,5", tmp_path, crawling) == set()
    assert (outcome.components, outcome.component_states) == (6, 30)
    assert outcome.independence_checked >= 72
    assert outcome.independence_violated == 0
    assert 120 <= outcome.events - outcome.check_events <= 150


def test_a_dependence_between_widgets_is_found_and_explained(tmp_path: Path) -> None:
    """What the third widget shows depends on one value of the fourth."""
    outcome, crawling = crawled("linked:4,3", tmp_path, by_components)
    assert missing("linked:4,3", tmp_path, crawling) == set()
    assert outcome.ended_because in ("components", "bounded", "complete")
    frontier = crawling.recorder.strategy.component_frontier
    assert frontier is not None
    assert frontier.components.unsteady() == frozenset()


def test_a_list_that_grows_without_end_comes_to_an_end(tmp_path: Path) -> None:
    outcome, crawling = crawled("basket", tmp_path)  # by the model `auto`
    assert outcome.completeness == "bounded"
    assert outcome.switched_at is not None
    assert "items of list “Basket”: none, one and several are distinguished" in outcome.cut
    assert missing("basket", tmp_path, crawling) == set()


def test_a_page_as_people_build_them_is_found_whole(tmp_path: Path) -> None:
    outcome, crawling = crawled("desk", tmp_path)
    assert outcome.ended_because in ("components", "bounded")
    assert missing("desk", tmp_path, crawling) == set()


def test_the_journal_tells_what_the_crawl_knew(tmp_path: Path) -> None:
    _, crawling = crawled("widgets:3,3", tmp_path, by_components)
    with closing(open_reader(journal_of(tmp_path))) as reader:
        summary = summary_of_facts(reader.read())
    assert summary == summary_of_frontier(crawling.recorder.strategy.component_frontier)


def test_a_small_application_is_crawled_exactly_by_default(tmp_path: Path) -> None:
    outcome, _ = crawled("widgets:2,4", tmp_path)
    assert (outcome.completeness, outcome.complete) == ("exact", True)
    assert outcome.states == 16


def test_the_summary_and_its_json_tell_how_complete_the_crawl_is(tmp_path: Path) -> None:
    arguments = ("crawl", "widgets:3,4", "--model", "components", "--no-report", "--no-screenshots", "--quiet")
    done = statecrawl(*arguments, "--out", tmp_path / "crawl", "--json")
    assert done.code == 0
    told = json.loads(done.out)
    assert (told["completeness"], told["complete"]) == ("components", False)
    assert (told["components"], told["component_states"], told["independence_violated"]) == (3, 12, 0)
    assert told["check_events"] >= told["independence_checked"] > 0
    assert told["cut"] == []
    shown = statecrawl("status", tmp_path / "crawl")
    assert "explored part by part" in shown.out


def outcome_of_states(tmp_path: Path) -> Outcome:
    return crawled("widgets:3,4", tmp_path, lambda plan: replace(plan, model="states"))[0]


def test_states_stay_what_they_are_with_the_model_of_states(tmp_path: Path) -> None:
    outcome = outcome_of_states(tmp_path)
    assert (outcome.completeness, outcome.complete, outcome.states) == ("exact", True, 64)


def test_explain_names_the_parts_that_differ_and_counts_what_was_left_out(tmp_path: Path) -> None:
    out = tmp_path / "crawl"
    arguments = ("--model", "components", "--no-report", "--no-screenshots", "--quiet", "--out", out)
    assert statecrawl("crawl", "widgets:4,4", *arguments).code == 0
    told = json.loads(statecrawl("explain", "0", "1", "--in", out, "--json").out)
    (part,) = told["parts"]
    assert "area" in part
    left_out = json.loads(statecrawl("explain", "60", "70", "--in", out, "--json").out)["left_out"][0]
    event, fired_in = left_out[0]
    assert fired_in != 60
    alone = statecrawl("explain", "60", "60", "--in", out).out
    assert f"It has {len(left_out)} events that equal parts of the page had fired in other states:" in alone
    assert f"fired in state {fired_in}" in alone
    assert event.split('"')[1] in alone
    assert "Parts of the page that differ: " + part in statecrawl("explain", "0", "1", "--in", out).out
