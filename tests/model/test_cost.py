"""Costs are added and weigh resets."""

from statecrawl.model.cost import Cost


def test_costs_add_up_by_kind() -> None:
    assert Cost(3, 1) + Cost(4, 2) == Cost(7, 3)
    assert Cost() + Cost(1, 0) == Cost(1, 0)


def test_a_reset_weighs_what_the_rules_say() -> None:
    assert Cost(8_860, 1_260).total(3) == 12_640
    assert Cost(5, 2).total(0.5) == 6
