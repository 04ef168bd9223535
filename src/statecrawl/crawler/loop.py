"""The crawl: walkers ask the strategy for tasks until there is nothing left to do.

Theory of operation
    Everything that decides runs in one thread; pages are waited for (see `crawler.walker`).

    A crawl has a prelude in which only the first walker works, until enough events and resets were timed to say what a
    reset costs. Then the strategy is made anew with that cost, is told the facts so far, and all walkers start.

    Dynamic content is searched for alongside (`crawler.rule_search`). A new rule changes what a state is. The ids of
    what was found are computed again (`crawler.normal_forms`), and what is known is told again under them, behind the
    fact that the rules were revised. States whose new id cannot be told are found again; where the first is one of
    them, the crawl begins again.

    It ends when the strategy says DONE, or a limit is reached, or it is told to stop; the reason is the last fact. When
    its time is over, whatever is being done is broken off: no event starts after that, and pages get CLOSING_SECONDS to
    tell what they have heard.
"""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from statecrawl.browser.dynamic_content import LoadComparison, Rule
from statecrawl.browser.lookalikes import Lookalikes
from statecrawl.browser.normal_form import reduced
from statecrawl.config.plan import CrawlPlan
from statecrawl.config.recorded_settings import configuration_of
from statecrawl.config.secrets import application_of
from statecrawl.crawler.deadline import CLOSING_SECONDS
from statecrawl.crawler.durations import EventTimes
from statecrawl.crawler.dynamic_content import ContentLearner
from statecrawl.crawler.failures import Failures
from statecrawl.crawler.hooks import StrategyMaker
from statecrawl.crawler.learning_budget import SHARE, LearningBudget
from statecrawl.crawler.look_ahead import look_ahead
from statecrawl.crawler.new_states import NewStates, RulesRevised
from statecrawl.crawler.normal_forms import MOST_FORMS, NormalForms
from statecrawl.crawler.outcome import Outcome, outcome_of
from statecrawl.crawler.politeness import Politeness
from statecrawl.crawler.recorder import CrawlRecorder
from statecrawl.crawler.resume import check_same
from statecrawl.crawler.rule_search import RuleSearch
from statecrawl.crawler.status import NodeStatus, PageHealth
from statecrawl.crawler.unreachable_states import UnreachableStates
from statecrawl.crawler.walker import OTHER_FIRST, Walker, WalkerContext
from statecrawl.crawler.widget import withdraw
from statecrawl.errors import BrowserError, PageLost, SiteUnreachable
from statecrawl.journal.crawl_bounds import exhaustion_reason
from statecrawl.journal.end_reasons import MAX_TIME
from statecrawl.journal.facts import CostMeasured, CrawlEnded, CrawlStarted, EquivalenceRevised, Fact
from statecrawl.journal.fold import FoldedCrawl, fold
from statecrawl.journal.state_renaming import forbidden_events, renamed_facts
from statecrawl.ports.journal_store import Journal
from statecrawl.ports.page import REJECTED, Note, OutOfTime, Page
from statecrawl.ports.recorder import EvidenceSink, WorkCount
from statecrawl.strategies.journal_feed import since_revision
from statecrawl.strategies.orders import OPEN, Order, order_of
from statecrawl.strategies.registry import make_strategy
from statecrawl.strategies.settings import StrategySettings
from statecrawl.strategies.strategy import Strategy
from statecrawl.strategies.task import NoTask, Task

DEFAULT_RESET_COST = 2.0  # until it is measured
TIMED_EVENTS = 30  # and
TIMED_RESETS = 2  # before the cost of a reset is known
MOST_UNTIMED = 2 * TIMED_EVENTS  # events after which a reset is made for that alone
LEAST_COST, MOST_COST = 1.0, 200.0  # of a reset, in events
MOST_REVISIONS = 10
MOST_AGAIN = (
    3  # times that a state which no reliable path reaches is gone to in vain, on the path on which it was found
)
MOST_WAITED = 10.0  # seconds for which other nodes wait until dynamic content was learnt
LEARNT = "learnt"  # why a crawl ended that was only to learn
MOST_NEW = 8  # events of one walk that nobody has fired yet, and
MAX_STATES = "max-states"  # why a crawl ended that found enough
LONGEST_AHEAD = 0.5  # seconds that they may take: somebody may want the crawl to stop


