"""The walker: performs orders on one page, and reports what happens.

Theory of operation
    A walker holds one page and knows the state that it is in, or None when the page must be reset. It knows nothing of
    the crawl but what its orders say. Orders speak in ids, so the strategy may run in this process or on another
    machine. Surprises are facts, not errors: they are reported, and the strategy plans again from where the walker is.

    A walker fires new events only in states that this process has inspected (`coordination.inspection`). If only other
    processes have described a state, the walker goes there, inspects it, and then decides.

    A walk ends with an event that has not been fired yet. If the next event is known without asking, and the target of
    the first can be predicted, the walk continues with the next event (`LikelyTargets`): each event that needs no
    decision from outside saves a round trip.

    `crawler.walk_report` tells when the outcome of a walk is a fact and when the walk is repeated.
"""

from collections.abc import Sequence
from dataclasses import replace

from statecrawl.crawler.event_retries import MOST_MISSES
from statecrawl.crawler.page_history import PageHistory
from statecrawl.crawler.page_reset import PageReset
from statecrawl.crawler.start_page import landing_notes
from statecrawl.crawler.trail import Trail
from statecrawl.crawler.walk_report import WalkReport
from statecrawl.crawler.walker_context import WalkerContext
from statecrawl.errors import PageLost, SiteUnreachable
from statecrawl.journal.facts import EventAdded
from statecrawl.journal.refusal_reasons import FIRST_PAGE_CHANGED
from statecrawl.model.event import BACK, opened_url
from statecrawl.ports.page import Ending, OutOfTime, Page, Walked
from statecrawl.strategies.orders import Order, Step

OTHER_FIRST = f"{FIRST_PAGE_CHANGED}: if the server keeps what events do, --reset-url or --reset-command can undo it"
MOVES = "the page changes on its own before the path to the event has been walked"
STAYS = "the page never loads the document that the event leads to"
MOST_LATE = 2  # walks to a state for its late comparison; the first may be void
MOST_RESETS = 3  # in a row, while the first page changes before it can be described


