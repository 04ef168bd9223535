"""Failed requests: whether a failure is a property of the application, or an accident of network and server.

Theory of operation
    When a request of a page fails, the page does not show what it would show otherwise. If the network or the server is
    down for some seconds, that must never become a fact. If a URL never answers, the application is like that, and the
    crawl has to accept that.

    A failure is evidence against its URL only if the first page is loaded right before and right after it: then the
    network was up. A walker that sees a failure reports nothing, waits a little, and resets its page. If the document
    loads, the failure counts; if it does not, no recent failure counts. Failures of several pages at the same time
    count once. A URL that failed often enough, over some seconds, is `broken`, and what the page shows without it is
    believed. So an outage that is no longer than the pauses is never believed, and neither is any outage that takes
    the first page down, too.

    The pauses are there for outages that leave the first page alone, such as the restart of one of several servers. A
    URL that has answered before is waited for longer. Once a URL turned out to be broken while the network never
    failed, the next broken URLs are believed without a pause: some applications have many of them.

    A request without an answer in time is noted as failed, because the network may have lost it, and as background,
    because it may be a long poll. Once it is believed, its URL is in `_slow` and believed at once from then on. If it
    has never answered, pages no longer wait for it (`background`). URLs that have answered in time are waited for
    whenever a page starts anew. An application whose requests hang at a different URL each time is believed once that
    is known, except for URLs that have answered.

    A server that asks clients to wait (`BUSY`) is up, and its answer is never a fact: all walkers wait as long as it
    asks for, or twice as long as the last time if it names no time, and the walk is repeated. A URL is believed only if
    it asks for that so often that it never does anything else.
"""

import time
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass, field

from statecrawl.errors import SiteUnreachable
from statecrawl.ports.page import BACKGROUND, BUSY, FAILED, Note

PAUSES = (1.0, 4.0, 10.0)  # seconds before the load that follows the first failure, the second, …
FEW = 2  # failures of a URL that has never answered, until it is broken
CALM_SECONDS = 60.0  # after which a failure of the network is forgotten
MOST_REPEATS = 8  # of one cause: an application may request a different URL each time
MOST_BUSY = 6  # repetitions of one cause because a server is busy
MOST_WAIT = 120.0  # seconds
BUSY_SECONDS = 2.0  # of the first wait, if the server names no time
STREAM = "stream "  # begins the key of a stream that stayed silent while a page was loaded; it may have stalled once
LOAD = ""  # the cause of what the first page requests
MOST_ANSWERED = 100_000  # URLs that are remembered
MOST_SLOW = 1000  # likewise; every document gets the list


@dataclass(slots=True)
class _FailureCase:
    """Evidence against one URL."""

    failures: int = 0  # that count
    counted: float = -1.0  # when the last of them was counted


