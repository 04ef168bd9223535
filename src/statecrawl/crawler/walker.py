"""Walking: one page does what it is ordered to, and what happens on the way is reported where it happened.

Theory of operation
    A walker holds one page and the state it is in, or None when the page must be reset. It knows nothing of the crawl
    but what its orders say, in names, so it does not matter where whoever decides is. Surprises are facts, not errors:
    they are reported, and whoever decides plans again from where the walker landed.

    Nothing new is fired in a state that this process has not judged (`coordination.inspection`): where only others have
    described it, the walker goes there, looks, and then decides.

    A walk ends with an event that nobody has fired yet. Where it is known without asking what would be next and it can
    be guessed where the event leads, the walk goes on with the next (`LikelyTargets`): each event that need not be
    decided outside saves the way there and back.

    When a request of the application did not get through, or gets no answer in time, the server may be down, and what
    the page shows is not what it would show. Nothing is reported then: the page is reset, which ends the crawl if the
    server is down, and the event is fired again, until it is known that its address never answers
    (`crawler.failures`). The same holds for what the first page asks for by itself.

    An event that hangs, kills its page or ends the session costs that page. It is fired once more before that becomes a
    fact, step by step and on a fresh page: the machine may have been busy, somebody may have killed the page, or the
    session may have expired. Where that has helped nobody several times in a row, events that hang are believed at
    once, and so is one that has ended the session twice in another state. Where the whole browser is gone, which people
    and systems out of memory do more often than pages, it is fired some times more. A walk during which this process
    was stopped proves nothing if it ended by a time-out.

    A page that is elsewhere whenever a walk begins cannot put off the end for ever: after MOST_MISSES such walks a pair
    is given up. The same holds for a page that claims to be kept from another document each time; a real one is kept
    from it once.
"""

import time
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from statecrawl.crawler.dangerous_dialogs import answered, reason_of
from statecrawl.crawler.durations import EventTimes
from statecrawl.crawler.failures import LOAD, Failures
from statecrawl.crawler.learning_budget import LearningBudget
from statecrawl.crawler.likely_targets import LikelyTargets
from statecrawl.crawler.new_states import NewStates
from statecrawl.crawler.refusals import own_notes
from statecrawl.crawler.start_page import landing_notes
from statecrawl.crawler.trail import Trail
from statecrawl.errors import BrowserLost, PageLost, SiteUnreachable
from statecrawl.journal.facts import (
    BoundarySeen,
    EventAdded,
    EventCrashed,
    EventHung,
    EventRefused,
    ExternalTransition,
    Fact,
    Failure,
    TransitionDiverged,
    TransitionExplored,
)
from statecrawl.journal.qualifications import ERROR, SCRIPT
from statecrawl.journal.redaction import redacted
from statecrawl.journal.refusal_reasons import NO_PAGE
from statecrawl.journal.state_renaming import NOT_THERE
from statecrawl.model.event import ACCEPTED, BACK, DISMISSED, opened_url
from statecrawl.ports.page import (
    BACKGROUND,
    BUSY,
    CAPPED,
    ERROR_PAGE,
    FAILED,
    TOO_MANY,
    UNAVAILABLE,
    Ending,
    Landing,
    Note,
    OutOfTime,
    Page,
    Walked,
)
from statecrawl.ports.recorder import Recorder
from statecrawl.strategies.orders import Order, StateEvent, Step

WINDOW = "window"  # kind of a note: the page wanted to open one
BOUNDARIES = {"boundary": "scope", WINDOW: WINDOW, "download": "download"}  # kind of note -> what is beyond
CHANGED = "the first page is not what it was"
OTHER_FIRST = f"{CHANGED}: if the server keeps what events do, --reset-url or --reset-command can undo it"
MOVES = "the page changes by itself before the way to it can be gone"
STAYS = "the page never loads the document that it leads to"
MOST_MISSES = 10  # walks to one pair that never began, because the page was elsewhere by then, or that are void
MOST_LATE = 2  # walks to a state that is compared late; the first may be void
MOST_GONE = 4  # browsers that went during the same event, until it is the event's doing
LONGEST_TRAIL = 300  # states of one page that are remembered
MOST_LOOKS = 3  # at the first page, each after another reset
MOST_VAIN = 3  # events in a row that hung again when they were fired once more, until events that hang are believed
MOST_PAUSES = 5  # of this process during walks to the same pair, until what happens then is believed
LATE = (CAPPED, FAILED, BACKGROUND)  # kinds of notes that tell of a time-out


