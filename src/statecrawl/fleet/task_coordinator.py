"""Coordinator of client and server: it assigns tasks to nodes, with a real journal and a real clock.

Theory of operation
    All messages that have arrived are handled together. What they report becomes one group in the journal, and replies
    go out only after that group is durable. Messages arrive and replies leave through a mailbox (`ports.mailbox`).

    The machine (`coordination.client_server`) contains nothing that does not follow from the journal. It is rebuilt
    from the journal when the machine asks for that, because the rules that tell states apart have just been learnt,
    and when the journal differs from what was read. The new machine then receives the pending requests again and
    ignores those of their facts that the journal holds already.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from statecrawl.config.plan import CrawlPlan
from statecrawl.coordination.client_server import ClientServerMachine, ClientServerOutput, NodeRecord
from statecrawl.coordination.client_server_messages import (
    Heartbeat,
    LearnContent,
    Leave,
    NodeMessage,
    TaskReply,
    TaskRequest,
)
from statecrawl.errors import DamagedJournal
from statecrawl.fleet.coordinator import LEASE_SECONDS, Coordinator
from statecrawl.journal.facts import Fact
from statecrawl.journal.fold import FoldedCrawl, fold
from statecrawl.model.graph import Graph
from statecrawl.ports.mailbox import Mailbox
from statecrawl.ports.recorder import WorkCount
from statecrawl.strategies.component_summary import ComponentSummary, summary_of_frontier
from statecrawl.strategies.orders import StateEvent
from statecrawl.strategies.registry import make_strategy
from statecrawl.strategies.strategy import Strategy


class TaskCoordinator(Coordinator):
    """Coordinator that assigns tasks."""

    _machine: ClientServerMachine

    def __init__(
        self,
        plan: CrawlPlan,
        mailbox: Mailbox[TaskRequest, TaskReply],
        on_progress: Callable[[Any], None] = lambda _: None,
        lease: float = LEASE_SECONDS,
    ) -> None:
        super().__init__(plan, mailbox, on_progress, lease)
        self._mailbox = mailbox
        self._learning_since = self.started_at
        self._pending: dict[str, TaskRequest] = {}  # node -> its request, until it has a reply
        self._stateless_journal: list[Fact]  # the journal, as long as it has no state
        self._run_facts: list[Fact]  # written with the first facts: a site that never opens leaves no journal

    # -- state --

    @property
    def members(self) -> Sequence[NodeRecord]:
        return [self._machine.members[node.name] for node in super().members]

    def _known_nodes(self) -> Mapping[str, NodeRecord]:
        return self._machine.members

    def _idle_seconds(self, node: str, now: float) -> float:
        return self._machine.idle_seconds(node, now)

    def _current_task(self, node: str) -> StateEvent | None:
        return self._machine.holds(node)

    def _work_count(self) -> WorkCount:
        machine = self._machine
        return WorkCount(
            events=machine.fired,
            resets=machine.resets,
            learning_events=machine.learning_events,
            learning_resets=machine.learning_resets,
        )

    def _warnings(self) -> Iterable[str]:
        return self._machine.warnings

    def _components(self) -> ComponentSummary:
        return summary_of_frontier(self._machine.strategy.component_frontier)

    def _is_learning(self) -> bool:
        return self._machine.learner is not None

    def _learning_progress(self) -> str:
        return f"node {self._machine.learner}, {self.clock.now() - self._learning_since:.0f} s"

    # -- building the machine --

    async def _restore(self, facts: list[Fact], before: FoldedCrawl) -> None:
        plan, cost = self.plan, self._planned_reset_cost(before)
        started = self._run_start(before)
        self._stateless_journal = [] if len(before.graph) else facts
        self._run_facts = [] if started is None else [started]

        def strategy(graph: Graph) -> Strategy:
            return make_strategy(plan.strategy, graph, plan.strategy_settings(cost))

        learns = plan.reset_cost is None or plan.learn_states > 0
        self._machine = await asyncio.to_thread(  # a long journal must not delay heartbeats
            ClientServerMachine, [*facts, *self._run_facts], strategy, self._lease, learns=learns, bounds=plan.bounds
        )

    async def _rebuild(self) -> None:
        """Replace the machine by one made from the journal, and give it the pending requests."""
        before, present = self._machine, {member.name for member in self.members}
        await self._restore(*await self._read())
        self._outdated = False
        self._machine.warnings = before.warnings
        self._check_loss(self._machine.warnings, self.crawl.graph.explored)
        self._machine.learning_events = before.learning_events
        self._machine.learning_resets = before.learning_resets
        now = self.clock.now()
        output = ClientServerOutput()
        for request in [request for node, request in self._pending.items() if node in present]:
            _add(output, self._machine.handle_request(request, now))
        await self._carry_out(output)

    # -- steps --

    async def _step(self) -> None:
        if self._outdated:
            await self._rebuild()
        messages = await self._mailbox.receive(self._pause())
        await self._handle_all(messages, ticks=self._take_tick())

    async def _handle_all(self, messages: Sequence[NodeMessage], *, ticks: bool) -> None:
        now = self.clock.now()
        output = ClientServerOutput()
        self._pending.update((message.node, message) for message in messages if isinstance(message, TaskRequest))
        for message in messages:
            _add(output, self._handle(message, now))
            if output.restart:
                await self._carry_out(output)
                return  # the next machine receives the pending requests again
        if ticks:
            _add(output, self._machine.tick(now))
        if (reason := self._end_reason()) is not None:
            _add(output, self._machine.end(reason, now))
        await self._carry_out(output)

    def _handle(self, message: NodeMessage, now: float) -> ClientServerOutput:
        match message:
            case TaskRequest():
                return self._machine.handle_request(message, now)
            case Heartbeat():
                self._machine.handle_heartbeat(message, now)
                return ClientServerOutput()
            case Leave():
                self._pending.pop(message.node, None)
                return self._machine.handle_leave(message.node, now)

    async def _carry_out(self, output: ClientServerOutput) -> None:
        """Write the facts, then send the replies."""
        if output.restart and not self._is_sound(output.facts):
            output.facts.clear()  # the node learnt something impossible: another one learns again
        facts = [*self._run_facts, *output.facts] if output.facts else []
        sent = await self._mailbox.commit(facts, output.replies)
        if facts:
            self._run_facts, self._written = [], self.crawl.graph.explored
        for request in self._pending.values():
            self._pending[request.node] = msgspec.structs.replace(request, facts=(), events=0, resets=0)
        for reply in sent:
            self._pending.pop(reply.node, None)
            if isinstance(reply, LearnContent):
                self._learning_since = self.clock.now()
        if output.restart:
            await self._rebuild()

    def _is_sound(self, facts: Sequence[Fact]) -> bool:
        """Return whether these facts can follow what the journal holds."""
        try:
            fold([*self._stateless_journal, *self._run_facts, *facts])
        except DamagedJournal:
            return False
        return True


def _add(output: ClientServerOutput, more: ClientServerOutput) -> None:
    output.facts += more.facts
    output.replies += more.replies
    output.restart = output.restart or more.restart
