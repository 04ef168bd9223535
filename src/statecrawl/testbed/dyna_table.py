"""A table of people and their lessons, fed by a server page by page, sorted by a column and filtered by day.

The interface
    A state is (sort column, chosen days, page). It is modelled on the sample application of the Google Web
    Toolkit that the thesis shows, with the four teaching days of its figure.

    * first, previous and next turn the page (idle at the ends);
    * refresh asks the server again, for the same rows;
    * the headers of two columns sort by them (the one in use is idle) and keep the page;
    * a box for each of the four days, and "all days" and "no days", choose which lessons are shown, and keep
      the page;
    * the last page holds one person, who teaches on every day but Tuesday. When none of their lessons is shown,
      a line says so and offers to start over.

The shape
    2 columns × 16 choices of days × 14 pages = 448 states of 12 events. The line appears for no days and for Tuesday
    alone, by two columns: 4 states of 13 events, 5,380 transitions.

    Boxes are undone by one event, and so are pages. First and the two buttons jump, and the way back from a jump
    is long: that is greedy's travelling. The farthest page is 13 events from the first.

Published beside measured (events per task; ties walk, indexed)
    Published: Mir Taheri, Distributed Crawling of Rich Internet Applications, 2015, Table 5.2; size: Table 7.2.
    Its breadth-first and depth-first search on from the first page, so they are the default ones, which replay.

        greedy                  1.67   1.77
        probability             1.85   1.80
        breadth-first, default  8.00   7.94   (optimised: 4.60)
        depth-first, default    9.85   162    (optimised: 47.2)

    Depth-first does not fit. It follows a chain of hundreds of states before it turns back, and every further
    event is fired at the end of that chain; a random order of events does not change that. The longest task of
    greedy is 14 events, of the default breadth-first 17, where 7 and 14 were published.
"""

from collections.abc import Iterator
from itertools import product

from statecrawl.testbed.application import Application, machine

NAME = "dyna-table"
RESET_COST = 2.0  # not published
EVENT_SECONDS = 0.085  # of an event that asks the server, by the thesis

COLUMNS = ("name", "description")
DAYS = ("mon", "tue", "wed", "fri")
PAGES = 14
WITHOUT_LAST_PERSON = frozenset({"tue"})

Days = frozenset[str]
ALL = frozenset(DAYS)
NONE: Days = frozenset()


def dyna_table() -> Application:
    """448 states, 5,380 transitions. A state is named "name/mon+fri/page 3"."""
    choices = [
        frozenset(day for day, chosen in zip(DAYS, boxes, strict=True) if chosen)
        for boxes in product((True, False), repeat=len(DAYS))
    ]
    rows = {
        _state(column, days, page): _row(column, days, page)
        for column, days, page in product(COLUMNS, choices, range(1, PAGES + 1))
    }
    return Application(
        name=NAME,
        title="table of lessons by page, column and day",
        truth=machine(rows),
        reset_cost=RESET_COST,
        event_seconds=EVENT_SECONDS,
    )


def _state(column: str, days: Days, page: int) -> str:
    chosen = "+".join(day for day in DAYS if day in days) or "no days"
    return f"{column}/{chosen}/page {page}"


def _row(column: str, days: Days, page: int) -> Iterator[tuple[str, str]]:
    yield "first", _state(column, days, 1)
    yield "previous", _state(column, days, max(page - 1, 1))
    yield "next", _state(column, days, min(page + 1, PAGES))
    yield "refresh", _state(column, days, page)
    yield from ((f"sort by {other}", _state(other, days, page)) for other in COLUMNS)
    yield from ((f"box {day}", _state(column, days ^ {day}, page)) for day in DAYS)
    yield "all days", _state(column, ALL, page)
    yield "no days", _state(column, NONE, page)
    if page == PAGES and days <= WITHOUT_LAST_PERSON:
        yield "start over", _state(COLUMNS[0], ALL, 1)
