"""True components of the applications that have them, by the name that the application has in the catalogue."""

import re
from collections.abc import Callable

from statecrawl.errors import BadInput, UnknownName
from statecrawl.testbed.basket import basket_truth
from statecrawl.testbed.component_truth import ComponentTruth
from statecrawl.testbed.desk import desk_truth
from statecrawl.testbed.linked import linked_truth, widgets_truth
from statecrawl.testbed.month_calendar import calendar_truth

COMPONENT_TRUTHS: dict[str, Callable[..., ComponentTruth]] = {
    "widgets": widgets_truth,
    "linked": linked_truth,
    "basket": basket_truth,
    "calendar": calendar_truth,
    "desk": desk_truth,
}
WITHOUT_MODEL = ("basket", "calendar", "desk")  # because they have infinitely many states, or far too many

_TWO_NUMBERS = re.compile(r"([0-9]{1,4}),([0-9]{1,4})")


def component_truth(spec: str) -> ComponentTruth:
    """Return the true components of the application with this name: "desk", "linked:4,4".

    Raises UnknownName for a name that has none, BadInput for parameters that do not fit.
    """
    name, colon, written = spec.partition(":")
    if name not in COMPONENT_TRUTHS:
        raise UnknownName("application with known components", name, COMPONENT_TRUTHS)
    numbers = _TWO_NUMBERS.fullmatch(written)
    if name in WITHOUT_MODEL and not colon:
        return COMPONENT_TRUTHS[name]()
    if name in WITHOUT_MODEL or numbers is None:
        raise BadInput(f"'{spec}' has no known components: write {name}{'' if name in WITHOUT_MODEL else ':4,4'}.")
    return COMPONENT_TRUTHS[name](int(numbers[1]), int(numbers[2]))
