"""Every strategy is registered under its own name."""

import pytest

from statecrawl.errors import UnknownName
from statecrawl.model.graph import Graph
from statecrawl.strategies.registry import STRATEGIES, make_strategy
from statecrawl.strategies.settings import StrategySettings


def test_names_are_those_the_strategies_give_themselves() -> None:
    assert {name: strategy.name for name, strategy in STRATEGIES.items()} == {name: name for name in STRATEGIES}


@pytest.mark.parametrize("name", STRATEGIES)
def test_a_strategy_is_made_over_the_graph_and_the_rules_given(name: str) -> None:
    graph, settings = Graph(), StrategySettings(reset_cost=7)
    strategy = make_strategy(name, graph, settings)
    assert type(strategy) is STRATEGIES[name]
    assert strategy.graph is graph
    assert strategy.settings is settings


def test_an_unknown_name_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownName, match="unknown strategy 'gredy': did you mean greedy"):
        make_strategy("gredy", Graph(), StrategySettings())
