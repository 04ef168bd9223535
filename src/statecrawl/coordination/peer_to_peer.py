"""Peer-to-peer architecture: nodes choose their own tasks without a coordinator.

S. M. Mirtaheri, G. V. Bochmann, G.-V. Jourdan, I. V. Onut, "PDist-RIA Crawler: A Peer-to-Peer Distributed Crawler for
Rich Internet Applications", 2014, §3; S. M. Mir Taheri, "Distributed Crawling of Rich Internet Applications", 2015,
§6.4.

Theory of operation
    A peer (see `partitioned_member`) fires its own events and reports what it finds to all other peers. In the papers
    it calls each of them, and neither peers nor messages are ever lost. Here the record is a log that all peers share:
    in one round trip, a peer appends what it observed, at once or in batches, and reads what others have appended
    since. Everything is recorded; which part of it a peer processes is decided by `shared_facts`. All peers act in the
    order of the log, so all agree on what was first.

        Initial ─ the log ─▶ Awake ─ the first state ─▶ Working ─ nothing to do ─▶ Idle ─ the end ─▶ Terminated
                                                           ◀──────── news ────────

    A peer that has read the log and is not a member writes that it joins. The first member opens the application; the
    first state in the log makes the others start to work. A peer that leaves writes so. The log reports for how long
    each member has been silent; a peer that sees that a member was silent for too long writes that it has left. Changes
    of members are numbered: of two with the same number only the first in the log counts, and the author of the other
    one sees that and writes it again.

    The end. Where everything is shared, the crawl is over when nothing is left to do according to the log. Otherwise no
    peer knows what the others have done, and the token of `termination` circulates. A peer is idle in the sense of the
    ring when it has nothing to do and all its observations are in the log. It counts the states to which it knows a
    path: after a loss, the log may contain states to which no peer knows a path any more, and these count when a path
    is found. Each change of members starts a round, whose token is made by the first member. A token can be faster than
    the news of the change that started its round; a peer that receives such a token stores it, reads the log, and then
    accepts it. So the end needs no heartbeat: only a token lost by the network is sent again, by its sender, until the
    sender sees a later one. Duplicates are recognized by their numbers. Before a peer passes a token on, it reads the
    log, so the token is not faster than the news. The correctness argument of the ring covers states only. But a known
    state may gain another event after the token has passed the event's owner. So a peer that the ring tells of the end
    reads the whole record, and holds the token while anything is left to do there; the owner of the event learns of it
    from the log, and needs no token.

    In a crawl by components everything is shared, but the log alone does not tell whether a peer still looks for a way
    to a task that no known path reaches. So there the token circulates, too, and counts facts instead of states.

    In all cases the peer that detects the end writes it on condition that no peer has written anything since it read.
    Then what it saw was everything, and only one peer can be first.

    When the log has lost facts, it gets another incarnation. It refuses requests addressed to an earlier one, and
    answers them with everything from the start. A peer then forgets what it has received, tokens included, reads
    everything again, and repeats its own reports.
"""

from collections.abc import Callable, Iterable
from enum import StrEnum

import msgspec

from statecrawl.coordination.components import Responsibility
from statecrawl.coordination.partition import Partition
from statecrawl.coordination.partitioned_member import PartitionedMember, entered_states, is_finished
from statecrawl.coordination.shared_facts import SharingExtent, SharingFilter, SharingRules
from statecrawl.coordination.termination import Token, TokenVerdict, next_in_ring, visit, visit_reader
from statecrawl.journal.crawl_bounds import NO_BOUNDS, CrawlBounds
from statecrawl.journal.facts import CrawlEnded, Fact, MemberJoined, MemberLeft
from statecrawl.model.graph import Graph
from statecrawl.strategies.orders import Order
from statecrawl.strategies.strategy import Strategy

NOTHING_HEARD = -1  # incarnation before the first read


class PeerStatus(StrEnum):
    """Status of a peer."""

    INITIAL = "initial"
    AWAKE = "awake"
    WORKING = "working"
    IDLE = "idle"
    TERMINATED = "terminated"


class LogRequest(msgspec.Struct, frozen=True, tag="request"):
    """Request of a peer to the log: append these facts, and return what is new."""

    peer: str
    number: int  # of the request: 1, 2, …; the log appends each once and ignores outdated ones
    incarnation: int  # of the log that the peer has read; no other incarnation appends the facts
    position: int  # number of facts it has read
    facts: tuple[Fact, ...] = ()
    exclusive: bool = False  # append only if no peer has appended since `position`
    events: int = 0  # fired since the previous request
    resets: int = 0
    warnings: tuple[str, ...] = ()  # for the user

    @property
    def node(self) -> str:
        """Name of the sender, as in the messages of other architectures."""
        return self.peer


class LogEntries(msgspec.Struct, frozen=True, tag="entries"):
    """Reply of the log: its facts after the requested position, or all of them when it has another incarnation."""

    peer: str
    number: int
    incarnation: int
    facts: tuple[Fact, ...]
    appended: bool
    silence: dict[str, float]  # peer -> seconds since its last message, as far as the log remembers

    @property
    def node(self) -> str:
        return self.peer


