"""How well states are told apart: small applications in a dozen frameworks, held against models written by hand.

`python -m bench identity [FRAMEWORK…]`. The applications are in `bench/frameworks`; their packages come from npm when
the measurement begins and are kept in `bench/results/frameworks`.

A true model says which state an action leads to. The graph that was found is walked along with it, so that
every state found is known by the true states it stands for:
    split    states found beyond the first for one true state
    merged   true states beyond the first for one state found
    missed   true states that were not found at all
An event that is not an action of the model (moving the pointer, taking the focus) must change nothing.
"""

import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import statecrawl
from bench.table import print_table
from statecrawl.model.graph import INITIAL, UNEXPLORED, Graph

SOURCES = Path(__file__).parent / "frameworks"
BUILT = Path(__file__).parent / "results" / "frameworks"
SECONDS = 120  # for one crawl
ACTION = re.compile(r"\b(Books|About|All|Unread|Help|Dune|Emma|One|Two|Three)\b")
ACTS = ("click a", "click button", "click input", "key Enter ")  # how events begin that are actions
BACK = "back"  # depends on the way, so no state has it


class Shelf(NamedTuple):
    """Two books that can be ticked, a filter, a note that comes and goes, and a second view."""

    view: str = "books"
    read: frozenset[str] = frozenset()
    is_filtered: bool = False
    has_note: bool = False

    def after(self, action: str) -> "Shelf":
        """The state that an action leads to."""
        match action:
            case "Books":
                return self if self.view == "books" else Shelf()
            case "About":
                return Shelf("about")
            case "All" | "Unread":
                return self._replace(is_filtered=action == "Unread")
            case "Help":
                return self._replace(has_note=not self.has_note)
            case "Dune" | "Emma":
                return self._replace(read=self.read ^ {action})
            case _:
                return self


class Tabs(NamedTuple):
    """One of three pages is shown."""

    shown: str = "One"

    def after(self, action: str) -> "Tabs":
        """The state that an action leads to."""
        return Tabs(action) if action in ("One", "Two", "Three") else self


True_ = Shelf | Tabs  # a state of a true model


@dataclass(frozen=True, slots=True)
class Model:
    """What is true of an application."""

    initial: True_
    states: int


ON_SHELF = Model(Shelf(), 17)  # four ways to tick, two filters, note or none; and the other view
APPLICATIONS = {
    **dict.fromkeys(
        (
            "alpine",
            "angularjs",
            "backbone",
            "hyperapp",
            "knockout",
            "lit",
            "mithril",
            "preact",
            "react",
            "solid",
            "stimulus",
            "svelte",
            "vue",
        ),
        ON_SHELF,
    ),
    "jquery-ui": Model(Tabs(), 3),
}


def main(names: tuple[str, ...] = ()) -> bool:
    """True if every state was found, and none split or merged."""
    if shutil.which("npm") is None:
        print("identity: npm is missing, so nothing was measured: install Node.js.")
        return False
    wanted = names or tuple(APPLICATIONS)
    with TemporaryDirectory() as site:
        _build(Path(site))
        with _served(Path(site)) as url:
            rows = [_row(name, f"{url}{name}.html") for name in wanted]
    header = ("application", "true states", "found", "split", "merged", "missed", "events", "seconds", "complete")
    print_table("States told apart, by framework", header, rows)
    return all(row[3:6] == (0, 0, 0) for row in rows)


def _row(name: str, url: str) -> tuple[object, ...]:
    model = APPLICATIONS[name]
    with TemporaryDirectory() as folder:
        asked: dict[str, Any] = {"max_time": f"{SECONDS}s", "no_screenshots": True, "no_report": True}
        done = statecrawl.crawl(url, out=f"{folder}/crawl", **asked).run()
        graph = done.model.graph
        meant = known(graph, model)
        found_for: dict[True_, int] = {}
        for states in meant.values():
            for state in states:
                found_for[state] = found_for.get(state, 0) + 1
        split = sum(count - 1 for count in found_for.values())
        merged = sum(max(len(states) - 1, 0) for states in meant.values())
        missed = model.states - len(found_for)
        told = done.outcome
        row = (name, model.states, len(graph), split, merged, missed, told.events, round(told.seconds), told.complete)
        print(*row, told.ended_because, flush=True)
        return row


def known(graph: Graph, model: Model) -> dict[int, set[True_]]:
    """The true states that each state found stands for."""
    meant: dict[int, set[True_]] = {INITIAL: {model.initial}}
    fresh = [(INITIAL, model.initial)]
    while fresh:
        state, true = fresh.pop()
        for position, target in enumerate(graph.targets[state]):
            event = graph.event(state, position).local
            if target == UNEXPLORED or event == BACK:
                continue
            after = true.after(action_of(event))
            if after not in meant.setdefault(target, set()):
                meant[target].add(after)
                fresh.append((target, after))
    return meant


def action_of(event: str) -> str:
    """What somebody does who fires an event; nothing if that is not an action of any model."""
    named = ACTION.search(event)
    return named[1] if named and event.startswith(ACTS) else ""


def _build(site: Path) -> None:
    """Bundle all applications, with packages from npm."""
    BUILT.mkdir(parents=True, exist_ok=True)
    shutil.copytree(SOURCES, BUILT, dirs_exist_ok=True)
    run = partial(subprocess.run, cwd=BUILT, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    run(["npm", "install", "--no-audit", "--no-fund", "--no-package-lock"])
    run(["node", "build.mjs", str(site), *APPLICATIONS])


@contextmanager
def _served(site: Path) -> Iterator[str]:
    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 # the library calls it so
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


if __name__ == "__main__":
    sys.exit(0 if main(tuple(sys.argv[1:])) else 1)
