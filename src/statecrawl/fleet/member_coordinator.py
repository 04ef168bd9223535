"""Base of the coordinators whose nodes decide for themselves: Dist-RIA and peer-to-peer.

Theory of operation
    One process writes the journal: the coordinator of Dist-RIA, or the process that holds the log of peers. Both reply
    to nodes (`fleet.mailbox_coordinator`). Alternatively, peers write the journal themselves, and the coordinator only
    observes them (`fleet.peer_observer`).

    Before nodes are let in, this process learns dynamic content and the cost of a reset with a browser of its own,
    unless the journal holds the results. The strategies of all nodes use this reset cost.

    Each process that writes a journal is another *incarnation* of it. It starts without members; nodes that were there
    before report again what it may have missed. So it does not matter whether anything was lost. As long as no state is
    known nothing is written: an application that never opened leaves no journal behind. When the journal differs from
    what was read, everything is rebuilt from it as another incarnation.
"""

import asyncio
import secrets
from abc import abstractmethod
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, Protocol, TypeVar

from statecrawl.config.plan import CrawlPlan
from statecrawl.coordination.followed_crawl import FollowedCrawl, MakeStrategy
from statecrawl.crawler.loop import CrawlLoop
from statecrawl.crawler.outcome import Outcome
from statecrawl.crawler.status import PageHealth
from statecrawl.fleet import coordinator
from statecrawl.fleet.coordinator import Coordinator, CrawlMachine, JournalSource
from statecrawl.fleet.member_records import MemberRecord
from statecrawl.fleet.warm_up import WarmUp
from statecrawl.journal.facts import EquivalenceRevised, Fact, MemberLeft
from statecrawl.journal.fold import FoldedCrawl
from statecrawl.ports.coordinator_link import NoteEvidence, StateEvidence
from statecrawl.ports.recorder import WorkCount
from statecrawl.strategies.component_summary import ComponentSummary
from statecrawl.strategies.greedy import Greedy
from statecrawl.strategies.settings import ModelKind

WarmUpRunner = Callable[[Callable[[CrawlLoop], None]], Awaitable[WarmUp]]


class MemberMachine(CrawlMachine, Protocol):
    """State machine that also knows what the journal says about components."""

    followed: FollowedCrawl


StoreEvidence = Callable[[Iterable[StateEvidence], Iterable[NoteEvidence]], None]  # raises StoreError


Source = TypeVar("Source", bound=JournalSource)


