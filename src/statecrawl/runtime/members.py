"""Where the parts of a node meet that decides for itself: its machine, its strategy, its line, its page."""

from statecrawl.cluster.http_line import HttpLine
from statecrawl.coordination import dist_ria
from statecrawl.coordination.peer_to_peer import Peer
from statecrawl.model.graph import Graph
from statecrawl.runtime.crawling import DEFAULT_RESET_COST
from statecrawl.runtime.keeping import PATIENCE
from statecrawl.runtime.membering import Membering, MemberParts
from statecrawl.runtime.noding import Parcel
from statecrawl.runtime.plan import CrawlPlan
from statecrawl.runtime.talking import PeerTalker, StarTalker
from statecrawl.runtime.team import DIST_RIA, Team
from statecrawl.strategies.registry import make_strategy
from statecrawl.strategies.rules import Rules
from statecrawl.strategies.strategy import Strategy


def member(name: str, plan: CrawlPlan, line: HttpLine, parts: MemberParts) -> Membering:
    """A node of Dist-RIA, or a peer."""
    parcel, team = Parcel(), plan.team or Team()

    def strategy(graph: Graph) -> Strategy:
        cost = DEFAULT_RESET_COST if plan.reset_cost is None else plan.reset_cost
        return make_strategy(plan.strategy, graph, Rules(reset_cost=cost, seed=plan.seed))

    async def send() -> None:
        await line.send(*parcel.take())

    depth = plan.limits.depth
    if team.architecture == DIST_RIA:
        node = dist_ria.Node(name, strategy, team.dealt, depth, balance=team.balanced)
        return Membering(plan, parts, parcel, StarTalker(node, line, send))
    peer = PeerTalker(Peer(name, strategy, team.dealt, team.told, PATIENCE, depth), line, send)
    return Membering(plan, parts, parcel, peer)
