"""Facts reported by nodes: those that nodes must not report, and the costs added to the others."""

import msgspec

from statecrawl.journal.facts import (
    CostMeasured,
    CrawlEnded,
    CrawlStarted,
    EquivalenceRevised,
    EventsDealt,
    Fact,
    MemberJoined,
    MemberLeft,
    TransitionExplored,
)

# Facts that only the process that starts a crawl may write; peers write all others themselves.
NOT_FROM_PEERS = (CrawlStarted, EquivalenceRevised, CostMeasured, EventsDealt)
# Facts that only a coordinator may write.
NOT_FROM_NODES = (*NOT_FROM_PEERS, CrawlEnded, MemberJoined, MemberLeft)


def with_costs(fact: Fact, fired: int, resets: int) -> Fact:
    """Return an explored transition with the events and resets that all nodes have spent; other facts unchanged."""
    return msgspec.structs.replace(fact, fired=fired, resets=resets) if isinstance(fact, TransitionExplored) else fact
