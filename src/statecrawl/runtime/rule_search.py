"""The search for dynamic content, alongside a crawl: which states are compared, and when.

Theory of operation
    Every new state is offered. One is compared (`runtime.learning`) if no state of the same structure was: rules name
    places, so states that have the same places teach the same. Where a place differed in one of the three loads only,
    or two agreed against the first, chance may have made them equal, and some more states of that structure are
    compared.

    Comparing takes two loads and two walks in pages of their own. The crawl goes on meanwhile; the search takes no more
    than a share of the time that has passed, apart from the first state, which is compared at once: what is dynamic
    on it is dynamic everywhere. When the crawl has nothing else to do, what is left is compared before it ends.

    Where a reset also resets the server, walkers and the search take turns: neither may reset what the other looks at.
"""

import asyncio
import contextlib
import time
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass

from statecrawl.browser.volatile import DIVERGED, ONE_DIFFERS, Comparison
from statecrawl.errors import BrowserError, SiteUnreachable
from statecrawl.ports.page import Hurried
from statecrawl.ports.record import Tally
from statecrawl.runtime.learning import Learner, goes_back

SHARE = 0.15  # of the time that has passed
MOST_TRIES = 3  # states of the same structure, where chance may have made loads equal

Skeleton = frozenset[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A state to compare."""

    state: str
    normal: str
    path: tuple[str, ...]
    skeleton: int


class RuleSearch:
    """Compares states of one crawl, as long as its rules do not change."""

    def __init__(
        self,
        learner: Learner,
        tally: Callable[[], Tally],
        told: Callable[[str, Comparison], None],
        *,
        begun: float,
        share: float = SHARE,
        turn: asyncio.Lock | None = None,
    ) -> None:
        """`told` hears what came of each state; `begun` is when the crawl began, by `time.perf_counter`."""
        self._learner = learner
        self._tally = tally
        self._told = told
        self._begun = begun
        self._share = share
        self._turn: contextlib.AbstractAsyncContextManager[object] = turn or contextlib.nullcontext()
        self._queue: deque[_Candidate] = deque()
        self._tries: Counter[int] = Counter()  # by skeleton
        self._settled: set[int] = set()  # skeletons that are queued, or need no other try
        self._woken, self._idle, self._hurries = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self._idle.set()

    @property
    def is_busy(self) -> bool:
        """Whether there is something left to compare."""
        return not self._idle.is_set()

    def offer(self, state: str, normal: str, path: tuple[str, ...]) -> None:
        """A new state was found, by this path."""
        if self._learner.is_done or any(map(goes_back, path)):
            return
        skeleton = hash(skeleton_of(normal))
        if skeleton in self._settled or self._tries[skeleton] == MOST_TRIES:
            return
        self._settled.add(skeleton)
        self._queue.append(_Candidate(state, normal, path, skeleton))
        self._idle.clear()
        self._woken.set()

    async def drain(self) -> None:
        """Compare what is left, however long it takes."""
        self._hurries.set()
        await self._idle.wait()
        self._hurries.clear()

    async def run(self) -> None:
        """Compare what is offered, until cancelled or until enough was compared."""
        try:
            with contextlib.suppress(Hurried):
                while not self._learner.is_done:
                    if self._queue:
                        await self._compare(self._queue.popleft())
                    else:
                        self._idle.set()
                        self._woken.clear()
                        await self._woken.wait()
        finally:
            self._idle.set()

    async def _compare(self, candidate: _Candidate) -> None:
        await self._wait_for_share()
        begun = time.perf_counter()
        try:
            async with self._turn:
                compared = await self._learner.learn(candidate.normal, candidate.path, self._tally())
        except (SiteUnreachable, BrowserError):
            compared = Comparison()  # if that lasts, the crawl itself notices
        finally:  # also when new rules break it off
            self._learner.took(time.perf_counter() - begun)
        self._tries[candidate.skeleton] += 1
        if any(reason in (ONE_DIFFERS, DIVERGED) for _, reason in compared.rejected):
            self._settled.discard(candidate.skeleton)
        self._told(candidate.state, compared)

    async def _wait_for_share(self) -> None:
        """Until another comparison, if it takes as long as the last, stays within the share."""
        while self._learner.spent and not self._hurries.is_set():
            last = self._learner.lasted
            due = (self._learner.spent + last) / self._share - last
            missing = due - (time.perf_counter() - self._begun)
            if missing <= 0:
                return
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(missing):
                    await self._hurries.wait()


def skeleton_of(normal: str) -> Skeleton:
    """The structure of a normal form: at which places there are elements, attributes and texts."""
    return frozenset(tuple(line.split("\x1f", 2)[:2]) for line in normal.split("\x1e"))
