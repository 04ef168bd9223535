"""Dist-RIA nodes and peers without a browser: they act in a true model, and sleep instead of walking."""

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any

from statecrawl.config.fleet import DIST_RIA
from statecrawl.config.plan import CrawlPlan
from statecrawl.coordination import dist_ria_node
from statecrawl.coordination.peer_to_peer import Peer
from statecrawl.fleet.member_sync import DistRiaSync, PeerSync
from statecrawl.model.graph import Graph
from statecrawl.ports.recorder import WorkCount
from statecrawl.simulation.actor import Actor
from statecrawl.strategies.registry import make_strategy
from statecrawl.strategies.settings import StrategySettings
from tests.cluster.sleepers import snapshot


class MemberSleeper:
    """One node, as `fleet.member_node` runs one."""

    def __init__(
        self, name: str, truth: Graph, line: Any, plan: CrawlPlan, seconds: float = 0.0, patience: float = 10.0
    ) -> None:
        """A walk takes it `seconds` for each event."""
        self.name = name
        self.events = 0
        self._line = line
        self._seconds = seconds
        self._actor = Actor(truth)
        self._evidence: dict[str, bool] = {}  # state -> whether it was sent
        fleet = plan.fleet
        assert fleet is not None
        strategy: Callable[[Graph], object] = lambda graph: make_strategy(plan.strategy, graph, StrategySettings())  # noqa: E731
        bounds = plan.bounds
        if fleet.architecture == DIST_RIA:
            node = dist_ria_node.DistRiaNode(name, strategy, fleet.event_partition, bounds, balance=fleet.balancing)  # type: ignore[arg-type]
            self.sync: DistRiaSync | PeerSync = DistRiaSync(node, line, self._send)
        else:
            peer = Peer(name, strategy, fleet.event_partition, fleet.sharing, patience, bounds)  # type: ignore[arg-type]
            self.sync = PeerSync(peer, line, self._send)

    async def run(self) -> str:
        """Until the crawl is over; why it is."""
        changed = asyncio.Event()
        syncing = asyncio.create_task(self.sync.run(changed))
        syncing.add_done_callback(lambda _: changed.set())
        try:
            while self.sync.over is None and not syncing.done():
                changed.clear()
                order = self.sync.next_order(self._actor.state)
                if order is None:
                    await changed.wait()
                    continue
                await asyncio.sleep(self._seconds * max(len(order.steps), 1))
                self.events += len(order.steps)
                facts = self._actor.act(order)
                state = self._actor.describe()
                self._evidence.setdefault(state.state, False)
                self.sync.report([state, *facts], WorkCount(len(order.steps), int(order.reset)), {})
            await syncing
            await self._line.leave(self.name)
            return self.sync.over or ""
        finally:
            syncing.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await syncing

    async def _send(self) -> None:
        for state, sent in list(self._evidence.items()):
            if not sent:
                self._evidence[state] = True
                described = Actor(self._actor.truth, self._actor.truth.numbers[state]).describe()
                await self._line.send([(snapshot(described), None)], [])