@dataclass(slots=True)
class CrawlParts:
    """The real parts, handed in by `crawler.assembly`."""

    journal: Journal
    keeper: EvidenceSink
    make_page: Callable[[int, frozenset[Rule]], Awaitable[Page]]  # in the n-th world, under these rules
    before_reset: Callable[[], Awaitable[None]]  # of the server
    browser_bytes: Callable[[], int]  # resident memory of the browser
    manners: Politeness = field(default_factory=Politeness)
    browsers: Callable[[], int] = field(default=lambda: 0)  # started so far
    told: Callable[["CrawlLoop"], None] = field(default=lambda _: None)  # after every task
    make_strategy: StrategyMaker | None = None  # None: the one that the plan names
    resets_server: bool = False  # a reset of one page is felt by all others
    is_worn: Callable[[Page], bool] = field(default=lambda _: False)  # a reset would replace the page by a new one


class CrawlLoop:
    """One run of a crawl."""

    def __init__(self, plan: CrawlPlan, parts: CrawlParts, begun: float | None = None) -> None:
        """`begun` is when the time of the crawl began, by `time.perf_counter`; None: now."""
        self.plan = plan
        self.begun = time.perf_counter() if begun is None else begun
        self.allowance = LearningBudget(self.begun, plan.limits.seconds)  # for learning
        self.ended_because = ""
        self.times = EventTimes()
        self._parts = parts
        self._rules: frozenset[Rule] = frozenset()
        self._revision = 0
        self._changed = asyncio.Event()
        self._doubts = Failures()
        self._reset_cost = DEFAULT_RESET_COST if plan.reset_cost is None else plan.reset_cost
        self._prelude = True
        self._alike = Lookalikes()
        self._learns_only = False
        self._events_before = 0  # of earlier runs
        self._learner = ContentLearner(
            lambda world: parts.make_page(world, self._rules),
            parts.before_reset,
            plan.learn_states,
            self._doubts,
            parts.manners.rest,
        )
        self._search: RuleSearch | None = None
        self._forms = NormalForms()
        self._found: frozenset[Rule] = frozenset()  # rules that do not hold yet
        self._is_revised = False  # in this run
        self._spare: Page | None = None  # that crawled until the rules were revised
        self._turn = asyncio.Lock() if parts.resets_server else None  # of walkers and the search for dynamic content
        self._unreached = UnreachableStates()
        self._walking = 0  # walkers that are at a task, or still look at what came of it
        keeper = parts.keeper
        clock = time.perf_counter
        self.observer = CrawlRecorder(*self._blank(), parts.journal, clock, keeper.flush, plan.bounds, keeper.is_busy)

    @property
    def crawl(self) -> FoldedCrawl:
        return self.observer.crawl

    @property
    def keeper(self) -> EvidenceSink:
        return self._parts.keeper

    async def run(self) -> Outcome:
        """Crawl until the end. Raises SiteUnreachable, BrowserError or StoreError after keeping what is known."""
        run = self._resume()
        self.observer.tell(
            CrawlStarted(
                application=application_of(self.plan),
                configuration=configuration_of(self.plan),
                reset_cost=self._reset_cost,
                run=run,
                at=round(time.time(), 3),
            )
        )
        try:
            try:
                async with asyncio.timeout(self._seconds_left()) as limit:
                    await self._until_the_end()
            except (TimeoutError, BrowserError, SiteUnreachable):
                if not limit.expired():
                    raise  # else it came of breaking off what was done
            if limit.expired():
                self.stop(MAX_TIME)
            tally, at = self.observer.tally, round(time.time(), 3)
            self.observer.tell(
                CrawlEnded(reason=self.ended_because, run=run, at=at, fired=tally.events, resets=tally.resets)
            )
        finally:
            await self._in_time(self._learner.close(), *(page.close() for page in filter(None, [self._spare])))
            if len(self.crawl.graph):  # an application that was never seen leaves nothing behind
                self.observer.write()
            self._parts.keeper.flush()
        return self.outcome()

    async def _until_the_end(self) -> None:
        while not self.ended_because:
            try:
                await self._under_these_rules()
            except RulesRevised as revised:
                if self._is_told_to_stop() or self.is_out_of_time:
                    return  # the next run finds that again
                self._revise(revised.rules, revised.names)
                self._is_revised = True
                await (self._learner.close() if self._revision >= MOST_REVISIONS else self._learner.renew())

    def _seconds_left(self) -> float | None:
        """Until the time of the crawl is over; None where it is not limited."""
        limit = self.plan.limits.seconds
        return None if limit is None else max(limit - (time.perf_counter() - self.begun), 0.0)

    def _is_told_to_stop(self) -> bool:
        return bool(self.ended_because)

    @property
    def is_out_of_time(self) -> bool:
        return self._seconds_left() == 0

    async def _in_time(self, *closing: Awaitable[None]) -> None:
        """Close several things at a time, in a moment when the time is over."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(CLOSING_SECONDS if self.is_out_of_time else None):
                await asyncio.gather(*closing)

    async def learn(self) -> list[Fact]:
        """Only the beginning: find out what is volatile and what a reset costs. The facts of that.

        Raises what `run` raises.
        """
        self._learns_only = True
        self.allowance = LearningBudget(self.begun, share=1.0)
        await self.run()
        told = since_revision(self._parts.journal.read())
        facts: list[Fact] = [fact for fact in told if not isinstance(fact, CrawlStarted | CrawlEnded)]
        if not self.crawl.is_cost_measured:
            facts.append(CostMeasured(reset_cost=self._reset_cost))
        return facts

    def stop(self, reason: str) -> None:
        """Have the crawl end, for this reason, after what each page is doing now."""
        self._end(reason)
        self._parts.manners.hurry()

    def _end(self, reason: str) -> None:
        """The same without a hurry: nobody is on the way, and a node that has learnt goes on with the same manners."""
        self.ended_because = self.ended_because or reason
        self._changed.set()

    def outcome(self) -> Outcome:
        """How it went, or goes."""
        return outcome_of(
            self.plan.url,
            self.crawl,
            self.observer.tally,
            reset_cost=self.crawl.reset_cost or self._reset_cost,
            seconds=time.perf_counter() - self.begun,
            events_before=self._events_before,
            ended_because=self.ended_because,
            warnings=self.observer.warnings,
        )

    def doing(self) -> str:
        """What there is to say instead of figures: they grow from the beginning."""
        return ""

    def learning(self) -> str:
        """How many states were compared to find dynamic content, of how many; nothing when that is over."""
        if self._search is None or not self._search.is_busy or self.ended_because:
            return ""
        return f"{self._learner.done}/{self._learner.of}"

    def health(self) -> PageHealth:
        """How its pages are. To look at the memory of a browser takes a millisecond."""
        parts = self._parts
        return PageHealth(pages=self.plan.pages, browsers=parts.browsers(), browser_bytes=parts.browser_bytes())

    def node_statuses(self) -> list[NodeStatus]:
        """There are no nodes."""
        return []

    # -- beginnings --

    def _blank(self) -> tuple[FoldedCrawl, Strategy]:
        """A crawl of which nothing is known, and the strategy for it."""
        crawl = FoldedCrawl()
        rules = StrategySettings(reset_cost=self._reset_cost, seed=self.plan.seed, by_url=self.plan.site is not None)
        if self._parts.make_strategy is not None:
            return crawl, self._parts.make_strategy(crawl.graph, rules)
        return crawl, make_strategy(self.plan.strategy, crawl.graph, rules)

    def _begin_again(self, facts: Iterable[Fact] = ()) -> None:
        self._unreached = UnreachableStates()
        self.observer.begin_again(*self._blank(), facts)

    def _resume(self) -> int:
        """Be told what the journal holds already; the number of this run. Raises BadInput when it is another crawl."""
        facts = list(self._parts.journal.read())
        if not facts:
            return 1
        before = fold(facts)
        check_same(self.plan, before)
        self._revision, self._rules = before.revision, frozenset(before.rules)
        if self.plan.reset_cost is None and before.reset_cost is not None:
            self._reset_cost = before.reset_cost
        self._begin_again(since_revision(facts))
        self.observer.tally = WorkCount(events=before.fired, resets=before.resets)
        self._events_before = before.fired
        timed = self.plan.reset_cost is not None or before.is_cost_measured
        self._prelude = len(self.crawl.graph) == 0 or not timed
        return 1 if before.started is None else before.started.run + 1

    def _revise(self, rules: frozenset[Rule], names: Mapping[str, str]) -> None:
        """Everything found so far was told apart by the wrong rules: keep what holds under the new ones.

        `names` are the new ids of states.
        """
        self.observer.write()
        self.observer.warnings.pop(OTHER_FIRST, None)  # it may have been what these rules leave out
        withdraw(self.observer.warnings)
        self._rules |= rules
        self._found -= self._rules  # others may have been found meanwhile
        self._revision += 1
        known = renamed_facts(since_revision(self._parts.journal.read()), names)
        self._forms = self._forms.under(rules, names)
        self._forms.avoid(forbidden_events(known))
        self._parts.keeper.revise(names, lambda normal: reduced(normal, rules) or normal)
        revised = EquivalenceRevised(revision=self._revision, rules=tuple(sorted(self._rules)))
        self.observer.tell_journal(revised, *known)
        self._parts.keeper.drop(names.keys() - set(names.values()))
        self._begin_again([revised, *known])

    async def _renamed(self, rules: frozenset[Rule], pages: Iterable[Page]) -> dict[str, str]:
        """The ids of the states found so far under these further rules; nothing where the first has none.

        The first of these pages that answers computes them: loading another takes long.
        """
        names: dict[str, str] = {}
        await self._forms.recall(self.crawl.graph.ids, self._parts.keeper.form)  # of earlier runs
        for page in pages:
            with contextlib.suppress(PageLost):
                names = await self._forms.renamed(rules, page.rehash)
                break
        else:
            fresh = await self._parts.make_page(0, self._rules)
            try:
                with contextlib.suppress(PageLost, OutOfTime):
                    await fresh.reset()
                    names = await self._forms.renamed(rules, fresh.rehash)
            finally:
                await fresh.close()
        ids = self.crawl.graph.ids
        return names if ids and ids[0] in names else {}

    def _remake_strategy(self) -> None:
        """Say what a reset costs, and plan with that from now on."""
        self._prelude = False
        if self.plan.reset_cost is None and (measured := self.times.reset_cost()):
            self._reset_cost = round(min(max(measured, LEAST_COST), MOST_COST), 2)
            self.observer.tell(CostMeasured(reset_cost=self._reset_cost))
            self.observer.write()
            self._begin_again(since_revision(self._parts.journal.read()))

    # -- walkers --

    def _compared(self, state: str, compared: LoadComparison) -> None:
        """A state was compared with itself: note what was rejected, and have new rules hold soon."""
        rejected = [Note(REJECTED, [*candidate, reason]) for candidate, reason in compared.rejected]
        self._parts.keeper.note(rejected, state, None)
        if not self._forms.is_full:  # else too much would be found again
            self._found |= compared.rules - self._rules
        self._changed.set()

    async def _under_these_rules(self) -> None:
        """Crawl as long as nothing changes what a state is. Raises Revised."""
        search = self._search = RuleSearch(
            self._learner,
            lambda: self.observer.tally,
            self._compared,
            self.allowance,
            self._turn,
        )
        searching = asyncio.create_task(search.run())
        try:
            await self._with_search(search, searching)
        finally:
            await _cancelled(searching)

    async def _with_search(self, search: RuleSearch, searching: asyncio.Task[None]) -> None:
        keeper, manners = self._parts.keeper, self._parts.manners
        meeting = NewStates(self.plan, self.observer, keeper, search, self._rules, manners, forms=self._forms)
        meeting.lookalikes = self._lookalikes()
        kept = self._forms.all() if meeting.lookalikes is not None else ()
        for state, normal in kept:  # when the rules changed: these are not met again
            meeting.look_for_doubles(state, normal)
            await asyncio.sleep(0)  # there may be many
        if len(self.crawl.graph):  # of an earlier run: what it heard of, and could not say any more, is said now
            meeting.first = self.crawl.graph.ids[0]
            await meeting.follow()
        ground = WalkerContext(
            meeting, self.times, self._parts.before_reset, doubts=self._doubts, allowance=self.allowance
        )
        walkers: list[Walker] = []
        try:
            walkers.append(await self._walker(0, ground))
            if self._prelude:
                await self._work(walkers[0], ground, until=lambda: self._is_prelude_over(search, walkers[0]))
                if self.ended_because:
                    return
                self._remake_strategy()
                if self._learns_only:
                    self._end(LEARNT)
            while len(walkers) < self.plan.pages:
                walkers.append(await self._walker(len(walkers), ground))
            await self._work_all(walkers, ground)
        except RulesRevised as revised:
            if not self._is_told_to_stop() and not self.is_out_of_time:
                await _cancelled(searching)  # nobody else needs its pages now
                with self.allowance.timed():
                    revised.names = await self._renamed(revised.rules, self._open_pages(walkers))
                if len(walkers) == 1:  # nobody has broken off what it was doing
                    self._spare = await walkers[0].release()
                    walkers.clear()
            raise
        finally:
            meeting.tell_widget()
            await self._in_time(*(walker.close() for walker in walkers))

    def _open_pages(self, walkers: Sequence[Walker]) -> list[Page]:
        """Pages that can be asked for something; those of several walkers come last, which were broken off."""
        pages = [walkers[0].page] if walkers else []
        learners = [] if self._learner.page is None else [self._learner.page]
        return [*learners, *pages] if len(walkers) > 1 else [*pages, *learners]

    def _lookalikes(self) -> Lookalikes | None:
        """What compares states that look alike, if their identity may still change."""
        if not self.plan.learn_states or self.plan.equivalence != "content" or self._revision >= MOST_REVISIONS:
            return None
        if len(self.crawl.graph) >= MOST_FORMS:
            return None  # too much would be found again
        self._alike = Lookalikes(rests=self._alike.rests, notes=self._alike.notes)
        return self._alike

    async def _walker(self, number: int, ground: WalkerContext) -> Walker:
        page, self._spare = self._spare, None
        if page is None:
            page = await self._parts.make_page(0, self._rules)
        else:
            page.obey(self._rules)
        walker = Walker(number, page, ground)
        walker.learns = self._is_revised
        return walker

    async def _work_all(self, walkers: Sequence[Walker], ground: WalkerContext) -> None:
        task = asyncio.current_task()
        before = 0 if task is None else task.cancelling()
        try:
            async with asyncio.TaskGroup() as group:
                for walker in walkers:
                    group.create_task(self._work(walker, ground))
        except BaseExceptionGroup as troubles:
            while task is not None and task.cancelling() > before:
                task.uncancel()  # which a group of Python 3.11 forgets, so that a time-out around it is not told as one
            raise _first(troubles) from None

    async def _work(self, walker: Walker, ground: WalkerContext, until: Callable[[], bool] = lambda: False) -> None:
        """Have a walker perform tasks until the end, or until then."""
        while not await self._is_over_at_last() and not until():
            if self._found:
                raise RulesRevised(self._found)
            if len(self.crawl.graph) == 0:
                await self._perform(walker, OPEN)
                continue
            if self._parts.is_worn(walker.page):
                walker.position = None
            position = None if walker.position is None else self.crawl.graph.numbers[walker.position]
            match self.observer.strategy.next_task(walker.number, position):
                case NoTask.DONE:
                    await self._finish(walker, ground)
                case NoTask.WAIT:
                    await self._wait_for_change()
                case Task() as task:
                    try:
                        await self._perform(walker, self._order(task, ground))
                    finally:
                        self.observer.strategy.release(walker.number)
                    self._parts.told(self)
        self.observer.strategy.release(walker.number)

    async def _finish(self, walker: Walker, ground: WalkerContext) -> None:
        """The strategy knows nothing more to do: do what is left beside it, or end the crawl."""
        if self._search is not None and self._search.is_busy:
            await self._search.drain()
        elif self._walking:
            await self._wait_for_change()
        elif (left := ground.meeting.left_to_compare()) is not None:
            await self._alone(partial(walker.compare_late, *left))
        elif (lost := self._unreached.next(self.crawl)) is not None:
            await self._alone(partial(walker.go_again, *lost))
        else:
            self._end(exhaustion_reason(self.crawl))

    async def _wait_for_change(self) -> None:
        self._changed.clear()
        await self._changed.wait()

    async def _perform(self, walker: Walker, order: Order) -> None:
        await self._alone(partial(walker.perform, order))

    async def _alone(self, walk: Callable[[], Awaitable[None]]) -> None:
        """Have a walker walk while nobody else resets the server."""
        self._walking += 1
        try:
            async with self._turn or contextlib.nullcontext():
                await walk()
        finally:
            self._walking -= 1
            self._changed.set()

    def _order(self, task: Task, ground: WalkerContext) -> Order:
        """A task, and what can be foreseen of what comes after it."""
        graph = self.crawl.graph
        lasts = self.times.events[-1] if self.times.events else LONGEST_AHEAD
        room = min(MOST_NEW, int(LONGEST_AHEAD / max(lasts, 1e-3)))
        limits, fired = self.plan.limits, self.observer.tally.events
        if limits.events is not None and limits.events - fired < 2 * MOST_NEW * self.plan.pages:
            room = 1  # near the end nobody runs ahead
        ahead = look_ahead(task, graph, self.observer.strategy, ground.foresight, ground.suspects, room)
        return order_of(task, graph, ahead)

    async def _is_over_at_last(self) -> bool:
        """Whether it is over; states are counted once it is known what a state is. Raises Revised."""
        if self._search is not None and self._search.is_busy and not self.ended_because and self._limit() == MAX_STATES:
            await self._search.drain()
            if self._found:
                raise RulesRevised(self._found)
        return self._is_over()

    def _is_over(self) -> bool:
        if (reason := self._limit()) is not None:
            self.stop(reason)
        return bool(self.ended_because)

    def _limit(self) -> str | None:
        """The limit that is reached, if one is."""
        events, seconds = self.observer.tally.events, time.perf_counter() - self.begun
        return self.plan.limits.reached(len(self.crawl.graph), events, seconds, self._parts.manners.requests())

    def _is_prelude_over(self, search: RuleSearch, walker: Walker) -> bool:
        if self._found:
            return False  # these rules have to hold first
        timed = len(self.times.events) >= TIMED_EVENTS and len(self.times.resets) >= TIMED_RESETS
        if len(self.times.events) >= MOST_UNTIMED and not timed:
            walker.position = None  # an application that never needs a reset: one is made, to know what it costs
        if self._learns_only and self._is_patience_over():
            return True
        idle = len(self.times.events) >= TIMED_EVENTS and not search.is_busy
        has_learnt = not self._learns_only or self._learner.is_done or idle
        known = timed or self.plan.reset_cost is not None
        return known and (has_learnt or len(self.times.events) >= 4 * TIMED_EVENTS)

    def _is_patience_over(self) -> bool:
        """Whether other nodes have waited long enough for what is learnt."""
        limit = self.plan.limits.seconds
        most = MOST_WAITED if limit is None else min(MOST_WAITED, SHARE * limit)
        return time.perf_counter() - self.begun >= most


async def _cancelled(task: asyncio.Task[None]) -> None:
    """End a task. Raises what it has failed with."""
    task.cancel()
    await asyncio.wait({task})
    if not task.cancelled():
        task.result()


def _first(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """What ended a group of walkers; the others were only told to stop."""
    first = group.exceptions[0]
    return _first(first) if isinstance(first, BaseExceptionGroup) else first
