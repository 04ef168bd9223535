"""The log that peers share, where one process keeps it.

Theory of operation
    A peer (see `peer_to_peer`) asks for two things at once: that what it saw is appended, and what is behind the
    position up to which it has read. Requests are numbered. One that comes again is answered again and not appended
    again; one that is older than the last of its peer is not heard. What must stand alone (the end of the crawl) is
    appended only when nobody has appended anything since the peer read.

    Facts are durable before answers leave: whoever runs a keeper writes `PeerLogOutput.facts` into the journal first,
    and sends `PeerLogOutput.answers` then. When the journal refuses, the keeper knows what the journal does not, and
    is thrown away.

    A keeper is nothing but what its journal says. Another one that is made from the same journal has forgotten whom it
    heard; what was appended by a request that comes again then, is known by then. When the journal may have lost
    something, it needs another incarnation: nothing that was said to an earlier one is appended, and whoever has read
    an earlier one is answered with everything from the beginning.

    The keeper folds what it keeps. So it need not keep what is known already, can say what was spent, and refuses what
    no journal may hold.

    Tokens go from peer to peer through mailboxes here, since a peer needs no address. A mailbox holds the newest token.
    Mailboxes are forgotten with their keeper: who has sent a token sends it again until it sees a later one.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

import msgspec

from statecrawl.coordination.peer_to_peer import LogEntries, LogRequest, PassedToken
from statecrawl.errors import DamagedJournal
from statecrawl.journal.facts import (
    CostMeasured,
    CrawlEnded,
    CrawlStarted,
    EquivalenceRevised,
    EventsDealt,
    Fact,
    TransitionExplored,
)
from statecrawl.journal.fold import FoldedCrawl
from statecrawl.journal.novelty import is_redundant
from statecrawl.strategies.journal_feed import since_revision

NO_PEERS = (CrawlStarted, EquivalenceRevised, CostMeasured, EventsDealt)  # what only whoever begins a crawl may say


@dataclass(slots=True)
class PeerLogOutput:
    """What a keeper wants: first the facts in the journal, then the answers on their way."""

    facts: list[Fact] = field(default_factory=list)
    answers: list[LogEntries] = field(default_factory=list)
    refused: str = ""  # why a request was not appended, or not all of it, and gets no answer


class PeerLogMachine:
    """Folds a journal, and keeps it as a log for peers."""

    def __init__(self, facts: Iterable[Fact], *, incarnation: int = 0) -> None:
        """`facts` is the journal so far. Positions in the log count those of its facts that no revision makes void."""
        self.crawl = FoldedCrawl()
        self.incarnation = incarnation
        self.facts = since_revision(facts)
        self.crawl.extend(self.facts)
        self.fired, self.resets = self.crawl.fired, self.crawl.resets
        self.repeated = 0  # events that were explored though somebody else had
        self._last: dict[str, tuple[int, bool]] = {}  # peer -> its last request, and whether that was appended
        self._seen: dict[str, float] = {}  # peer -> when it was last heard of
        self._mail: dict[str, PassedToken] = {}

    def asked(self, request: LogRequest, now: float) -> PeerLogOutput:
        """A peer appends and reads."""
        number, appended = self._last.get(request.peer, (0, False))
        self._seen[request.peer] = now
        if request.number < number:
            return PeerLogOutput()
        told = PeerLogOutput()
        is_current = request.incarnation == self.incarnation
        if request.number > number:
            self.fired += request.events
            self.resets += request.resets
            appended = is_current and not (request.alone and request.position != len(self.facts))
            if appended:
                self._append(request, told)
            if told.refused:
                return told
            self._last[request.peer] = request.number, appended
        told.answers.append(
            LogEntries(
                request.peer,
                request.number,
                self.incarnation,
                tuple(self.facts[request.position if is_current else 0 :]),
                appended and is_current,
                {name: now - seen for name, seen in self._seen.items()},
            )
        )
        return told

    def heard_of(self, peer: str, now: float) -> None:
        """Somebody knows that a peer is there."""
        self._seen[peer] = now

    def end(self, reason: str) -> PeerLogOutput:
        """Somebody wants the crawl to be over, whatever is left. Peers read that it is."""
        if self.crawl.ended is not None:
            return PeerLogOutput()
        run = 1 if self.crawl.started is None else self.crawl.started.run
        return PeerLogOutput([self._keep(CrawlEnded(reason=reason, run=run))])

    def has_news(self, peer: str, incarnation: int, position: int) -> bool:
        """Whether there is anything to read behind a position, or a token for a peer."""
        return incarnation != self.incarnation or position < len(self.facts) or peer in self._mail

    # -- tokens --

    def post(self, peer: str, passed: PassedToken) -> None:
        """A token for a peer; an older one that waits for it is thrown away."""
        waiting = self._mail.get(peer)
        if passed.incarnation != self.incarnation:
            return  # nobody would take it
        if waiting is None or not passed.token.is_older_than(waiting.token):
            self._mail[peer] = passed

    def fetch(self, peer: str) -> PassedToken | None:
        """The token that waits for a peer, once."""
        return self._mail.pop(peer, None)

    # -- inside --

    def _append(self, request: LogRequest, told: PeerLogOutput) -> None:
        """What is news in a request, up to where it says what can not be."""
        for fact in request.facts:
            try:
                if isinstance(fact, NO_PEERS):
                    told.refused = f"{request.peer} speaks of the crawl as a whole, which no peer does."
                    return
                if is_redundant(self.crawl, fact):
                    self.repeated += isinstance(fact, TransitionExplored)
                    continue
                if isinstance(fact, TransitionExplored):
                    fact = msgspec.structs.replace(fact, fired=self.fired, resets=self.resets)
                told.facts.append(self._keep(fact))
            except DamagedJournal as nonsense:
                told.refused = f"{request.peer} says what can not be: {nonsense}"
                return

    def _keep(self, fact: Fact) -> Fact:
        """Raises DamagedJournal, and knows what it knew before."""
        self.crawl.apply(fact)
        self.facts.append(fact)
        return fact
