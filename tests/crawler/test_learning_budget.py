"""The time budget of learning."""

import time

import pytest

from statecrawl.crawler.learning_budget import FREE_SECONDS, SHARE, LearningBudget


@pytest.fixture(name="now")
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time, which stands still until it is set."""
    now = [0.0]
    monkeypatch.setattr(time, "perf_counter", lambda: now[0])
    return now


def test_pages_that_load_quickly_are_compared_at_once(now: list[float]) -> None:
    allowance = LearningBudget(now[0])
    allowance.lasts = FREE_SECONDS / 2
    assert allowance.missing == 0
    allowance.took(FREE_SECONDS / 2)
    assert allowance.missing == 0
    allowance.took(FREE_SECONDS / 2)
    assert allowance.missing > 0


@pytest.mark.parametrize("seconds", [2.0, 5.0, 30.0])
def test_no_step_that_takes_as_long_as_the_one_before_exceeds_the_share(now: list[float], seconds: float) -> None:
    allowance = LearningBudget(now[0])
    allowance.lasts = now[0] = seconds  # the first page
    for _ in range(5):
        now[0] += allowance.missing
        assert allowance.missing == pytest.approx(0.0, abs=1e-6)
        now[0] += seconds
        allowance.took(seconds)
        assert allowance.spent <= SHARE * now[0] + 1e-6


def test_a_load_counts_from_its_beginning(now: list[float]) -> None:
    allowance = LearningBudget(now[0])
    allowance.lasts, now[0] = 3.0, 20.0
    assert allowance.missing == 0
    with allowance.load():
        assert allowance.missing > 0
        now[0] += 1.0
    assert (allowance.spent, allowance.lasts) == (1.0, 1.0)


def test_nothing_is_free_of_what_a_short_crawl_has_not(now: list[float]) -> None:
    allowance = LearningBudget(now[0], limit=5.0)
    allowance.lasts = FREE_SECONDS
    assert allowance.missing > 0
