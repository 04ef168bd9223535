"""Peer to peer: nodes that decide for themselves, with nobody in the middle.

S. M. Mirtaheri, G. V. Bochmann, G.-V. Jourdan, I. V. Onut, "PDist-RIA Crawler: A Peer-to-Peer Distributed Crawler for
Rich Internet Applications", 2014, §3; S. M. Mir Taheri, "Distributed Crawling of Rich Internet Applications", 2015,
§6.4.

Theory of operation
    A peer (see `partitioned`) fires the events that are its own and tells all others what it found. In the papers it
    calls each of them, and neither peers nor messages are ever lost. Here the record is a log that all share: a peer
    appends what it saw, at once or in batches, and reads what others have appended since, in one round trip. Everything
    is recorded; how much of it a peer hears is what `sharing` says. All act on the order of the log, so all agree on
    what was first.

        Initial ─ the log ─▶ Awake ─ the first state ─▶ Working ─ nothing to do ─▶ Idle ─ the end ─▶ Terminated
                                                           ◀──────── news ────────

    Who has read the log and is not a member writes that it joins. The first member opens the application; its first
    state in the log is what sets the others to work. Who goes writes that it leaves. The log tells how long each member
    has not been heard of; whoever sees that one was silent for too long writes that it has left. Changes of members are
    numbered: of two with the same number only the first in the log counts, and whoever wrote the other sees that and
    writes it again.

    The end. Where everything is shared, it is the end when nothing is left to do in what the log says. Otherwise nobody
    knows what others have done, and the token of `ring` goes round. A peer is idle in the sense of the ring when it has
    nothing to do and all that it saw is in the log. It counts the states to which it knows a way: after a loss the log
    may have states whose way nobody knows any more, and these are found when their way is. Each change of members
    begins a round, whose token the first member makes. A token can be faster than the news of the change that began its
    round; whoever gets such a token keeps it, reads the log, and takes it then. So the end needs no heartbeat: only a
    token that the network loses is sent again, by whoever sent it, until that one sees a later one. Copies are known by
    their numbers. Before a peer passes a token on, it reads the log, so the token
    is not faster than the news. The argument of the ring speaks of states only. But a known state may show another
    event when the token has passed whose that is. So whoever the ring tells that it is the end reads the whole record,
    and keeps the token as long as that has something to do; whose it is knows of it, and needs no token.

    Either way whoever sees the end writes it, on condition that nobody has written anything since it read: then what it
    saw was all there is, and only one can be first.

    When the log has lost something it has another incarnation. It refuses what was said to an earlier one, and answers
    with everything from the beginning. A peer then forgets what it has heard, tokens included, hears everything anew,
    and tells again what it saw itself.
"""

from collections.abc import Callable, Iterable
from enum import StrEnum

import msgspec

from statecrawl.coordination.partition import Partition
from statecrawl.coordination.partitioned_member import PartitionedMember, entered, is_finished
from statecrawl.coordination.shared_facts import SharingExtent, SharingFilter, SharingRules
from statecrawl.coordination.termination import Token, TokenVerdict, after, visit
from statecrawl.journal.crawl_bounds import NO_BOUNDS, CrawlBounds, exhaustion_reason
from statecrawl.journal.facts import CrawlEnded, Fact, MemberJoined, MemberLeft
from statecrawl.model.graph import Graph
from statecrawl.strategies.orders import Order
from statecrawl.strategies.strategy import Strategy

NOTHING_HEARD = -1  # the incarnation of a log that was not read yet


class PeerStatus(StrEnum):
    """Of a peer."""

    INITIAL = "initial"
    AWAKE = "awake"
    WORKING = "working"
    IDLE = "idle"
    TERMINATED = "terminated"


class LogRequest(msgspec.Struct, frozen=True, tag="request"):
    """To the log: append this, and say what is new."""

    peer: str
    number: int  # of the request; 1, 2, …: the log hears each once, and none that is older than the last
    incarnation: int  # of the log that it has read; by any other, nothing is appended
    position: int  # how many facts it has read
    facts: tuple[Fact, ...] = ()
    alone: bool = False  # append only when nobody has since `position`
    events: int = 0  # that it fired since the request before
    resets: int = 0
    warnings: tuple[str, ...] = ()  # what whoever asked for the crawl should know

    @property
    def node(self) -> str:
        """Who asks, whatever the architecture."""
        return self.peer


class LogEntries(msgspec.Struct, frozen=True, tag="entries"):
    """From the log: what it holds behind the position of the request, or everything when it has another incarnation."""

    peer: str
    number: int
    incarnation: int
    facts: tuple[Fact, ...]
    appended: bool
    silence: dict[str, float]  # peer -> how long it has not been heard of, as far as the log remembers, in seconds

    @property
    def node(self) -> str:
        return self.peer


