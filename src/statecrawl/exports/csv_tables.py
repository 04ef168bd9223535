"""States and transitions as CSV, for spreadsheets.

Cells contain text from crawled pages, which must not be executed. A cell that a spreadsheet would take for a formula is
prefixed with an apostrophe, and terminal control characters are escaped.
"""

import csv
from collections.abc import Iterable, Iterator
from io import StringIO

from statecrawl.errors import printable
from statecrawl.exports.crawl_data import CrawlData
from statecrawl.journal.facts import EventCrashed, EventHung, EventRefused
from statecrawl.model.graph import UNEXPLORED

FORMULA = (
    "=",
    "+",
    "-",
    "@",
    "\t",
    "\r",
    "\n",
    "＝",
    "＋",
    "－",
    "＠",
)  # spreadsheets treat full-width signs like ASCII ones
STATES = ("number", "state", "url", "title", "events", "explored")
TRANSITIONS = ("from", "event", "to", "outcome", "reason", "from state", "to state")
OUTCOMES = {EventRefused: "refused", EventHung: "hung", EventCrashed: "crashed"}


def states(crawled: CrawlData) -> Iterator[bytes]:
    graph = crawled.crawl.graph
    yield line(STATES)
    for number, state in enumerate(graph.ids):
        fact, targets = crawled.found.get(state), graph.targets[number]
        explored = sum(target != UNEXPLORED for target in targets)
        url, title = (fact.url or "", fact.title or "") if fact else ("", "")
        yield line((number, state, url, title, len(targets), explored))


def transitions(crawled: CrawlData) -> Iterator[bytes]:
    graph, failures = crawled.crawl.graph, crawled.crawl.failures
    yield line(TRANSITIONS)
    for number, state in enumerate(graph.ids):
        for position, target in enumerate(graph.targets[number]):
            failed = failures.get((number, position), ())
            outcome = OUTCOMES[type(failed[0])] if failed else ""
            reason = failed[0].reason if failed else ""
            to: tuple[object, str] = ("", "") if target == UNEXPLORED else (target, graph.ids[target])
            if target != UNEXPLORED:
                outcome = "explored"
            event = graph.event(number, position).local
            yield line((number, event, to[0], outcome or "unexplored", reason, state, to[1]))


def line(cells: Iterable[object]) -> bytes:
    """Return one line of a table."""
    text = StringIO()
    csv.writer(text).writerow([defused(cell) if isinstance(cell, str) else cell for cell in cells])
    return text.getvalue().encode(errors="replace")


def defused(cell: str) -> str:
    """Return a cell that spreadsheets and terminals treat as text."""
    shown = printable(cell)
    return f"'{shown}" if cell.lstrip(" ").startswith(FORMULA) else shown
