"""Experiments are validated when they are created."""

import pytest

from statecrawl.errors import BadInput, UnknownName
from statecrawl.lab.experiment import MAX_RUNS, Experiment
from statecrawl.strategies.registry import STRATEGIES
from statecrawl.strategies.settings import StrategySettings, TieOrder

RANDOM = StrategySettings(order=TieOrder.RANDOM, seed=7)


def test_all_stands_for_every_strategy() -> None:
    assert Experiment(apps=("tiny",)).chosen == list(STRATEGIES)
    assert Experiment(apps=("tiny",), strategies=("menu", "all")).chosen == list(STRATEGIES)


def test_strategies_come_once_and_in_the_order_of_the_registry() -> None:
    assert Experiment(apps=("tiny",), strategies=("menu", "greedy", "menu")).chosen == ["greedy", "menu"]


def test_jobs_are_numbered_by_their_seeds() -> None:
    experiment = Experiment(apps=("a", "b"), strategies=("menu", "greedy"), runs=2, reset_cost=3, rules=RANDOM)
    jobs = experiment.jobs()
    assert [(job.app, job.strategy, job.rules.seed) for job in jobs] == [
        (app, strategy, seed) for app in ("a", "b") for strategy in ("greedy", "menu") for seed in (7, 8)
    ]
    assert {job.reset_cost for job in jobs} == {3}


@pytest.mark.parametrize("cost", [0, 0.5, 10**6, None])
def test_valid_reset_costs(cost: float | None) -> None:
    assert Experiment(apps=("tiny",), reset_cost=cost).reset_cost == cost


@pytest.mark.parametrize("cost", [-1, -0.001, 10**6 + 1, float("nan"), float("inf"), float("-inf")])
def test_invalid_reset_costs(cost: float) -> None:
    with pytest.raises(BadInput, match="--reset-cost must be between 0 and 1,000,000"):
        Experiment(apps=("tiny",), reset_cost=cost)


@pytest.mark.parametrize("runs", [-1, 0, MAX_RUNS + 1])
def test_invalid_numbers_of_runs(runs: int) -> None:
    with pytest.raises(BadInput, match="--runs must be between 1 and 10,000"):
        Experiment(apps=("tiny",), runs=runs, rules=RANDOM)


def test_several_identical_runs_are_refused() -> None:
    with pytest.raises(BadInput, match="--order random"):
        Experiment(apps=("tiny",), runs=2)


@pytest.mark.parametrize("aging", [0, -0.5, 1.01, float("nan")])
def test_invalid_aging(aging: float) -> None:
    with pytest.raises(BadInput, match="--aging must be above 0 and at most 1"):
        Experiment(apps=("tiny",), rules=StrategySettings(aging=aging))


def test_an_unknown_strategy() -> None:
    with pytest.raises(UnknownName, match="did you mean all"):
        Experiment(apps=("tiny",), strategies=("al",))