class PassedToken(msgspec.Struct, frozen=True, tag="token"):
    """Message from peer to peer that passes the token on."""

    incarnation: int
    token: Token


class Peer:
    """State machine of one peer: chooses tasks, appends to and reads the log, and takes part in detecting the end."""

    def __init__(
        self,
        name: str,
        make_strategy: Callable[[Graph], Strategy],
        partition: Partition,
        sharing: SharingRules,
        patience: float,
        bounds: CrawlBounds = NO_BOUNDS,
        *,
        responsibility: Responsibility = Responsibility.GATE_KEEPERS,
    ) -> None:
        """A member that is silent for `patience` seconds is considered lost."""
        self.name = name
        self.member = PartitionedMember(name, make_strategy, partition, bounds, responsibility=responsibility)
        self.over: str | None = None  # end reason, once the crawl has ended
        self.sharing = sharing
        self._patience = patience
        self._early_token: tuple[PassedToken, int] | None = (
            None  # token of a round not yet read in the log, and the number of our last request
        )
        self._number = 0
        self._request: LogRequest | None = None  # has no reply yet
        self._sending = 0  # number of unreported facts in that request
        self._unreported_since: float | None = None
        self._events = 0
        self._resets = 0
        self._start(NOTHING_HEARD)

    def _start(self, incarnation: int) -> None:
        self._incarnation = incarnation
        self._position = 0
        self._filter = SharingFilter(self.sharing.extent)
        self._silent: list[str] = []
        self._unknown_since: dict[str, float] = {}  # members unknown to the log -> since when
        self._token: Token | None = None  # held by this peer
        self._newest = Token()  # newest token seen
        self._sent: tuple[str, PassedToken] | None = None
        self._has_read = False  # it has read the log since the token arrived

    @property
    def log_position(self) -> tuple[int, int]:
        """Incarnation of the log that was read, and the position reached."""
        return self._incarnation, self._position

    @property
    def status(self) -> PeerStatus:
        if self.over is not None:
            return PeerStatus.TERMINATED
        if self._incarnation == NOTHING_HEARD:
            return PeerStatus.INITIAL
        if not self.member.is_member or len(self.member.crawl.graph) == 0:
            return PeerStatus.AWAKE
        return PeerStatus.IDLE if self.member.idle else PeerStatus.WORKING

    # -- work --

    def next_order(self, position: str | None) -> Order | None:
        """Return where to go from the current state of the page; None when there is nothing to do."""
        crawl = self.member.crawl
        if self.over is not None or (len(crawl.graph) == 0 and crawl.members[:1] != (self.name,)):
            return None
        return self.member.next_order(position)

    def observe(self, facts: Iterable[Fact], now: float, events: int = 0, resets: int = 0) -> None:
        """Process what a completed walk has shown."""
        self._events += events
        self._resets += resets
        self.member.observe(facts)
        self._time_unreported(now)

    # -- the log --

    def next_request(self, now: float, *, at_any_rate: bool = False) -> LogRequest | None:
        """Return the next request to the log, if there is a reason to send one; None while a request has no reply."""
        if self._request is not None or self.over is not None:
            return None
        changes = self._changes()
        self._sending = len(self.member.unreported) if self._must_report(now) else 0
        facts = (*changes, *self.member.unreported[: self._sending])
        ended = self._end() if not facts else None
        unread = self._token is not None and not self._has_read
        curious = self._incarnation == NOTHING_HEARD or self._early_token is not None or unread
        if not facts and ended is None and not curious and not at_any_rate:
            return None
        self._request = self._make_request(facts) if ended is None else self._make_request((ended,), exclusive=True)
        return self._request

    def _make_request(self, facts: tuple[Fact, ...], *, exclusive: bool = False) -> LogRequest:
        self._number += 1
        events, resets, self._events, self._resets = self._events, self._resets, 0, 0
        return LogRequest(self.name, self._number, self._incarnation, self._position, facts, exclusive, events, resets)

    def repeat(self, now: float) -> LogRequest | None:
        """Return what to send after a period without a reply: the pending request again, or a new one."""
        return self._request or self.next_request(now, at_any_rate=True)

    def leave(self, reason: str) -> LogRequest:
        """Return the last request of a peer that leaves for a reason of its own. It needs no reply."""
        self.over = reason
        left = MemberLeft(member=self.name, epoch=self.member.crawl.epoch + 1)
        facts = (*self.member.unreported, left) if self.member.is_member else tuple(self.member.unreported)
        return self._make_request(facts)

    def handle_entries(self, entries: LogEntries, now: float) -> None:
        """Process a reply of the log. A reply to an earlier request is ignored."""
        request = self._request
        if request is None or (entries.peer, entries.number) != (self.name, self._number):
            return
        self._request = None
        if entries.incarnation != self._incarnation:
            self.member.restart()
            self._start(entries.incarnation)
        elif entries.appended and self._sending:
            self.member.mark_recorded(self._sending)
            self._unreported_since = None
        self._read(entries)
        if self.member.contradicted:
            ring = self._token, self._newest, self._sent  # still valid, as the log has not changed
            self.member.restart()
            self._start(self._incarnation)
            self._token, self._newest, self._sent = ring
            return
        self._find_silent(entries.silence, now)
        self._time_unreported(now)
        self._has_read = True
        if self.member.crawl.epoch != self._newest.round:
            self._start_round()
        if self._early_token is not None and self._early_token[1] < request.number:
            passed, self._early_token = self._early_token[0], None
            self._accept(passed)
        self.over = self.member.crawl.ended

    def _read(self, entries: LogEntries) -> None:
        passed = self._filter.share(entries.facts)
        if self._position == 0:
            passed += self._filter.release()  # a newcomer has to know which events are done
        self.member.learn(passed)
        self._position += len(entries.facts)

    def _find_silent(self, silence: dict[str, float], now: float) -> None:
        """Find members that have been silent for too long.

        A log that was away has forgotten when it last saw a member.
        """
        others = [name for name in self.member.crawl.members if name != self.name]
        self._unknown_since = {name: self._unknown_since.get(name, now) for name in others if name not in silence}
        lasts = silence | {name: now - since for name, since in self._unknown_since.items()}
        self._silent = [name for name in others if lasts[name] > self._patience]

    def _changes(self) -> list[Fact]:
        """Return the changes of members to write."""
        crawl = self.member.crawl
        if self._incarnation == NOTHING_HEARD:
            return []
        gone: list[Fact] = [
            MemberLeft(member=name, epoch=epoch) for epoch, name in enumerate(self._silent, crawl.epoch + 1)
        ]
        if self.member.is_member:
            return gone
        return [*gone, MemberJoined(member=self.name, epoch=crawl.epoch + len(gone) + 1)]

    def _time_unreported(self, now: float) -> None:
        if not self.member.unreported:
            self._unreported_since = None
        elif self._unreported_since is None:
            self._unreported_since = now

    def _must_report(self, now: float) -> bool:
        waited = 0.0 if self._unreported_since is None else now - self._unreported_since
        return self.member.idle or self.sharing.is_due(len(self.member.unreported), waited)

    # -- the end --

    def handle_token(self, passed: PassedToken) -> None:
        """Process a token, which may be a duplicate or belong to another round."""
        if not self._accept(passed) and self._is_ahead(passed):
            self._early_token = passed, self._number

    def _accept(self, passed: PassedToken) -> bool:
        """Accept a token of the current round unless it is outdated; whether it belongs to the current round."""
        crawl = self.member.crawl
        if (passed.incarnation, passed.token.round) != (self._incarnation, crawl.epoch):
            return False
        if self.member.is_member and not passed.token.is_older_than(self._newest):
            self._token = self._newest = passed.token
            self._sent = None
            self._has_read = False
        return True

    def _is_ahead(self, passed: PassedToken) -> bool:
        """Whether the sender of a token has read more of the log than this peer, and than earlier such senders."""
        if passed.incarnation == self._incarnation and passed.token.round < self.member.crawl.epoch:
            return False
        if self._early_token is None or self._early_token[0].incarnation != passed.incarnation:
            return True
        return not passed.token.is_older_than(self._early_token[0].token)

    def token_to_pass(self) -> tuple[str, PassedToken] | None:
        """Return the next peer and the token for it, when the token is here and may be passed on."""
        if self._token is None or not self._is_done() or not self._has_read:
            return None
        verdict = self._visit(self._token)
        if verdict.over:
            return None
        self._token, self._newest = None, verdict.token
        self._sent = next_in_ring(self.name, self.member.crawl.members), PassedToken(self._incarnation, verdict.token)
        return self._sent

    def token_to_resend(self) -> tuple[str, PassedToken] | None:
        """Return what to resend after a period without news: the last token passed on, until a later one was seen."""
        return self._sent

    def _start_round(self) -> None:
        crawl = self.member.crawl
        self._newest = Token(round=crawl.epoch)
        self._token = self._newest if crawl.members[:1] == (self.name,) else None
        self._sent = None

    def _is_done(self) -> bool:
        return self.member.is_member and self.member.idle and not self.member.unreported

    def _end(self) -> CrawlEnded | None:
        """Return the fact that ends the crawl, if it is over."""
        crawl = self.member.crawl
        if not self._is_done() or not self._sees_the_end():
            return None
        self.member.learn(self._filter.release())  # only the whole record shows whether everything is done
        if not self.member.uses_components and not is_finished(crawl):
            return None
        run = 1 if crawl.started is None else crawl.started.run
        return CrawlEnded(reason=self.member.exhaustion_reason(), run=run)

    def _sees_the_end(self) -> bool:
        crawl = self.member.crawl
        if self.sharing.extent is SharingExtent.ALL and not self.member.uses_components:
            return True
        if self._token is None or not self._has_read or len(crawl.graph) == 0:
            return False
        return self._visit(self._token).over

    def _visit(self, token: Token) -> TokenVerdict:
        crawl = self.member.crawl
        if self.member.uses_components:
            return visit_reader(token, self.name, self._position, crawl.members)
        return visit(token, self.name, entered_states(crawl.graph), crawl.members)