class MemberCoordinator(Coordinator, Generic[Source]):
    """Coordinator of nodes that decide for themselves."""

    _source: Source
    _machine: MemberMachine

    def __init__(
        self,
        plan: CrawlPlan,
        source: Source,
        run_warm_up: WarmUpRunner,
        store_evidence: StoreEvidence,
        on_progress: Callable[[Any], None] = lambda _: None,
    ) -> None:
        super().__init__(plan, source, on_progress, coordinator.LEASE_SECONDS)
        self.nodes: dict[str, MemberRecord] = {}
        self.warnings: dict[str, None] = {}
        self.incarnation = secrets.randbits(48)
        self._run_warm_up = run_warm_up
        self._store_evidence = store_evidence
        self._learner: CrawlLoop | None = None  # during the warm-up
        self._warm_up = WarmUp()
        self._ready = asyncio.Event()  # nodes may join
        self._facts: list[Fact]  # the journal, until the first step
        self._before: FoldedCrawl  # the journal as it was read

    async def _restore(self, facts: list[Fact], before: FoldedCrawl) -> None:
        self._facts, self._before = facts, before
        self._machine = await asyncio.to_thread(self._make_machine, facts)

    @abstractmethod
    def _make_machine(self, facts: Sequence[Fact]) -> MemberMachine:
        """Return a machine that knows what the journal holds."""

    # -- state --

    def _known_nodes(self) -> Mapping[str, MemberRecord]:
        return self.nodes

    def _idle_seconds(self, node: str, now: float) -> float:
        return self.nodes[node].idle

    def _warnings(self) -> Iterable[str]:
        return self.warnings

    def _work_count(self) -> WorkCount:
        return WorkCount(
            events=self._machine.fired,
            resets=self._machine.resets,
            learning_events=self._warm_up.tally.learning_events,
            learning_resets=self._warm_up.tally.learning_resets,
        )

    def _components(self) -> ComponentSummary:
        return self._machine.followed.components()

    def _strategy(self) -> MakeStrategy | None:
        """Return what makes a strategy like those of the nodes; None unless the crawl is one by components."""
        if self.plan.model_used is ModelKind.STATES:
            return None
        settings = self.plan.strategy_settings(self._planned_reset_cost(self._before))
        return lambda graph: Greedy(graph, settings)

    def _is_learning(self) -> bool:
        return self._learner is not None

    def _learning_progress(self) -> str:
        return f"{self.clock.now() - self.started_at:.0f} s"

    def outcome(self) -> Outcome:
        return super().outcome() if self._learner is None else self._learner.outcome()

    def health(self) -> PageHealth | None:
        return None if self._learner is None else self._learner.health()

    # -- requests of nodes --

    def store_evidence(self, states: Iterable[StateEvidence], notes: Iterable[NoteEvidence]) -> None:
        """Store evidence of a node. Raises StoreError, and BadInput when the evidence is invalid."""
        known = self.crawl.graph.numbers  # another node has described these states already
        self._store_evidence([each for each in states if each[0].state not in known], notes)

    async def wait_until_ready(self) -> None:
        """Wait until nodes may join."""
        await self._ready.wait()

    def _node(self, name: str) -> MemberRecord:
        """Return the record of a node that has just sent something."""
        now = self.clock.now()
        node = self.nodes.get(name)
        if node is None:
            node = self.nodes[name] = MemberRecord(name, since=now, seen=now)
        node.seen, node.gone = now, False
        return node

    # -- control --

    def stop(self, reason: str) -> None:
        super().stop(reason)
        if self._learner is not None:
            self._learner.stop(reason)

    # -- warm-up --

    async def _prepare(self) -> None:
        """Learn dynamic content and the cost of a reset, unless the journal holds them."""
        plan, before = self.plan, self._before
        if len(before.graph) or before.is_cost_measured or not (plan.reset_cost is None or plan.learn_states):
            return
        showing = asyncio.create_task(self._show_progress())
        try:
            warm_up = await self._run_warm_up(self._on_warm_up)
        finally:
            self._learner = None
            showing.cancel()
        if self._stop is None:  # otherwise it was stopped too early to be of use
            self._store_evidence(warm_up.states, warm_up.notes)
            self._warm_up = warm_up
            self.warnings.update(dict.fromkeys(warm_up.warnings))

    async def _show_progress(self) -> None:
        while True:
            self._on_progress(self)
            await asyncio.sleep(coordinator.TICK_SECONDS / 4)

    def _on_warm_up(self, learner: CrawlLoop) -> None:
        self._learner = learner
        if self._stop is not None:
            learner.stop(self._stop)

    # -- steps --

    async def _step(self) -> None:
        if not self._ready.is_set() or self._outdated:
            await self._start_run()
            self._ready.set()
        await self._handle_messages()

    async def _start_run(self) -> None:
        """Build the machine from the journal and from the facts that start this run, and write those."""
        if self._outdated:
            self.incarnation = secrets.randbits(48)
            self._facts, self._before = await self._read()
            self._check_loss(self.warnings, self._before.graph.explored)
        run_facts = self._run_facts(self._before)
        self._machine = await asyncio.to_thread(self._make_machine, [*self._facts, *run_facts])
        self._facts, self._outdated = [], False
        await self._write(run_facts)

    def _run_facts(self, before: FoldedCrawl) -> list[Fact]:
        """Return the facts that start this run, unless the journal holds them.

        No node is a member yet, and the results of the warm-up apply.
        """
        started = self._run_start(before)
        if started is None:
            return []
        gone = [MemberLeft(member=name, epoch=epoch) for epoch, name in enumerate(before.members, before.epoch + 1)]
        learnt = [
            EquivalenceRevised(revision=before.revision + 1, rules=fact.rules)
            if isinstance(fact, EquivalenceRevised)
            else fact
            for fact in self._warm_up.facts
        ]
        return [started, *gone, *learnt]

    @abstractmethod
    async def _handle_messages(self) -> None:
        """Handle everything that has arrived. Raises JournalOutdated, after which nothing was done."""

    @abstractmethod
    async def _write(self, facts: Sequence[Fact]) -> None:
        """Write the facts that start a run. Raises JournalOutdated, after which nothing was done."""