class PassedToken(msgspec.Struct, frozen=True, tag="token"):
    """From peer to peer: the token is yours."""

    incarnation: int
    token: Token


class Peer:
    """Works, appends, reads, and takes part in finding out that it is the end."""

    def __init__(
        self,
        name: str,
        make_strategy: Callable[[Graph], Strategy],
        partition: Partition,
        sharing: SharingRules,
        patience: float,
        bounds: CrawlBounds = NO_BOUNDS,
    ) -> None:
        """Who is silent for `patience` seconds has left."""
        self.name = name
        self.member = PartitionedMember(name, make_strategy, partition, bounds)
        self.over: str | None = None  # why the crawl ended, once it has
        self.sharing = sharing
        self._patience = patience
        self._early: tuple[PassedToken, int] | None = (
            None  # a token whose round we have not read of, and our last request
        )
        self._number = 0
        self._request: LogRequest | None = None  # that has no answer yet
        self._telling = 0  # how much of what is untold is in that
        self._untold_since: float | None = None
        self._events = 0
        self._resets = 0
        self._begin(NOTHING_HEARD)

    def _begin(self, incarnation: int) -> None:
        self._incarnation = incarnation
        self._position = 0
        self._sieve = SharingFilter(self.sharing.extent)
        self._silent: list[str] = []
        self._missed: dict[str, float] = {}  # members of whom the log has never heard -> since when we see that
        self._token: Token | None = None  # in our hands
        self._newest = Token()  # that we have seen
        self._sent: tuple[str, PassedToken] | None = None
        self._has_read = False  # since the token came

    @property
    def place(self) -> tuple[int, int]:
        """The incarnation of the log that it has read, and how far."""
        return self._incarnation, self._position

    @property
    def status(self) -> PeerStatus:
        if self.over is not None:
            return PeerStatus.TERMINATED
        if self._incarnation == NOTHING_HEARD:
            return PeerStatus.INITIAL
        if not self.member.takes_part or len(self.member.crawl.graph) == 0:
            return PeerStatus.AWAKE
        return PeerStatus.IDLE if self.member.idle else PeerStatus.WORKING

    # -- work --

    def next_order(self, position: str | None) -> Order | None:
        """Where to go, from the state that its page is in; None when there is nothing to do."""
        crawl = self.member.crawl
        if self.over is not None or (len(crawl.graph) == 0 and crawl.members[:1] != (self.name,)):
            return None
        return self.member.next_order(position)

    def seen(self, facts: Iterable[Fact], now: float, events: int = 0, resets: int = 0) -> None:
        """A walk has come to its end, and showed this."""
        self._events += events
        self._resets += resets
        self.member.seen(facts)
        self._wait_to_tell(now)

    # -- the log --

    def request(self, now: float, *, at_any_rate: bool = False) -> LogRequest | None:
        """What to send to the log, when there is reason to; None while a request has no answer."""
        if self._request is not None or self.over is not None:
            return None
        changes = self._changes()
        self._telling = len(self.member.untold) if self._must_tell(now) else 0
        facts = (*changes, *self.member.untold[: self._telling])
        ended = self._end() if not facts else None
        unread = self._token is not None and not self._has_read
        curious = self._incarnation == NOTHING_HEARD or self._early is not None or unread
        if not facts and ended is None and not curious and not at_any_rate:
            return None
        self._request = self._next_request(facts) if ended is None else self._next_request((ended,), alone=True)
        return self._request

    def _next_request(self, facts: tuple[Fact, ...], *, alone: bool = False) -> LogRequest:
        self._number += 1
        events, resets, self._events, self._resets = self._events, self._resets, 0, 0
        return LogRequest(self.name, self._number, self._incarnation, self._position, facts, alone, events, resets)

    def again(self, now: float) -> LogRequest | None:
        """What to send when nothing was heard for a while: the request once more, or another."""
        return self._request or self.request(now, at_any_rate=True)

    def leave(self, reason: str) -> LogRequest:
        """The last it has to say, before it goes for a reason of its own; the answer does not matter."""
        self.over = reason
        left = MemberLeft(member=self.name, epoch=self.member.crawl.epoch + 1)
        facts = (*self.member.untold, left) if self.member.takes_part else tuple(self.member.untold)
        return self._next_request(facts)

    def heard(self, entries: LogEntries, now: float) -> None:
        """The log has answered. An answer to an earlier request changes nothing."""
        request = self._request
        if request is None or (entries.peer, entries.number) != (self.name, self._number):
            return
        self._request = None
        if entries.incarnation != self._incarnation:
            self.member.begin_again()
            self._begin(entries.incarnation)
        elif entries.appended and self._telling:
            self.member.recorded(self._telling)
            self._untold_since = None
        self._read(entries)
        if self.member.contradicted:
            ring = self._token, self._newest, self._sent  # of the log, which is what it was
            self.member.begin_again()
            self._begin(self._incarnation)
            self._token, self._newest, self._sent = ring
            return
        self._listen_for(entries.silence, now)
        self._wait_to_tell(now)
        self._has_read = True
        if self.member.crawl.epoch != self._newest.round:
            self._begin_round()
        if self._early is not None and self._early[1] < request.number:
            passed, self._early = self._early[0], None
            self._take(passed)
        self.over = self.member.crawl.ended

    def _read(self, entries: LogEntries) -> None:
        passed = self._sieve.passing(entries.facts)
        if self._position == 0:
            passed += self._sieve.rest()  # a newcomer has to know what is done
        self.member.learn(passed)
        self._position += len(entries.facts)

    def _listen_for(self, silence: dict[str, float], now: float) -> None:
        """Who of the members has been silent for too long. A log that was away has forgotten whom it heard."""
        others = [name for name in self.member.crawl.members if name != self.name]
        self._missed = {name: self._missed.get(name, now) for name in others if name not in silence}
        lasts = silence | {name: now - since for name, since in self._missed.items()}
        self._silent = [name for name in others if lasts[name] > self._patience]

    def _changes(self) -> list[Fact]:
        """What is to be written about members."""
        crawl = self.member.crawl
        if self._incarnation == NOTHING_HEARD:
            return []
        gone: list[Fact] = [
            MemberLeft(member=name, epoch=epoch) for epoch, name in enumerate(self._silent, crawl.epoch + 1)
        ]
        if self.member.takes_part:
            return gone
        return [*gone, MemberJoined(member=self.name, epoch=crawl.epoch + len(gone) + 1)]

    def _wait_to_tell(self, now: float) -> None:
        if not self.member.untold:
            self._untold_since = None
        elif self._untold_since is None:
            self._untold_since = now

    def _must_tell(self, now: float) -> bool:
        waited = 0.0 if self._untold_since is None else now - self._untold_since
        return self.member.idle or self.sharing.is_due(len(self.member.untold), waited)

    # -- the end --

    def got(self, passed: PassedToken) -> None:
        """The token has come, or a copy, or one of another round."""
        if not self._take(passed) and self._is_ahead(passed):
            self._early = passed, self._number

    def _take(self, passed: PassedToken) -> bool:
        """Whether the token is of this round; an older one does not count."""
        crawl = self.member.crawl
        if (passed.incarnation, passed.token.round) != (self._incarnation, crawl.epoch):
            return False
        if self.member.takes_part and not passed.token.is_older_than(self._newest):
            self._token = self._newest = passed.token
            self._sent = None
            self._has_read = False
        return True

    def _is_ahead(self, passed: PassedToken) -> bool:
        """Whether whoever sent a token has read more of the log than we have, and than whoever sent one before."""
        if passed.incarnation == self._incarnation and passed.token.round < self.member.crawl.epoch:
            return False
        if self._early is None or self._early[0].incarnation != passed.incarnation:
            return True
        return not passed.token.is_older_than(self._early[0].token)

    def pass_on(self) -> tuple[str, PassedToken] | None:
        """To whom to send the token, when it is here and may go."""
        if self._token is None or not self._is_quiet() or not self._has_read:
            return None
        verdict = self._visit(self._token)
        if verdict.over:
            return None
        self._token, self._newest = None, verdict.token
        self._sent = after(self.name, self.member.crawl.members), PassedToken(self._incarnation, verdict.token)
        return self._sent

    def sent(self) -> tuple[str, PassedToken] | None:
        """What to send again when nothing was heard for a while: the token, until a later one was seen."""
        return self._sent

    def _begin_round(self) -> None:
        crawl = self.member.crawl
        self._newest = Token(round=crawl.epoch)
        self._token = self._newest if crawl.members[:1] == (self.name,) else None
        self._sent = None

    def _is_quiet(self) -> bool:
        return self.member.takes_part and self.member.idle and not self.member.untold

    def _end(self) -> CrawlEnded | None:
        """The end of the crawl, if this is it."""
        crawl = self.member.crawl
        if not self._is_quiet() or not self._sees_the_end():
            return None
        self.member.learn(self._sieve.rest())  # whether all is done, only the whole record says
        if not is_finished(crawl):
            return None
        run = 1 if crawl.started is None else crawl.started.run
        return CrawlEnded(reason=exhaustion_reason(crawl), run=run)

    def _sees_the_end(self) -> bool:
        crawl = self.member.crawl
        if self.sharing.extent is SharingExtent.ALL:
            return True
        if self._token is None or not self._has_read or len(crawl.graph) == 0:
            return False
        return self._visit(self._token).over

    def _visit(self, token: Token) -> TokenVerdict:
        crawl = self.member.crawl
        return visit(token, self.name, entered(crawl.graph), crawl.members)
