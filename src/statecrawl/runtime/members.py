"""Where the parts of a node meet that decides for itself: its machine, its strategy, its line, its page."""

from collections.abc import Callable, Sequence
from typing import Protocol

from statecrawl.coordination import dist_ria_node
from statecrawl.coordination.peer_to_peer import Peer
from statecrawl.model.graph import Graph
from statecrawl.ports.line import Kept, Noted
from statecrawl.ports.log import Log, Star
from statecrawl.runtime.crawling import DEFAULT_RESET_COST
from statecrawl.runtime.keeping import PATIENCE
from statecrawl.runtime.membering import Membering, MemberParts
from statecrawl.runtime.noding import Parcel
from statecrawl.runtime.plan import CrawlPlan
from statecrawl.runtime.secrecy import keyed_redactor
from statecrawl.runtime.talking import PeerTalker, Send, StarTalker
from statecrawl.runtime.team import Team
from statecrawl.strategies.registry import make_strategy
from statecrawl.strategies.rules import Rules
from statecrawl.strategies.strategy import Strategy


class Sending(Protocol):
    """A line that also keeps evidence."""

    async def send(self, kept: Sequence[Kept], notes: Sequence[Noted]) -> None:
        """Have evidence kept; it is, when this returns."""

    async def leave(self, node: str) -> None:
        """A node goes."""


class PeerLine(Log, Sending, Protocol):
    """To the log."""


class StarLine(Star, Sending, Protocol):
    """To the coordinator of Dist-RIA."""


def star_node(name: str, plan: CrawlPlan, line: StarLine, parts: MemberParts) -> Membering:
    """A node of Dist-RIA, whatever its line is."""
    parcel, team = Parcel(keyed_redactor(plan)), plan.team or Team()
    node = dist_ria_node.Node(name, _strategy(plan), team.dealt, plan.bounds, balance=team.balanced)
    return Membering(plan, parts, parcel, StarTalker(node, line, _sending(line, parcel)))


def peer(name: str, plan: CrawlPlan, line: PeerLine, parts: MemberParts) -> Membering:
    """A peer, whatever its line is."""
    parcel, team = Parcel(keyed_redactor(plan)), plan.team or Team()
    machine = Peer(name, _strategy(plan), team.dealt, team.told, PATIENCE, plan.bounds)
    return Membering(plan, parts, parcel, PeerTalker(machine, line, _sending(line, parcel)))


def _strategy(plan: CrawlPlan) -> Callable[[Graph], Strategy]:
    cost = DEFAULT_RESET_COST if plan.reset_cost is None else plan.reset_cost
    return lambda graph: make_strategy(
        plan.strategy, graph, Rules(reset_cost=cost, seed=plan.seed, by_url=plan.site is not None)
    )


def _sending(line: Sending, parcel: Parcel) -> Send:
    async def send() -> None:
        await line.send(*parcel.take())

    return send