@dataclass(slots=True)
class Failures:
    """Failed requests of all pages of one process. URLs are without query."""

    clock: Callable[[], float] = time.monotonic
    broken: set[str] = field(default_factory=set)  # URLs that never answer, though the server is up
    _cases: dict[str, _FailureCase] = field(default_factory=dict)
    _open: dict[int, tuple[float, frozenset[str]]] = field(default_factory=dict)  # page -> its last failures
    _repeats: Counter[str] = field(default_factory=Counter)  # cause -> how often it was repeated in a row
    _answered: set[str] = field(default_factory=set)
    _slow: set[str] = field(default_factory=set)  # URLs that are believed not to answer in time, at least sometimes
    _silent: set[str] = field(default_factory=set)  # what has not answered in time so far
    _hangs_anywhere: bool = False  # requests hang at a different URL each time
    _network_failed: float | None = None  # when it last did
    _busy_until: float = 0.0  # servers want clients to wait
    _busy_repeats: Counter[str] = field(default_factory=Counter)  # cause -> how often servers were busy in a row
    _always_busy: set[str] = field(default_factory=set)

    @property
    def background(self) -> frozenset[str]:
        """URLs that pages need not wait for."""
        return frozenset(self._slow - self._answered)

    def must_repeat(self, page: int, cause: str, notes: Collection[Note], *, at_error: bool = False) -> bool:
        """Whether what a page shows must not be believed, judged by the requests that a cause made it send.

        If so, its first page has to be loaded again. With `at_error`, the page shows that a document did not load.
        """
        if self._is_busy(cause, notes):
            return True
        failed = {_url(note) for note in notes if note.kind == FAILED} | ({cause} if at_error else set())
        late = {str(note.what) for note in notes if note.kind == BACKGROUND}
        requested = {_requested(note) for note in notes if note.kind == "request"} - failed - late - self.background
        self._count_answers(requested)
        unbelieved = failed - self.broken - (late & self._slow)
        if self._hangs_anywhere:
            unbelieved -= late - self._answered
        if not unbelieved or self._repeats[cause] >= MOST_REPEATS:
            if not unbelieved:
                del self._repeats[cause]
            self._believe(late, in_the_end=bool(unbelieved))
            return False
        self._repeats[cause] += 1
        self._open[page] = self.clock(), frozenset(unbelieved)
        return True

    def pause(self, page: int) -> float:
        """Seconds to wait before the first page is loaded again. Raises what `busy_seconds` raises."""
        _, failed = self._open.get(page, (0.0, frozenset[str]()))
        if not failed or (self.broken and not self._is_restless()):
            return self.busy_seconds()
        pause = PAUSES[min(max(self._failures(url) for url in failed), len(PAUSES) - 1)]
        return max(pause, self.busy_seconds())

    def busy_seconds(self) -> float:
        """Seconds for which servers want clients to wait. Raises SiteUnreachable when that is too long."""
        seconds = self._busy_until - self.clock()
        if seconds > MOST_WAIT:
            raise SiteUnreachable(
                f"the server asks to be left alone for {seconds:.0f} s: the same command resumes the crawl after that."
            )
        return max(seconds, 0.0)

    def loaded(self, page: int) -> None:
        """The first page has loaded, so the network was up when requests of this page failed."""
        since, failed = self._open.pop(page, (0.0, frozenset[str]()))
        for url in failed:
            case = self._cases.setdefault(url, _FailureCase())
            if since > case.counted:  # otherwise another page has counted the same outage
                case.failures, case.counted = case.failures + 1, self.clock()
                if case.failures >= self._enough(url):
                    self.broken.add(url)

    def unreachable(self) -> None:
        """The first page did not load, so recent failures prove nothing."""
        self._network_failed = self.clock()
        self._open.clear()
        self._repeats.clear()
        for url in self._cases.keys() - self.broken:
            del self._cases[url]

    def _is_busy(self, cause: str, notes: Collection[Note]) -> bool:
        """Whether a server asks clients to wait, which is no answer."""
        busy = [note.what for note in notes if note.kind == BUSY and note.what[0] not in self._always_busy]
        if not busy:
            del self._busy_repeats[cause]
            return False
        if self._busy_repeats[cause] >= MOST_BUSY:
            self._always_busy.update(url for url, _ in busy)
            return False
        default = BUSY_SECONDS * 2 ** self._busy_repeats[cause]
        self._busy_repeats[cause] += 1
        longest = max(default if seconds is None else seconds for _, seconds in busy)
        self._busy_until = max(self._busy_until, self.clock() + longest)
        return True

    def _count_answers(self, answered: set[str]) -> None:
        """These URLs have answered; those that had failed before show that the network or the server was down."""
        recovered = answered & self._cases.keys()
        if recovered:
            if not recovered <= self._slow:
                self._network_failed = self.clock()
            self.broken -= recovered
            for url in recovered:
                del self._cases[url]
        if len(self._answered) < MOST_ANSWERED:
            self._answered |= answered

    def _believe(self, late: set[str], *, in_the_end: bool) -> None:
        """The application is such that these URLs do not answer in time."""
        if len(self._slow) < MOST_SLOW:
            self._slow |= {url for url in late if not url.startswith(STREAM) or url in self._silent}
            self._silent |= late
        self._hangs_anywhere = self._hangs_anywhere or (in_the_end and bool(late))

    def _failures(self, url: str) -> int:
        return self._cases[url].failures if url in self._cases else 0

    def _enough(self, url: str) -> int:
        """How many failures make a URL broken."""
        return len(PAUSES) if url in self._answered or self._is_restless() else FEW

    def _is_restless(self) -> bool:
        return self._network_failed is not None and self.clock() - self._network_failed < CALM_SECONDS


def _url(failed: Note) -> str:
    return str(failed.what[1]) if isinstance(failed.what, list) and len(failed.what) > 1 else ""


def _requested(request: Note) -> str:
    return _url(request).partition("?")[0]
