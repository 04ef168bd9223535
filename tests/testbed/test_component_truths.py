"""The component states and tasks of the applications, as counted by hand."""

import pytest

from statecrawl.errors import BadInput, UnknownName
from statecrawl.testbed.component_truths import COMPONENT_TRUTHS, WITHOUT_MODEL, component_truth
from statecrawl.testbed.sites.registry import SITES
from statecrawl.testbed.stored_html import parsed_html

COUNTED = [  # application, components, component states, tasks
    ("widgets:6,5", 6, 30, 120),
    ("widgets:2,3", 2, 6, 12),
    ("linked:6,5", 6, 40, 160),
    ("linked:4,4", 4, 24, 72),
    ("linked:3,2", 3, 12, 12),
    ("linked:2,3", 2, 11, 22),
    ("basket", 6, 18, 20),
    ("calendar", 2, 10, 198),
    ("desk", 13, 60, 145),
]


@pytest.mark.parametrize(("app", "components", "states", "tasks"), COUNTED)
def test_counts(app: str, components: int, states: int, tasks: int) -> None:
    truth = component_truth(app)
    assert truth.application == app
    assert (len(truth.components), len(truth.all_states()), len(truth.all_tasks())) == (components, states, tasks)


def test_every_application_is_counted_and_has_pages() -> None:
    assert {app.partition(":")[0] for app, *_ in COUNTED} == set(COMPONENT_TRUTHS)
    assert set(COMPONENT_TRUTHS) <= set(SITES)


@pytest.mark.parametrize("app", [app for app, *_ in COUNTED])
def test_names_are_unique_and_selectors_are_valid(app: str) -> None:
    empty = parsed_html("")
    for component in component_truth(app).components:
        names = [state.name for state in component.states]
        assert len(set(names)) == len(names)
        for state in component.states:
            assert not list(empty.select(component.root))
            assert not any(list(empty.select(selector)) for selector in (*state.has, *state.lacks))
            assert len(set(state.events)) == len(state.events)


@pytest.mark.parametrize("spec", ["linked", "linked:4", "linked:4,4,4", "linked:a,b", "linked:1,4", "linked:4,1"])
def test_parameters_that_do_not_fit(spec: str) -> None:
    with pytest.raises(BadInput):
        component_truth(spec)


@pytest.mark.parametrize("name", WITHOUT_MODEL)
def test_those_without_model_take_no_parameters(name: str) -> None:
    with pytest.raises(BadInput, match=f"write {name}\\."):
        component_truth(f"{name}:2,3")


def test_an_unknown_name_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownName, match="did you mean calendar"):
        component_truth("calender")
