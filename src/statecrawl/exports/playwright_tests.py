"""Tests for pytest and Playwright that walk to every state and check that it still exists.

A test follows the path on which the crawl found the state (`journal.witnesses`), which a browser has walked before. If
that path is unknown or too long, the test follows the shortest path. It identifies a state by its title and a few marks
that no other state has (`exports.assertions`). After each event it waits for the next state, so that no event is fired
too early. A state may be reached at several URLs, so the path of its URL is compared only at the end of the walk that
found it there. Queries and fragments are not compared, because they often change with every visit.

Text from pages becomes Python literals in ASCII, never code. A state without a path, or whose path needs more than a
test can do or know, such as a secret, becomes a test that is skipped with the reason.
"""

from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from typing import Any
from urllib.parse import urlsplit

from statecrawl.exports.assertions import chosen, marks_of
from statecrawl.exports.crawl_data import CrawlData
from statecrawl.exports.playwright_steps import TestStep, UntestableStep
from statecrawl.journal.witnesses import witness_paths_of
from statecrawl.model.event import ACCEPTED, DISMISSED
from statecrawl.model.graph import INITIAL
from statecrawl.privacy.redaction import MARKER

MOST_EVENTS = 100  # maximum length of a recorded path; a browser takes about 50 ms per event
NODE = "node"  # kind of rules for dynamic content that ignore whole elements
STRUCTURE = "structure"  # the equivalence that ignores texts and values
HEAD = '''"""Every state that statecrawl found, each reached from the first page: see conftest.py."""

import pytest

ORIGIN = {origin}  # of the crawled application; --base-url overrides it
OTHERS = {others}  # other servers of the application
'''
TEST = """

def test_state_{number}(walk):
"""


def conftest(_: CrawlData) -> Iterator[bytes]:
    yield _asset("conftest.py")


def events(_: CrawlData) -> Iterator[bytes]:
    yield _asset("events.js")


def clock(_: CrawlData) -> Iterator[bytes]:
    yield _asset("clock.js")


def _asset(name: str) -> bytes:
    return files("statecrawl.exports").joinpath("assets", name).read_bytes()


def tests(crawled: CrawlData) -> Iterator[bytes]:
    yield from (piece.encode("ascii") for piece in _Writer(crawled).write())


class _Writer:
    def __init__(self, crawled: CrawlData) -> None:
        crawl = crawled.crawl
        self._graph = crawl.graph
        self._paths = witness_paths_of(crawl, MOST_EVENTS)
        self._about: list[Mapping[str, Any]] = [crawled.about(state) for state in self._graph.ids]
        configuration = crawl.started.configuration if crawl.started else {}
        options = {
            "values": configuration.get("equivalence") != STRUCTURE,
            "tags": not configuration.get("ignore") and all(what != NODE for _, what in crawl.rules),
        }
        self._marks = chosen([marks_of(str(about.get("normal", "")), **options) for about in self._about])
        self._origin = _origin(self._about[INITIAL]) if self._about else ""

    def write(self) -> Iterator[str]:
        others = sorted({_origin(about) for about in self._about if about} - {self._origin, ""})
        yield HEAD.format(origin=ascii(self._origin), others=ascii(others))
        reached = [state for state in range(len(self._graph)) if self._paths.is_reachable(state)]
        for state in reached:
            yield f"S{state} = {self._identity(state)}\n"
        for state in range(len(self._graph)):
            yield from self._test(state)

    def _identity(self, state: int) -> str:
        title = str(self._about[state].get("title", ""))
        identity = {
            "title": None if MARKER in title else title,
            "marks": self._marks[state],
        }
        return ascii(identity)

    def _path(self, state: int) -> str | None:
        """Return the path of a state's URL on the application's server; None if it is elsewhere."""
        url = urlsplit(str(self._about[state].get("url", "")))
        ours = f"{url.scheme}://{url.netloc}" == self._origin and MARKER not in url.path
        return url.path or "/" if ours else None

    def _start(self) -> str | None:
        """Return the path of the first page, with query and fragment."""
        url = str(self._about[INITIAL].get("url", ""))
        return url.removeprefix(self._origin) if url.startswith(f"{self._origin}/") and MARKER not in url else None

    def _test(self, state: int) -> Iterator[str]:
        yield TEST.format(number=state)
        if not self._paths.is_reachable(state):
            yield "    pytest.skip('no path of events leads to this state: the page changed by itself')\n"
            return
        walked = self._paths.walked(state)
        pairs = self._paths.to(state) if walked is None else walked
        try:
            steps = [(before, self._step(before, position)) for before, position in pairs]
        except UntestableStep as why:
            yield f"    pytest.skip({str(why)!a})\n"
            return
        if not self._about[state] or self._start() is None:
            yield "    pytest.skip('the state was not stored')\n"
            return
        yield f"    walk.begin({self._start()!a})\n"
        for before, step in steps:
            yield f"    walk.arrives(**S{before})\n    walk.fire({step})\n"
        path = None if walked is None else self._path(state)
        yield f"    walk.ends(**S{state}{'' if path is None else f', path={path!a}'})\n"

    def _step(self, state: int, position: int) -> str:
        """Return the arguments that fire an event. Raises UntestableStep."""
        name, about = self._graph.event(state, position).local, self._about[state]
        plain = name.removesuffix(DISMISSED)
        known = list(about.get("events", ()))
        place = known.index(plain) if plain in known else len(known)
        step = TestStep(plain, _at(about.get("selectors", ()), place, ""), _at(about.get("given", ()), place, None))
        agrees = plain == name and not self._was_declined(state, name)
        return step.written(self._origin) + ("" if agrees else ", agrees=False")

    def _was_declined(self, state: int, name: str) -> bool:
        """Whether the crawl declined a dialog of an event because of a dangerous action; tests decline it, too."""
        events = range(len(self._graph.events[state]))
        return any(self._graph.event(state, each).local == name + ACCEPTED for each in events)


def _origin(about: Mapping[str, Any]) -> str:
    url = urlsplit(str(about.get("url", "")))
    return f"{url.scheme}://{url.netloc}" if url.netloc else ""


def _at(values: Any, place: int, default: Any) -> Any:
    """Return a value, or the default if there are too few."""
    return values[place] if isinstance(values, Sequence) and place < len(values) else default
