"""Walking: one page performs tasks, one after the other, and what happens on the way is recorded where it happened.

Theory of operation
    A walker holds one page and the state it is in, or None when the page must be reset. Surprises are facts, not
    errors: they are recorded, and the walker plans again from where it landed.

    A walk ends with an event that nobody has fired yet. Where the strategy knows without being asked what would be next
    and it can be guessed where the event leads, the walk goes on with the next (`Foresight`): each event that need not
    be decided outside saves the way there and back.

    When a request of the application did not get through, the server may be down, and what the page shows is not what
    it would show. Nothing is recorded then: the page is reset, which ends the crawl if the server is down, and the
    event is fired once more. What fails again is how this application is; its address is not doubted any more.

    An event that hangs or kills its page costs that page. When it was not the only step of its walk, nobody knows which
    step it was: the walk is done once more, step by step. A page that is elsewhere whenever a walk begins cannot put
    off the end for ever: after MOST_MISSES such walks a pair is given up.
"""

import time
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, field, replace

from statecrawl.errors import PageLost, SiteUnreachable
from statecrawl.model.graph import INITIAL
from statecrawl.ports.page import ERROR_PAGE, FAILED, Ending, Landing, Note, Page, Step, Walked
from statecrawl.runtime.foresight import Foresight
from statecrawl.runtime.meeting import Meeting
from statecrawl.runtime.observing import Observer
from statecrawl.strategies.task import Pair, Task

DISMISSED = " (dismissed)"  # ends the name of an event whose dialogs are answered with no; see agent/walk.js
TIMES = 1000  # that are remembered
MOST_MISSES = 10  # walks to one pair that never began, because the page was elsewhere by then
MOST_NEW = 8  # events of one walk that nobody has fired yet, and
LONGEST_AHEAD = 0.5  # seconds that they may take: somebody may want the crawl to stop
UNAVAILABLE = (502, 503, 504)  # status of HTTP: the server is down, says whoever stands before it
LEAST_ERROR = 400  # the first status that says that something is wrong
MOST_LOOKS = 3  # at the first page, each after another reset


@dataclass(slots=True)
class Times:
    """How long events and resets took lately."""

    events: deque[float] = field(default_factory=lambda: deque(maxlen=TIMES))
    resets: deque[float] = field(default_factory=lambda: deque(maxlen=TIMES))

    def reset_cost(self) -> float:
        """How many events take as long as a reset; 0 while nothing was timed."""
        if not self.resets or not self.events:
            return 0.0
        return _mean(self.resets) / max(_mean(self.events), 1e-6)


@dataclass(slots=True)
class Ground:
    """What the walkers of a crawl share."""

    meeting: Meeting
    times: Times
    before_reset: Callable[[], Awaitable[None]]  # of the server
    foresight: Foresight = field(default_factory=Foresight)
    doubted: set[Pair] = field(default_factory=set)  # pairs whose requests did not get through
    broken: set[str] = field(default_factory=set)  # addresses that never answer, though the server does
    suspects: set[Pair] = field(default_factory=set)  # pairs on the way to which, or at which, a page was lost
    misses: Counter[Pair] = field(default_factory=Counter)  # pair -> walks to it that never began

    @property
    def observer(self) -> Observer:
        return self.meeting.observer


