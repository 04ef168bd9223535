"""The log of peers in an MPI job: rank 0 keeps it, the others ask for it, and tokens go straight from rank to rank.

Theory of operation
    The peers of S. M. Mirtaheri et al., "PDist-RIA Crawler: A Peer-to-Peer Distributed Crawler for Rich Internet
    Applications", 2014, talk by MPI, and each calls all others. Here rank 0 has the log, and all that is recorded goes
    by it. What is asked of it is numbered and answered once, when it is kept: a rank has no more than one letter of
    each of its peers under way, so nobody is flooded.

    A peer that listens is told when there is something to read. A token that comes first ends its listening as well;
    the news come later then, and find it listening for something else. That costs one look at the log.

    MPI loses nothing and repairs nothing. A rank that can not go on tells rank 0, which ends the job; one that dies is
    noticed by whoever started the job, who ends it.
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

KEEPER = 0  # the rank that has the log
_NUMBER = struct.Struct("!Q")


def peer_name(rank: int, page: int, pages: int) -> str:
    """What a peer is called; always the same, so that it gets the same share when the crawl goes on."""
    return f"rank-{rank}" if pages == 1 else f"rank-{rank}.{page + 1}"


def rank_of(peer: str) -> int:
    """Where the peer of this name is. Raises BadInput."""
    number = peer.removeprefix("rank-").partition(".")[0]
    if not number.isdecimal():
        raise BadInput(f"there is no rank of a peer called '{peer}'.")
    return int(number)


class MpiLogService(Protocol):
    """The log where it is kept."""

    async def welcome(self, hello: messages.NodeIntroduction) -> dict[str, Any]:
        """The plan, as soon as peers may come. Raises NodeRefused."""

    async def exchange(self, request: LogRequest) -> LogEntries: ...
    async def listen(self, peer: str, incarnation: int, position: int) -> PassedToken | None: ...
    def pass_on(self, peer: str, passed: PassedToken) -> None: ...
    def leave(self, node: str) -> None: ...
    def keep(self, kept: list[StateEvidence], notes: list[NoteEvidence]) -> None: ...


class _RankFailure(msgspec.Struct, frozen=True):
    """Why a rank can not go on."""

    exit_code: int
    words: str


# -- where the log is --


class MpiLogServer:
    """Rank 0: answers the others, and is the line of its own peers."""

    def __init__(self, post: MpiMailbox, service: MpiLogService) -> None:
        self._post = post
        self._service = service

    async def run(self) -> None:
        """Answer until cancelled. Raises StoreError, and what other ranks have met with."""
        async with asyncio.TaskGroup() as answering:

            def deliver(rank: int, kind: int, body: bytes) -> None:
                if (answer := self._answer(rank, MessageKind(kind), body)) is not None:
                    answering.create_task(answer)

            await self._post.run(deliver)

    async def end(self, reason: str) -> None:
        """Tell all ranks that the crawl is over."""
        for rank in range(1, self._post.size):
            await self._post.send(rank, MessageKind.OVER, reason.encode())

    # -- for its own peers --

    async def exchange(self, request: LogRequest) -> LogEntries:
        return await self._service.exchange(request)

    async def listen(self, peer: str, incarnation: int, position: int) -> PassedToken | None:
        try:
            async with asyncio.timeout(POLL_SECONDS):
                return await self._service.listen(peer, incarnation, position)
        except TimeoutError:
            return None

    async def pass_on(self, peer: str, passed: PassedToken) -> None:
        if (rank := rank_of(peer)) == KEEPER:
            self._service.pass_on(peer, passed)
        else:
            await self._post.send(
                rank, MessageKind.TOKEN, member_messages.from_any(member_messages.PostedToken(peer, passed))
            )

    async def send(self, kept: Sequence[StateEvidence], notes: Sequence[NoteEvidence]) -> None:
        self._service.keep(list(kept), list(notes))

    async def leave(self, node: str) -> None:
        self._service.leave(node)

    # -- for the others --

    def _answer(self, rank: int, kind: MessageKind, body: bytes) -> Coroutine[Any, Any, None] | None:
        """What is to be done about a letter that takes its time."""
        match kind:
            case MessageKind.HELLO | MessageKind.EXCHANGE | MessageKind.PARCEL:
                return self._answer_numbered(rank, kind, body)
            case MessageKind.LISTEN:
                return self._listen_for(rank, member_messages.to_listening(body))
            case MessageKind.TOKEN:
                posted = member_messages.to_posted(body)
                self._service.pass_on(posted.peer, posted.passed)
            case MessageKind.LEAVE:
                self._service.leave(body.decode(errors="replace"))
            case MessageKind.TROUBLE:
                trouble = msgspec.json.decode(body, type=_RankFailure)
                raise _told(rank, trouble)
            case _:
                raise BadInput(f"rank {rank} sends what only rank 0 does ({kind.name}).")
        return None

    async def _answer_numbered(self, rank: int, kind: MessageKind, body: bytes) -> None:
        number, said = body[: _NUMBER.size], body[_NUMBER.size :]
        try:
            answer = await self._hear(kind, said)
        except (NodeRefused, BadInput) as refused:
            await self._post.send(rank, MessageKind.REFUSED, number + str(refused).encode())
        else:
            await self._post.send(rank, MessageKind.ANSWER, number + answer)

    async def _hear(self, kind: MessageKind, said: bytes) -> bytes:
        if kind is MessageKind.EXCHANGE:
            return member_messages.from_any(await self._service.exchange(member_messages.to_request(said)))
        if kind is MessageKind.PARCEL:
            self._service.keep(*messages.to_parcel(said))
            return b""
        hello = messages.typed(msgspec.json.decode(said), messages.NodeIntroduction)
        return msgspec.json.encode(await self._service.welcome(hello))

    async def _listen_for(self, rank: int, said: member_messages.ListenRequest) -> None:
        await self.listen(said.peer, said.incarnation, said.position)
        await self._post.send(rank, MessageKind.NEWS, said.peer.encode())


def _told(rank: int, trouble: _RankFailure) -> StatecrawlError:
    error = StatecrawlError(f"rank {rank} says: {trouble.words}")
    error.exit_code = trouble.exit_code
    return error


# -- everywhere else --


class MpiLogLink:
    """Any other rank: the line of its peers."""

    def __init__(self, post: MpiMailbox) -> None:
        self.over: asyncio.Future[str] = asyncio.get_running_loop().create_future()  # why, once rank 0 says so
        self._post = post
        self._number = 0
        self._calls: dict[int, asyncio.Future[bytes]] = {}
        self._listening: set[str] = set()  # peers of which rank 0 knows that they listen
        self._bells: dict[str, asyncio.Event] = {}
        self._tokens: dict[str, PassedToken] = {}

    async def run(self) -> None:
        """Hear what comes, until cancelled."""
        await self._post.run(self._deliver)

    async def hello(self, hello: messages.NodeIntroduction) -> dict[str, Any]:
        """Introduce this rank; the plan of the crawl."""
        return msgspec.json.decode(await self._call(MessageKind.HELLO, msgspec.json.encode(hello)), type=dict[str, Any])

    async def exchange(self, request: LogRequest) -> LogEntries:
        return member_messages.to_entries(await self._call(MessageKind.EXCHANGE, member_messages.from_any(request)))

    async def listen(self, peer: str, incarnation: int, position: int) -> PassedToken | None:
        bell = self._bell(peer)
        if peer not in self._listening:
            self._listening.add(peer)
            await self._post.send(
                KEEPER,
                MessageKind.LISTEN,
                member_messages.from_any(member_messages.ListenRequest(peer, incarnation, position)),
            )
        await bell.wait()
        bell.clear()
        return self._tokens.pop(peer, None)

    async def pass_on(self, peer: str, passed: PassedToken) -> None:
        posted = member_messages.PostedToken(peer, passed)
        if (rank := rank_of(peer)) == self._post.rank:
            self._put(posted)
        else:
            await self._post.send(rank, MessageKind.TOKEN, member_messages.from_any(posted))

    async def send(self, kept: Sequence[StateEvidence], notes: Sequence[NoteEvidence]) -> None:
        """In pieces, none of which is large."""
        for parcel in messages.parcels(kept, notes):
            await self._call(MessageKind.PARCEL, parcel)

    async def leave(self, node: str) -> None:
        await self._post.send(KEEPER, MessageKind.LEAVE, node.encode())

    async def fail(self, error: StatecrawlError) -> None:
        """Have rank 0 say why this rank can not go on, and end the job."""
        trouble = _RankFailure(error.exit_code, str(error))
        await self._post.send(KEEPER, MessageKind.TROUBLE, msgspec.json.encode(trouble))

    # -- inside --

    async def _call(self, kind: MessageKind, body: bytes) -> bytes:
        """The answer, however long that takes. Raises NodeRefused."""
        self._number += 1
        number = self._number
        answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self._calls[number] = answer
        try:
            await self._post.send(KEEPER, kind, _NUMBER.pack(number) + body)
            return await answer
        finally:
            del self._calls[number]

    def _deliver(self, rank: int, kind: int, body: bytes) -> None:
        match MessageKind(kind):
            case MessageKind.ANSWER | MessageKind.REFUSED:
                answer = self._calls.get(_NUMBER.unpack_from(body)[0])
                if answer is None or answer.done():
                    return  # nobody waits for it any more
                if kind == MessageKind.ANSWER:
                    answer.set_result(body[_NUMBER.size :])
                else:
                    answer.set_exception(NodeRefused(body[_NUMBER.size :].decode()))
            case MessageKind.NEWS:
                peer = body.decode()
                self._listening.discard(peer)
                self._bell(peer).set()
            case MessageKind.TOKEN:
                self._put(member_messages.to_posted(body))
            case MessageKind.OVER:
                self.over.set_result(body.decode())
            case other:
                raise BadInput(f"rank {rank} sends what only rank 0 hears ({other.name}).")

    def _put(self, posted: member_messages.PostedToken) -> None:
        """A token for a peer of this rank; an older one is of no use."""
        waiting = self._tokens.get(posted.peer)
        if waiting is None or not posted.passed.token.is_older_than(waiting.token):
            self._tokens[posted.peer] = posted.passed
        self._bell(posted.peer).set()

    def _bell(self, peer: str) -> asyncio.Event:
        return self._bells.setdefault(peer, asyncio.Event())
