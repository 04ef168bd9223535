"""Random compositions are what they promise: independent, but for what was planted."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecrawl.errors import BadInput
from statecrawl.model.graph import INITIAL
from statecrawl.testbed.compositions import (
    Composition,
    composition,
    panels_composition,
    random_composition,
)

SEEDS = st.integers(0, 10_000)
RATE = 0.04


def deviating(composition: Composition) -> tuple[int, int]:
    """Pairs (state, event) with an unusual effect, or with one on other components; and the number of all pairs.

    The usual effect of an event of a component state is the one in most states.
    """
    effects: dict[tuple[str, str, str], list[str]] = {}
    truth, others = composition.application.truth, 0
    for state, position, target in truth.transitions():
        event = truth.event(state, position).local
        owner = composition.component_of(event)
        before, after = (dict(composition.regions(truth.ids[number])) for number in (state, target))
        others += any(before[name] != after[name] for name in before if name != owner)
        effects.setdefault((owner, before[owner], event), []).append(after[owner])
    usual = sum(max(map(targets.count, targets)) for targets in effects.values())
    return truth.explored - usual + others, truth.explored


@given(seed=SEEDS, machines=st.integers(1, 4), most_states=st.integers(2, 4))
def test_machines_are_independent_and_every_combination_can_be_reached(
    seed: int, machines: int, most_states: int
) -> None:
    composition = random_composition(seed, machines=machines, most_states=most_states)
    truth = composition.application.truth
    assert composition.dependence is None
    assert deviating(composition) == (0, truth.explored)
    assert reachable(composition) == len(truth) == len(composition.shown)


@given(seed=SEEDS)
def test_a_planted_dependence_has_the_rate_that_it_states(seed: int) -> None:
    composition = random_composition(seed, rate=RATE)
    planted = composition.dependence
    assert planted is not None
    assert planted.rate >= RATE
    assert planted.component != planted.on
    wrong, pairs = deviating(composition)
    assert wrong / pairs == pytest.approx(planted.rate)
    assert dict(composition.regions(composition.application.truth.ids[INITIAL]))[planted.on] not in planted.when
    assert reachable(composition) == len(composition.shown)


def reachable(composition: Composition) -> int:
    truth = composition.application.truth
    found = {INITIAL: None}
    queue = [INITIAL]
    for state in queue:
        new = [target for target in truth.targets[state] if target not in found]
        found |= dict.fromkeys(new)
        queue += dict.fromkeys(new)
    return len(found)


def test_component_states_and_tasks_are_those_of_the_machines() -> None:
    composition = random_composition(5, machines=3)
    sizes = [
        len({state for name, state in composition.component_states() if name == f"machine {at}"}) for at in (1, 2, 3)
    ]
    assert sizes[0] * sizes[1] * sizes[2] == len(composition.shown)
    truth = composition.application.truth
    pairs = {(name, state) for name, state, _ in composition.tasks()}
    assert pairs == composition.component_states(), "no component state is without an event"
    share = {name: sum(owner == name for owner, _, _ in composition.tasks()) for name, _ in pairs}
    combinations = len(composition.shown)
    assert truth.explored == sum(
        share[f"machine {at}"] * combinations // size for at, size in zip((1, 2, 3), sizes, strict=True)
    )


def test_a_seed_fixes_everything() -> None:
    first, second = (random_composition(7, rate=RATE) for _ in range(2))
    assert (first.dependence, first.shown, first.owners) == (second.dependence, second.shown, second.owners)
    assert first.application.truth.facts() == second.application.truth.facts()
    one, other = (random_composition(7, rate=rate).application.truth for rate in (0.0, RATE))
    assert one.events == other.events, "a dependence changes where events lead, and nothing else"


@pytest.mark.parametrize(
    ("machines", "most_states", "rate"),
    [(0, 3, 0.0), (3, 1, 0.0), (3, 3, 0.9), (3, 3, -0.1), (12, 20, 0.0), (1, 3, 0.1)],
)
def test_what_cannot_be_built_is_refused(machines: int, most_states: int, rate: float) -> None:
    with pytest.raises(BadInput):
        random_composition(1, machines=machines, most_states=most_states, rate=rate)


def test_panels_open_one_inside_the_other() -> None:
    panels = panels_composition(3, 2)
    truth = panels.application.truth
    assert len(truth) == 1 + 3 * 3
    assert panels.regions("2.1") == (("menu", "menu"), ("screen 2", "open"), ("screen 2>panel 1", "last"))
    events = [truth.event(truth.numbers["2.2"], position).local for position in range(5)]
    assert events[3:] == ["screen 2>panel 1: close", "screen 2>panel 1>panel 2: close"]
    assert len(panels.component_states()) == 1 + 3 * (2 + 2 + 1)
    assert [region.events for region in panels.page_regions("2.2")][2:] == [(3,), (4,)]


def test_compositions_have_names() -> None:
    assert composition("widgets:2,3").application.name == "widgets:2,3"
    assert len(composition("linked:4,3").component_states()) == 6 * 3
    for name in ("tiny", "widgets", "widgets:2", "panels:2,3"):
        with pytest.raises(BadInput, match="use widgets:K,M or linked:K,M"):
            composition(name)
