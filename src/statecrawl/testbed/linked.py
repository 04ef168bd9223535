"""Widgets of which two pairs depend on each other, as a web page has them: a pure description.

The interface
    There are k widgets, numbered from 1. Each shows a value and offers the other values as buttons; all start at 0. So
    far it is `widgets:k,m`. In addition:

    * *Widget 2 depends on widget 1.* While widget 1 is *open*, which means that it shows 1, widget 2 offers the
      values m to 2m-1 instead of 0 to m-1. When widget 1 opens or closes, widget 2 goes to the first value that it
      offers then.
    * *Widget k-1 depends on widget k.* It shows a note while widget k shows m-1, and at no other value.

    If k is 2, each of the two widgets depends on the other one; if k is 3, widget 2 depends on both others.

The shape
    An event sets one widget to a value that it offers and does not show, so there are as many states and transitions
    as in `widgets:k,m`: m^k and k(m-1)·m^k. Widgets 2 and k-1 have 2m component states and the others m, which makes
    (k+2)·m component states with m-1 events each, if k is at least 4.
"""

from itertools import product

from statecrawl.errors import BadInput
from statecrawl.testbed.component_truth import ComponentTruth, TrueComponent, TrueState

Values = tuple[int, ...]  # what each widget shows

OPEN = 1  # value of the first widget at which the second one offers other values
LEAST_WIDGETS = 2
LEAST_VALUES = 2
NOTE = "with a note"


def offered(shown: Values, index: int, m: int) -> range:
    """Return the values that a widget offers, including the one that it shows."""
    first = m if index == 1 and shown[0] == OPEN else 0
    return range(first, first + m)


def has_note(shown: Values, index: int, m: int) -> bool:
    """Whether a widget shows the note."""
    return index == len(shown) - 2 and shown[-1] == m - 1


def chosen(shown: Values, index: int, value: int, m: int) -> Values:
    """Return what is shown after one widget was set to a value."""
    after = (*shown[:index], value, *shown[index + 1 :])
    if (shown[0] == OPEN) != (after[0] == OPEN):
        after = (after[0], offered(after, 1, m)[0], *after[2:])
    return after


def all_shown(k: int, m: int) -> list[Values]:
    """Return all combinations of values that can be shown, the initial one first."""
    combinations = product(range(m), repeat=k)
    return [(shown[0], shown[1] + offered(shown, 1, m)[0], *shown[2:]) for shown in combinations]


def linked_regions(shown: Values, m: int) -> tuple[tuple[str, str], ...]:
    """Return the component state of each widget."""
    return tuple(
        (f"widget {index + 1}", f"{value} {NOTE}" if has_note(shown, index, m) else str(value))
        for index, value in enumerate(shown)
    )


def linked_title(k: int, m: int) -> str:
    return f"{k} widgets of {m} values, two pairs linked"


def linked_truth(k: int, m: int) -> ComponentTruth:
    """Return the components of `linked:k,m`. Raises BadInput if it would have too few widgets or values."""
    if k < LEAST_WIDGETS or m < LEAST_VALUES:
        raise BadInput(f"linked needs at least {LEAST_WIDGETS} widgets and {LEAST_VALUES} values, not {k} and {m}.")
    seen = {region: shown for shown in all_shown(k, m) for region in linked_regions(shown, m)}
    ordered = sorted(seen, key=lambda region: (region[0], region[1].endswith(NOTE), int(region[1].split()[0])))
    return ComponentTruth(
        application=f"linked:{k},{m}",
        title=linked_title(k, m),
        components=tuple(
            TrueComponent(
                name=f"widget {index + 1}",
                root=f"#widget-{index + 1}",
                states=tuple(_state(state, seen[name, state], index, m) for name, state in ordered if _is(name, index)),
            )
            for index in range(k)
        ),
    )


def _is(name: str, index: int) -> bool:
    return name == f"widget {index + 1}"


def _state(name: str, shown: Values, index: int, m: int) -> TrueState:
    noted = name.endswith(NOTE)
    return TrueState(
        name=name,
        text=rf"Shows {shown[index]}\b",
        has=(".note",) if noted else (),
        lacks=() if noted else (".note",),
        events=tuple(f"set to {value}" for value in offered(shown, index, m) if value != shown[index]),
    )


def widgets_truth(k: int, m: int) -> ComponentTruth:
    """Return the components of `widgets:k,m`, k·m component states with m-1 events each."""
    return ComponentTruth(
        application=f"widgets:{k},{m}",
        title=f"{k} independent widgets of {m} values",
        components=tuple(
            TrueComponent(
                name=f"widget {number}",
                root=f'[channel="{number}"]',
                states=tuple(
                    TrueState(
                        name=str(level),
                        has=(f'[channel][level="{level}"]',),
                        events=tuple(f"set to {other}" for other in range(m) if other != level),
                    )
                    for level in range(m)
                ),
            )
            for number in range(1, k + 1)
        ),
    )
