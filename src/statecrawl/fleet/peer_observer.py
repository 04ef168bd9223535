"""Following: a process looks after peers that keep their log in a Redis, without being needed by them.

Theory of operation
    Peers write the journal themselves (`cluster.redis.log`), miss whoever is silent, and find out that it is the end.
    What is left to do beside that, one process does at a time, whoever leads (`fleet.standby`): it begins a run,
    which includes finding out what is volatile, takes evidence to its disk, tells how it goes, and ends the crawl when
    a limit is reached or somebody wants that. When it dies peers go on, and whoever follows it goes on with the same
    run: only a crawl that has ended is begun anew.

    It knows what it reads. When the server has lost something, it reads again from the beginning like any peer; what a
    run began with it writes once more, should that be lost, and till then the log lets nobody in. When it reads that a
    later run has begun, it has slept while others led: it makes way, and follows that run like anybody who takes over.
"""

from collections.abc import Callable, Sequence
from typing import Any

from statecrawl.cluster.redis.follower import PeerReport, RedisFollower
from statecrawl.config.plan import CrawlPlan
from statecrawl.crawler.outcome import Outcome
from statecrawl.fleet.member_coordinator import KeepEvidence, MemberCoordinator, RunWarmUp
from statecrawl.fleet.member_records import MemberRecord
from statecrawl.journal.end_reasons import COMPLETE
from statecrawl.journal.facts import CrawlEnded, Fact, TransitionExplored
from statecrawl.journal.fold import FoldedCrawl
from statecrawl.journal.novelty import is_redundant
from statecrawl.ports.mailbox import Deposed, JournalOutdated

LOSS = "the store has lost what was written last: it is told or explored again"


class PeerLogView:
    """What peers have written."""

    def __init__(self, facts: Sequence[Fact]) -> None:
        self.crawl = FoldedCrawl()
        self.repeated = 0  # events that were explored though somebody else had
        self.fired = self.resets = 0
        self.learn(facts)

    def learn(self, facts: Sequence[Fact]) -> None:
        """Raises DamagedJournal."""
        for fact in facts:
            self.repeated += isinstance(fact, TransitionExplored) and is_redundant(self.crawl, fact)
            self.crawl.apply(fact)
        self.fired = max(self.fired, self.crawl.fired)
        self.resets = max(self.resets, self.crawl.resets)


class PeerObserver(MemberCoordinator):
    """Looks after peers."""

    def __init__(
        self,
        plan: CrawlPlan,
        post: RedisFollower,
        learn: RunWarmUp,
        keep: KeepEvidence,
        told: Callable[[Any], None] = lambda _: None,
    ) -> None:
        super().__init__(plan, post, learn, keep, told)
        self._post = post
        self._log: PeerLogView

    async def run(self) -> Outcome:
        await super().run()
        await self._look()
        return self.outcome()

    def _made(self, facts: Sequence[Fact]) -> PeerLogView:
        self._log = PeerLogView(facts)
        return self._log

    @property
    def goes_on(self) -> bool:
        """Whether peers are at it already, in a run that somebody else has begun."""
        return not self._preface(self._before)

    def _next_run(self, before: FoldedCrawl) -> int:
        goes_on = before.started is not None and before.ended in (None, COMPLETE)  # peers may have been faster
        return super()._next_run(before) - goes_on

    async def _write(self, facts: Sequence[Fact]) -> None:
        if facts:
            await self._post.open_log(facts, self.crawl)
        await self._look()

    async def _turn(self, *, ticks: bool) -> None:
        try:
            self._log.learn(await self._post.follow(self._pause()))
        except JournalOutdated:
            self.warnings[LOSS] = None
            raise
        if self.crawl.started is not None and self.crawl.started.run > self._run:
            raise Deposed
        if ticks or self.crawl.ended is not None:  # who came last has to hear of the end as well
            await self._look()
        if (reason := self._limit()) is not None:
            await self._post.stop(CrawlEnded(reason=reason, run=self._run))  # we read that like anybody

    async def _look(self) -> None:
        """How peers get on."""
        told, now = await self._post.look(), self.clock.now()
        self._log.fired, self._log.resets = told.fired, told.resets
        self.warnings.update(dict.fromkeys(told.warnings))
        here = {peer.name for peer in told.peers}
        for name, node in self.nodes.items():
            node.gone = name not in here
        self.nodes.update((peer.name, _known(peer, now)) for peer in told.peers)


def _known(peer: PeerReport, now: float) -> MemberRecord:
    return MemberRecord(
        peer.name,
        since=now - peer.since,
        seen=now - peer.silent,
        transitions=peer.transitions,
        events=peer.events,
        resets=peer.resets,
        idle=peer.idle,
    )
