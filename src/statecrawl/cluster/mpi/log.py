"""Log of peers in an MPI job: rank 0 holds it, other ranks access it by messages, and tokens go directly between ranks.

Theory of operation
    The peers of S. M. Mirtaheri et al., "PDist-RIA Crawler: A Peer-to-Peer Distributed Crawler for Rich Internet
    Applications", 2014, communicate by MPI, and each calls all others. Here rank 0 holds the log, and everything that
    is recorded goes through it. Requests to it are numbered, and each is answered once, after its facts are stored. A
    rank has at most one request of each of its peers under way, so no rank is flooded.

    A peer that listens is notified when there is something to read. A token that arrives first also ends its wait; the
    notification then arrives while the peer waits for something else, which costs one needless read of the log.

    MPI loses nothing and repairs nothing. A rank that fails reports this to rank 0, which ends the job; a rank
    that dies is noticed by the launcher of the job, which ends it.
"""

import asyncio
import struct
from collections.abc import Coroutine, Sequence
from typing import Any, Protocol

import msgspec

from statecrawl.cluster import member_messages, messages
from statecrawl.cluster.http.members import POLL_SECONDS
from statecrawl.cluster.mpi.mailbox import MessageKind, MpiMailbox
from statecrawl.coordination.peer_to_peer import LogEntries, LogRequest, PassedToken
from statecrawl.errors import BadInput, NodeRefused, StatecrawlError
from statecrawl.ports.coordinator_link import NoteEvidence, StateEvidence

LOG_RANK = 0  # the rank that holds the log
_NUMBER = struct.Struct("!Q")


def peer_name(rank: int, page: int, pages: int) -> str:
    """Return the name of a peer. It never changes, so that the peer gets the same share when the crawl is resumed."""
    return f"rank-{rank}" if pages == 1 else f"rank-{rank}.{page + 1}"


def rank_of(peer: str) -> int:
    """Return the rank of a peer. Raises BadInput."""
    number = peer.removeprefix("rank-").partition(".")[0]
    if not number.isdecimal():
        raise BadInput(f"'{peer}' is not the name of an MPI peer.")
    return int(number)


class MpiLogService(Protocol):
    """The log on rank 0."""

    async def welcome(self, hello: messages.NodeIntroduction) -> dict[str, Any]:
        """Return the plan, as soon as peers may join. Raises NodeRefused."""

    async def exchange(self, request: LogRequest) -> LogEntries: ...
    async def listen(self, peer: str, incarnation: int, position: int) -> PassedToken | None: ...
    def pass_on(self, peer: str, passed: PassedToken) -> None: ...
    def leave(self, node: str) -> None: ...
    def store_evidence(self, states: list[StateEvidence], notes: list[NoteEvidence]) -> None: ...


class _RankFailure(msgspec.Struct, frozen=True):
    """Why a rank cannot continue."""

    exit_code: int
    words: str


# -- rank 0 --


class MpiLogServer:
    """Server on rank 0: answers the other ranks, and is the link of its own peers."""

    def __init__(self, mailbox: MpiMailbox, service: MpiLogService) -> None:
        self._mailbox = mailbox
        self._service = service

    async def run(self) -> None:
        """Serve until cancelled. Raises StoreError, and the failures of other ranks."""
        async with asyncio.TaskGroup() as answering:

            def deliver(rank: int, kind: int, body: bytes) -> None:
                if (answer := self._answer(rank, MessageKind(kind), body)) is not None:
                    answering.create_task(answer)

            await self._mailbox.run(deliver)

    async def end(self, reason: str) -> None:
        """Tell all ranks that the crawl is over."""
        for rank in range(1, self._mailbox.size):
            await self._mailbox.send(rank, MessageKind.OVER, reason.encode())

    # -- link of its own peers --

    async def exchange(self, request: LogRequest) -> LogEntries:
        return await self._service.exchange(request)

    async def listen(self, peer: str, incarnation: int, position: int) -> PassedToken | None:
        try:
            async with asyncio.timeout(POLL_SECONDS):
                return await self._service.listen(peer, incarnation, position)
        except TimeoutError:
            return None

    async def pass_on(self, peer: str, passed: PassedToken) -> None:
        if (rank := rank_of(peer)) == LOG_RANK:
            self._service.pass_on(peer, passed)
        else:
            await self._mailbox.send(
                rank, MessageKind.TOKEN, member_messages.encode(member_messages.PostedToken(peer, passed))
            )

    async def send(self, states: Sequence[StateEvidence], notes: Sequence[NoteEvidence]) -> None:
        self._service.store_evidence(list(states), list(notes))

    async def leave(self, node: str) -> None:
        self._service.leave(node)

    # -- requests of other ranks --

    def _answer(self, rank: int, kind: MessageKind, body: bytes) -> Coroutine[Any, Any, None] | None:
        """Handle a message; return the work that remains, if it takes time."""
        match kind:
            case MessageKind.HELLO | MessageKind.EXCHANGE | MessageKind.PARCEL:
                return self._answer_numbered(rank, kind, body)
            case MessageKind.LISTEN:
                return self._listen_for(rank, member_messages.decode_listen_request(body))
            case MessageKind.TOKEN:
                posted = member_messages.decode_posted_token(body)
                self._service.pass_on(posted.peer, posted.passed)
            case MessageKind.LEAVE:
                self._service.leave(body.decode(errors="replace"))
            case MessageKind.FAILURE:
                raise _failure_of(rank, msgspec.json.decode(body, type=_RankFailure))
            case _:
                raise BadInput(f"rank {rank} sent a message that only rank 0 may send ({kind.name}).")
        return None

    async def _answer_numbered(self, rank: int, kind: MessageKind, body: bytes) -> None:
        number, content = body[: _NUMBER.size], body[_NUMBER.size :]
        try:
            answer = await self._handle(kind, content)
        except (NodeRefused, BadInput) as refused:
            await self._mailbox.send(rank, MessageKind.REFUSED, number + str(refused).encode())
        else:
            await self._mailbox.send(rank, MessageKind.ANSWER, number + answer)

    async def _handle(self, kind: MessageKind, content: bytes) -> bytes:
        if kind is MessageKind.EXCHANGE:
            return member_messages.encode(await self._service.exchange(member_messages.decode_log_request(content)))
        if kind is MessageKind.PARCEL:
            self._service.store_evidence(*messages.decode_evidence(content))
            return b""
        hello = messages.typed(msgspec.json.decode(content), messages.NodeIntroduction)
        return msgspec.json.encode(await self._service.welcome(hello))

    async def _listen_for(self, rank: int, request: member_messages.ListenRequest) -> None:
        await self.listen(request.peer, request.incarnation, request.position)
        await self._mailbox.send(rank, MessageKind.NEWS, request.peer.encode())


