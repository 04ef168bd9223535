"""Progress display of a running crawl.

Theory of operation
    The crawl calls `update` as often as it likes, which only stores a reference. A separate task inspects the crawl a
    few times a second and shows its progress: in a terminal as a live view; elsewhere as a line now and then and at
    milestones, as text or as JSON. So the display stays alive while a page hangs, and a crawl that fires a thousand
    events a second pays for four refreshes. The functions in `observers` are called at every refresh.
"""

import asyncio
import contextlib
import json
import time
from collections.abc import Callable

from rich.live import Live
from rich.text import Text

from statecrawl.cli.console import note, notes
from statecrawl.cli.progress_text import line, machine_line, view
from statecrawl.cli.summary import counted
from statecrawl.crawler.live_view import CrawlProgress, ProgressMeter, WatchedCrawl
from statecrawl.journal.fold import FoldedCrawl

REFRESH_SECONDS = 0.25  # between two updates
SWITCHED = (
    "states multiply: from now on, each event is fired once for each part of the page and each thing that the part"
    " shows; --model states fires all"
)
LINE_SECONDS = 10.0  # between two lines, if there is no terminal


async def cancelled(task: asyncio.Task[None]) -> None:
    """Cancel a background task and wait for its end."""
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task


class ProgressDisplay:
    """Shows the progress of a crawl while its context is active."""

    def __init__(self, *, quiet: bool, as_json: bool = False, first: str = "starting the browser") -> None:
        self.quiet = quiet
        self.observers: list[Callable[[WatchedCrawl, CrawlProgress], None]] = []  # called at every update
        self._as_json = as_json and not notes.is_terminal
        self._live = Live(Text(first), console=notes, transient=True, auto_refresh=False)
        self._is_live = notes.is_terminal and not quiet
        self._watched: WatchedCrawl | None = None
        self._meter = ProgressMeter()
        self._line_at = time.monotonic()
        self._milestone = ("", 0)
        self._ended: str | None = None
        self._printed: set[str] = set()
        self._known = (0, 0)  # revision of the rules at the last update, and number of states

    async def __aenter__(self) -> "ProgressDisplay":
        if self._is_live:
            self._live.start(refresh=True)
        self._updates = asyncio.create_task(self._refresh_repeatedly())
        return self

    async def __aexit__(self, *_: object) -> None:
        await cancelled(self._updates)
        if self._is_live:
            self._live.stop()

    def say(self, text: str) -> None:
        """Print a message once, unless --quiet is set."""
        if not self.quiet and text not in self._printed:
            self._printed.add(text)
            self.note(text)

    def note(self, text: str) -> None:
        """Print a message, even with --quiet."""
        note(json.dumps({"kind": "note", "text": text}) if self._as_json else text)

    def update(self, crawling: WatchedCrawl) -> None:
        """Receive the crawl, which has made progress."""
        self._watched = crawling
        if self.observers and crawling.crawl.ended != self._ended:
            self._ended = crawling.crawl.ended
            self.refresh()

    async def _refresh_repeatedly(self) -> None:
        while True:
            await asyncio.sleep(REFRESH_SECONDS)
            self.refresh()

    def refresh(self) -> None:
        """Show the current progress."""
        if self._watched is None or (self.quiet and not self.observers):
            return
        at = self._meter.measure(self._watched)
        self._report_rules(self._watched.crawl)
        self._report_model(at)
        for observer in self.observers:
            observer(self._watched, at)
        if self._is_live:
            self._live.update(view(at, notes.width), refresh=True)
        elif not self.quiet:
            self._print_line(at)

    def _report_rules(self, crawl: FoldedCrawl) -> None:
        """Print once that there are new rules for dynamic content, and what became of the states found so far."""
        (revision, before), self._known = self._known, (crawl.revision, len(crawl.graph))
        if before and crawl.revision > revision:
            left = f"{len(crawl.graph):,} of {before:,} states remain" if len(crawl.graph) else "the crawl starts again"
            self.say(
                f"found dynamic content, which is ignored from now on ({counted(len(crawl.rules), 'rule')}): {left}"
            )

    def _report_model(self, at: CrawlProgress) -> None:
        """Print once that the crawl goes on part by part, or that the last run explored another model."""
        if at.resumed:
            self.say(at.resumed)
        if at.switched_at is not None:
            self.say(SWITCHED)

    def _print_line(self, at: CrawlProgress) -> None:
        """Print a line if the last one is old or a milestone is reached."""
        phase = at.doing.partition(" (")[0]  # without the duration in parentheses
        now, milestone = time.monotonic(), (phase, len(str(at.states)) if at.states else 0)
        if milestone == self._milestone and now - self._line_at < LINE_SECONDS:
            return
        self._line_at, self._milestone = now, milestone
        note(machine_line(at) if self._as_json else line(at))
