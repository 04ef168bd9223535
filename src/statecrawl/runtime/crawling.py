"""The crawl: pages ask the strategy for tasks, perform them, and report what they saw.

Theory of operation
    Everything that decides runs in one thread; pages are waited for. A walker holds one page and the state it is in,
    or None when the page must be reset. Whatever happens on the way is recorded where it happened, and the walker
    asks again from where it landed: surprises are facts, not errors.

    A crawl has a prelude in which only the first walker works: until the first states were repeated in order to learn
    what is volatile (which may void everything found so far and start again under better rules) and until enough
    events and resets were timed to say what a reset costs. Then the strategy is made anew with that cost, is told the
    facts so far, and all walkers start.

    It ends when the strategy says DONE, or a limit is reached, or it is told to stop; the reason is the last fact. No
    page can put that off by being elsewhere whenever a walk begins: after MOST_MISSES such walks a pair is given up.

    An event that hangs or kills its page costs that page. When it was not the only step of its walk, nobody knows which
    step it was: the walk is done once more, step by step.
"""

import asyncio
import re
import time
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, field, replace

from statecrawl.browser.volatile import Rule
from statecrawl.errors import BadInput, PageLost, SiteUnreachable
from statecrawl.journal.facts import CrawlEnded, CrawlStarted, EquivalenceRevised
from statecrawl.journal.fold import Crawl, fold
from statecrawl.model.graph import INITIAL
from statecrawl.ports.page import Ending, Note, Page, Snapshot, Step, Walked
from statecrawl.ports.store import Journal
from statecrawl.runtime.learning import Learner
from statecrawl.runtime.observing import Observer, Tally
from statecrawl.runtime.plan import CrawlPlan
from statecrawl.stores.evidence import Evidence
from statecrawl.strategies.registry import make_strategy
from statecrawl.strategies.rules import Rules
from statecrawl.strategies.task import Answer, Pair, Task
from statecrawl.strategies.telling import since_revision