class Walker:
    """One page, and where it is."""

    def __init__(self, number: int, page: Page, context: WalkerContext) -> None:
        self.number = number
        self.page = page
        self._context = context
        self._recorder = context.recorder
        self._new_states = context.new_states
        self._history = PageHistory()
        self._reset = PageReset(number, page, context)
        self._report = WalkReport(number, page, context, self._history)

    @property
    def position(self) -> str | None:
        """The state that the page is in; None when the page must be reset."""
        return self._history.position

    @position.setter
    def position(self, state: str | None) -> None:
        self._history.position = state

    @property
    def trail(self) -> Trail:
        """The events that the page has fired since its last reset."""
        return self._history.trail

    def reset_for_learning(self) -> None:
        """Charge the next reset to the learning budget: only what is learned makes it necessary."""
        self._reset.is_for_learning = True

    # -- resets --

    async def reset(self) -> None:
        """Open the application anew. Raises SiteUnreachable and BrowserError."""
        for _ in range(MOST_RESETS):
            self.position = None
            landing = await self._reset.load(is_repeated=bool(self._history.first))
            self.trail.begin()
            try:
                state = await self._report.identified(landing.state)
            except PageLost:
                continue
            self._start(state)
            self._report.note((*landing.notes, *landing_notes(self._new_states.plan, landing)), state, None)
            await self._take_traffic()
            return
        url = self._new_states.plan.url
        raise SiteUnreachable(f"{url} changes on its own before it can be described: try again.")

    def _start(self, state: str) -> None:
        """The page shows the application in this state, as after a reset."""
        self._history.start(state)
        self._new_states.first_state = state

    async def _is_renewed(self, order: Order) -> bool:
        """Whether the order, which opens a URL, can do without its reset, because the session is still clean."""
        history = self._history
        if self.position is None or not history.has_only_opened:
            return False
        if order.start != history.first or len(order.steps) != 1 or opened_url(order.goal[1]) is None:
            return False
        if not self._new_states.inspection.knows(order.start) or order.goal in self._context.retries.suspects:
            return False
        if not await self.page.renew():
            return False
        self.trail.begin()
        self._start(order.start)
        return True

    # -- orders --

    async def perform(self, order: Order) -> None:
        """Do what is ordered and report what happened, unless the crawl is about to end. Raises what `reset` raises."""
        try:
            await self._perform(order)
        except OutOfTime:  # while the walker waited for a busy server
            self.position = None

    async def _perform(self, order: Order) -> None:
        await self._new_states.politeness.rest(self._context.failures.busy_seconds())
        renewed = order.reset and await self._is_renewed(order)
        if not renewed and (order.reset or self.position is None):
            await self.reset()
        if not order.steps:
            return
        if self.position == order.start:
            await self._walk(order)
            if renewed and self.position == order.start:
                self.position = None  # the page may have walked nowhere at all
        else:
            if order.reset:
                self._recorder.warnings[OTHER_FIRST] = None
            self._report.missed(order.goal, f"{FIRST_PAGE_CHANGED} when the path to the event was found")

    async def _walk(self, order: Order) -> None:
        """Walk to the goal of an order, and on from there, as far as nothing is refused."""
        inspection = self._new_states.inspection
        if inspection.blocked(order) is not None:
            self._report.missed(order.goal, "the path leads over an event that the crawl refuses to fire")
            return
        if not inspection.knows(order.goal[0]):
            if not await self._approach(order):
                return
            order = Order(False, order.goal[0], order.steps[order.sure :], 0)
        await self._new_states.inspect_by_name(order.pairs[order.sure :])
        refused = inspection.refusal(order.goal)
        if refused is not None:
            self._new_states.reporter.report(refused)  # again, because the order shows that it is not known
            return
        await self._fire(inspection.permitted(order))
        await self._compare()
        await self._go_back()

    async def _approach(self, order: Order) -> bool:
        """Go to the state of the goal of an order, and inspect it before anything new is fired there."""
        state = order.goal[0]
        if order.sure:
            await self._fire(order, order.steps[: order.sure])
        if self.position != state:
            return False
        self.position = None
        try:
            found = await self._new_states.inspect(self.page)
        except PageLost:
            self._report.missed(order.goal, "the page is lost when it is inspected")
            return False
        if found != state:
            await self._report.moved_to(state, found)
            self._report.missed(order.goal, "the page changes on its own before it can be inspected")
            return False
        self.position = state
        return True

    async def _fire(self, order: Order, steps: Sequence[Step] = ()) -> None:
        """Fire the events of an order, or only its first steps."""
        steps, history, retries = steps or order.steps, self._history, self._context.retries
        history.has_only_opened = history.has_only_opened and all(opened_url(name) is not None for name, _ in steps)
        if order.goal in retries.suspects:
            walked = await walk_step_by_step(self.page, order.start, steps)
        else:
            walked = await self.page.walk(order.start, steps, sure=order.sure)
        if walked.done:
            self._context.times.events.append(walked.seconds / walked.done)
        if retries.proves_nothing(order.goal, walked):
            self.position = None
            self._recorder.tally.events += walked.done
            if walked.held:
                self._report.missed(order.goal, STAYS)
        elif walked.why is Ending.MOVED and not walked.done:
            await self._report.moved(order.start, walked)
            self._report.missed(order.goal, MOVES)
        else:
            await self._report.walked(order, walked)
            if walked.why is Ending.MOVED:
                await self._report.moved_after(walked)
                self._report.missed(order.goal, MOVES)
        history.can_go_back = walked.back
        await self._take_traffic()

    async def _go_back(self) -> None:
        """Go back in the history, if the last event added an entry and no walker has gone back from this state.

        Where that leads depends on the path to the state, so no strategy can plan it: it is done at once or never.
        Raises what `reset` raises.
        """
        state, history, returned = self.position, self._history, self._context.returned
        if state is None or not history.can_go_back or state in returned or not self._recorder.knows(state):
            return
        returned.add(state)
        await self._new_states.inspect_by_name([(state, BACK)])
        report = self._new_states.reporter.report
        if (refused := self._new_states.inspection.refusal((state, BACK))) is not None:
            report(EventAdded(state=state, event=BACK), refused)
            return
        history.can_go_back = False
        order = Order(reset=False, start=state, steps=((BACK, None),), sure=0)
        walked = await self.page.walk(state, order.steps)
        if walked.held:  # the page is closed, wherever it was
            self.position = None
            if self._context.retries.count_miss((state, BACK)) < MOST_MISSES:
                returned.discard(state)
        elif walked.why is Ending.MOVED and not walked.done:
            await self._report.moved(state, walked)
        elif walked.why is Ending.GONE:
            self.position = walked.landed
        else:
            report(EventAdded(state=state, event=BACK))
            await self._report.walked(order, walked)
        await self._take_traffic()

    # -- beside the orders --

    async def _compare(self) -> None:
        """If the state is new and looks like others, find out why, as far as there is time. Raises RulesRevised."""
        state, comparison, budget = self.position, self._new_states.comparison, self._context.learning_budget
        if state is None or state not in comparison.waiting:
            return
        try:
            may_rest = not budget.missing
            with budget.timed():
                stays = await comparison.compare(self.page, state, self._history.recent, may_rest=may_rest)
        except PageLost:
            stays = False
        if not stays:
            self.position = None
            self.reset_for_learning()

    async def compare_late(self, state: str, path: Sequence[str]) -> None:
        """Go to a state that looks like others, now that there is time, and find out why.

        Raises RulesRevised and what `reset` raises.
        """
        comparison = self._new_states.comparison
        try:
            for _ in range(MOST_LATE):
                self.reset_for_learning()
                await self.reset()
                walked = await self.page.walk(None, [(event, None) for event in path])
                self._recorder.tally.learning_events += walked.done
                found = walked.landed if path else self.position
                self.position = None
                if not walked.held:
                    break
            if found == state and not walked.held:
                await comparison.compare(self.page, state, ())
        except (PageLost, OutOfTime):
            self.position = None
        comparison.waiting.pop(state, None)

    async def return_to(self, state: str, path: Sequence[str]) -> None:
        """Go to a state on the path that found it, because no other path leads there. Raises what `reset` raises."""
        try:
            await self.reset()
            walked = await self.page.walk(None, [(event, None) for event in path])
        except (PageLost, OutOfTime):
            self.position = None
            return
        self._recorder.tally.events += walked.done
        for event in path[: walked.done]:
            self.trail.fired(event)
        is_there = walked.why is Ending.END and not walked.held and walked.landed == state
        self.position = state if is_there else None

    # -- traffic, and the end --

    async def close(self) -> None:
        """Close the page."""
        try:
            await self.page.close()
        finally:
            self._store_traffic()

    async def release(self) -> Page:
        """Leave the page, which stays open, to another walker."""
        await self.page.wait_for_traffic()
        self._store_traffic()
        return self.page

    async def _take_traffic(self) -> None:
        """Store the requests of the page; where they name URLs to open, wait until all of them are complete."""
        urls = self._new_states.urls
        if urls.needs_traffic:
            await self.page.wait_for_traffic()
        self._store_traffic()
        await urls.report_new()

    def _store_traffic(self) -> None:
        for exchange, state, event in self.page.take_traffic():
            self._new_states.urls.add_exchange(exchange, state, event)


async def walk_step_by_step(page: Page, start: str, steps: Sequence[Step]) -> Walked:
    """Walk slowly: if the page is lost, the outcome of every step before that is known."""
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
