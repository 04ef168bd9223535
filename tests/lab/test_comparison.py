"""The comparison remarks where a model behaves differently from the original."""

from dataclasses import replace

from statecrawl.lab.comparison import compare, remarks
from statecrawl.lab.jobs import OfflineBounds
from statecrawl.model.cost import Cost
from statecrawl.ports.measurement import MeasuredRun
from statecrawl.strategies.offline_bounds import OfflineBound
from statecrawl.testbed.altoro import altoro
from statecrawl.testbed.generated import tiny
from statecrawl.testbed.published import ALL_STATES, COMPLETE, OPTIMAL, STRATEGIES

ALTORO = altoro()


def as_published(strategy: str) -> MeasuredRun:
    """A run of altoro with exactly the published cost."""
    found, end = ALL_STATES["altoro"][strategy], COMPLETE["altoro"][strategy]
    states = len(ALTORO.truth)
    return MeasuredRun(
        app="altoro",
        strategy=strategy,
        seed=0,
        reset_cost=ALTORO.reset_cost,
        event_seconds=ALTORO.event_seconds,
        states=states,
        transitions=ALTORO.truth.explored,
        complete=True,
        cost=Cost(end.events, end.resets),
        discovery=(*[Cost(0, 1)] * (states - 1), Cost(found.events, found.resets)),
        next_task_mean_us=1.0,
        next_task_p999_us=1.0,
        seconds=1.0,
        expected_states=states,
    )


RUNS = [as_published(strategy) for strategy in STRATEGIES]


def with_cost(strategy: str, *, events: float = 1, resets: float = 1) -> list[MeasuredRun]:
    """All runs, one of them with a complete crawl that costs this many times as much."""
    return [
        replace(run, cost=Cost(round(run.cost.events * events), round(run.cost.resets * resets)))
        if run.strategy == strategy
        else run
        for run in RUNS
    ]


def said(runs: list[MeasuredRun]) -> list[str]:
    return list(remarks(ALTORO, runs))


def test_no_remarks_if_all_figures_agree() -> None:
    assert said(RUNS) == []
    assert said([]) == []


def test_events_may_differ_by_less_than_a_third() -> None:
    for strategy in ("breadth-first", "greedy"):
        assert said(with_cost(strategy, events=1.29)) == said(with_cost(strategy, events=0.71)) == []
        (more,) = said(with_cost(strategy, events=1.4))
        assert more.startswith(f"A complete {strategy} crawl takes +40% events compared with the published ")
        (less,) = said(with_cost(strategy, events=0.5))
        assert "-50% events" in less


def test_resets_may_differ_within_an_order_of_magnitude() -> None:
    for strategy in ("breadth-first", "greedy"):
        assert said(with_cost(strategy, resets=3)) == said(with_cost(strategy, resets=0.34)) == []
        (more,) = said(with_cost(strategy, resets=10))
        assert f"A complete {strategy} crawl takes " in more
        assert f"resets; the published one took {COMPLETE['altoro'][strategy].resets:,}." in more
        assert len(said(with_cost(strategy, resets=0.1))) == 1


def test_only_two_strategies_are_used_to_judge_the_shape() -> None:
    assert said(with_cost("menu", events=9, resets=99)) == []


def test_a_reversed_ranking_is_remarked() -> None:
    swapped = {"menu": "hypercube", "hypercube": "menu"}
    runs = [replace(run, strategy=swapped.get(run.strategy, run.strategy)) for run in RUNS]
    ranking = [remark for remark in said(runs) if remark.startswith("Here, hypercube ")]
    assert any("at a lower cost than menu (118 and 970); published was the reverse (970 and 118)" in r for r in ranking)


def test_strategies_published_as_equally_good_share_a_rank() -> None:
    """Greedy and hypercube differ by two events on test-ria; either may win."""
    close = ALL_STATES["test-ria"]
    assert close["hypercube"].events < close["greedy"].events
    pair = [as_published("greedy"), as_published("hypercube")]
    app = replace(ALTORO, name="test-ria")
    reversed_pair = [replace(pair[0], strategy="hypercube"), replace(pair[1], strategy="greedy")]
    for runs in (pair, reversed_pair):
        assert [remark for remark in remarks(app, runs) if remark.startswith("Here")] == []


def test_the_median_of_several_runs_counts() -> None:
    wild = with_cost("greedy", events=9)
    assert said([*RUNS, *RUNS, *wild]) == []


def test_interrupted_runs_are_not_compared() -> None:
    assert said([replace(run, complete=False) for run in with_cost("greedy", events=9)]) == []


def test_published_costs_use_our_reset_cost() -> None:
    assert said([replace(run, reset_cost=500.0) for run in RUNS]) == []


def test_an_application_that_was_never_published() -> None:
    comparison = compare(tiny(), [], None)
    assert (comparison.name, comparison.states, comparison.transitions) == ("tiny", 4, 13)
    assert comparison.optimal_states == (5.0, None)  # three events and the first load
    assert comparison.completion_bound is None
    assert dict(comparison.published_states) == dict(comparison.published_complete) == {}
    assert comparison.published_optimal is None
    assert comparison.remarks == ()


def test_a_published_application_has_published_figures() -> None:
    bounds = OfflineBounds("altoro", OfflineBound(lower=74, upper=80, tour=Cost(76, 2)), 2_400.0)
    comparison = compare(ALTORO, with_cost("greedy", events=2), bounds)
    assert comparison.published_states == ALL_STATES["altoro"]
    assert comparison.published_complete == COMPLETE["altoro"]
    assert comparison.published_optimal == OPTIMAL["altoro"]
    assert comparison.optimal_states == (74.0, 80.0)
    assert comparison.completion_bound == 2_400
    assert len(comparison.remarks) == 1
