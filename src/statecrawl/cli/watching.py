"""How far a crawl is, while it runs."""

import time
from typing import Protocol

from rich.live import Live
from rich.text import Text

from statecrawl.cli.console import note, notes
from statecrawl.errors import printable
from statecrawl.runtime.outcome import Outcome

LIVE_SECONDS = 0.2  # between two looks at a crawl, in a terminal
LINE_SECONDS = 5.0  # and elsewhere


class Watched(Protocol):
    """A crawl that runs."""

    def outcome(self) -> Outcome: ...
    def doing(self) -> str:
        """What there is to say instead of figures, if there is something."""


class Show:
    """How far a crawl is: one line that changes, or a line now and then where there is no terminal."""

    def __init__(self, *, quiet: bool, first: str = "starting the browser") -> None:
        self.quiet = quiet
        self._live = Live(Text(first), console=notes, transient=True, auto_refresh=False)
        self._is_live = notes.is_terminal and not quiet
        self._last = time.monotonic()
        self._said: set[str] = set()

    def __enter__(self) -> "Show":
        if self._is_live:
            self._live.start(refresh=True)
        return self

    def __exit__(self, *_: object) -> None:
        if self._is_live:
            self._live.stop()

    def say(self, line: str) -> None:
        """Something that was not said before."""
        if not self.quiet and line not in self._said:
            self._said.add(line)
            note(line)

    def told(self, crawling: Watched) -> None:
        now = time.monotonic()
        if self.quiet or now - self._last < (LIVE_SECONDS if self._is_live else LINE_SECONDS):
            return
        self._last = now
        line = crawling.doing() or _figures(crawling.outcome())
        if self._is_live:
            self._live.update(Text(printable(line)), refresh=True)
        else:
            note(line)


def _figures(at: Outcome) -> str:
    known = at.transitions + at.unexplored
    return (
        f"{at.states:,} states, {at.transitions:,} of {known:,} transitions, {at.events:,} events,"
        f" {at.resets:,} resets, {at.events_per_second:.0f} events/s, {at.seconds:.0f} s"
    )
