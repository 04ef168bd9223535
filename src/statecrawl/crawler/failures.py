"""Doubting: whether a request that did not get through says something about the application, or about the network.

Theory of operation
    What a page shows when a request of its failed is not what it would show. If the network or the server is away for
    some seconds, that must never become a fact; if an address never answers, it is how this application is, and the
    crawl has to go on with it.

    A failure is evidence against its address only when the first page is loaded right before and right after it: then
    the network was there. Whoever sees a failure reports nothing, waits a little, and resets its page; when the
    document comes, the failure counts, and when it does not, nothing that failed lately counts. Failures of several
    pages at the same time are one. An address that failed so often, over some seconds, is `broken`, and what the page
    shows without it is believed. So an outage is never believed as long as it lasts no longer than the pauses, and one
    that takes the first page with it never at all.

    The pauses are there for outages that leave the first page alone: one of several servers is started again, say. An
    address that has answered before is waited for longer. Where an address turned out to be broken and the network
    never failed, the next ones are believed without a pause: some applications have many of them.

    A request that gets no answer in time is told as a failed one, because the network may swallow it, and as one in the
    background, because it may be a long poll. What is believed to hang once is `_slow`, and hangs from then on without
    a doubt; where it has never answered, it is no longer waited for (`background`). What has answered in time is
    waited for whenever a page begins anew. An application that hangs at another address each time is believed once
    that is known, but for addresses that have answered.

    A server that asks to be left alone for a while (`BUSY`) is there, and what it says then is never a fact: everybody
    waits as long as it asks for, or twice as long as the last time if it does not say, and what was done is done
    again. Only an address that asks for it so often that it never does anything else is believed.
"""

import time
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass, field

from statecrawl.errors import SiteUnreachable
from statecrawl.ports.page import BACKGROUND, BUSY, FAILED, Note

PAUSES = (1.0, 4.0, 10.0)  # seconds before the load that follows the first failure, the second, …
FEW = 2  # failures of an address that has never answered, until it is broken
CALM_SECONDS = 60.0  # since the network failed, after which that is forgotten
MOST_DOUBTS = 8  # of one event: an application may ask for another address each time
MOST_BUSY = 6  # times that the same thing is done again because a server is busy
MOST_WAIT = 120.0  # seconds
BUSY_SECONDS = 2.0  # for the first time, when it does not say how long
LOAD = ""  # what the first page asks for is nobody's doing
MOST_ANSWERED = 100_000  # addresses that are remembered
MOST_SLOW = 1000  # likewise; every document is told of them


@dataclass(slots=True)
class _FailureCase:
    """What speaks against one address."""

    failures: int = 0  # that count
    counted: float = -1.0  # when the last of them was counted


