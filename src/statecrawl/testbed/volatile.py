"""A parcel office whose pages have dynamic content: they differ on every visit, but its states do not.

The interface
    A state is (section, view). The four sections are chosen in a menu, which loads the page anew; a section shows its
    *list*, the *details* of its first entry, or that a note was taken (*noted*).

    * the menu leads to the list of a section, the one that is shown included;
    * the list can be refreshed, by a form that the server answers with the list, and its first entry opened in place;
    * the details take a note, by a form that the server answers with *noted*, and can be closed in place;
    * from *noted* one goes on to another note, or closes.

The volatile parts
    None of them makes a state, and none carries an event. They differ with the random numbers, the clock, the
    cookies, and with every load:

    * a clock in the head, the time at which details were opened, and how long ago the list was brought up to date;
    * the session's token in the address of every link and in hidden fields; a nonce in every form, made anew each time;
    * generated ids: drawn at random ("x-839201") and counted from a random beginning (":r7:");
    * an advertisement, in another shape for every load;
    * how many visits the server has counted, and the number and the colour of the visitor.

The shape
    4 sections × 3 views = 12 states of 6 events: 72 transitions.
"""

from collections.abc import Iterator
from itertools import product

from statecrawl.testbed.application import Application, machine

NAME = "volatile"
RESET_COST = 2.0

SECTIONS = ("orders", "parcels", "returns", "messages")
LIST, DETAILS, NOTED = VIEWS = ("list", "details", "noted")


def volatile() -> Application:
    """12 states, 72 transitions. A state is named like its place, "parcels/details"."""
    rows = {f"{section}/{view}": _row(section, view) for section, view in product(SECTIONS, VIEWS)}
    title = "parcel desk with clock, tokens and advertisements"
    return Application(name=NAME, title=title, truth=machine(rows), reset_cost=RESET_COST)


def _row(section: str, view: str) -> Iterator[tuple[str, str]]:
    yield from ((f"menu {other}", f"{other}/{LIST}") for other in SECTIONS)
    match view:
        case "list":
            yield "open", f"{section}/{DETAILS}"
            yield "refresh", f"{section}/{LIST}"
        case "details":
            yield "take note", f"{section}/{NOTED}"
            yield "close", f"{section}/{LIST}"
        case _:
            yield "another note", f"{section}/{DETAILS}"
            yield "close", f"{section}/{LIST}"
