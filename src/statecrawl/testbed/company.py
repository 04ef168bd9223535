"""draft"""

from statecrawl.testbed.application import Application, machine
from statecrawl.testbed.published import RESET_COSTS, event_seconds

Row = list[tuple[str, str]]  # (event, target state), in document order

MENU = ("home", "products", "services", "about", "contact")
LADDERS = (  # what opens what: each name is opened from the one before it
    "products/computers/desktop/specs",
    "products/computers/desktop/photo/zoom",
    "products/computers/laptop/specs",
    "products/computers/laptop/photo/zoom",
    "products/phones/classic/specs",
    "products/phones/classic/photo/zoom",
    "products/phones/smart/specs",
    "products/phones/smart/photo/zoom",
    "services/consulting/request/dates/summary",
    "services/training/request/dates/summary",
    "about/team/founder/letter",
    "about/jobs/engineer/apply/thanks",
    "contact/form",
)
OTHER_MODEL = {"desktop": "laptop", "laptop": "desktop", "classic": "smart", "smart": "classic"}
CANCELLED_FROM = ("dates", "summary")  # the last steps of a request have a way out


def test_ria() -> Application:
    """A company site of 39 states and 305 transitions."""
    children: dict[str, list[str]] = {page: [] for page in MENU}
    for ladder in LADDERS:
        names = ladder.split("/")
        for depth in range(1, len(names)):
            parent, child = "/".join(names[:depth]), "/".join(names[: depth + 1])
            if child not in children:
                children[parent].append(child)
                children[child] = []
    rows = {state: _row(state, opened) for state, opened in children.items()}
    return Application(
        name="test-ria",
        title="company site with a menu, product pages, request forms and pop-ups",
        truth=machine(rows),
        reset_cost=RESET_COSTS["test-ria"],
        event_seconds=event_seconds("test-ria"),
    )


def _row(state: str, opened: list[str]) -> Row:
    row = [(f"menu {page}", page) for page in MENU]
    row += [(f"open {child}", child) for child in opened]
    parent, _, own = state.rpartition("/")
    if parent:
        row += [("close", parent), ("contact us", "contact")]
    if own in OTHER_MODEL:
        row.append(("other model", f"{parent}/{OTHER_MODEL[own]}"))
    if own in CANCELLED_FROM:
        row.append(("cancel", state.partition("/")[0]))
    return row
