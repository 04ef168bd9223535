"""Assembly of the nodes that decide for themselves: machine, strategy, link and page."""

from collections.abc import Callable, Sequence
from typing import Protocol

from statecrawl.config.fleet import FleetSettings
from statecrawl.config.plan import CrawlPlan
from statecrawl.config.secrets import keyed_redactor
from statecrawl.coordination import dist_ria_node
from statecrawl.coordination.peer_to_peer import Peer
from statecrawl.crawler.reset_cost import DEFAULT_RESET_COST
from statecrawl.fleet.coordinator import LEASE_SECONDS
from statecrawl.fleet.evidence_batch import EvidenceBatch
from statecrawl.fleet.member_node import MemberNode
from statecrawl.fleet.member_sync import DistRiaSync, PeerSync, Send
from statecrawl.fleet.worker_parts import WorkerParts
from statecrawl.model.graph import Graph
from statecrawl.ports.coordinator_link import NoteEvidence, StateEvidence
from statecrawl.ports.member_links import DistRiaLink, PeerLogLink
from statecrawl.strategies.registry import make_strategy
from statecrawl.strategies.strategy import Strategy


class EvidenceLink(Protocol):
    """Link over which evidence is sent."""

    async def send(self, kept: Sequence[StateEvidence], notes: Sequence[NoteEvidence]) -> None:
        """Send evidence, and return when it is stored."""

    async def leave(self, node: str) -> None:
        """Announce that a node has left."""


class PeerLink(PeerLogLink, EvidenceLink, Protocol):
    """Link to the log of peers."""


class DistRiaEvidenceLink(DistRiaLink, EvidenceLink, Protocol):
    """Link to the coordinator of Dist-RIA."""


def dist_ria_member(name: str, plan: CrawlPlan, link: DistRiaEvidenceLink, parts: WorkerParts) -> MemberNode:
    """Return a node of Dist-RIA."""
    evidence, fleet = EvidenceBatch(keyed_redactor(plan)), plan.fleet or FleetSettings()
    machine = dist_ria_node.DistRiaNode(
        name,
        _strategy(plan),
        fleet.event_partition,
        plan.bounds,
        balance=fleet.balancing,
        responsibility=fleet.responsibility,
    )
    return MemberNode(plan, parts, evidence, DistRiaSync(machine, link, _sending(link, evidence)), link.leave)


def peer_member(name: str, plan: CrawlPlan, link: PeerLink, parts: WorkerParts) -> MemberNode:
    """Return a peer."""
    evidence, fleet = EvidenceBatch(keyed_redactor(plan)), plan.fleet or FleetSettings()
    machine = Peer(
        name,
        _strategy(plan),
        fleet.event_partition,
        fleet.sharing,
        LEASE_SECONDS,
        plan.bounds,
        responsibility=fleet.responsibility,
    )
    return MemberNode(plan, parts, evidence, PeerSync(machine, link, _sending(link, evidence)), link.leave)


def _strategy(plan: CrawlPlan) -> Callable[[Graph], Strategy]:
    cost = DEFAULT_RESET_COST if plan.reset_cost is None else plan.reset_cost
    return lambda graph: make_strategy(plan.strategy, graph, plan.strategy_settings(cost))


def _sending(link: EvidenceLink, evidence: EvidenceBatch) -> Send:
    async def send() -> None:
        await link.send(*evidence.take())

    return send
