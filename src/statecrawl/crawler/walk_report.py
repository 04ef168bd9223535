"""Reports of walks: the outcome of each event goes to the recorder as facts.

Theory of operation
    A walk ends with the state after each step that was taken and a reason why it ended. Steps that led where they
    should are no news. Any other step becomes `TransitionExplored`; the recorder decides whether that is a discovery
    or a surprise (`journal.novelty`). If the walk ended badly, the event that was being fired becomes a failure.

    When a request of the application fails, or gets no answer in time, the server may be down, and the page does not
    show what it would show otherwise. Then nothing is reported: the page is reset, which ends the crawl if the server
    is down, and the event is fired again, until it is known that the URL never answers (`crawler.failures`). Events
    that fail in other ways are retried as `crawler.event_retries` decides.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from statecrawl.crawler.dangerous_dialogs import answered, reason_of
from statecrawl.crawler.event_retries import MOST_MISSES
from statecrawl.crawler.page_history import PageHistory
from statecrawl.crawler.refusals import own_notes
from statecrawl.crawler.walker_context import WalkerContext
from statecrawl.errors import BrowserLost, PageLost
from statecrawl.journal.facts import (
    BoundarySeen,
    EventAdded,
    EventCrashed,
    EventHung,
    EventRefused,
    ExternalTransition,
    Failure,
    TransitionDiverged,
    TransitionExplored,
)
from statecrawl.journal.qualifications import ERROR, SCRIPT
from statecrawl.journal.refusal_reasons import NO_PAGE
from statecrawl.journal.renamed_states import NOT_THERE
from statecrawl.model.event import ACCEPTED, DISMISSED
from statecrawl.ports.page import CAPPED, ERROR_PAGE, Ending, Note, Page, Walked
from statecrawl.strategies.orders import Order, StateEvent

WINDOW = "window"  # kind of a note: the page tried to open one
BOUNDARIES = {"boundary": "scope", WINDOW: WINDOW, "download": "download"}  # kind of a note -> what lies beyond


class WalkReport:
    """Reports the walks of one walker, and keeps its position up to date."""

    def __init__(self, number: int, page: Page, context: WalkerContext, history: PageHistory) -> None:
        self._number = number
        self._page = page
        self._context = context
        self._history = history
        self._recorder = context.recorder
        self._report = context.new_states.reporter.report

    # -- where the page is --

    async def identified(
        self, state: str, by: StateEvent | None = None, *, after: str | None = None, surprise: bool = False
    ) -> str:
        """Return the state that the page is in, which claims to be in this one. Raises PageLost."""
        if not self._recorder.wants(state):
            return state
        return await self._context.new_states.record(
            self._page, by, after=after, surprise=surprise, trail=self._history.trail
        )

    async def moved(self, start: str, walked: Walked) -> None:
        """The page left a state on its own before anything was fired."""
        self._history.position = None
        if walked.landed is not None and not self._context.failures.must_repeat(self._number, start, walked.notes):
            await self.moved_to(start, walked.landed)

    async def moved_after(self, walked: Walked) -> None:
        """The page left a state on its own after the last step that was taken."""
        start, self._history.position = self._history.position, None
        if start == walked.landed:
            self._history.position = start
        elif start is not None and walked.landed is not None:
            await self.moved_to(start, walked.landed)

    async def moved_to(self, start: str, landed: str) -> None:
        """Report that the page went from one state to another without an event of ours."""
        self._history.trail.lose()
        try:
            self._history.position = await self.identified(landed, after=start)
        except PageLost:
            return
        self._report(ExternalTransition(state=start, target=self._history.position, incident=1))

    def missed(self, pair: StateEvent, reason: str) -> None:
        """A walk to this pair could not even start, or is void."""
        if self._context.retries.count_miss(pair) == MOST_MISSES and self._recorder.is_open(pair):
            self._report(EventHung(state=pair[0], event=pair[1], reason=reason))

    def note(self, notes: Sequence[Note], state: str, event: str | None) -> None:
        """Store page notes (errors, dialogs, ...), and report those that lead out of the application."""
        if notes := own_notes(notes):
            new_states = self._context.new_states
            new_states.evidence.note(notes, state, event)
            self._report(*_boundaries(notes, state, event))
            new_states.urls.add_windows(str(note.what) for note in notes if note.kind == WINDOW)

    # -- what became of a walk --

    async def walked(self, order: Order, walked: Walked) -> None:
        """Report the steps that were taken, and how the walk ended."""
        if (repeated := self._unreliable_step(order.pairs, walked)) is not None:
            self._cut_off(order, repeated, walked)
            return
        pairs, done = order.pairs, walked.done
        capped = done > 0 and any(note.kind == CAPPED for note in walked.notes)
        if capped and self._context.retries.must_repeat([pairs[done - 1]]):
            self._cut_off(order, done - 1, walked)
            return
        history = self._history
        history.recent.extend(walked.states)
        for step, passed in enumerate(walked.states[:-1]):
            self._recorder.tally.events += 1
            history.trail.fired(pairs[step][1])
            self._arrived(order, step, passed)
        history.position = None
        if done:
            self._recorder.tally.events += 1
            history.trail.fired(pairs[done - 1][1])
            walked = await self._ended(order, walked)
            if walked.dialogs and done > order.sure:
                self._offer_other_answers(pairs[done - 1], walked)
            if walked.dialogs or walked.notes:
                self._context.likely_targets.forget(pairs[done - 1][1])
        at = pairs[min(walked.done, len(pairs) - 1)] if walked.why.is_fatal else pairs[max(walked.done - 1, 0)]
        self.note(walked.notes, *at)
        if walked.why.is_fatal or walked.why is Ending.GONE:
            self._failed(order, walked)
        elif capped:
            state, event = pairs[done - 1]
            self._report(EventHung(state=state, event=event, reason="the page did not settle in time"))

    def _unreliable_step(self, pairs: Sequence[StateEvent], walked: Walked) -> int | None:
        """The step during which the server may have been down, and that must be repeated; None when there is none."""
        at_error = walked.why is Ending.STRAYED and ERROR_PAGE in walked.reason
        step = min(walked.done, len(pairs) - 1) if at_error else max(walked.done - 1, 0)
        failures = self._context.failures
        repeats = failures.must_repeat(self._number, "\n".join(pairs[step]), walked.notes, at_error=at_error)
        return step if repeats else None

    def _cut_off(self, order: Order, repeated: int, walked: Walked) -> None:
        """Report the steps before one that must be repeated; a reset will show whether the server is up.

        Script errors are not stored: those that the application causes itself will occur again.
        """
        for step, passed in enumerate(walked.states[:repeated]):
            self._arrived(order, step, passed)
        self._recorder.tally.events += walked.done
        self.note([note for note in walked.notes if note.kind not in (SCRIPT, ERROR)], *order.pairs[repeated])
        self._history.position = None

    async def _ended(self, order: Order, walked: Walked) -> Walked:
        """Identify the state to which the last step led; return how the walk ended after all."""
        step, state = walked.done - 1, walked.states[-1]
        if walked.why.is_fatal and not self._recorder.knows(state):
            return walked
        try:
            surprise = step < order.sure and state != order.steps[step][1]
            landed = await self.identified(state, order.pairs[step], surprise=surprise)
        except PageLost as lost:
            gone = isinstance(lost.__cause__, BrowserLost)
            return replace(walked, why=Ending.CRASHED, states=walked.states[:-1], reason=str(lost), browser_gone=gone)
        self._arrived(order, step, landed)
        self._history.position = landed
        return walked

    def _arrived(self, order: Order, step: int, landed: str) -> None:
        state, event = order.pairs[step]
        if step >= order.sure or landed != order.steps[step][1]:
            self._report(TransitionExplored(state=state, event=event, target=landed))
        self._context.likely_targets.add(event, state, landed)
        self._context.retries.succeeded((state, event))

    def _failed(self, order: Order, walked: Walked) -> None:
        """An event lost its page, or could not be fired at all."""
        self._history.position = None
        retries = self._context.retries
        pairs, new = order.pairs, order.pairs[order.sure :]
        if walked.browser_gone and retries.is_accident(new):
            return
        unsure = walked.why is Ending.HUNG and len(pairs) > 1  # which of the steps hung
        step = min(walked.done, len(pairs) - 1)
        is_known = step >= order.sure and pairs[step][1] in retries.session_enders
        repeats = walked.why in (Ending.HUNG, Ending.CRASHED) or (walked.logged_out and not is_known)
        if repeats and retries.must_repeat(new, surely=unsure or walked.why is not Ending.HUNG):
            return
        if walked.logged_out:
            retries.session_enders.add(pairs[step][1])
        self._report(_failure(pairs[step], walked))
        if walked.reason.startswith(NO_PAGE):
            self._context.new_states.urls.report_missing_page(pairs[step][1])
        if step < order.sure:  # a known event that the path needs failed this time
            state, event = pairs[step]
            expected, first = order.steps[step][1] or "", self._history.first
            self._report(TransitionDiverged(state=state, event=event, expected=expected, landed=first, incident=1))

    def _offer_other_answers(self, pair: StateEvent, walked: Walked) -> None:
        """Add the event with its dialogs dismissed; with dangerous dialogs accepted, it is added only to be refused."""
        state, event = pair
        if event.endswith(DISMISSED):
            return
        accepted, declined = answered(walked.notes, walked.dialogs)
        if accepted:
            self._report(EventAdded(state=state, event=event + DISMISSED))
        if declined:
            refused = EventRefused(state=state, event=event + ACCEPTED, reason=reason_of(declined[0]))
            self._context.new_states.inspection.refuse([refused])
            self._report(EventAdded(state=state, event=refused.event), refused)


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
    """Links, windows and downloads that lead out of the application."""
    for note in notes:
        what = BOUNDARIES.get(note.kind)
        if what is not None:
            yield BoundarySeen(state=state, event=event, what=what, url=str(note.what))
