"""The search for dynamic content, alongside a crawl: which states are compared, and when.

Theory of operation
    Every new state is offered. A state is compared (`crawler.content_learner`) if no state of the same structure was:
    rules name places, so states that have the same places lead to the same rules. Where a place differed in only one
    of the three loads, or two loads agreed against the first, chance may have made them equal, and more states of that
    structure are compared. A time may also show only after an event, at a place that existed before. So when a
    structure has more and more states, the fourth, the sixteenth and so on are compared, too.

    A comparison takes two loads and two walks in separate pages. The crawl continues meanwhile; each load waits until
    it fits into the time that learning may take (`crawler.learning_budget`). When the crawl has nothing else to do, the
    states that are left are compared before it ends.

    Where a reset also resets the server, walkers and the search take turns, so that neither resets the server under the
    other.
"""

import asyncio
import contextlib
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable, Container
from dataclasses import dataclass

from statecrawl.browser.dynamic_content import DIVERGED, ONE_DIFFERS, LoadComparison
from statecrawl.crawler.content_learner import ContentLearner, goes_back
from statecrawl.crawler.learning_budget import LearningBudget
from statecrawl.errors import BrowserError, SiteUnreachable
from statecrawl.ports.page import OutOfTime
from statecrawl.ports.recorder import WorkCount

MOST_TRIES = 3  # states of the same structure, where chance may have made loads equal
AGAIN = frozenset(4**power for power in range(1, 10))  # which states of the same structure are compared in any case

Skeleton = frozenset[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class _StateCandidate:
    """A state to compare."""

    state: str
    normal: str
    path: tuple[str, ...]
    skeleton: int


class RuleSearch:
    """Compares states of one crawl, as long as its rules do not change."""

    def __init__(
        self,
        learner: ContentLearner,
        tally: Callable[[], WorkCount],
        on_compared: Callable[[str, LoadComparison], None],
        budget: LearningBudget,
        turn: asyncio.Lock | None = None,
    ) -> None:
        """`on_compared` is called with each state and the result of its comparison."""
        self._learner = learner
        self._tally = tally
        self._on_compared = on_compared
        self._budget = budget
        self._turn: contextlib.AbstractAsyncContextManager[object] = turn or contextlib.nullcontext()
        self._queue: deque[_StateCandidate] = deque()
        self._offered: Counter[int] = Counter()  # skeleton -> states
        self._tries: Counter[int] = Counter()  # likewise
        self._compared: set[int] = set()  # skeletons that are queued, or need no other state
        self._woken, self._idle, self._hurries = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self._idle.set()
        self._is_over = False  # whether offers are ignored

    @property
    def is_busy(self) -> bool:
        """Whether states are left to compare."""
        return not self._idle.is_set()

    def offer(self, state: str, normal: str, path: tuple[str, ...]) -> None:
        """Offer a new state, which was found by this path."""
        if self._is_over or len(self._queue) >= self._learner.left or any(map(goes_back, path)):
            return
        skeleton = hash(skeleton_of(normal))
        self._offered[skeleton] += 1
        enough = skeleton in self._compared or self._tries[skeleton] >= MOST_TRIES
        if enough and self._offered[skeleton] not in AGAIN:
            return
        self._compared.add(skeleton)
        self._queue.append(_StateCandidate(state, normal, path, skeleton))
        self._idle.clear()
        self._woken.set()

    def avoid(self, events: Container[str]) -> None:
        """Drop the states whose path leads over one of these events."""
        self._queue = deque(each for each in self._queue if not any(event in events for event in each.path))

    async def drain(self) -> None:
        """Compare the states that are left, however long it takes."""
        self._hurries.set()
        await self._idle.wait()
        self._hurries.clear()

    async def run(self) -> None:
        """Compare states until cancelled, or until enough were compared."""
        try:
            with contextlib.suppress(OutOfTime):
                while not self._learner.is_done:
                    if self._queue:
                        await self._compare(self._queue.popleft())
                    else:
                        self._idle.set()
                        self._woken.clear()
                        await self._woken.wait()
        finally:
            self._is_over = True
            self._idle.set()

    async def _compare(self, candidate: _StateCandidate) -> None:
        try:
            compared = await self._learner.learn(candidate.normal, candidate.path, self._tally(), self._step)
        except (SiteUnreachable, BrowserError):
            compared = LoadComparison()  # if the failure lasts, the crawl itself notices
        self._tries[candidate.skeleton] += 1
        if any(reason in (ONE_DIFFERS, DIVERGED) for _, reason in compared.rejected):
            self._compared.discard(candidate.skeleton)
        self._on_compared(candidate.state, compared)

    @contextlib.asynccontextmanager
    async def _step(self) -> AsyncIterator[None]:
        """Wait until there is time for a load and a walk, and count how long they take."""
        while (missing := self._budget.missing) and not self._hurries.is_set():
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(missing):
                    await self._hurries.wait()
        async with self._turn:
            with self._budget.load():
                yield


def skeleton_of(normal: str) -> Skeleton:
    """The structure of a normal form: at which places there are elements, attributes and texts."""
    return frozenset(tuple(line.split("\x1f", 2)[:2]) for line in normal.split("\x1e"))