@dataclass(slots=True)
class WalkerContext:
    """What the walkers of one process share."""

    meeting: NewStates
    times: EventTimes
    before_reset: Callable[[], Awaitable[None]]  # of the server
    foresight: LikelyTargets = field(default_factory=LikelyTargets)
    doubts: Failures = field(default_factory=Failures)  # of requests that did not get through
    suspects: set[StateEvent] = field(default_factory=set)  # pairs on the way to which, or at which, a page was lost
    returned: set[str] = field(default_factory=set)  # states from which somebody went back in the history
    ends_session: set[str] = field(default_factory=set)  # events after which nobody was logged in, twice
    gone: Counter[StateEvent] = field(default_factory=Counter)  # pair -> browsers that went while it was fired
    misses: Counter[StateEvent] = field(default_factory=Counter)  # pair -> walks to it that never began, or are void
    pauses: Counter[StateEvent] = field(default_factory=Counter)  # pair -> walks during which this process was stopped
    vain: int = 0  # events in a row that hung again when they were fired once more
    allowance: LearningBudget = field(default_factory=lambda: LearningBudget(time.perf_counter()))  # of what is learnt

    @property
    def record(self) -> Recorder:
        return self.meeting.record


class Walker:
    """One page, and where it is."""

    def __init__(self, number: int, page: Page, ground: WalkerContext) -> None:
        self.number = number
        self.page = page
        self.position: str | None = None
        self.learns = False  # the next reset is only due to what was learnt, or is to be
        self.path = Trail()  # what it fired since the last reset
        self._first = ""  # the state in which the application began last
        self._can_go_back = False  # the last event added to the history
        self._only_opened = False  # nothing but URLs was opened since the last reset
        self._trail: deque[str] = deque(maxlen=LONGEST_TRAIL)  # states since the last reset
        self._ground = ground
        self._record = ground.record

    async def reset(self) -> None:
        """Open the application anew. Raises SiteUnreachable and BrowserError."""
        for _ in range(MOST_LOOKS):
            self.position = None
            landing = await self._load()
            while self._ground.doubts.heed(self.number, LOAD, landing.notes):
                landing = await self._load()
            if landing.status == TOO_MANY or landing.status in UNAVAILABLE:
                raise self._unavailable(landing)
            self.path.begin()
            try:
                state = await self._identified(landing.state)
            except PageLost:
                continue
            self._begin_at(state)
            self._note((*landing.notes, *landing_notes(self._ground.meeting.plan, landing)), state, None)
            await self._hear()
            return
        url = self._ground.meeting.plan.url
        raise SiteUnreachable(f"{url} does not stay as it is while it is looked at: try again.")

    async def _load(self) -> Landing:
        """The first page, after a pause if that is in doubt which it asked for. Raises what `reset` raises."""
        ground = self._ground
        await ground.meeting.manners.rest(ground.doubts.pause(self.number))
        await ground.before_reset()
        begun = time.perf_counter()
        try:
            landing = await self.page.reset(ground.doubts.background)
        except SiteUnreachable:
            ground.doubts.unreachable()
            raise
        if landing.status in UNAVAILABLE and not any(note.kind == BUSY for note in landing.notes):
            raise self._unavailable(landing)
        seconds = time.perf_counter() - begun
        if self._first:  # the first time a browser is started, or a page opened
            ground.times.resets.append(seconds)
        if self.learns:
            self.learns = False
            ground.allowance.took(seconds)
        elif self._first and not ground.allowance.spent:
            ground.allowance.lasts = seconds
        self._record.tally.resets += 1
        ground.doubts.loaded(self.number)
        return landing

    def _unavailable(self, landing: Landing) -> SiteUnreachable:
        self._ground.doubts.unreachable()
        url = self._ground.meeting.plan.url
        return SiteUnreachable(f"{url} answers with status {landing.status}: try again when the server is up.")

    async def perform(self, order: Order) -> None:
        """Do what is ordered and report what happened, unless there is a hurry. Raises what `reset` raises."""
        try:
            await self._perform(order)
        except OutOfTime:  # while a server was left alone
            self.position = None

    async def _perform(self, order: Order) -> None:
        await self._ground.meeting.manners.rest(self._ground.doubts.left_alone())
        renewed = order.reset and await self._is_renewed(order)
        if not renewed and (order.reset or self.position is None):
            await self.reset()
        if not order.steps:
            return
        if self.position == order.start:
            await self._walk(order)
            if renewed and self.position == order.start:
                self.position = None  # it may not have been walked at all
        else:
            if order.reset:
                self._record.warnings[OTHER_FIRST] = None
            self._missed(order.goal, f"{CHANGED} when the way to it was found")

    async def _is_renewed(self, order: Order) -> bool:
        """Whether a URL can be opened without a reset before it, as if there had been one."""
        if self.position is None or not self._only_opened or order.start != self._first or len(order.steps) != 1:
            return False
        is_known = self._ground.meeting.judgement.knows(order.start) and order.goal not in self._ground.suspects
        if opened_url(order.goal[1]) is None or not is_known or not await self.page.renew():
            return False
        self.path.begin()
        self._begin_at(order.start)
        return True

    def _begin_at(self, state: str) -> None:
        """The page is where the application begins."""
        self.position = self._first = self._ground.meeting.first = state
        self._only_opened = True
        self._trail.clear()
        self._trail.append(state)

    async def close(self) -> None:
        """Give up the page."""
        try:
            await self.page.close()
        finally:
            self._keep_traffic()

    async def release(self) -> Page:
        """Leave the page to somebody else."""
        await self.page.wait_for_traffic()
        self._keep_traffic()
        return self.page

    async def _identified(
        self, state: str, by: StateEvent | None = None, *, after: str | None = None, surprise: bool = False
    ) -> str:
        """The state that the page is in, which says that it is this one. Raises PageLost."""
        if not self._record.wants(state):
            return state
        return await self._ground.meeting.meet(self.page, by, after=after, surprise=surprise, trail=self.path)

    # -- one walk --

    async def _walk(self, order: Order) -> None:
        """Walk to the goal of an order, and on from there, as far as nothing is refused."""
        meeting, judgement = self._ground.meeting, self._ground.meeting.judgement
        if judgement.blocked(order) is not None:
            self._missed(order.goal, "the way to it leads over an event that the crawl refuses to fire")
            return
        if not judgement.knows(order.goal[0]):
            if not await self._approach(order):
                return
            order = Order(False, order.goal[0], order.steps[order.sure :], 0)
        await meeting.judge_by_name(order.pairs[order.sure :])
        refused = judgement.refusal(order.goal)
        if refused is not None:
            self._record.report(refused)  # once more: whoever gave the order does not know
            return
        await self._fire(judgement.permitted(order))
        await self._compare()
        await self._go_back()

    async def _approach(self, order: Order) -> bool:
        """Go to where the goal of an order is and judge the state, before anything new is fired there."""
        state = order.goal[0]
        if order.sure:
            await self._fire(order, order.steps[: order.sure])
        if self.position != state:
            return False
        self.position = None
        try:
            found = await self._ground.meeting.judge(self.page)
        except PageLost:
            self._missed(order.goal, "the page is lost when it is looked at")
            return False
        if found != state:
            await self._went_by_itself(state, found)
            self._missed(order.goal, "the page changes by itself before it can be looked at")
            return False
        self.position = state
        return True

    async def _fire(self, order: Order, steps: Sequence[Step] = ()) -> None:
        """Fire the events of an order, or only its first steps."""
        steps = steps or order.steps
        self._only_opened = self._only_opened and all(opened_url(name) is not None for name, _ in steps)
        if order.goal in self._ground.suspects:
            walked = await _step_by_step(self.page, order.start, steps)
        else:
            walked = await self.page.walk(order.start, steps, sure=order.sure)
        if walked.done:
            self._ground.times.events.append(walked.seconds / walked.done)
        if self._proves_nothing(order, walked):
            self.position = None
            self._record.tally.events += walked.done
            if walked.held:
                self._missed(order.goal, STAYS)
        elif walked.why is Ending.MOVED and not walked.done:
            await self._moved(order.start, walked)
            self._missed(order.goal, MOVES)
        else:
            await self._landed(order, walked)
            if walked.why is Ending.MOVED:
                await self._moved_on(walked)
                self._missed(order.goal, MOVES)
        self._can_go_back = walked.back
        await self._hear()

    async def _compare(self) -> None:
        """If the state is new and looks like others, find out why, as far as there is time. Raises Revised."""
        state, meeting, allowance = self.position, self._ground.meeting, self._ground.allowance
        if state is None or state not in meeting.doubles:
            return
        try:
            rests = not allowance.missing
            with allowance.timed():
                stays = await meeting.compare(self.page, state, self._trail, rests=rests)
        except PageLost:
            stays = False
        if not stays:
            self.position = None
            self.learns = True

    async def go_again(self, state: str, path: Sequence[str]) -> None:
        """Go to a state on the path on which it was found, where no other leads there. Raises what `reset` raises."""
        try:
            await self.reset()
            walked = await self.page.walk(None, [(event, None) for event in path])
        except (PageLost, OutOfTime):
            self.position = None
            return
        self._record.tally.events += walked.done
        for event in path[: walked.done]:
            self.path.fired(event)
        is_there = walked.why is Ending.END and not walked.held and walked.landed == state
        self.position = state if is_there else None

    async def compare_late(self, state: str, path: Sequence[str]) -> None:
        """Go to a state that looks like others, now that there is time: why? Raises Revised and what `reset` raises."""
        meeting = self._ground.meeting
        try:
            for _ in range(MOST_LATE):
                self.learns = True
                await self.reset()
                walked = await self.page.walk(None, [(event, None) for event in path])
                self._record.tally.learning_events += walked.done
                found = walked.landed if path else self.position
                self.position = None
                if not walked.held:
                    break
            if found == state and not walked.held:
                await meeting.compare(self.page, state, ())
        except (PageLost, OutOfTime):
            self.position = None
        meeting.doubles.pop(state, None)

    async def _go_back(self) -> None:
        """Go back in the history, if the last event added to it and nobody has from this state.

        Where that leads depends on the way to the state, so it cannot be left to whoever plans ways: it is done at
        once, or not at all. Raises what `reset` raises.
        """
        state = self.position
        if state is None or not self._can_go_back or state in self._ground.returned or not self._record.knows(state):
            return
        self._ground.returned.add(state)
        meeting = self._ground.meeting
        await meeting.judge_by_name([(state, BACK)])
        if (refused := meeting.judgement.refusal((state, BACK))) is not None:
            self._report(EventAdded(state=state, event=BACK), refused)
            return
        self._can_go_back = False
        order = Order(reset=False, start=state, steps=((BACK, None),), sure=0)
        walked = await self.page.walk(state, order.steps)
        if walked.held:  # the page is closed, wherever it was
            self.position = None
            self._ground.misses[state, BACK] += 1
            if self._ground.misses[state, BACK] < MOST_MISSES:
                self._ground.returned.discard(state)
        elif walked.why is Ending.MOVED and not walked.done:
            await self._moved(state, walked)
        elif walked.why is Ending.GONE:
            self.position = walked.landed
        else:
            self._report(EventAdded(state=state, event=BACK))
            await self._landed(order, walked)
        await self._hear()

    def _proves_nothing(self, order: Order, walked: Walked) -> bool:
        """Whether a walk has to be repeated: a document was not loaded yet, or a time-out ended it during a pause."""
        if walked.held:
            return True
        if not walked.paused or not (walked.why.is_fatal or any(note.kind in LATE for note in walked.notes)):
            return False
        self._ground.pauses[order.goal] += 1
        return self._ground.pauses[order.goal] <= MOST_PAUSES

    def _missed(self, pair: StateEvent, reason: str) -> None:
        """A walk to this pair could not even begin, or is void."""
        misses = self._ground.misses
        misses[pair] += 1
        if misses[pair] == MOST_MISSES and self._record.is_open(pair):
            self._report(EventHung(state=pair[0], event=pair[1], reason=reason))

    async def _moved(self, start: str, walked: Walked) -> None:
        """The page changed by itself before anything was fired."""
        self.position = None
        if walked.landed is not None and not self._ground.doubts.heed(self.number, start, walked.notes):
            await self._went_by_itself(start, walked.landed)

    async def _moved_on(self, walked: Walked) -> None:
        """The page changed by itself after the last step that was taken."""
        start, self.position = self.position, None
        if start == walked.landed:
            self.position = start
        elif start is not None and walked.landed is not None:
            await self._went_by_itself(start, walked.landed)

    async def _went_by_itself(self, start: str, landed: str) -> None:
        self.path.lose()
        try:
            self.position = await self._identified(landed, after=start)
        except PageLost:
            return
        self._report(ExternalTransition(state=start, target=self.position, incident=1))

    async def _landed(self, order: Order, walked: Walked) -> None:
        """Report the steps that were taken, and how it ended."""
        if (again := self._doubtful(order.pairs, walked)) is not None:
            self._cut_off(order, again, walked)
            return
        pairs, done = order.pairs, walked.done
        capped = done > 0 and any(note.kind == CAPPED for note in walked.notes)
        if capped and self._is_fired_again([pairs[done - 1]]):
            self._cut_off(order, done - 1, walked)
            return
        self._trail.extend(walked.states)
        for step, passed in enumerate(walked.states[:-1]):
            self._record.tally.events += 1
            self.path.fired(pairs[step][1])
            self._arrived(order, step, passed)
        self.position = None
        if done:
            self._record.tally.events += 1
            self.path.fired(pairs[done - 1][1])
            walked = await self._ended(order, walked)
            if walked.dialogs and done > order.sure:
                self._offer_other_answers(pairs[done - 1], walked)
            if walked.dialogs or walked.notes:
                self._ground.foresight.doubt(pairs[done - 1][1])
        at = pairs[min(walked.done, len(pairs) - 1)] if walked.why.is_fatal else pairs[max(walked.done - 1, 0)]
        self._note(walked.notes, *at)
        if walked.why.is_fatal or walked.why is Ending.GONE:
            self._lost(order, walked)
        elif capped:
            state, event = pairs[done - 1]
            self._report(EventHung(state=state, event=event, reason="it did not become quiet in time"))

    def _doubtful(self, pairs: Sequence[StateEvent], walked: Walked) -> int | None:
        """The step during which the server may have been down, and that has to be done again; None when all is well."""
        at_error = walked.why is Ending.STRAYED and ERROR_PAGE in walked.reason
        step = min(walked.done, len(pairs) - 1) if at_error else max(walked.done - 1, 0)
        doubtful = self._ground.doubts.heed(self.number, "\n".join(pairs[step]), walked.notes, at_error=at_error)
        return step if doubtful else None

    def _cut_off(self, order: Order, again: int, walked: Walked) -> None:
        """Report the steps before one that has to be done again; a reset will show whether the server is there.

        Errors of the application are not kept: those that are its own will be thrown again.
        """
        for step, passed in enumerate(walked.states[:again]):
            self._arrived(order, step, passed)
        self._record.tally.events += walked.done
        self._note([note for note in walked.notes if note.kind not in (SCRIPT, ERROR)], *order.pairs[again])
        self.position = None

    async def _ended(self, order: Order, walked: Walked) -> Walked:
        """Find out which state the last step led to; how the walk ended after all."""
        step, state = walked.done - 1, walked.states[-1]
        if walked.why.is_fatal and not self._record.knows(state):
            return walked
        try:
            surprise = step < order.sure and state != order.steps[step][1]
            landed = await self._identified(state, order.pairs[step], surprise=surprise)
        except PageLost as lost:
            gone = isinstance(lost.__cause__, BrowserLost)
            return replace(walked, why=Ending.CRASHED, states=walked.states[:-1], reason=str(lost), browser_gone=gone)
        self._arrived(order, step, landed)
        self.position = landed
        return walked

    def _arrived(self, order: Order, step: int, landed: str) -> None:
        state, event = order.pairs[step]
        if step >= order.sure or landed != order.steps[step][1]:
            self._report(TransitionExplored(state=state, event=event, target=landed))
        self._ground.foresight.saw(event, state, landed)
        if (state, event) in self._ground.suspects:
            self._ground.vain = 0

    def _lost(self, order: Order, walked: Walked) -> None:
        """An event took the page with it, or could not be fired at all."""
        self.position = None
        pairs, new = order.pairs, order.pairs[order.sure :]
        unsure = walked.why is Ending.HUNG and len(pairs) > 1  # which of the steps it was
        if walked.browser_gone:
            self._ground.gone.update(new)
        if walked.browser_gone and max(self._ground.gone[pair] for pair in new) < MOST_GONE:
            self._ground.suspects.update(new)
            return
        step = min(walked.done, len(pairs) - 1)
        is_known = step >= order.sure and pairs[step][1] in self._ground.ends_session
        again = walked.why in (Ending.HUNG, Ending.CRASHED) or (walked.logged_out and not is_known)
        if again and self._is_fired_again(new, surely=unsure or walked.why is not Ending.HUNG):
            return
        if walked.logged_out:
            self._ground.ends_session.add(pairs[step][1])
        self._report(_failure(pairs[step], walked))
        if walked.reason.startswith(NO_PAGE):
            self._ground.meeting.has_no_page(pairs[step][1])
        if step < order.sure:  # it was used for travelling and failed now
            state, event = pairs[step]
            expected = order.steps[step][1] or ""
            self._report(
                TransitionDiverged(state=state, event=event, expected=expected, landed=self._first, incident=1)
            )

    def _is_fired_again(self, pairs: Sequence[StateEvent], *, surely: bool = False) -> bool:
        """Whether events that hung, or took the page with them, are fired once more before that becomes a fact."""
        ground = self._ground
        if ground.suspects.issuperset(pairs):
            ground.vain += not surely
            return False
        if ground.vain >= MOST_VAIN and not surely:
            return False
        ground.suspects.update(pairs)
        return True

    def _offer_other_answers(self, pair: StateEvent, walked: Walked) -> None:
        """Add the event with its dialogs dismissed; with those accepted that were declined, only to refuse it."""
        state, event = pair
        if event.endswith(DISMISSED):
            return
        accepted, declined = answered(walked.notes, walked.dialogs)
        if accepted:
            self._report(EventAdded(state=state, event=event + DISMISSED))
        if declined:
            refused = EventRefused(state=state, event=event + ACCEPTED, reason=reason_of(declined[0]))
            self._ground.meeting.judgement.refuse([refused])
            self._report(EventAdded(state=state, event=refused.event), refused)

    def _report(self, *facts: Fact) -> None:
        redactor = self._ground.meeting.redactor
        self._record.report(*(facts if redactor is None else [redacted(fact, redactor) for fact in facts]))

    def _keep_traffic(self) -> None:
        for exchange, state, event in self.page.take_traffic():
            self._ground.meeting.heard(exchange, state, event)

    async def _hear(self) -> None:
        """Keep what the page has asked for; where that names what is to be opened, wait for all of it."""
        meeting = self._ground.meeting
        if meeting.listens:
            await self.page.wait_for_traffic()
        self._keep_traffic()
        await meeting.follow()

    def _note(self, notes: Sequence[Note], state: str, event: str | None) -> None:
        if notes := own_notes(notes):
            self._ground.meeting.keeper.note(notes, state, event)
            self._report(*_boundaries(notes, state, event))
            self._ground.meeting.windows(str(note.what) for note in notes if note.kind == WINDOW)


