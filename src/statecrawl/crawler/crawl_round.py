"""One round of a crawl: walkers work while the rules that identify states stay the same.

Theory of operation
    Everything that decides runs in one thread; only pages are waited for (see `crawler.walker`).

    A crawl warms up with its first walker alone, until enough events and resets were timed to know the cost of a reset.
    Then the strategy is made anew with that cost, learns the facts so far, and all walkers start.

    Dynamic content is searched for alongside (`crawler.rule_search`). When new rules are found, the round ends with
    `RulesRevised`, after one of its pages has computed the new ids of states.

    When the strategy has no task left, three things may remain: states that wait for a comparison, look-alikes
    that were postponed, and states that no reliable path reaches. After them the crawl ends.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from functools import partial

from statecrawl.browser.dynamic_content import LoadComparison
from statecrawl.crawler.crawl_end import MAX_STATES
from statecrawl.crawler.crawl_run import CrawlRun
from statecrawl.crawler.learning_budget import SHARE
from statecrawl.crawler.look_ahead import look_ahead, most_new_events
from statecrawl.crawler.lookalike_comparison import RulesRevised
from statecrawl.crawler.new_states import NewStates
from statecrawl.crawler.reset_cost import TIMED_EVENTS
from statecrawl.crawler.rule_search import RuleSearch
from statecrawl.crawler.walker import Walker
from statecrawl.crawler.walker_context import WalkerContext
from statecrawl.journal.facts import CostMeasured
from statecrawl.ports.page import Page
from statecrawl.strategies.journal_feed import since_revision
from statecrawl.strategies.orders import OPEN, Order, order_of
from statecrawl.strategies.task import NoTask, Task

MOST_WAITED = 10.0  # seconds for which other nodes wait until dynamic content is learned
LEARNT = "learnt"  # why a run ended that was only to learn


class CrawlRound:
    """Walkers, and the search for dynamic content beside them."""

    def __init__(self, run: CrawlRun) -> None:
        self._run = run
        self._walking = 0  # walkers that perform a task, or still report its outcome
        self._walkers: list[Walker] = []
        recorder = run.recorder
        self._search = RuleSearch(run.learner, lambda: recorder.tally, self._compared, run.budget, run.server_lock)
        run.search = self._search

    async def crawl(self) -> None:
        """Crawl until the end, or as long as nothing changes what a state is. Raises RulesRevised."""
        searching = asyncio.create_task(self._search.run())
        try:
            await self._crawl(searching)
        finally:
            await _cancelled(searching)

    async def _crawl(self, searching: asyncio.Task[None]) -> None:
        run = self._run
        new_states = await self._new_states()
        context = WalkerContext(
            new_states, run.times, run.parts.before_reset, failures=run.failures, learning_budget=run.budget
        )
        try:
            await self._add_walker(context)
            if run.is_warming_up:
                await self._work(self._walkers[0], context, until=lambda: self._is_warm(self._walkers[0]))
                if run.end.reason:
                    return
                self._end_warm_up()
            while len(self._walkers) < run.plan.pages:
                await self._add_walker(context)
            await self._work_all(context)
        except RulesRevised as revised:
            if not run.end.is_stopping:
                await _cancelled(searching)  # from now on, its pages are free
                await self._compute_new_ids(revised)
            raise
        finally:
            new_states.warn_of_widget()
            await run.end.close(*(walker.close() for walker in self._walkers))

    async def _new_states(self) -> NewStates:
        run = self._run
        rules, parts, graph = run.rules, run.parts, run.recorder.crawl.graph
        new_states = NewStates(
            run.plan,
            run.recorder,
            parts.evidence,
            self._search,
            rules.active,
            parts.politeness,
            lookalikes=rules.lookalikes(len(graph)),
            forms=rules.forms,
        )
        known = rules.forms.all() if new_states.lookalikes is not None else ()
        for state, normal in known:  # after the rules have changed: these states are not described again
            new_states.comparison.add(state, normal)
            await asyncio.sleep(0)  # there may be many
        if len(graph):  # URLs that an earlier run has found, but not reported
            new_states.first_state = graph.ids[0]
            await new_states.urls.report_new()
        return new_states

    def _compared(self, state: str, compared: LoadComparison) -> None:
        """A state was compared with itself; new rules end the round soon."""
        self._run.rules.add(state, compared)
        self._run.changed.set()

    async def _compute_new_ids(self, revised: RulesRevised) -> None:
        """Compute the ids of states under the revised rules, and hand over the page of a single walker."""
        run = self._run
        with run.budget.timed():
            revised.new_ids = await run.rules.new_ids(
                revised.rules,
                run.recorder.crawl.graph.ids,
                self._free_pages(),
                lambda: run.parts.make_page(0, run.rules.active),
            )
        if len(self._walkers) == 1:  # the page was not interrupted in the middle of a walk
            run.spare_page = await self._walkers[0].release()
            self._walkers.clear()

    def _free_pages(self) -> list[Page]:
        """Pages that can compute ids; the pages of several walkers are not free, because their walks were cancelled."""
        run, walkers = self._run, self._walkers
        pages = [walkers[0].page] if walkers else []
        learners = [] if run.learner.page is None else [run.learner.page]
        return [*learners, *pages] if len(walkers) > 1 else [*pages, *learners]

    # -- walkers --

    async def _add_walker(self, context: WalkerContext) -> None:
        run = self._run
        page, run.spare_page = run.spare_page, None
        if page is None:
            page = await run.parts.make_page(0, run.rules.active)
        else:
            page.obey(run.rules.active)
        walker = Walker(len(self._walkers), page, context)
        if run.rules.is_revised:
            walker.reset_for_learning()
        self._walkers.append(walker)

    async def _work_all(self, context: WalkerContext) -> None:
        task = asyncio.current_task()
        before = 0 if task is None else task.cancelling()
        try:
            async with asyncio.TaskGroup() as group:
                for walker in self._walkers:
                    group.create_task(self._work(walker, context))
        except ExceptionGroup as group_error:
            while task is not None and task.cancelling() > before:
                task.uncancel()  # Python 3.11's TaskGroup forgets to, and a timeout around it would not be recognised
            raise _first(group_error) from None

    async def _work(self, walker: Walker, context: WalkerContext, until: Callable[[], bool] = lambda: False) -> None:
        """Have a walker perform tasks until the end, or until the condition holds."""
        run = self._run
        while not await self._is_over() and not until():
            if run.rules.pending:
                raise RulesRevised(run.rules.pending)
            graph, strategy = run.recorder.crawl.graph, run.recorder.strategy
            if len(graph) == 0:
                await self._walk(partial(walker.perform, OPEN))
                continue
            if run.parts.is_worn(walker.page):
                walker.position = None
            position = None if walker.position is None else graph.numbers[walker.position]
            match strategy.next_task(walker.number, position):
                case NoTask.DONE:
                    await self._finish(walker, context)
                case NoTask.WAIT:
                    await self._wait_for_change()
                case Task() as task:
                    try:
                        await self._walk(partial(walker.perform, self._order(task, context)))
                    finally:
                        run.recorder.strategy.release(walker.number)
                    run.parts.on_progress()
        run.recorder.strategy.release(walker.number)

    def _order(self, task: Task, context: WalkerContext) -> Order:
        """The order for a task, and for what can be predicted to follow it."""
        run = self._run
        recorder, graph = run.recorder, run.recorder.crawl.graph
        most = most_new_events(run.times, run.plan.limits, recorder.tally.events, run.plan.pages)
        suspects = context.retries.suspects
        return order_of(task, graph, look_ahead(task, graph, recorder.strategy, context.likely_targets, suspects, most))

    async def _finish(self, walker: Walker, context: WalkerContext) -> None:
        """The strategy has no task left: do what is left besides, or end the crawl."""
        crawl = self._run.recorder.crawl
        if self._search.is_busy:
            await self._search.drain()
        elif self._walking:
            await self._wait_for_change()
        elif (waiting := context.new_states.comparison.next_left()) is not None:
            await self._walk(partial(walker.compare_late, *waiting))
        elif (unreachable := self._run.unreachable.next(crawl, self._run.recorder.strategy)) is not None:
            await self._walk(partial(walker.return_to, *unreachable))
        else:
            self._run.end.end(self._run.recorder.strategy.exhaustion_reason(crawl))

    async def _wait_for_change(self) -> None:
        self._run.changed.clear()
        await self._run.changed.wait()

    async def _walk(self, walk: Callable[[], Awaitable[None]]) -> None:
        """Have a walker walk while no other page resets the server."""
        self._walking += 1
        try:
            async with self._run.server_lock or contextlib.nullcontext():
                await walk()
        finally:
            self._walking -= 1
            self._run.changed.set()

    # -- limits --

    async def _is_over(self) -> bool:
        """Whether the run is over. States are counted only once it is known what a state is. Raises RulesRevised."""
        end = self._run.end
        reached = self._limit_reached()
        if reached == MAX_STATES and self._search.is_busy and not end.reason:
            await self._search.drain()
            if self._run.rules.pending:
                raise RulesRevised(self._run.rules.pending)
            reached = self._limit_reached()
        if reached is not None:
            end.stop(reached)
        return bool(end.reason)

    def _limit_reached(self) -> str | None:
        recorder = self._run.recorder
        return self._run.end.limit_reached(len(recorder.crawl.graph), recorder.tally.events)

    # -- warm-up --

    def _is_warm(self, walker: Walker) -> bool:
        """Whether the cost of a reset is known, and a node that only learns has learned enough."""
        run = self._run
        if run.rules.pending:
            return False  # these rules have to be in force first
        if run.reset_cost.needs_reset:
            walker.position = None
        if run.only_learns and self._is_patience_over():
            return True
        events = len(run.times.events)
        is_idle = events >= TIMED_EVENTS and not self._search.is_busy
        has_learned = not run.only_learns or run.learner.is_done or is_idle
        is_known = run.reset_cost.is_timed or run.reset_cost.is_given
        return is_known and (has_learned or events >= 4 * TIMED_EVENTS)

    def _is_patience_over(self) -> bool:
        """Whether other nodes have waited long enough for what is learned."""
        limit = self._run.plan.limits.seconds
        return self._run.end.seconds >= (MOST_WAITED if limit is None else min(MOST_WAITED, SHARE * limit))

    def _end_warm_up(self) -> None:
        """Plan with the measured cost of a reset from now on."""
        run = self._run
        run.is_warming_up = False
        if run.reset_cost.measure():
            run.recorder.record(CostMeasured(reset_cost=run.reset_cost.value))
            run.recorder.write()
            run.restart(since_revision(run.parts.journal.read()))
        if run.only_learns:
            run.end.end(LEARNT)


async def _cancelled(task: asyncio.Task[None]) -> None:
    """Cancel a task, and wait for its end. Raises the exception with which it has failed."""
    task.cancel()
    await asyncio.wait({task})
    if not task.cancelled():
        task.result()


def _first(group: ExceptionGroup[Exception]) -> Exception:
    """The exception that ended a group of walkers; the others were only cancelled."""
    first = group.exceptions[0]
    return _first(first) if isinstance(first, ExceptionGroup) else first
