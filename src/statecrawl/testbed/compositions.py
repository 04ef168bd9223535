"""Products of small machines: applications whose components are known by construction.

A *composition* is an application together with the component states that each of its states shows, and the component
that each of its events belongs to. So a simulated crawl can be told what a real one reads in the page.

`random_composition` makes one from machines with two to `most_states` states each, which do not know each other. A
state of the product shows one state of each machine and has the events of all. On request one *dependence* is
planted: some events of one machine lead elsewhere while another machine is in certain states. Its *rate* is the share
of all pairs of a state and an event that it concerns. In the first state it does nothing, and it never concerns more
than half of the states of the machine on which it depends, so that it is the exception. Every combination of states
can be reached, dependence or not.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import permutations, product
from math import prod
from random import Random

from statecrawl.errors import BadInput
from statecrawl.model.regions import Region
from statecrawl.model.regions import Regions as PageRegions
from statecrawl.testbed.application import Application, machine
from statecrawl.testbed.component_truth import ComponentState, Task
from statecrawl.testbed.generated import MAX_TRANSITIONS, RESET_COST, linked, widgets
from statecrawl.testbed.linked import linked_regions

MOST_EVENTS = 3  # beside those that make every state of a machine reachable
LABELS = "abcdefghijklmnopqrstuvwxyz"

Regions = tuple[ComponentState, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dependence:
    """Events of one component that lead elsewhere while another component is in certain states."""

    component: str
    on: str  # the other component
    when: frozenset[str]  # its states
    effects: Mapping[tuple[str, str], str]  # state and event of `component` -> state after it, instead of the usual one
    rate: float  # share of all pairs (state, event) of the application

    def target(self, shown: Mapping[str, str], state: str, event: str, usual: str) -> str:
        """Return where an event of `component` leads."""
        return self.effects.get((state, event), usual) if shown[self.on] in self.when else usual


@dataclass(frozen=True, slots=True, kw_only=True)
class Composition:
    """An application and its components."""

    application: Application
    shown: Mapping[str, Regions]  # state -> what it shows
    owners: Mapping[str, str]  # event -> its component
    dependence: Dependence | None = None  # planted

    def regions(self, state: str) -> Regions:
        """Return the components that a state shows, each with its component state."""
        return self.shown[state]

    def page_regions(self, state: str) -> PageRegions:
        """Return the regions that the page agent would read in a state."""
        truth = self.application.truth
        events: dict[str, list[int]] = {}
        for position, number in enumerate(truth.events[truth.numbers[state]]):
            events.setdefault(self.owners[truth.vocabulary[number].local], []).append(position)
        return tuple(
            Region(component, component, value, value, tuple(events.get(component, ())))
            for component, value in self.shown[state]
        )

    def component_of(self, event: str) -> str:
        return self.owners[event]

    def component_states(self) -> frozenset[ComponentState]:
        return frozenset(region for regions in self.shown.values() for region in regions)

    def tasks(self) -> frozenset[Task]:
        """Return all pairs of a component state and one of its events."""
        truth = self.application.truth
        names = [each.local for each in truth.vocabulary]
        found: set[Task] = set()
        for number, events in enumerate(truth.events):
            here = dict(self.shown[truth.ids[number]])
            found |= {((owner := self.owners[names[event]]), here[owner], names[event]) for event in events}
        return frozenset(found)


def widgets_composition(k: int, m: int) -> Composition:
    """Return `widgets:k,m` with its components."""
    return _of_widgets(
        widgets(k, m), lambda shown: tuple((f"widget {at}", str(value)) for at, value in enumerate(shown, 1))
    )


def linked_composition(k: int, m: int) -> Composition:
    """Return `linked:k,m` with its components."""
    return _of_widgets(linked(k, m), lambda shown: linked_regions(shown, m))


def panels_composition(k: int, m: int) -> Composition:
    """Return a menu of k screens with m panels each, which open one inside the other, with its components.

    The menu is always there. Each panel opens the next one, and closes itself with all panels inside it.
    """
    rows: dict[str, list[tuple[str, str]]] = {}
    shown: dict[str, Regions] = {}
    menu = [(f"menu: {screen}", f"{screen}.0") for screen in range(1, k + 1)]
    rows["home"], shown["home"] = menu, (("menu", "menu"),)
    for screen, depth in product(range(1, k + 1), range(m + 1)):
        state = f"{screen}.{depth}"
        opens = [(f"{_panel(screen, depth)}: open", f"{screen}.{depth + 1}")] if depth < m else []
        closes = [(f"{_panel(screen, panel)}: close", f"{screen}.{panel - 1}") for panel in range(1, depth + 1)]
        rows[state] = [*menu, *closes, *opens]
        values = ((_panel(screen, panel), "last" if panel == depth else "open") for panel in range(depth + 1))
        shown[state] = (("menu", "menu"), *values)
    app = Application(
        name=f"panels:{k},{m}",
        title=f"{k} screens with {m} panels, one inside the other",
        truth=machine(rows),
        reset_cost=RESET_COST,
    )
    owners = {event.local: event.local.partition(": ")[0] for event in app.truth.vocabulary}
    return Composition(application=app, shown=shown, owners=owners)


def _panel(screen: int, panel: int) -> str:
    """Return the place of a panel; panel 0 is the screen itself."""
    return ">".join([f"screen {screen}", *(f"panel {each}" for each in range(1, panel + 1))])


def _of_widgets(app: Application, regions: Callable[[tuple[int, ...]], Regions]) -> Composition:
    shown = {state: regions(tuple(map(int, state.split(".")))) for state in app.truth.ids}
    owners = {event.local: event.local.partition(" = ")[0] for event in app.truth.vocabulary}
    return Composition(application=app, shown=shown, owners=owners)


PARTS: Mapping[str, Callable[[int, int], Composition]] = {
    "widgets": widgets_composition,
    "linked": linked_composition,
}
_TWO_NUMBERS = re.compile(r"([0-9]{1,4}),([0-9]{1,4})")


def composition(spec: str) -> Composition:
    """Return the composition with this name: "widgets:6,5". Raises BadInput if there is none."""
    name, *numbers = check_composition(spec)
    return PARTS[name](*map(int, numbers))


def check_composition(spec: str) -> tuple[str, str, str]:
    """Return the name and the numbers of a composition. Raises BadInput if there is none with this name."""
    name, _, written = spec.partition(":")
    numbers = _TWO_NUMBERS.fullmatch(written)
    if name not in PARTS or numbers is None:
        names = " or ".join(f"{known}:K,M" for known in PARTS)
        raise BadInput(f"the components of '{spec}' are not known: use {names}.")
    return name, numbers[1], numbers[2]


Machine = dict[str, dict[str, str]]  # state -> event -> state after it; the first state is the initial one


def random_composition(seed: int, *, machines: int = 4, most_states: int = 4, rate: float = 0.0) -> Composition:
    """Return a composition that only depends on the parameters.

    With a rate above 0 a dependence is planted that has at least this rate, and hardly more. Raises BadInput if the
    parameters are out of range, or if no dependence can have this rate.
    """
    if not (1 <= machines <= len(LABELS) and 2 <= most_states <= len(LABELS) - MOST_EVENTS and 0 <= rate < 1):
        raise BadInput("a composition needs at least one machine, at least two states, and a rate from 0 to 1.")
    random = Random(f"{seed}/{machines}/{most_states}")  # not of the rate: the machines stay the same
    parts = {f"machine {at}": _random_machine(random, most_states) for at in range(1, machines + 1)}
    if prod(len(part) for part in parts.values()) * machines * (most_states + MOST_EVENTS) > MAX_TRANSITIONS:
        raise BadInput("this composition would be too large: choose smaller numbers.")
    planted = _dependence(parts, random, rate) if rate else None
    shown = {
        ".".join(states): tuple(zip(parts, states, strict=True))
        for states in product(*(part for part in parts.values()))
    }
    rows = {state: _row(regions, parts, planted) for state, regions in shown.items()}
    app = Application(
        name=f"composition:{seed}",
        title=f"{machines} random machines{', one of them dependent on another one' if planted else ''}",
        truth=machine(rows),
        reset_cost=RESET_COST,
    )
    owners = {_event(name, label): name for name, part in parts.items() for events in part.values() for label in events}
    return Composition(application=app, shown=shown, owners=owners, dependence=planted)


def _random_machine(random: Random, most_states: int) -> Machine:
    states = [str(number) for number in range(random.randint(2, most_states))]
    targets: dict[str, list[str]] = {state: [] for state in states}
    for number, state in enumerate(states[1:], 1):
        targets[random.choice(states[:number])].append(state)
    for state in states:
        least = 0 if targets[state] else 1  # nobody likes a state without events
        targets[state] += random.choices(states, k=random.randint(least, MOST_EVENTS))
        random.shuffle(targets[state])
    return {state: dict(zip(LABELS, targets[state], strict=False)) for state in states}


def _event(component: str, label: str) -> str:
    return f"{component}: {label}"


def _row(regions: Regions, parts: Mapping[str, Machine], planted: Dependence | None) -> list[tuple[str, str]]:
    shown = dict(regions)

    def after(name: str, label: str, usual: str) -> str:
        target = planted.target(shown, shown[name], label, usual) if planted and planted.component == name else usual
        return ".".join((shown | {name: target}).values())

    return [
        (_event(name, label), after(name, label, usual))
        for name, part in parts.items()
        for label, usual in part[shown[name]].items()
    ]


def _dependence(parts: Mapping[str, Machine], random: Random, rate: float) -> Dependence:
    """Return a random dependence whose rate is the least possible one that is not below the given rate."""
    tasks = {
        name: [(state, label) for state, events in part.items() for label in events] for name, part in parts.items()
    }
    combinations = prod(len(part) for part in parts.values())
    pairs = sum(len(tasks[name]) * combinations // len(part) for name, part in parts.items())
    choices: list[tuple[float, float, str, str, int, int]] = []
    for on, name in permutations(parts, 2):
        each = combinations // (len(parts[on]) * len(parts[name]))  # pairs that one state and one task concern
        for states, events in product(range(1, len(parts[on]) // 2 + 1), range(1, len(tasks[name]) + 1)):
            if (planted := states * events * each / pairs) >= rate:
                choices.append((planted, random.random(), on, name, states, events))
    if not choices:
        raise BadInput(f"no dependence concerns {rate:.0%} of the events of this composition: choose a lower rate.")
    planted, _, on, name, states, events = min(choices)
    part = parts[name]
    effects = {
        (state, label): random.choice([other for other in part if other != part[state][label]])
        for state, label in random.sample(tasks[name], events)
    }
    when = frozenset(random.sample(list(parts[on])[1:], states))
    return Dependence(component=name, on=on, when=when, effects=effects, rate=planted)
