"""The linked widgets: what depends on what."""

import pytest

from statecrawl.errors import BadInput
from statecrawl.model.graph import INITIAL
from statecrawl.testbed.application import Application
from statecrawl.testbed.compositions import linked_composition, widgets_composition
from statecrawl.testbed.generated import linked, widgets
from statecrawl.testbed.linked import linked_truth, widgets_truth


def leads(app: Application, state: str) -> dict[str, str]:
    number = app.truth.numbers[state]
    targets = app.truth.targets[number]
    return {app.truth.event(number, at).local: app.truth.ids[target] for at, target in enumerate(targets)}


@pytest.mark.parametrize(("k", "m"), [(2, 2), (2, 3), (3, 3), (4, 4), (5, 2)])
def test_there_are_as_many_states_and_transitions_as_without_links(k: int, m: int) -> None:
    numbers, free = linked(k, m).truth.statistics(), widgets(k, m).truth.statistics()
    assert (numbers.states, numbers.transitions, numbers.complete) == (free.states, free.transitions, True)
    reached = {INITIAL} | {target for _, _, target in linked(k, m).truth.transitions()}
    assert len(reached) == numbers.states


def test_while_the_first_is_open_the_second_offers_other_values() -> None:
    app = linked(4, 3)
    assert leads(app, "0.2.0.0")["widget 1 = 1"] == "1.3.0.0"
    assert leads(app, "0.2.0.0")["widget 1 = 2"] == "2.2.0.0"
    assert {event for event in leads(app, "1.3.0.0") if "widget 2" in event} == {"widget 2 = 4", "widget 2 = 5"}
    assert leads(app, "1.5.0.0")["widget 1 = 2"] == "2.0.0.0"


def test_the_last_but_one_shows_a_note_at_a_single_value_of_the_last() -> None:
    regions = linked_composition(4, 3).regions
    assert [dict(regions(f"0.0.2.{value}"))["widget 3"] for value in range(3)] == ["2", "2", "2 with a note"]


@pytest.mark.parametrize(("k", "m"), [(2, 2), (2, 3), (3, 3), (4, 3)])
def test_the_model_shows_the_component_states_of_the_pages(k: int, m: int) -> None:
    model, truth = linked_composition(k, m), linked_truth(k, m)
    assert model.component_states() == truth.all_states()
    assert len(model.tasks()) == len(truth.all_tasks()) == (m - 1) * len(truth.all_states())
    assert widgets_composition(k, m).component_states() == widgets_truth(k, m).all_states()
    assert len(widgets_composition(k, m).tasks()) == len(widgets_truth(k, m).all_tasks()) == k * m * (m - 1)


@pytest.mark.parametrize(("k", "m"), [(1, 3), (3, 1), (17, 2), (9, 99)])
def test_parameters_out_of_range_are_refused(k: int, m: int) -> None:
    with pytest.raises(BadInput, match=r"\d"):
        linked(k, m)
