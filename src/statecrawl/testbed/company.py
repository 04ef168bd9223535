"""Test-RIA: the generic site of a company, made to be crawled.

The interface
    A state is what is open, one thing inside another: "products/phones/smart/photo/zoom". Wherever one is, the
    menu leads to home, products, services, about and contact.

    * products open a category, a category two models, a model its specs or its photo tab, a photo a pop-up;
    * services open a request of three steps, about opens the team and a vacancy, contact opens a form;
    * everything that was opened can be closed, which leads to what is around it, and has a "contact us" button;
    * a model has a button to the other model of its category, the last two steps of a request one to cancel it.

    The menu comes first in the document, then what can be opened, then the buttons.

The shape
    home + 4 pages + 34 things inside them = 39 states. Home has the menu only, a model has 10 events: 305
    transitions.

    Home is one event away from everywhere, so a reset, which costs two, never pays: one load in every strategy
    but breadth-first, which resets when it has just found a state. Five and more events of every state lead up
    or out, and the way back down takes about three: hence three events per transition. Greedy tries the menu of a
    state before it opens anything in it, so it finds the last state late; the strategies that recognise the menu
    find all states almost at once.

Published beside measured (events/resets; ties walk, indexed)
    Published: Dincturk et al., A Model-Based Approach for Crawling Rich Internet Applications, 2014, Tables
    II and III. Size: Mir Taheri, Distributed Crawling of Rich Internet Applications, 2015, Table 7.2.

        strategy       all states found                     complete
                       published        measured            published        measured
        depth-first    1,302/1          1,059/1             1,460/1          1,129/1
        breadth-first  1,097/54         878/44              1,229/55         1,155/45
        greedy         884/1            721/1               1,006/1          949/1
        hypercube      882/1            610/1               995/1            959/1
        menu           96/1             64/1                974/1            954/1
        probability    127/1            89/1                973/1            945/1
        optimum        57/1             49/1

    The order of strategies is the published one, and the figures are within a quarter, save that menu and
    hypercube find all states a third sooner.
"""

from statecrawl.testbed.application import Application, machine
from statecrawl.testbed.published import RESET_COSTS, event_seconds

NAME = "test-ria"

MENU = ("home", "products", "services", "about", "contact")
LADDERS = (  # each name is opened from the one before it
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
CANCELLED_FROM = ("dates", "summary")


def test_ria() -> Application:
    """39 states, 305 transitions. A state is named "services/training/request"."""
    return Application(
        name=NAME,
        title="company site with a menu and things to open",
        truth=machine({state: _row(state, opened) for state, opened in _contents().items()}),
        reset_cost=RESET_COSTS[NAME],
        event_seconds=event_seconds(NAME),
    )


def _contents() -> dict[str, list[str]]:
    """Return what can be opened in each state."""
    contents: dict[str, list[str]] = {page: [] for page in MENU}
    for ladder in LADDERS:
        names = ladder.split("/")
        for depth in range(1, len(names)):
            outer, inner = "/".join(names[:depth]), "/".join(names[: depth + 1])
            if inner not in contents:
                contents[inner] = []
                contents[outer].append(inner)
    return contents


def _row(state: str, opened: list[str]) -> list[tuple[str, str]]:
    row = [(f"menu {page}", page) for page in MENU]
    row += [(f"open {inner}", inner) for inner in opened]
    outer, _, own = state.rpartition("/")
    if outer:
        row += [("close", outer), ("contact us", "contact")]
    if own in OTHER_MODEL:
        row.append(("other model", f"{outer}/{OTHER_MODEL[own]}"))
    if own in CANCELLED_FROM:
        row.append(("cancel", "services"))
    return row
