"""Showing how far a crawl is, while it runs.

Theory of operation
    The crawl says where it is by `told`, as often as it likes: that only remembers it. A task of its own looks at what
    was remembered a few times a second, and shows it: a view that changes in a terminal; elsewhere a line now and then
    and at milestones, for people, or as JSON for machines. So what is shown goes on while a page hangs, and a crawl of
    a thousand events a second pays for four looks. Others may look along (`looks`).
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
from statecrawl.crawler.progress import CrawlProgress, ProgressMeter, WatchedCrawl
from statecrawl.journal.fold import FoldedCrawl

LOOK_SECONDS = 0.25  # between two looks at a crawl
LINE_SECONDS = 10.0  # between two lines, where there is no terminal


class ProgressDisplay:
    """Shows how far a crawl is, as long as it is entered."""

    def __init__(self, *, quiet: bool, as_json: bool = False, first: str = "starting the browser") -> None:
        self.quiet = quiet
        self.looks: list[Callable[[WatchedCrawl, CrawlProgress], None]] = []  # who else wants to know
        self._as_json = as_json and not notes.is_terminal
        self._live = Live(Text(first), console=notes, transient=True, auto_refresh=False)
        self._is_live = notes.is_terminal and not quiet
        self._watched: WatchedCrawl | None = None
        self._meter = ProgressMeter()
        self._line_at = time.monotonic()
        self._milestone = ("", 0)
        self._ended: str | None = None
        self._said: set[str] = set()
        self._known = (0, 0)  # the revision of the rules at the last look, and how many states there were

    async def __aenter__(self) -> "ProgressDisplay":
        if self._is_live:
            self._live.start(refresh=True)
        self._looking = asyncio.create_task(self._look_again_and_again())
        return self

    async def __aexit__(self, *_: object) -> None:
        self._looking.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._looking
        if self._is_live:
            self._live.stop()

    def say(self, words: str) -> None:
        """Something that was not said before."""
        if not self.quiet and words not in self._said:
            self._said.add(words)
            self.note(words)

    def note(self, words: str) -> None:
        """Something that has to be said, also where no progress is wanted."""
        note(json.dumps({"kind": "note", "text": words}) if self._as_json else words)

    def told(self, crawling: WatchedCrawl) -> None:
        """This is the crawl; it has gone on."""
        self._watched = crawling
        if self.looks and crawling.crawl.ended != self._ended:
            self._ended = crawling.crawl.ended
            self.look()

    async def _look_again_and_again(self) -> None:
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            self.look()

    def look(self) -> None:
        """Show how far it is now."""
        if self._watched is None or (self.quiet and not self.looks):
            return
        at = self._meter.look(self._watched)
        self._say_learnt(self._watched.crawl)
        for look in self.looks:
            look(self._watched, at)
        if self._is_live:
            self._live.update(view(at, notes.width), refresh=True)
        elif not self.quiet:
            self._tell(at)

    def _say_learnt(self, crawl: FoldedCrawl) -> None:
        """Say once that states are told apart by other rules, and what became of those that were found before."""
        (revision, before), self._known = self._known, (crawl.revision, len(crawl.graph))
        if before and crawl.revision > revision:
            kept = f"{len(crawl.graph):,} of {before:,} states remain" if len(crawl.graph) else "the crawl begins again"
            rules = f"{len(crawl.rules)} rule{'' if len(crawl.rules) == 1 else 's'}"
            self.say(f"dynamic content was found, and is left out from now on ({rules}): {kept}")

    def _tell(self, at: CrawlProgress) -> None:
        """A line, if it is time for one or there is news."""
        phase = at.doing.partition(" (")[0]  # behind that stands how long it lasts already
        now, milestone = time.monotonic(), (phase, len(str(at.states)) if at.states else 0)
        if milestone == self._milestone and now - self._line_at < LINE_SECONDS:
            return
        self._line_at, self._milestone = now, milestone
        note(machine_line(at) if self._as_json else line(at))
