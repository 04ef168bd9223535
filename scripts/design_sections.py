"""Generate the two sections of docs/design.md that show the code as it is: `make docs` writes them.

The layers are those of the import-linter contract in pyproject.toml. The path of one click is recorded during a crawl
of the bundled application `tiny`: the functions that hand an event over are wrapped, and show the values they handle.
"""

import asyncio
import re
import tempfile
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any, TypeGuard
from unittest.mock import patch

from statecrawl.browser.agent_answers import DESCRIBE
from statecrawl.browser.page import BrowserPage
from statecrawl.config.plan import CrawlPlan
from statecrawl.crawler import crawl_round
from statecrawl.crawler.assembly import crawl
from statecrawl.crawler.recorder import CrawlRecorder
from statecrawl.journal.encoding import encode
from statecrawl.journal.facts import Fact, StateFound, TransitionExplored
from statecrawl.model.graph import Graph
from statecrawl.ports.page import Walked
from statecrawl.stores.sqlite_journal import SqliteJournal
from statecrawl.strategies import orders
from statecrawl.strategies.orders import Order
from statecrawl.strategies.task import Task
from statecrawl.testbed.sites.registry import site_named
from statecrawl.testbed.sites.server import start

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "design.md"
APPLICATION = "tiny"
LONG_ID = re.compile(r"\b([0-9a-f]{6})[0-9a-f]{18}\b")  # of a state; six characters are shown


def with_generated(text: str, name: str, content: str) -> str:
    """The text of a page with this content between the markers of a generated section."""
    begin, end = f"<!-- generated: {name} -->\n", f"<!-- end of generated: {name} -->"
    before, found, rest = text.partition(begin)
    if not found or end not in rest:
        raise ValueError(f"the page has no generated section {name!r}")
    return f"{before}{begin}{content}{end}{rest.partition(end)[2]}"


# -- layers --


