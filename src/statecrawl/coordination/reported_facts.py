"""Facts that nodes may report, and facts that they may not."""

from statecrawl.journal.facts import (
    CostMeasured,
    CrawlEnded,
    CrawlStarted,
    EquivalenceRevised,
    EventsDealt,
    MemberJoined,
    MemberLeft,
)

# Facts that only the process that starts a crawl may write; peers write all others themselves.
NOT_FROM_PEERS = (CrawlStarted, EquivalenceRevised, CostMeasured, EventsDealt)
# Facts that only a coordinator may write.
NOT_FROM_NODES = (*NOT_FROM_PEERS, CrawlEnded, MemberJoined, MemberLeft)
