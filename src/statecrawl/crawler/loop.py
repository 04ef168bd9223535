"""The crawl loop: one run of a crawl, from the journal that it resumes to the reason for its end.

Theory of operation
    A run is a sequence of rounds (`crawler.crawl_round`). In a round the rules that identify states stay the same. When
    new rules are found, the ids of known states are computed again (`crawler.state_rules`), and what is known is
    recorded again under the new ids, behind the fact that the rules were revised. States without a new id are found
    again; if the first state is one of them, the crawl starts again.

    A run ends when nothing is left to do, when a limit is reached, or when it is stopped; the reason is the last fact.
    When its time is over, whatever is being done is cancelled: no event starts after that, and pages get
    CLOSING_SECONDS to hand over their traffic.
"""

import asyncio
import time
from collections.abc import Iterable, Mapping

from statecrawl.browser.dynamic_content import Rule
from statecrawl.config.plan import CrawlPlan
from statecrawl.config.recorded_settings import configuration_of
from statecrawl.config.secrets import application_of
from statecrawl.crawler.content_learner import ContentLearner
from statecrawl.crawler.crawl_end import CrawlEnd
from statecrawl.crawler.crawl_parts import CrawlParts
from statecrawl.crawler.crawl_round import CrawlRound
from statecrawl.crawler.crawl_run import CrawlRun
from statecrawl.crawler.durations import EventTimes
from statecrawl.crawler.failures import Failures
from statecrawl.crawler.learning_budget import LearningBudget
from statecrawl.crawler.lookalike_comparison import RulesRevised
from statecrawl.crawler.outcome import Outcome, outcome_of
from statecrawl.crawler.recorder import CrawlRecorder
from statecrawl.crawler.reset_cost import ResetCost
from statecrawl.crawler.resume import changed_model, check_same
from statecrawl.crawler.state_rules import StateRules
from statecrawl.crawler.status import NodeStatus, PageHealth
from statecrawl.crawler.unreachable_states import UnreachableStates
from statecrawl.crawler.walker import OTHER_FIRST
from statecrawl.crawler.widget import withdraw
from statecrawl.errors import BrowserError, SiteUnreachable
from statecrawl.journal.end_reasons import MAX_TIME
from statecrawl.journal.facts import CostMeasured, CrawlEnded, CrawlStarted, Fact
from statecrawl.journal.fold import FoldedCrawl, fold
from statecrawl.journal.renamed_states import forbidden_events, renamed_facts
from statecrawl.ports.recorder import EvidenceSink, WorkCount
from statecrawl.strategies.component_summary import summary_of_frontier
from statecrawl.strategies.journal_feed import since_revision
from statecrawl.strategies.registry import make_strategy
from statecrawl.strategies.strategy import Strategy


