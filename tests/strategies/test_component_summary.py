"""Summaries of recorded crawls by components."""

from typing import Any

import pytest

from statecrawl.journal.facts import CrawlStarted, StateFound
from statecrawl.model.regions import Region
from statecrawl.strategies.component_summary import NO_COMPONENTS, ComponentSummary, summary_of_facts


def summary(configuration: dict[str, Any]) -> ComponentSummary:
    started = CrawlStarted(application="app", run=1, reset_cost=1.0, configuration=configuration)
    found = StateFound(state="s", events=("click",), regions=(Region("", "shape", "look", "content", (0,)),))
    return summary_of_facts([started, found])


def test_a_recorded_crawl_by_components_is_summarized() -> None:
    assert summary({"model": "components", "confidence": 0.9}).is_used
    assert summary({"model": "components", "confidence": 0.9}).confidence == 0.9


@pytest.mark.parametrize("model", ["states", "of a newer release", 7, None, []])
def test_nothing_is_said_about_other_models(model: object) -> None:
    assert summary({"model": model}) == NO_COMPONENTS


@pytest.mark.parametrize("confidence", ["high", 1.0, -1.0, None])
def test_a_confidence_that_cannot_be_is_ignored(confidence: object) -> None:
    settings = {"model": "components", "confidence": confidence}
    assert summary(settings).confidence == NO_COMPONENTS.confidence
