"""Log of the peer-to-peer architecture, held by one process.

Theory of operation
    A peer (see `peer_to_peer`) requests two things at once: to append what it observed, and to read what follows the
    position up to which it has read. Requests are numbered. A repeated request is answered again and not appended
    again; a request older than the last one of its peer is ignored. An entry that must be the last one (the end of the
    crawl) is appended only when no peer has appended anything since its sender read.

    Facts are durable before replies leave: the caller first appends `PeerLogOutput.facts` to the journal and then sends
    `PeerLogOutput.replies`. When the journal refuses the facts, the machine knows more than the journal and must be
    discarded.

    The state of the log follows from the journal alone. A new machine built from the same journal has forgotten which
    requests it has seen; but what a repeated request appends is known then. When the journal may have lost facts, the
    log needs another incarnation: nothing addressed to an earlier incarnation is appended, and a peer that has read an
    earlier one receives everything from the start.

    The machine folds the log. So it need not store known facts again, can count the events spent, and refuses facts
    that no journal may contain.

    Tokens travel from peer to peer through mailboxes of the log, so that a peer needs no address. A mailbox holds the
    newest token. Mailboxes are lost with their machine: a peer resends its token until it sees a later one.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from statecrawl.coordination.followed_crawl import FollowedCrawl, MakeStrategy
from statecrawl.coordination.output import Output
from statecrawl.coordination.peer_to_peer import LogEntries, LogRequest, PassedToken
from statecrawl.coordination.reported_facts import NOT_FROM_PEERS, with_costs
from statecrawl.errors import DamagedJournal
from statecrawl.journal.facts import CrawlEnded, Fact, TransitionExplored
from statecrawl.journal.novelty import is_redundant
from statecrawl.strategies.journal_feed import since_revision


@dataclass(slots=True)
class PeerLogOutput(Output[LogEntries]):
    """Output of a `PeerLogMachine`."""

    refused: str = ""  # why the log did not append all of a request; there is no reply then


class PeerLogMachine:
    """State machine of the log: folds the journal and serves it to peers."""

    def __init__(self, facts: Iterable[Fact], *, incarnation: int = 0, follow: MakeStrategy | None = None) -> None:
        """`facts` is the journal so far. A position in the log counts its facts since the last revision.

        In a crawl by components, `follow` makes a strategy like those of the peers.
        """
        self.followed = FollowedCrawl(follow)
        self.crawl = self.followed.crawl
        self.incarnation = incarnation
        self.facts = since_revision(facts)
        self.followed.extend(self.facts)
        self.fired, self.resets = self.crawl.fired, self.crawl.resets
        self.repeated = 0  # events that more than one peer explored
        self._last: dict[str, tuple[int, bool]] = {}  # peer -> number of its last request, and whether it was appended
        self._seen: dict[str, float] = {}  # peer -> time of its last message
        self._tokens: dict[str, PassedToken] = {}

    def handle_request(self, request: LogRequest, now: float) -> PeerLogOutput:
        """Append and read for a peer."""
        number, appended = self._last.get(request.peer, (0, False))
        self._seen[request.peer] = now
        if request.number < number:
            return PeerLogOutput()
        output = PeerLogOutput()
        is_current = request.incarnation == self.incarnation
        if request.number > number:
            self.fired += request.events
            self.resets += request.resets
            appended = is_current and not (request.exclusive and request.position != len(self.facts))
            if appended:
                self._append(request, output)
            if output.refused:
                return output
            self._last[request.peer] = request.number, appended
        output.replies.append(
            LogEntries(
                request.peer,
                request.number,
                self.incarnation,
                tuple(self.facts[request.position if is_current else 0 :]),
                appended and is_current,
                {name: now - seen for name, seen in self._seen.items()},
            )
        )
        return output

    def mark_alive(self, peer: str, now: float) -> None:
        """Note that a peer is alive."""
        self._seen[peer] = now

    def end(self, reason: str) -> PeerLogOutput:
        """End the crawl, whatever is left to do. Peers learn it from the log."""
        if self.crawl.ended is not None:
            return PeerLogOutput()
        run = 1 if self.crawl.started is None else self.crawl.started.run
        return PeerLogOutput([self._record(CrawlEnded(reason=reason, run=run))])

    def has_news(self, peer: str, incarnation: int, position: int) -> bool:
        """Whether there are entries after a position, or a token for the peer."""
        return incarnation != self.incarnation or position < len(self.facts) or peer in self._tokens

    # -- tokens --

    def store_token(self, peer: str, passed: PassedToken) -> None:
        """Store a token for a peer, unless a newer one is waiting for it."""
        waiting = self._tokens.get(peer)
        if passed.incarnation != self.incarnation:
            return  # no peer would accept it
        if waiting is None or not passed.token.is_older_than(waiting.token):
            self._tokens[peer] = passed

    def take_token(self, peer: str) -> PassedToken | None:
        """Return the token that waits for a peer, and remove it."""
        return self._tokens.pop(peer, None)

    # -- inside --

    def _append(self, request: LogRequest, output: PeerLogOutput) -> None:
        """Append what is new in a request, up to the first fact that is not acceptable."""
        for fact in request.facts:
            try:
                if isinstance(fact, NOT_FROM_PEERS):
                    output.refused = (
                        f"{request.peer} reports a fact about the crawl as a whole, which no peer may report."
                    )
                    return
                if is_redundant(self.crawl, fact):
                    self.repeated += isinstance(fact, TransitionExplored)
                    continue
                output.facts.append(self._record(with_costs(fact, self.fired, self.resets)))
            except DamagedJournal as error:
                output.refused = f"{request.peer} reports an impossible fact: {error}"
                return

    def _record(self, fact: Fact) -> Fact:
        """Raises DamagedJournal, leaving the machine unchanged."""
        self.followed.extend([fact])
        self.facts.append(fact)
        return fact
