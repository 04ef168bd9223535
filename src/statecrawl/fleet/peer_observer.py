"""Coordinator of peers that keep their log in Redis. Peers do not depend on it.

Theory of operation
    Peers write the journal themselves (`cluster.redis.log`), drop silent peers, and detect the end of the crawl. One
    process at a time does the rest, the one that leads (`fleet.standby`): it starts a run, including the warm-up, moves
    evidence to its disk, publishes the status, and ends the crawl when a limit is reached or the user asks for it. If
    it dies, peers continue, and the process that takes over continues the same run: only a crawl that has ended is
    started anew.

    It knows what it reads. When the server has lost something, it reads the log again from the beginning like any peer.
    If the facts that started the run were lost, it writes them once more; until then the log lets no peer in. When it
    reads that a later run has started, it was paused while others led: it gives up the lead, and then follows that run
    like any process that takes over.
"""

from collections.abc import Sequence

from statecrawl.cluster.redis.follower import PeerReport, RedisFollower
from statecrawl.coordination.followed_crawl import FollowedCrawl, MakeStrategy
from statecrawl.crawler.outcome import Outcome
from statecrawl.fleet.member_coordinator import MemberCoordinator
from statecrawl.fleet.member_records import MemberRecord
from statecrawl.journal.end_reasons import COMPLETE
from statecrawl.journal.facts import CrawlEnded, Fact, TransitionExplored
from statecrawl.journal.fold import FoldedCrawl
from statecrawl.journal.novelty import is_redundant
from statecrawl.ports.mailbox import Deposed, JournalOutdated
from statecrawl.strategies.journal_feed import since_revision

LOSS = "the store has lost its latest data: peers report or explore it again"


class PeerLogView:
    """What peers have written."""

    def __init__(self, facts: Sequence[Fact], follow: MakeStrategy | None = None) -> None:
        self.followed = FollowedCrawl(follow)
        self.crawl = self.followed.crawl
        self.repeated = 0  # events that a peer explored although another one had
        self.fired = self.resets = 0
        self.apply(facts if follow is None else since_revision(facts))

    def apply(self, facts: Sequence[Fact]) -> None:
        """Follow the log. Raises DamagedJournal."""
        for fact in facts:
            self.repeated += isinstance(fact, TransitionExplored) and is_redundant(self.crawl, fact)
            self.followed.extend([fact])
        self.fired = max(self.fired, self.crawl.fired)
        self.resets = max(self.resets, self.crawl.resets)


class PeerObserver(MemberCoordinator[RedisFollower]):
    """Observes peers, and starts and ends their runs."""

    _machine: PeerLogView

    async def run(self) -> Outcome:
        await super().run()
        await self._update_nodes()
        return self.outcome()

    def _make_machine(self, facts: Sequence[Fact]) -> PeerLogView:
        return PeerLogView(facts, self._strategy())

    @property
    def resumes_run(self) -> bool:
        """Whether peers are crawling already, in a run that another process has started."""
        return not self._run_facts(self._before)

    def _next_run(self, before: FoldedCrawl) -> int:
        resumes = before.started is not None and before.ended in (None, COMPLETE)  # peers may have been faster
        return super()._next_run(before) - resumes

    async def _write(self, facts: Sequence[Fact]) -> None:
        if facts:
            await self._source.open_log(facts, self.crawl)
        await self._update_nodes()

    async def _handle_messages(self) -> None:
        ticks = self._take_tick()
        try:
            self._machine.apply(await self._source.follow(self._pause()))
        except JournalOutdated:
            self.warnings[LOSS] = None
            raise
        if self.crawl.started is not None and self.crawl.started.run > self._run:
            raise Deposed
        if ticks or self.crawl.ended is not None:  # a peer that came last has to learn of the end as well
            await self._update_nodes()
        if (reason := self._end_reason()) is not None:
            await self._source.stop(CrawlEnded(reason=reason, run=self._run))  # it is read back like any fact

    async def _update_nodes(self) -> None:
        """Read how peers are doing."""
        reported, now = await self._source.read_totals(), self.clock.now()
        self._machine.fired, self._machine.resets = reported.fired, reported.resets
        self.warnings.update(dict.fromkeys(reported.warnings))
        present = {peer.name for peer in reported.peers}
        for name, node in self.nodes.items():
            node.gone = name not in present
        self.nodes.update((peer.name, _record(peer, now)) for peer in reported.peers)


def _record(peer: PeerReport, now: float) -> MemberRecord:
    return MemberRecord(
        peer.name,
        since=now - peer.since,
        seen=now - peer.silent,
        tasks=peer.transitions,
        events=peer.events,
        resets=peer.resets,
        idle=peer.idle,
    )
