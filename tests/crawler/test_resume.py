"""Checks whether a crawl can be resumed."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from statecrawl.config.plan import CrawlPlan
from statecrawl.config.recorded_settings import recorded_settings
from statecrawl.config.secrets import application_of
from statecrawl.crawler.resume import RESUMED_WITH, changed_model, check_same
from statecrawl.errors import BadInput
from statecrawl.journal.facts import CrawlStarted
from statecrawl.journal.fold import fold
from statecrawl.model.equivalence import IDENTITY, IDENTITY_VERSION
from statecrawl.results.replay import replayer

PLAN = CrawlPlan(url="http://host/", out=Path("folder"))


def begun(**configuration: object) -> CrawlStarted:
    return CrawlStarted(application=application_of(PLAN), configuration=configuration, reset_cost=1.0)


def test_a_crawl_of_this_release_is_resumed() -> None:
    assert recorded_settings(PLAN)[IDENTITY] == IDENTITY_VERSION
    check_same(PLAN, fold([begun(**recorded_settings(PLAN))]))


@pytest.mark.parametrize("configuration", [{}, {IDENTITY: 1}, {IDENTITY: IDENTITY_VERSION + 1}])
def test_a_crawl_with_other_ids_is_neither_resumed_nor_replayed(configuration: dict[str, int]) -> None:
    before = fold([begun(**configuration)])
    with pytest.raises(
        BadInput, match="folder holds a crawl of another release, which identifies states by other rules"
    ):
        check_same(PLAN, before)
    with pytest.raises(BadInput, match="crawl again into another directory"):
        asyncio.run(replayer(PLAN, before).__aenter__())


@pytest.mark.parametrize(
    ("last", "now", "words"),
    [
        ("states", "auto", "--model auto, where the last run had --model states: events may be left out"),
        ("auto", "states", "--model states, where the last run had --model auto: events that were left out are fired"),
        ("components", "auto", "--model auto, where the last run had --model components"),
        ("auto", "auto", ""),
        (None, "auto", "--model auto, where the last run had --model states"),  # older releases had states only
    ],
)
def test_another_model_than_that_of_the_last_run_is_told(last: str | None, now: str, words: str) -> None:
    before = fold([begun(**({} if last is None else {"model": last}))])
    told = changed_model(replace(PLAN, model=now), before)
    assert words in told
    assert bool(told) == bool(words)
    assert told.startswith(RESUMED_WITH if words else "")


def test_a_new_crawl_has_no_other_model() -> None:
    assert changed_model(PLAN, fold([])) == ""
