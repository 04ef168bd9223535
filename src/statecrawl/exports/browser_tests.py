"""Tests for pytest and Playwright that walk to every state along the shortest way, and look whether it is there.

A state is known by its title, its address, the elements that its events belong to, and its words: the rarest, which few
other states have; what was redacted is left out. Words of the state before it that are gone must be gone. After each
event the tests wait for the state that it leads to, so that the next one is not fired too early.

What a page said becomes literals of Python and nothing else, in ASCII. A way that needs more than tests can do or know
(an element in a frame, a secret) makes a test that is skipped and says why.
"""

import html
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from typing import Any
from urllib.parse import urlsplit

from statecrawl.exports.browser_steps import Impossible, Step
from statecrawl.exports.crawled import Crawled
from statecrawl.model.event import DISMISSED
from statecrawl.model.graph import INITIAL
from statecrawl.model.redaction import MARKER
from statecrawl.model.ways import ways_of
from statecrawl.ports.page import lines_of

MOST_TEXTS, MOST_THERE, MOST_GONE = 12, 40, 5
LONGEST_TEXT = 200  # characters of a text that is looked for
SILENT = {"script", "style", "title", "noscript", "template"}  # elements whose texts nobody sees
HEAD = '''"""Every state that statecrawl found, each walked to from the first page: see conftest.py."""

import pytest

ORIGIN = {origin}  # where the application was; --base-url says where it is
'''
TEST = """

def test_state_{number}(walk):
"""


def conftest(_: Crawled) -> Iterator[bytes]:
    yield files("statecrawl.exports").joinpath("assets", "conftest.py").read_bytes()


def tests(crawled: Crawled) -> Iterator[bytes]:
    yield from (piece.encode("ascii") for piece in _Writer(crawled).write())


class _Writer:
    def __init__(self, crawled: Crawled) -> None:
        self._crawled = crawled
        self._graph = crawled.crawl.graph
        self._ways = ways_of(self._graph)
        self._about: list[Mapping[str, Any]] = [crawled.about(state) for state in self._graph.ids]
        self._texts = [_texts(str(about.get("normal", ""))) for about in self._about]
        self._common = Counter(text for texts in self._texts for text in set(texts))
        first = urlsplit(str(self._about[INITIAL].get("url", ""))) if self._about else urlsplit("")
        self._origin = f"{first.scheme}://{first.netloc}"

    def write(self) -> Iterator[str]:
        yield HEAD.format(origin=ascii(self._origin))
        reached = [state for state in range(len(self._graph)) if self._ways.depths[state] >= 0]
        for state in reached:
            yield f"S{state} = {self._marks(state)}\n"
        for state in reached:
            yield from self._test(state)

    def _marks(self, state: int) -> str:
        """By what a state is known."""
        about, texts = self._about[state], self._texts[state]
        rarest = sorted(dict.fromkeys(texts), key=lambda text: self._common[text])[:MOST_TEXTS]
        there = [selector for selector in dict.fromkeys(about.get("selectors", ())) if selector]
        marks = {
            "title": None if MARKER in about.get("title", "") else str(about.get("title", "")),
            "path": self._path(state),
            "there": [str(selector) for selector in there[:MOST_THERE]],
            "texts": rarest,
            "gone": self._gone(state),
        }
        return ascii(marks)

    def _gone(self, state: int) -> list[str]:
        """Texts of the state before that are not even hidden in this one, nor part of another text."""
        way = self._ways.to(state)
        if not way:
            return []
        whole = " ".join(html.unescape(self._crawled.html(self._graph.ids[state])).split())
        before = dict.fromkeys(self._texts[way[-1][0]])
        return [text for text in before if whole and text not in whole][:MOST_GONE]

    def _path(self, state: int) -> str | None:
        """The address of a state at the application's server; None when it is elsewhere."""
        url = str(self._about[state].get("url", ""))
        ours = url.startswith(f"{self._origin}/") and MARKER not in url
        return url.removeprefix(self._origin) if ours else None

    def _test(self, state: int) -> Iterator[str]:
        yield TEST.format(number=state)
        try:
            steps = [(before, self._step(before, position)) for before, position in self._ways.to(state)]
        except Impossible as why:
            yield f"    pytest.skip({str(why)!a})\n"
            return
        if not self._about[state] or self._path(INITIAL) is None:
            yield "    pytest.skip('nothing was kept of the state')\n"
            return
        yield f"    walk.begin({self._path(INITIAL)!a})\n"
        for before, step in steps:
            yield f"    walk.arrives(**S{before})\n    walk.fire({step})\n"
        yield f"    walk.arrives(**S{state})\n"

    def _step(self, state: int, position: int) -> str:
        """The arguments that fire an event. Raises Impossible."""
        name, about = self._graph.event(state, position).local, self._about[state]
        plain = name.removesuffix(DISMISSED)
        known = list(about.get("events", ()))
        place = known.index(plain) if plain in known else len(known)
        step = Step(plain, _at(about.get("selectors", ()), place, ""), _at(about.get("given", ()), place, None))
        return step.written(self._origin) + ("" if plain == name else ", agrees=False")


def _at(values: Any, place: int, default: Any) -> Any:
    """One of these, if there are so many."""
    return values[place] if isinstance(values, Sequence) and place < len(values) else default


def _texts(normal: str) -> list[str]:
    """The texts of a state that can be looked for, in order."""
    found, open_tags = [], [""]
    for _, what, value, *_ in lines_of(normal):
        if what == "<":
            open_tags.append(str(value))
        elif what == ">":
            open_tags.pop()
        elif what == '"' and open_tags and not SILENT & {open_tags[-1]}:
            text = " ".join(str(value).split())
            if 1 < len(text) <= LONGEST_TEXT and MARKER not in text:
                found.append(text)
    return found
