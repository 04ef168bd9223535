"""A shopping basket: a list that grows without limit, and what follows from it in other places of the page.

The interface
    Three buttons put tea, jam or rice into the basket, and a form anything else: what was typed becomes the name of a
    row. Every row can be removed, and edited in place: a field replaces its name. At most one row is edited; editing
    another one leaves the first as it was. The header counts the rows, and a total adds up their prices, which are
    all the same.

The truth
    The basket can hold anything, so there is no last state. People see a list without, with one, or with several
    rows; rows of four kinds, the fourth with a name that was typed; and each of these while it is edited. The counter
    and the total are numbers without limit, of which only those that read differently are distinguished.

    2 + 3 + 8 + 3 + 2 = 18 component states (shelf and form, list, row, counter, total), 20 tasks.
"""

from statecrawl.testbed.component_truth import ComponentTruth, TrueComponent, TrueState

PRODUCTS = ("tea", "jam", "rice")
TYPED = "a typed name"
_TYPED_NAME = rf"(?!(?:{'|'.join(PRODUCTS)})\b)\S"  # anything else


def basket_truth() -> ComponentTruth:
    return ComponentTruth(
        application="basket",
        title="shopping basket without limit",
        components=(_SHELF, _FORM, _LIST, _ROW, _COUNTER, _TOTAL),
    )


def _row(name: str, pattern: str) -> tuple[TrueState, TrueState]:
    return (
        TrueState(name=name, text=f"^{pattern}", has=(".name",), events=("Edit", "Remove")),
        TrueState(name=f"{name}, edited", text=f"^Replace {pattern}", has=(".editor",), events=("Save", "Cancel")),
    )


_SHELF = TrueComponent(
    name="shelf",
    root="#shelf",
    states=(TrueState(name="all products", events=tuple(f"Add {product}" for product in PRODUCTS)),),
)
_FORM = TrueComponent(name="form", root="#other", states=(TrueState(name="empty", events=("Add",)),))
_LIST = TrueComponent(
    name="list",
    root="#rows",
    states=(
        TrueState(name="empty", lacks=(".row",)),
        TrueState(name="one row", has=(".row",), lacks=(".row + .row",)),
        TrueState(name="several rows", has=(".row + .row",)),
    ),
)
_ROW = TrueComponent(
    name="row",
    root=".row",
    states=(*(state for name in PRODUCTS for state in _row(name, rf"{name}\b")), *_row(TYPED, _TYPED_NAME)),
)
_COUNTER = TrueComponent(
    name="counter",
    root="#counter",
    states=(
        TrueState(name="empty", text="basket is empty"),
        TrueState(name="one article", text="^1 article$"),
        TrueState(name="several articles", text="articles"),
    ),
)
_TOTAL = TrueComponent(
    name="total",
    root="#total",
    states=(TrueState(name="nothing", text=r": 0\.00"), TrueState(name="an amount", text=r": [1-9]\d*\.00")),
)