DISMISSED = " (dismissed)"  # ends the name of an event whose dialogs are answered with no; see agent/walk.js
DEFAULT_RESET_COST = 2.0  # until it is measured
TIMED_EVENTS = 30  # and
TIMED_RESETS = 2  # before the cost of a reset is known
TIMES = 1000  # that are remembered
LEAST_COST, MOST_COST = 1.0, 200.0  # of a reset, in events
MOST_REVISIONS = 10
MOST_MISSES = 10  # walks to one pair that never began, because the page was elsewhere by then
MOST_LOOKS = 3  # at the first page, each after another reset
COMPLETE = "complete"
UNREACHABLE = "unreachable"  # events are left in states to which no reliable way leads any more


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How a crawl went."""

    url: str
    states: int
    transitions: int
    events: int
    resets: int
    cost: float
    reset_cost: float
    diverged: int
    hung: int
    refused: int
    crashed: int
    external: int
    unexplored: int
    learning_events: int
    learning_resets: int
    rules: int
    seconds: float
    events_per_second: float
    complete: bool
    ended_because: str


@dataclass(slots=True)
class Parts:
    """The real parts, handed in by `runtime.assemble`."""

    journal: Journal
    evidence: Evidence
    make_page: Callable[[int, frozenset[Rule]], Awaitable[Page]]  # in the n-th world, under these rules
    before_reset: Callable[[], Awaitable[None]]  # of the server
    browser_bytes: Callable[[], int]  # resident memory of the browser
    told: Callable[["Crawling"], None] = field(default=lambda _: None)  # after every task
    is_worn: Callable[[Page], bool] = field(default=lambda _: False)  # a reset would replace the page by a new one


class _Revised(Exception):
    """States have to be told apart by other rules."""

    def __init__(self, rules: set[Rule]) -> None:
        super().__init__()
        self.rules = frozenset(rules)


class Crawling:
    """One run of a crawl."""

    def __init__(self, plan: CrawlPlan, parts: Parts) -> None:
        self.plan = plan
        self.begun = time.perf_counter()
        self.ended_because = ""
        self.beyond_depth = 0  # states that were not expanded
        self._parts = parts
        self._refused = [re.compile(expression, re.IGNORECASE) for expression in plan.scope.refused()]
        self._rules: frozenset[Rule] = frozenset()
        self._revision = 0
        self._depths: list[int] = []  # state -> events from the first page, along the way it was found
        self._ways: dict[int, tuple[str, ...]] = {}  # state -> the events of that way, for the states that are repeated
        self._suspects: set[Pair] = set()  # pairs on the way to which, or at which, a page was lost
        self._misses: Counter[Pair] = Counter()  # pair -> walks to it that never began
        self._changed = asyncio.Event()
        self._event_times: deque[float] = deque(maxlen=TIMES)
        self._reset_times: deque[float] = deque(maxlen=TIMES)
        self._reset_cost = DEFAULT_RESET_COST if plan.reset_cost is None else plan.reset_cost
        self._prelude = True
        self._events_before = 0  # of earlier runs
        self.observer = self._fresh_observer()

    @property
    def crawl(self) -> Crawl:
        return self.observer.crawl

    @property
    def evidence(self) -> Evidence:
        return self._parts.evidence

    async def run(self) -> Outcome:
        """Crawl until the end. Raises SiteUnreachable, BrowserError or StoreError after keeping what is known."""
        learner = Learner(
            lambda world: self._parts.make_page(world, self._rules), self._parts.before_reset, self.plan.learn_states
        )
        run = self._resume()
        self.observer.tell(
            CrawlStarted(
                application=self.plan.name or self.plan.url,
                configuration={
                    "strategy": self.plan.strategy,
                    "pages": self.plan.pages,
                    "equivalence": self.plan.equivalence,
                    "seed": self.plan.seed,
                },
                reset_cost=self._reset_cost,
                run=run,
            )
        )
        try:
            while not self.ended_because:
                try:
                    await self._under_these_rules(learner)
                except _Revised as revised:
                    await self._revise(revised.rules)
            self.observer.tell(CrawlEnded(reason=self.ended_because, run=run))
        finally:
            await learner.close()
            if len(self.crawl.graph):  # an application that was never seen leaves nothing behind
                self.observer.write()
            self._parts.evidence.flush()
        return self.outcome()

    def stop(self, reason: str) -> None:
        """Have the crawl end, for this reason, after what each page is doing now."""
        self.ended_because = self.ended_because or reason
        self._changed.set()

    def outcome(self) -> Outcome:
        """How it went, or goes."""
        tally = self.observer.tally
        graph = self.crawl.graph
        seconds = time.perf_counter() - self.begun
        kinds = [type(failure).__name__ for failures in self.crawl.failures.values() for failure in failures]
        closed_by_us = self.beyond_depth > 0
        reset_cost = self.crawl.reset_cost or self._reset_cost
        return Outcome(
            url=self.plan.url,
            states=len(graph),
            transitions=graph.explored,
            events=tally.events,
            resets=tally.resets,
            cost=tally.events + reset_cost * tally.resets,
            reset_cost=reset_cost,
            diverged=len(graph.divergences),
            hung=kinds.count("EventHung"),
            refused=kinds.count("EventRefused"),
            crashed=kinds.count("EventCrashed"),
            external=sum(self.crawl.external.values()),
            unexplored=graph.unexplored,
            learning_events=tally.learning_events,
            learning_resets=tally.learning_resets,
            rules=len(self._rules),
            seconds=seconds,
            events_per_second=(tally.events - self._events_before) / seconds if seconds else 0.0,
            complete=self.ended_because == COMPLETE and not closed_by_us,
            ended_because=self.ended_because,
        )

    def browser_bytes(self) -> int:
        """Resident memory of the browser."""
        return self._parts.browser_bytes()

    def measured_reset_cost(self) -> float:
        """How many events take as long as a reset, so far; 0 while nothing was timed."""
        if not self._reset_times or not self._event_times:
            return 0.0
        return _mean(self._reset_times) / max(_mean(self._event_times), 1e-6)

    # -- beginnings --

    def _fresh_observer(self) -> Observer:
        crawl = Crawl()
        rules = Rules(reset_cost=self._reset_cost, seed=self.plan.seed)
        strategy = make_strategy(self.plan.strategy, crawl.graph, rules)
        return Observer(crawl, strategy, self._parts.journal, time.perf_counter)

    def _resume(self) -> int:
        """Be told what the journal holds already; the number of this run. Raises BadInput when it is another crawl."""
        facts = list(self._parts.journal.read())
        if not facts:
            return 1
        before = fold(facts)
        self._check_same(before.started)
        self._revision, self._rules = before.revision, frozenset(before.rules)
        if self.plan.reset_cost is None and before.reset_cost is not None:
            self._reset_cost = before.reset_cost
        self.observer = self._fresh_observer()
        self.observer.resume(since_revision(facts))
        self.observer.tally = Tally(events=before.fired, resets=before.resets)
        self._events_before = before.fired
        self._depths = [0] * len(self.crawl.graph)
        self._prelude = len(self.crawl.graph) == 0
        return 1 if before.started is None else before.started.run + 1

    def _check_same(self, started: CrawlStarted | None) -> None:
        if started is None:
            return
        plan = self.plan
        asked = {
            "application": plan.name or plan.url,
            "equivalence": plan.equivalence,
            "seed": plan.seed,
        }
        present = {"application": started.application, **started.configuration}
        for name, value in asked.items():
            if present.get(name) != value:
                raise BadInput(
                    f"{plan.out} holds a crawl with {name} {present.get(name)}, and {value} is asked for:"
                    " ask for the same to go on with it, or name another folder with --out."
                )

    async def _under_these_rules(self, learner: Learner) -> None:
        """Crawl as long as nothing changes what a state is."""
        pages: list[Page] = []
        position: int | None = None
        try:
            if self._prelude:
                pages.append(await self._parts.make_page(0, self._rules))
                position = await self._walker(0, pages[0], None, learner)
                if self.ended_because:
                    return
                await learner.close()
                self._remake_strategy()
            while len(pages) < self.plan.pages:
                pages.append(await self._parts.make_page(0, self._rules))
            await self._walk_all(pages, position)
        finally:
            for page in pages:
                await page.close()

    async def _walk_all(self, pages: Sequence[Page], position: int | None) -> None:
        """Let all walkers work; the first one is in a state already, unless nothing was crawled before."""
        try:
            async with asyncio.TaskGroup() as group:
                for number, page in enumerate(pages):
                    group.create_task(self._walker(number, page, None if number else position, None))
        except BaseExceptionGroup as troubles:
            raise _first(troubles) from None

    async def _revise(self, rules: frozenset[Rule]) -> None:
        """Everything found so far was told apart by the wrong rules: begin again."""
        self._rules |= rules
        self._revision += 1
        tally = self.observer.tally
        self.observer.tell_journal(EquivalenceRevised(revision=self._revision, rules=tuple(sorted(self._rules))))
        self.observer = self._fresh_observer()
        self.observer.tally = tally
        self._depths.clear()
        self._ways.clear()
        self._suspects.clear()
        self._misses.clear()

    def _remake_strategy(self) -> None:
        """Say what a reset costs, and plan with that from now on."""
        self._prelude = False
        if self.plan.reset_cost is not None or not self._reset_times or not self._event_times:
            return
        self._reset_cost = round(min(max(self.measured_reset_cost(), LEAST_COST), MOST_COST), 2)
        self.observer.measured(self._reset_cost)
        self.observer.write()
        tally = self.observer.tally
        facts = list(since_revision(self._parts.journal.read()))
        self.observer = self._fresh_observer()
        self.observer.resume(facts)
        self.observer.tally = tally

    # -- one page --

    async def _walker(self, number: int, page: Page, position: int | None, learner: Learner | None) -> int | None:
        """Perform tasks until the end; with a learner, until the prelude is over. The state the page is in then."""
        while not self._is_over():
            if position is None and len(self.crawl.graph) == 0:
                position = await self._reset(page, learner)
                continue
            if position is not None and self._parts.is_worn(page):
                position = None
            task = self.observer.strategy.next_task(number, position)
            match task:
                case Answer.DONE:
                    self.stop(COMPLETE if self.crawl.progress().complete else UNREACHABLE)
                case Answer.WAIT:
                    self._changed.clear()
                    await self._changed.wait()
                case Task():
                    position = await self._perform(number, page, task, position, learner)
                    self._changed.set()
                    self._parts.told(self)
            if learner is not None and self._is_prelude_over(learner):
                break
        self.observer.strategy.release(number)
        return position

    def _is_over(self) -> bool:
        limits = self.plan.limits
        tally = self.observer.tally
        if limits.states is not None and len(self.crawl.graph) >= limits.states:
            self.stop("max-states")
        elif limits.events is not None and tally.events >= limits.events:
            self.stop("max-events")
        elif limits.seconds is not None and time.perf_counter() - self.begun >= limits.seconds:
            self.stop("max-time")
        return bool(self.ended_because)

    def _is_prelude_over(self, learner: Learner) -> bool:
        timed = len(self._event_times) >= TIMED_EVENTS and len(self._reset_times) >= TIMED_RESETS
        return (timed or self.plan.reset_cost is not None) and (
            learner.is_done or len(self._event_times) >= 4 * TIMED_EVENTS
        )

    async def _reset(self, page: Page, learner: Learner | None) -> int:
        """Open the application anew; the state it is in then."""
        await self._parts.before_reset()
        begun = time.perf_counter()
        landing = await page.reset()
        self._reset_times.append(time.perf_counter() - begun)
        self.observer.tally.resets += 1
        known = self.crawl.graph.numbers.get(landing.state)
        for _ in range(MOST_LOOKS):
            if known is not None:
                self._note(landing.notes, None, known)
                return known
            try:
                known = await self._meet(page, None, learner)
            except PageLost:
                landing = await page.reset()
                known = self.crawl.graph.numbers.get(landing.state)
        raise SiteUnreachable(f"{self.plan.url} does not stay as it is while it is looked at: try again.")

    async def _perform(
        self, number: int, page: Page, task: Task, position: int | None, learner: Learner | None
    ) -> int | None:
        """Do a task and record what happened; the state the page is in afterwards."""
        graph = self.crawl.graph
        if task.reset or position is None:
            position = await self._reset(page, learner)
            if position != INITIAL:  # the first page is not what it was: plan again from here
                self._missed(task.pair)
                self.observer.strategy.release(number)
                return position
        pairs = (*task.path, task.pair)
        start = pairs[0][0]
        steps: list[Step] = [
            (graph.event(*pair).local, graph.ids[graph.targets[pair[0]][pair[1]]]) for pair in task.path
        ]
        steps.append((graph.event(*task.pair).local, None))
        walk = _step_by_step if task.pair in self._suspects else _at_once
        walked = await walk(page, graph.ids[start], steps)
        self.observer.tally.events += walked.done
        if walked.done:
            self._event_times.append(walked.seconds / walked.done)
        if walked.why is Ending.MOVED:
            self._missed(task.pair)
            return await self._moved(number, page, start, walked, learner)
        return await self._landed(number, page, pairs, walked, learner)

    def _missed(self, pair: Pair) -> None:
        """A walk to this pair could not even begin."""
        self._misses[pair] += 1
        if self._misses[pair] == MOST_MISSES and not self.observer.is_explored(pair):
            self.observer.hung(pair, "the page changes by itself before the way to it can be gone")

    async def _landed(
        self, number: int, page: Page, pairs: Sequence[Pair], walked: Walked, learner: Learner | None
    ) -> int | None:
        observer = self.observer
        taken = pairs[: walked.done]
        for pair, landed in zip(taken[:-1], walked.states[:-1], strict=True):
            self._arrived(pair, observer.crawl.graph.numbers[landed])
        position: int | None = None
        if taken:
            last = taken[-1]
            known = observer.crawl.graph.numbers.get(walked.states[-1])
            if known is None and not walked.why.is_fatal:
                try:
                    known = await self._meet(page, last, learner)
                except PageLost as lost:
                    walked = replace(walked, why=Ending.CRASHED, states=walked.states[:-1], reason=str(lost))
            if known is not None:
                self._arrived(last, known)
                position = known
            if walked.dialogs and walked.done == len(pairs):
                self._offer_dismissal(last)
        pair = pairs[min(walked.done, len(pairs) - 1)] if walked.why.is_fatal else pairs[walked.done - 1]
        self._note(walked.notes, pair, pair[0])
        if walked.why.is_fatal or walked.why is Ending.GONE:
            unsure = walked.why is Ending.HUNG and len(pairs) - walked.done > 1  # which of the steps it was
            if (unsure or walked.why is Ending.CRASHED) and pairs[-1] not in self._suspects:
                self._suspects.add(pairs[-1])  # once more: somebody else may have killed the page
            else:
                self._failed(pairs[min(walked.done, len(pairs) - 1)], walked)
            position = None
        elif any(note.kind == "capped" for note in walked.notes):
            observer.hung(taken[-1], "it did not become quiet in time")
        observer.strategy.release(number)
        return position

    def _arrived(self, pair: Pair, landed: int) -> None:
        observer = self.observer
        if not observer.is_explored(pair):
            observer.explored(pair, landed)
        elif observer.crawl.graph.targets[pair[0]][pair[1]] != landed:
            observer.diverged(pair, landed)

    async def _moved(self, number: int, page: Page, start: int, walked: Walked, learner: Learner | None) -> int | None:
        """The page changed by itself before anything was fired."""
        self.observer.strategy.release(number)
        if walked.landed is None:
            return None
        known = self.crawl.graph.numbers.get(walked.landed)
        try:
            if known is None:
                known = await self._meet(page, None, learner)
        except PageLost:
            return None
        self.observer.moved(start, known)
        return known

    def _failed(self, pair: Pair, walked: Walked) -> None:
        """An event took the page with it, or could not be fired at all."""
        observer = self.observer
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

    async def _meet(self, page: Page, by: Pair | None, learner: Learner | None) -> int:
        """A state was seen for the first time: look at it, keep the evidence, and record it. Raises PageLost."""
        snapshot = await page.describe(lines=True)
        graph = self.crawl.graph
        known = graph.numbers.get(snapshot.state)
        if known is not None:
            return known  # it changed once more before it was looked at
        way = () if by is None else (*self._ways.get(by[0], ()), graph.event(*by).local)
        if learner is not None and not learner.is_done and (by is None or by[0] in self._ways):
            rules = await learner.learn(snapshot, way, self.observer.tally) - self._rules
            if rules and self._revision < MOST_REVISIONS:
                raise _Revised(rules)
        picture = await _drawn(page) if self.plan.screenshots else None
        await asyncio.to_thread(self._parts.evidence.keep, snapshot, picture)
        if snapshot.state in graph.numbers:
            return graph.numbers[snapshot.state]  # another page has met it meanwhile
        number = self.observer.found(snapshot)
        if learner is not None:
            self._ways[number] = way
        self._depths.append(0 if by is None else self._depths[by[0]] + 1)
        self._refuse_dangers(number, snapshot)
        return number

    def _refuse_dangers(self, state: int, snapshot: Snapshot) -> None:
        depth = self.plan.limits.depth
        if depth is not None and self._depths[state] >= depth:
            self.beyond_depth += 1
            for position in range(len(snapshot.events)):
                self.observer.refused((state, position), f"beyond {depth} events from the first page")
            return
        for position, said in enumerate(snapshot.labels):
            danger = next((found for expression in self._refused if (found := expression.search(said))), None)
            if danger is not None:
                self.observer.refused((state, position), f"denied: it says '{danger[0]}'")

    def _offer_dismissal(self, pair: Pair) -> None:
        name = self.crawl.graph.event(*pair).local
        if not name.endswith(DISMISSED):
            self.observer.event_added(pair[0], name + DISMISSED)

    def _note(self, notes: Sequence[Note], pair: Pair | None, state: int) -> None:
        if notes:
            graph = self.crawl.graph
            self._parts.evidence.note(notes, graph.ids[state], None if pair is None else graph.event(*pair).local)
            self.observer.boundaries(notes, pair, state)


async def _at_once(page: Page, start: str, steps: Sequence[Step]) -> Walked:
    return await page.walk(start, steps)


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


async def _drawn(page: Page) -> bytes | None:
    """A picture, as far as the page lets itself be drawn."""
    try:
        return await page.picture()
    except PageLost:
        return None


def _mean(times: Collection[float]) -> float:
    """The mean of the middle half: the first load and the odd hiccup do not count."""
    ordered = sorted(times)
    middle = ordered[len(ordered) // 4 : len(ordered) - len(ordered) // 4] or ordered
    return sum(middle) / len(middle)


def _first(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """What ended a group of walkers; the others were only told to stop."""
    first = group.exceptions[0]
    return _first(first) if isinstance(first, BaseExceptionGroup) else first
