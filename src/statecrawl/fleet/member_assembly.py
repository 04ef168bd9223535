"""Where the parts of a node meet that decides for itself: its machine, its strategy, its line, its page."""

from collections.abc import Callable, Sequence
from typing import Protocol

from statecrawl.config.fleet import FleetSettings
from statecrawl.config.plan import CrawlPlan
from statecrawl.config.secrets import keyed_redactor
from statecrawl.coordination import dist_ria_node
from statecrawl.coordination.peer_to_peer import Peer
from statecrawl.crawler.loop import DEFAULT_RESET_COST
from statecrawl.fleet.member_coordinator import PATIENCE
from statecrawl.fleet.member_node import MemberNode, MemberParts
from statecrawl.fleet.member_sync import DistRiaSync, PeerSync, Send
from statecrawl.fleet.task_node import EvidenceParcel
from statecrawl.model.graph import Graph
from statecrawl.ports.coordinator_link import NoteEvidence, StateEvidence
from statecrawl.ports.member_links import DistRiaLink, PeerLogLink
from statecrawl.strategies.registry import make_strategy
from statecrawl.strategies.settings import StrategySettings
from statecrawl.strategies.strategy import Strategy


class EvidenceLink(Protocol):
    """A line that also keeps evidence."""

    async def send(self, kept: Sequence[StateEvidence], notes: Sequence[NoteEvidence]) -> None:
        """Have evidence kept; it is, when this returns."""

    async def leave(self, node: str) -> None:
        """A node goes."""


class PeerLink(PeerLogLink, EvidenceLink, Protocol):
    """To the log."""


class DistRiaEvidenceLink(DistRiaLink, EvidenceLink, Protocol):
    """To the coordinator of Dist-RIA."""


def star_node(name: str, plan: CrawlPlan, line: DistRiaEvidenceLink, parts: MemberParts) -> MemberNode:
    """A node of Dist-RIA, whatever its line is."""
    parcel, fleet = EvidenceParcel(keyed_redactor(plan)), plan.fleet or FleetSettings()
    node = dist_ria_node.DistRiaNode(name, _strategy(plan), fleet.event_partition, plan.bounds, balance=fleet.balancing)
    return MemberNode(plan, parts, parcel, DistRiaSync(node, line, _sending(line, parcel)))


def peer(name: str, plan: CrawlPlan, line: PeerLink, parts: MemberParts) -> MemberNode:
    """A peer, whatever its line is."""
    parcel, fleet = EvidenceParcel(keyed_redactor(plan)), plan.fleet or FleetSettings()
    machine = Peer(name, _strategy(plan), fleet.event_partition, fleet.sharing, PATIENCE, plan.bounds)
    return MemberNode(plan, parts, parcel, PeerSync(machine, line, _sending(line, parcel)))


def _strategy(plan: CrawlPlan) -> Callable[[Graph], Strategy]:
    cost = DEFAULT_RESET_COST if plan.reset_cost is None else plan.reset_cost
    return lambda graph: make_strategy(
        plan.strategy, graph, StrategySettings(reset_cost=cost, seed=plan.seed, by_url=plan.site is not None)
    )


def _sending(line: EvidenceLink, parcel: EvidenceParcel) -> Send:
    async def send() -> None:
        await line.send(*parcel.take())

    return send