def _failure(pair: StateEvent, walked: Walked) -> Failure:
    state, event = pair
    match walked.why:
        case Ending.HUNG:
            return EventHung(state=state, event=event, reason=walked.reason)
        case Ending.CRASHED:
            return EventCrashed(state=state, event=event, reason=walked.reason)
        case Ending.STRAYED:
            return EventRefused(state=state, event=event, reason=walked.reason)
        case _:
            return EventRefused(state=state, event=event, reason=NOT_THERE)


def _boundaries(notes: Sequence[Note], state: str, event: str | None) -> Iterator[BoundarySeen]:
    """Ways out of the application that were seen."""
    for note in notes:
        what = BOUNDARIES.get(note.kind)
        if what is not None:
            yield BoundarySeen(state=state, event=event, what=what, url=str(note.what))


async def _step_by_step(page: Page, start: str, steps: Sequence[Step]) -> Walked:
    """The same, slowly: if the page is lost, all steps before that are known."""
    walked = await page.walk(start, steps[:1])
    for step in steps[1:]:
        if walked.why is not Ending.END or walked.held:
            break
        before, walked = walked, await page.walk(walked.states[-1], [step])
        walked = replace(
            walked,
            states=(*before.states, *walked.states),
            notes=(*before.notes, *walked.notes),
            seconds=before.seconds + walked.seconds,
        )
    return walked