def _failure_of(rank: int, failure: _RankFailure) -> StatecrawlError:
    error = StatecrawlError(f"rank {rank} failed: {failure.words}")
    error.exit_code = failure.exit_code
    return error


# -- other ranks --


class MpiLogLink:
    """Link of the peers on another rank to the log on rank 0."""

    def __init__(self, mailbox: MpiMailbox) -> None:
        self.over: asyncio.Future[str] = (
            asyncio.get_running_loop().create_future()
        )  # end reason, once rank 0 has sent it
        self._mailbox = mailbox
        self._number = 0
        self._calls: dict[int, asyncio.Future[bytes]] = {}
        self._listening: set[str] = set()  # peers that rank 0 knows to listen
        self._wake_ups: dict[str, asyncio.Event] = {}
        self._tokens: dict[str, PassedToken] = {}

    async def run(self) -> None:
        """Process incoming messages until cancelled."""
        await self._mailbox.run(self._deliver)

    async def hello(self, hello: messages.NodeIntroduction) -> dict[str, Any]:
        """Introduce this rank; return the plan of the crawl."""
        return msgspec.json.decode(await self._call(MessageKind.HELLO, msgspec.json.encode(hello)), type=dict[str, Any])

    async def exchange(self, request: LogRequest) -> LogEntries:
        return member_messages.decode_log_entries(
            await self._call(MessageKind.EXCHANGE, member_messages.encode(request))
        )

    async def listen(self, peer: str, incarnation: int, position: int) -> PassedToken | None:
        wake_up = self._wake_up(peer)
        if peer not in self._listening:
            self._listening.add(peer)
            await self._mailbox.send(
                LOG_RANK,
                MessageKind.LISTEN,
                member_messages.encode(member_messages.ListenRequest(peer, incarnation, position)),
            )
        await wake_up.wait()
        wake_up.clear()
        return self._tokens.pop(peer, None)

    async def pass_on(self, peer: str, passed: PassedToken) -> None:
        posted = member_messages.PostedToken(peer, passed)
        if (rank := rank_of(peer)) == self._mailbox.rank:
            self._put(posted)
        else:
            await self._mailbox.send(rank, MessageKind.TOKEN, member_messages.encode(posted))

    async def send(self, states: Sequence[StateEvidence], notes: Sequence[NoteEvidence]) -> None:
        """Send evidence in parcels of limited size."""
        for parcel in messages.split_evidence(states, notes):
            await self._call(MessageKind.PARCEL, parcel)

    async def leave(self, node: str) -> None:
        await self._mailbox.send(LOG_RANK, MessageKind.LEAVE, node.encode())

    async def fail(self, error: StatecrawlError) -> None:
        """Report to rank 0 why this rank cannot continue; rank 0 ends the job."""
        failure = _RankFailure(error.exit_code, str(error))
        await self._mailbox.send(LOG_RANK, MessageKind.FAILURE, msgspec.json.encode(failure))

    # -- inside --

    async def _call(self, kind: MessageKind, body: bytes) -> bytes:
        """Send a numbered request and wait for the reply. Raises NodeRefused."""
        self._number += 1
        number = self._number
        answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self._calls[number] = answer
        try:
            await self._mailbox.send(LOG_RANK, kind, _NUMBER.pack(number) + body)
            return await answer
        finally:
            del self._calls[number]

    def _deliver(self, rank: int, kind: int, body: bytes) -> None:
        match MessageKind(kind):
            case MessageKind.ANSWER | MessageKind.REFUSED:
                answer = self._calls.get(_NUMBER.unpack_from(body)[0])
                if answer is None or answer.done():
                    return  # the caller was cancelled
                if kind == MessageKind.ANSWER:
                    answer.set_result(body[_NUMBER.size :])
                else:
                    answer.set_exception(NodeRefused(body[_NUMBER.size :].decode()))
            case MessageKind.NEWS:
                peer = body.decode()
                self._listening.discard(peer)
                self._wake_up(peer).set()
            case MessageKind.TOKEN:
                self._put(member_messages.decode_posted_token(body))
            case MessageKind.OVER:
                self.over.set_result(body.decode())
            case other:
                raise BadInput(f"rank {rank} sent a message that only rank 0 may receive ({other.name}).")

    def _put(self, posted: member_messages.PostedToken) -> None:
        """Store a token for a peer of this rank, unless a newer one is waiting."""
        waiting = self._tokens.get(posted.peer)
        if waiting is None or not posted.passed.token.is_older_than(waiting.token):
            self._tokens[posted.peer] = posted.passed
        self._wake_up(posted.peer).set()

    def _wake_up(self, peer: str) -> asyncio.Event:
        return self._wake_ups.setdefault(peer, asyncio.Event())