def layers() -> str:
    """The packages of each layer, the top first, with the first sentences of their docstrings."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    (contract,) = (each for each in contracts if each["type"] == "layers")
    rows = [[name for name in layer.split(" | ") if not name.startswith("(")] for layer in contract["layers"]]
    width = max(len(name) for names in rows for name in names)
    blocks = ["".join(f"{name:<{width}}  {_summary(name)}\n" for name in names) for names in rows if names]
    return "```text\n" + f"{'-' * width}\n".join(blocks) + "```\n"


def _summary(name: str) -> str:
    """The first sentence of the docstring of a package or module of statecrawl, without its full stop."""
    folder = ROOT / "src" / "statecrawl" / name
    source = (folder / "__init__.py" if folder.is_dir() else folder.with_suffix(".py")).read_text(encoding="utf-8")
    line = source.removeprefix('"""').partition("\n")[0].removesuffix('"""')
    return re.split(r"\.(?= |$)", line)[0]


# -- the path of one click --

STEPS = {
    "StateAnswer.events": "the agent names the event (`agent/names.js`)",
    "Snapshot.events": "secrets in the name are sealed; this name has none",
    "StateFound.events": "the new state is reported; the recorder passes the fact to model, strategy and journal",
    "Event": "the model stores the name once for all states that have it",
    "Task.pair": "the strategy chooses it by number: state, position of the event in the state",
    "Order.steps": "the task in ids, which mean the same in every process; look-ahead appends further steps",
    "call of the agent": "sealed secrets are opened again",
    "Walked.states": "the state to which the event led",
    "TransitionExplored": "the walker reports that in ids; the recorder decides whether it is news",
    "bytes": "the line of the journal",
}
"""What happens at each hand-over, by the form in which the event is handed over."""


@dataclass(frozen=True, slots=True)
class HandOver:
    """One form of the event."""

    form: str
    value: str
    function: str  # that takes or returns it


class ClickTrace:
    """Hand-overs of the first event that a crawl fires, from its discovery in the page to the journal."""

    def __init__(self) -> None:
        self._found: dict[str, list[HandOver]] = {}  # state -> hand-overs of its first event, before it is chosen
        self._chosen: list[HandOver] = []
        self._order: Order | None = None

    @property
    def rows(self) -> list[HandOver]:
        """All hand-overs, in order."""
        return [] if self._order is None else [*self._found[self._order.start], *self._chosen]

    def describe(self, function: str, answer: Any) -> None:
        """A page has described a state."""
        self._add_found(answer.state, f"{type(answer).__name__}.events", answer.events, function)

    def order(self, function: str, task: Task, graph: Graph, order: Order) -> None:
        """A task of the strategy has become an order."""
        if self._order is None:
            self._order = order
            self._add("Event", graph.event(*task.pair), _name(Graph.event))
            self._add("Task.pair", task.pair, function)
            self._add("Order.steps", order.steps, function)

    def ask(self, function: str, verb: str, values: tuple[Any, ...]) -> None:
        """The agent is asked to walk."""
        if self._order is not None and verb == "walk" and values[1]:
            self._add("call of the agent", f"walk{values[:2]}", function)

    def walk(self, function: str, walked: Walked) -> None:
        """A walk is over."""
        if self._order is not None:
            self._add("Walked.states", walked.states, function)

    def report(self, function: str, facts: Iterable[Fact]) -> None:
        """Facts are reported."""
        for fact in facts:
            if isinstance(fact, StateFound):
                self._add_found(fact.state, "StateFound.events", fact.events, function)
            elif self._is_explored(fact):
                self._add("TransitionExplored", (fact.state, fact.event, fact.target), function)

    def append(self, function: str, facts: Iterable[Fact]) -> None:
        """Facts are appended to the journal."""
        for fact in facts:
            if self._is_explored(fact):
                self._add("bytes", encode([fact]).decode().strip(), function)

    def _is_explored(self, fact: Fact) -> TypeGuard[TransitionExplored]:
        goal = None if self._order is None else self._order.goal
        return isinstance(fact, TransitionExplored) and (fact.state, fact.event) == goal

    def _add_found(self, state: str, form: str, events: Sequence[Any], function: str) -> None:
        found = self._found.setdefault(state, [])
        if all(row.form != form for row in found):
            found.append(HandOver(form, str(events[0]), function))

    def _add(self, form: str, value: object, function: str) -> None:
        if all(row.form != form for row in self._chosen):
            self._chosen.append(HandOver(form, str(value), function))


@contextmanager
def watched(owner: Any, name: str, seen: Callable[[str, tuple[Any, ...]], None]) -> Iterator[None]:
    """Before each call of a function, pass its name and its arguments to `seen`."""
    function = getattr(owner, name)

    @wraps(function)
    def calling(*values: Any, **named: Any) -> Any:
        seen(_name(function), values)
        return function(*values, **named)

    with patch.object(owner, name, calling):
        yield


@contextmanager
def awaited(owner: Any, name: str, seen: Callable[[str, tuple[Any, ...], Any], None]) -> Iterator[None]:
    """After each call of an asynchronous function, pass its name, its arguments and its result to `seen`."""
    function = getattr(owner, name)

    @wraps(function)
    async def calling(*values: Any, **named: Any) -> Any:
        result = await function(*values, **named)
        seen(_name(function), values, result)
        return result

    with patch.object(owner, name, calling):
        yield


def path_of_one_click() -> str:
    """Crawl, and list every form that the first event takes from the page to the journal, as a table."""
    trace = ClickTrace()

    def inspected(function: str, values: tuple[Any, ...], answer: Any) -> None:
        if values[1] is DESCRIBE:
            trace.describe(function, answer)

    def order_of(task: Task, graph: Graph, ahead: Any = ()) -> Order:
        order = orders.order_of(task, graph, ahead)
        trace.order(_name(orders.order_of), task, graph, order)
        return order

    with (
        tempfile.TemporaryDirectory() as folder,
        awaited(BrowserPage, "_inspect", inspected),
        awaited(BrowserPage, "describe", lambda function, _, snapshot: trace.describe(function, snapshot)),
        awaited(BrowserPage, "walk", lambda function, _, result: trace.walk(function, result)),
        watched(BrowserPage, "_ask", lambda function, values: trace.ask(function, values[1].verb, values[2:])),
        watched(CrawlRecorder, "report", lambda function, values: trace.report(function, values[1:])),
        watched(SqliteJournal, "append", lambda function, values: trace.append(function, values[1])),
        patch.object(crawl_round, "order_of", order_of),
    ):
        asyncio.run(_crawl(Path(folder) / "crawl"))
    rows = [
        f"| {number} | `{row.form}` | `{_short(row.value)}` | `{row.function}` | {STEPS[row.form]} |\n"
        for number, row in enumerate(trace.rows, 1)
    ]
    return "".join(["| | form | value | function | what happens |\n", "|--:|---|---|---|---|\n", *rows])


async def _crawl(out: Path) -> None:
    serving = await start(site_named(APPLICATION))
    try:
        plan = CrawlPlan(url=serving.url, out=out, screenshots=False, learn_states=0, reset_cost=3.0)
        await crawl(plan, lambda _: None, lambda _: None)
    finally:
        await serving.close()


def _name(function: Callable[..., Any]) -> str:
    return f"{function.__module__}.{function.__qualname__}".removeprefix("statecrawl.")


def _short(text: str) -> str:
    return LONG_ID.sub(r"\1…", text).replace("|", "·")


def main() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for name, section in (("layers", layers), ("click", path_of_one_click)):
        text = with_generated(text, name, section())
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