class CrawlLoop:
    """One run of a crawl."""

    def __init__(self, plan: CrawlPlan, parts: CrawlParts, started: float | None = None) -> None:
        """`started` is when the time of the crawl started, by `time.perf_counter`; None: now."""
        self.plan = plan
        self.times = EventTimes()
        self._parts = parts
        self._events_before = 0  # of earlier runs
        changed = asyncio.Event()
        end = CrawlEnd(plan.limits, parts.politeness, time.perf_counter() if started is None else started, changed.set)
        cost, rules, failures = ResetCost(plan, self.times), StateRules(plan, parts.evidence), Failures()
        self._cost = cost
        evidence = parts.evidence
        recorder = CrawlRecorder(
            *self._blank(), parts.journal, time.perf_counter, evidence.flush, plan.bounds, evidence.is_busy
        )
        self._run = CrawlRun(
            plan=plan,
            parts=parts,
            recorder=recorder,
            restart=self._restart,
            end=end,
            rules=rules,
            times=self.times,
            reset_cost=cost,
            budget=LearningBudget(end.started, plan.limits.seconds),
            learner=ContentLearner(
                lambda world: parts.make_page(world, rules.active),
                parts.before_reset,
                plan.learn_states,
                failures,
                parts.politeness.rest,
            ),
            failures=failures,
            changed=changed,
            server_lock=asyncio.Lock() if parts.resets_server else None,
        )

    @property
    def recorder(self) -> CrawlRecorder:
        return self._run.recorder

    @property
    def crawl(self) -> FoldedCrawl:
        return self.recorder.crawl

    @property
    def evidence(self) -> EvidenceSink:
        return self._parts.evidence

    # -- the run --

    async def run(self) -> Outcome:
        """Crawl until the end. Raises SiteUnreachable, BrowserError or StoreError after storing what is known."""
        number = self._resume()
        self.recorder.record(
            CrawlStarted(
                application=application_of(self.plan),
                configuration=configuration_of(self.plan),
                reset_cost=self._cost.value,
                run=number,
                at=round(time.time(), 3),
            )
        )
        end, learner = self._run.end, self._run.learner
        try:
            try:
                async with asyncio.timeout(end.seconds_left) as limit:
                    await self._crawl_rounds()
            except (TimeoutError, BrowserError, SiteUnreachable):
                if not limit.expired():
                    raise  # otherwise it was caused by the cancellation
            if limit.expired():
                self.stop(MAX_TIME)
            tally, at = self.recorder.tally, round(time.time(), 3)
            self.recorder.record(
                CrawlEnded(reason=end.reason, run=number, at=at, fired=tally.events, resets=tally.resets)
            )
        finally:
            await end.close(learner.close(), *(page.close() for page in filter(None, [self._run.spare_page])))
            if len(self.crawl.graph):  # an application that was never seen leaves nothing behind
                self.recorder.write()
            self.evidence.flush()
        return self.outcome()

    async def _crawl_rounds(self) -> None:
        run = self._run
        while not run.end.reason:
            try:
                await CrawlRound(run).crawl()
            except RulesRevised as revised:
                if run.end.is_stopping:
                    return  # the next run finds the rules again
                self._revise(revised.rules, revised.new_ids)
                await (run.learner.close() if run.rules.is_final else run.learner.renew())

    async def learn(self) -> list[Fact]:
        """Do only the warm-up: find dynamic content and the cost of a reset. Return the facts found.

        Raises what `run` raises.
        """
        self._run.only_learns = True
        self.learn_without_limit()
        await self.run()
        recorded = since_revision(self._parts.journal.read())
        facts: list[Fact] = [fact for fact in recorded if not isinstance(fact, CrawlStarted | CrawlEnded)]
        if not self.crawl.is_cost_measured:
            facts.append(CostMeasured(reset_cost=self._cost.value))
        return facts

    def learn_without_limit(self) -> None:
        """Let learning take all the time there is."""
        self._run.budget = LearningBudget(self._run.end.started, share=1.0)

    # -- the end --

    def stop(self, reason: str) -> None:
        """End the crawl for this reason, as soon as each page has done what it is doing now."""
        self._run.end.stop(reason)

    @property
    def ended_because(self) -> str:
        """Why the run ended; empty while it has not."""
        return self._run.end.reason

    @property
    def is_out_of_time(self) -> bool:
        return self._run.end.is_out_of_time

    # -- progress --

    def outcome(self) -> Outcome:
        """How the crawl went, or goes."""
        return outcome_of(
            self.plan.url,
            self.crawl,
            self.recorder.tally,
            reset_cost=self.crawl.reset_cost or self._cost.value,
            seconds=self._run.end.seconds,
            events_before=self._events_before,
            ended_because=self.ended_because,
            warnings=self.recorder.warnings,
            components=summary_of_frontier(self.recorder.strategy.component_frontier),
        )

    def doing(self) -> str:
        """What to show instead of figures: nothing, since they grow from the start."""
        return ""

    def learning(self) -> str:
        """How many states were compared to find dynamic content, of how many; empty when that is over."""
        search, learner = self._run.search, self._run.learner
        if search is None or not search.is_busy or self.ended_because:
            return ""
        return f"{learner.done}/{learner.of}"

    def health(self) -> PageHealth:
        """Health of the pages. Reading the memory of a browser takes a millisecond."""
        parts = self._parts
        return PageHealth(pages=self.plan.pages, browsers=parts.browsers(), browser_bytes=parts.browser_bytes())

    def node_statuses(self) -> list[NodeStatus]:
        """There are no nodes."""
        return []

    # -- what is known --

    def _blank(self) -> tuple[FoldedCrawl, Strategy]:
        """An empty crawl, and a strategy for it."""
        crawl = FoldedCrawl()
        settings = self.plan.strategy_settings(self._cost.value)
        if self._parts.make_strategy is not None:
            return crawl, self._parts.make_strategy(crawl.graph, settings)
        return crawl, make_strategy(self.plan.strategy, crawl.graph, settings)

    def _restart(self, facts: Iterable[Fact] = ()) -> None:
        """Make model and strategy anew from these facts, which are in the journal already."""
        self._run.unreachable = UnreachableStates()
        self.recorder.restart(*self._blank(), facts)

    def _resume(self) -> int:
        """Learn what the journal holds; return the number of this run. Raises BadInput when it is another crawl."""
        facts = list(self._parts.journal.read())
        if not facts:
            return 1
        before = fold(facts)
        check_same(self.plan, before)
        if changed := changed_model(self.plan, before):
            self.recorder.warnings[changed] = None
        self._run.rules.resume(before)
        self._cost.resume(before.reset_cost)
        self._restart(since_revision(facts))
        self.recorder.tally = WorkCount(events=before.fired, resets=before.resets)
        self._events_before = before.fired
        is_timed = self._cost.is_given or before.is_cost_measured
        self._run.is_warming_up = len(self.crawl.graph) == 0 or not is_timed
        return 1 if before.started is None else before.started.run + 1

    def _revise(self, rules: frozenset[Rule], new_ids: Mapping[str, str]) -> None:
        """Put additional rules in force, and record again what is known under the new ids of states."""
        recorder, state_rules, evidence = self.recorder, self._run.rules, self.evidence
        recorder.write()
        recorder.warnings.pop(OTHER_FIRST, None)  # these rules may be the reason for it
        withdraw(recorder.warnings)
        known = renamed_facts(since_revision(self._parts.journal.read()), new_ids)
        revised = state_rules.revise(rules, new_ids)
        state_rules.forms.avoid(forbidden_events(known))
        recorder.write_last(revised, *known)
        evidence.drop(new_ids.keys() - set(new_ids.values()))
        self._restart([revised, *known])