@dataclass(slots=True)
class Failures:
    """Of all pages of one process."""

    clock: Callable[[], float] = time.monotonic
    broken: set[str] = field(default_factory=set)  # addresses that never answer, though the server does
    _cases: dict[str, _FailureCase] = field(default_factory=dict)
    _open: dict[int, tuple[float, frozenset[str]]] = field(default_factory=dict)  # page -> what failed there last
    _doubted: Counter[str] = field(default_factory=Counter)  # what was done -> how often it was doubted
    _answered: set[str] = field(default_factory=set)
    _slow: set[str] = field(default_factory=set)  # addresses that are believed not to answer in time, at least at times
    _hangs_anywhere: bool = False  # addresses that hang are others each time
    _failed_network: float | None = None  # when it last failed
    _alone_until: float = 0.0  # servers want to be left alone
    _waited: Counter[str] = field(default_factory=Counter)  # what was done -> how often servers were busy then
    _always_busy: set[str] = field(default_factory=set)

    @property
    def background(self) -> frozenset[str]:
        """Addresses that need not be waited for."""
        return frozenset(self._slow - self._answered)

    def heed(self, page: int, cause: str, notes: Collection[Note], *, at_error: bool = False) -> bool:
        """What a page has asked for, and what made it do so; whether what it shows must not be believed.

        Then its first page has to be loaded again. With `at_error`, it shows that another document did not come.
        """
        if self._must_wait(cause, notes):
            return True
        failed = {_address(note) for note in notes if note.kind == FAILED} | ({cause} if at_error else set())
        late = {str(note.what) for note in notes if note.kind == BACKGROUND}
        asked = {_asked(note) for note in notes if note.kind == "request"} - failed - late - self.background
        recovered = asked & self._cases.keys()
        if recovered:  # it was away, and is back
            if not recovered <= self._slow:
                self._failed_network = self.clock()
            self.broken -= recovered
            for address in recovered:
                del self._cases[address]
        if len(self._answered) < MOST_ANSWERED:
            self._answered |= asked
        doubtful = failed - self.broken - (late & self._slow)
        if self._hangs_anywhere:
            doubtful -= late - self._answered
        if not doubtful or self._doubted[cause] >= MOST_DOUBTS:
            if not doubtful:
                del self._doubted[cause]
            self._believe(late, in_the_end=bool(doubtful))
            return False
        self._doubted[cause] += 1
        self._open[page] = self.clock(), frozenset(doubtful)
        return True

    def pause(self, page: int) -> float:
        """Seconds to wait before the first page is loaded again. Raises what `left_alone` raises."""
        _, failed = self._open.get(page, (0.0, frozenset[str]()))
        if not failed or (self.broken and not self._is_restless()):
            return self.left_alone()
        pause = PAUSES[min(max(self._failures(address) for address in failed), len(PAUSES) - 1)]
        return max(pause, self.left_alone())

    def left_alone(self) -> float:
        """Seconds that servers want to be left alone. Raises SiteUnreachable when that is too long to wait for."""
        seconds = self._alone_until - self.clock()
        if seconds > MOST_WAIT:
            raise SiteUnreachable(
                f"the server asks to be left alone for {seconds:.0f} s: the same command goes on after that."
            )
        return max(seconds, 0.0)

    def loaded(self, page: int) -> None:
        """The document of the first page has come: what failed on this page failed while the network was there."""
        since, failed = self._open.pop(page, (0.0, frozenset[str]()))
        for address in failed:
            case = self._cases.setdefault(address, _FailureCase())
            if since > case.counted:  # else somebody else saw the same
                case.failures, case.counted = case.failures + 1, self.clock()
                if case.failures >= self._enough(address):
                    self.broken.add(address)

    def unreachable(self) -> None:
        """The first page did not come: what failed lately says nothing."""
        self._failed_network = self.clock()
        self._open.clear()
        self._doubted.clear()
        for address in self._cases.keys() - self.broken:
            del self._cases[address]

    def _must_wait(self, cause: str, notes: Collection[Note]) -> bool:
        """Whether a server asks to be left alone, which is no answer."""
        asked = [note.what for note in notes if note.kind == BUSY and note.what[0] not in self._always_busy]
        if not asked:
            del self._waited[cause]
            return False
        if self._waited[cause] >= MOST_BUSY:
            self._always_busy.update(address for address, _ in asked)
            return False
        usual = BUSY_SECONDS * 2 ** self._waited[cause]
        self._waited[cause] += 1
        longest = max(usual if seconds is None else seconds for _, seconds in asked)
        self._alone_until = max(self._alone_until, self.clock() + longest)
        return True

    def _believe(self, late: set[str], *, in_the_end: bool) -> None:
        """It is how the application is that these addresses do not answer in time."""
        if len(self._slow) < MOST_SLOW:
            self._slow |= late
        self._hangs_anywhere = self._hangs_anywhere or (in_the_end and bool(late))

    def _failures(self, address: str) -> int:
        return self._cases[address].failures if address in self._cases else 0

    def _enough(self, address: str) -> int:
        return len(PAUSES) if address in self._answered or self._is_restless() else FEW

    def _is_restless(self) -> bool:
        return self._failed_network is not None and self.clock() - self._failed_network < CALM_SECONDS


def _address(failed: Note) -> str:
    return str(failed.what[1]) if isinstance(failed.what, list) and len(failed.what) > 1 else ""


def _asked(request: Note) -> str:
    return _address(request).partition("?")[0]
