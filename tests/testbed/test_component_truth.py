"""Which true component states a document shows."""

from statecrawl.testbed.component_truth import ComponentTruth, TrueComponent, TrueState, seen_component_states

SWITCH = TrueComponent(
    name="switch",
    root="#switch",
    states=(
        TrueState(name="off", has=('[aria-checked="false"]',), events=("toggle",)),
        TrueState(name="on", has=('[aria-checked="true"]',), events=("toggle", "reset")),
    ),
)
ROW = TrueComponent(
    name="row",
    root="li",
    states=(
        TrueState(name="bread", text="^bread$"),
        TrueState(name="being edited", has=("input",), lacks=(".error",)),
        TrueState(name="no row", is_absent=True),
    ),
)
TRUTH = ComponentTruth(application="shop", title="a shop", components=(SWITCH, ROW))


def seen(*documents: str) -> set[str]:
    return {f"{component}: {state}" for component, state in seen_component_states(TRUTH, documents)}


def test_states_and_tasks_are_counted() -> None:
    assert len(TRUTH.all_states()) == 5
    assert TRUTH.all_tasks() == {("switch", "off", "toggle"), ("switch", "on", "toggle"), ("switch", "on", "reset")}


def test_documents_are_added_up() -> None:
    assert seen() == set()
    off, on = (f'<b id="switch" aria-checked="{value}"></b>' for value in ("false", "true"))
    assert seen(off) == {"switch: off", "row: no row"}
    assert seen(off, on) == {"switch: off", "switch: on", "row: no row"}


def test_every_region_of_a_component_counts() -> None:
    assert seen("<ul><li>bread<li><input></ul>") == {"row: bread", "row: being edited"}


def test_all_conditions_have_to_be_met() -> None:
    assert seen('<ul><li><input><i class="error">no</i></ul>') == set()
    assert seen("<ul><li>bread and butter</ul>") == set()
    assert seen('<ul><li><input><i class="error" hidden>no</i></ul>') == {"row: being edited"}


def test_a_hidden_region_is_absent() -> None:
    assert seen("<ul hidden><li>bread</li></ul>") == {"row: no row"}