class Walker:
    """One page, and where it is."""

    def __init__(self, number: int, page: Page, ground: Ground) -> None:
        self.number = number
        self.page = page
        self.position: int | None = None
        self._ground = ground
        self._observer = ground.observer

    @property
    def beyond_depth(self) -> int:
        """How many states were not expanded because they lie too deep."""
        return self._ground.meeting.beyond_depth

    async def reset(self) -> None:
        """Open the application anew. Raises SiteUnreachable, BrowserError and Revised."""
        ground = self._ground
        await ground.before_reset()
        begun = time.perf_counter()
        landing = await self.page.reset()
        ground.times.resets.append(time.perf_counter() - begun)
        self._observer.tally.resets += 1
        if landing.status in UNAVAILABLE:
            raise SiteUnreachable(
                f"{ground.meeting.plan.url} answers with status {landing.status}: try again when the server is up."
            )
        self._warn(landing)
        for _ in range(MOST_LOOKS):
            self.position = self._observer.crawl.graph.numbers.get(landing.state)
            try:
                if self.position is None:
                    self.position = await ground.meeting.meet(self.page)
            except PageLost:
                landing = await self.page.reset()
            else:
                self._note(landing.notes, None, self.position)
                return
        raise SiteUnreachable(f"{ground.meeting.plan.url} does not stay as it is while it is looked at: try again.")

    def _warn(self, first: Landing) -> None:
        plan, warnings = self._ground.meeting.plan, self._observer.warnings
        if first.status >= LEAST_ERROR:
            warnings[f"the first page answers with status {first.status}"] = None
        if not plan.scope.holds(plan.url, first.url):
            warnings[f"the first page, {first.url}, is itself out of the scope"] = None

    async def perform(self, task: Task) -> None:
        """Do a task and record what happened. Raises what `reset` raises."""
        try:
            if task.reset or self.position is None:
                await self.reset()
                if self.position != INITIAL:  # the first page is not what it was: plan again from here
                    self._missed(task.pair)
                    return
            await self._walk(task)
        finally:
            self._observer.strategy.release(self.number)

    # -- one walk --

    async def _walk(self, task: Task) -> None:
        graph = self._observer.crawl.graph
        new, guesses = self._look_ahead(task)
        pairs = (*task.path, *new)
        start = pairs[0][0]
        steps: list[Step] = [
            (graph.event(*pair).local, graph.ids[graph.targets[pair[0]][pair[1]]]) for pair in task.path
        ]
        steps += [
            (graph.event(*pair).local, None if led is None else graph.ids[led])
            for pair, led in zip(new, guesses, strict=True)
        ]
        if task.pair in self._ground.suspects:
            walked = await _step_by_step(self.page, graph.ids[start], steps)
        else:
            walked = await self.page.walk(graph.ids[start], steps, sure=len(task.path))
        if walked.done:
            self._ground.times.events.append(walked.seconds / walked.done)
        if walked.why is Ending.MOVED and not walked.done:
            await self._moved(start, walked)
            self._missed(task.pair)
        else:
            await self._landed(pairs, len(task.path), walked)

    def _look_ahead(self, task: Task) -> tuple[list[Pair], list[int | None]]:
        """What a walk does that is new: the pair of the task and those that would be next, and where each should lead.

        Nobody has to know where the last one leads.
        """
        ground, observer = self._ground, self._observer
        lasts = ground.times.events[-1] if ground.times.events else LONGEST_AHEAD
        room = min(MOST_NEW, int(LONGEST_AHEAD / max(lasts, 1e-3)))
        plan = ground.meeting.plan
        if plan.limits.events is not None and plan.limits.events - observer.tally.events < 2 * MOST_NEW * plan.pages:
            room = 1  # near the end nobody runs ahead
        new, guesses = [task.pair], []
        while len(new) < room and task.pair not in ground.suspects:
            led = ground.foresight.guess(observer.crawl.graph.event(*new[-1]).local, new[-1][0])
            following = None if led is None else observer.strategy.foresee(self.number, led)
            if following is None or following in ground.suspects:
                break
            new.append(following)
            guesses.append(led)
        return new, [*guesses, None]

    def _missed(self, pair: Pair) -> None:
        """A walk to this pair could not even begin."""
        misses = self._ground.misses
        misses[pair] += 1
        if misses[pair] == MOST_MISSES and not self._observer.is_explored(pair):
            self._observer.hung(pair, "the page changes by itself before the way to it can be gone")

    async def _moved(self, start: int, walked: Walked) -> None:
        """The page changed by itself before anything was fired."""
        self.position = None
        if walked.landed is None:
            return
        landed = self._observer.crawl.graph.numbers.get(walked.landed)
        try:
            if landed is None:
                landed = await self._ground.meeting.meet(self.page, after=start)
        except PageLost:
            return
        self.position = landed
        self._observer.moved(start, landed)

    async def _landed(self, pairs: Sequence[Pair], sure: int, walked: Walked) -> None:
        """Record the steps that were taken, and how it ended. Pairs after the first `sure` were new."""
        if (again := self._doubtful(pairs, walked)) is not None:
            self._cut_off(pairs, again, walked)
            return
        taken = pairs[: walked.done]
        for pair, passed in zip(taken[:-1], walked.states[:-1], strict=True):
            self._observer.tally.events += 1
            self._arrived(pair, self._observer.crawl.graph.numbers[passed])
        self.position = None
        if taken:
            self._observer.tally.events += 1
            walked = await self._ended(taken[-1], walked)
            if walked.dialogs and len(taken) > sure:
                self._offer_dismissal(taken[-1])
            if walked.dialogs or walked.notes:
                self._ground.foresight.doubt(self._observer.crawl.graph.event(*taken[-1]).local)
        at = pairs[min(walked.done, len(pairs) - 1)] if walked.why.is_fatal else pairs[max(walked.done - 1, 0)]
        self._note(walked.notes, at, at[0])
        if walked.why.is_fatal or walked.why is Ending.GONE:
            self._lost(pairs, sure, walked)
        elif taken and any(note.kind == "capped" for note in walked.notes):
            self._observer.hung(taken[-1], "it did not become quiet in time")

    def _doubtful(self, pairs: Sequence[Pair], walked: Walked) -> int | None:
        """The step during which the server may have been down, and that has to be done again; None when all is well."""
        ground = self._ground
        failed = {_address(note) for note in walked.notes if note.kind == FAILED} - ground.broken
        at_error = walked.why is Ending.STRAYED and ERROR_PAGE in walked.reason
        if not failed and not at_error:
            return None
        step = min(walked.done, len(pairs) - 1) if at_error else max(walked.done - 1, 0)
        if pairs[step] in ground.doubted:
            ground.broken |= failed
            return None
        ground.doubted.add(pairs[step])
        return step

    def _cut_off(self, pairs: Sequence[Pair], again: int, walked: Walked) -> None:
        """Record the steps before one that has to be done again; a reset will show whether the server is there."""
        for pair, passed in zip(pairs[:again], walked.states, strict=False):
            self._arrived(pair, self._observer.crawl.graph.numbers[passed])
        self._observer.tally.events += walked.done
        self._note(walked.notes, pairs[again], pairs[again][0])
        self.position = None

    async def _ended(self, last: Pair, walked: Walked) -> Walked:
        """Find out which state the last step led to; how the walk ended after all."""
        landed = self._observer.crawl.graph.numbers.get(walked.states[-1])
        if landed is None and not walked.why.is_fatal:
            try:
                landed = await self._ground.meeting.meet(self.page, last)
            except PageLost as lost:
                return replace(walked, why=Ending.CRASHED, states=walked.states[:-1], reason=str(lost))
        if landed is not None:
            self._arrived(last, landed)
            self.position = landed
        return walked

    def _arrived(self, pair: Pair, landed: int) -> None:
        observer = self._observer
        if not observer.is_explored(pair):
            observer.explored(pair, landed)
        elif observer.crawl.graph.targets[pair[0]][pair[1]] != landed:
            observer.diverged(pair, landed)
        self._ground.foresight.saw(observer.crawl.graph.event(*pair).local, pair[0], landed)

    def _lost(self, pairs: Sequence[Pair], sure: int, walked: Walked) -> None:
        """An event took the page with it, or could not be fired at all."""
        self.position = None
        unsure = walked.why is Ending.HUNG and len(pairs) > 1  # which of the steps it was
        if (unsure or walked.why is Ending.CRASHED) and not self._ground.suspects.issuperset(pairs[sure:]):
            self._ground.suspects.update(pairs[sure:])  # once more: somebody else may have killed the page
            return
        observer = self._observer
        pair = pairs[min(walked.done, len(pairs) - 1)]
        match walked.why:
            case Ending.HUNG:
                observer.hung(pair, walked.reason)
            case Ending.CRASHED:
                observer.crashed(pair, walked.reason)
            case Ending.STRAYED:
                observer.refused(pair, walked.reason)
            case _:
                observer.refused(pair, "the event is not there any more")
        if observer.is_explored(pair):  # it was used for travelling and failed now
            observer.diverged(pair, INITIAL)

    def _offer_dismissal(self, pair: Pair) -> None:
        name = self._observer.crawl.graph.event(*pair).local
        if not name.endswith(DISMISSED):
            self._observer.event_added(pair[0], name + DISMISSED)

    def _note(self, notes: Sequence[Note], pair: Pair | None, state: int) -> None:
        if notes:
            graph = self._observer.crawl.graph
            event = None if pair is None else graph.event(*pair).local
            self._ground.meeting.evidence.note(notes, graph.ids[state], event)
            self._observer.boundaries(notes, pair, state)


async def _step_by_step(page: Page, start: str, steps: Sequence[Step]) -> Walked:
    """The same, slowly: if the page is lost, all steps before that are known."""
    walked = await page.walk(start, steps[:1])
    for step in steps[1:]:
        if walked.why is not Ending.END:
            break
        before, walked = walked, await page.walk(None, [step])
        walked = replace(
            walked,
            states=(*before.states, *walked.states),
            notes=(*before.notes, *walked.notes),
            seconds=before.seconds + walked.seconds,
        )
    return walked


def _address(failed: Note) -> str:
    return str(failed.what[1]) if isinstance(failed.what, list) and len(failed.what) > 1 else ""


def _mean(times: Collection[float]) -> float:
    """The mean of the middle half: the first load and the odd hiccup do not count."""
    ordered = sorted(times)
    middle = ordered[len(ordered) // 4 : len(ordered) - len(ordered) // 4] or ordered
    return sum(middle) / len(middle)
