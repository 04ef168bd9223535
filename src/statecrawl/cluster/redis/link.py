"""A node's line to its coordinator through Redis: whoever coordinates, and wherever it is.

A question is put into a stream that the coordinator reads, and the answer comes into the node's own mailbox. A question
that gets no answer for a while is put there again, since the server may have lost it: hearing it twice does no harm.
The coordinator may change meanwhile. When there has been none for too long, or no server, the line is lost; unless the
crawl has ended, which the server remembers.

A node that decides for itself tells again what it saw when the server has lost something; so what evidence it sent
lately is sent again then, too.
"""

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar

import msgspec

from statecrawl.cluster import member_messages, messages
from statecrawl.cluster.redis.connection import ANSWER_SECONDS, Act, RedisConnection, RedisUnavailable
from statecrawl.cluster.redis.keys import RedisKeys
from statecrawl.coordination import dist_ria
from statecrawl.coordination.client_server_messages import CrawlOver, Heartbeat, Leave, TaskReply, TaskRequest
from statecrawl.errors import CoordinatorLost, StoreError
from statecrawl.ports.coordinator_link import NoteEvidence, StateEvidence
from statecrawl.ports.mailbox import NodeMessage

AGAIN_SECONDS = 4.0  # without an answer, after which a question is asked again
MOST_ASKS = 50_000  # that wait for a coordinator; more are forgotten, and asked again
MOST_EVIDENCE = 64  # parcels that wait for a coordinator: then nodes wait, too
LATELY_SECONDS = 10.0  # a server that keeps what it is told loses less
PAUSE_SECONDS = 0.2  # between two looks at whether there is room for evidence
BEGINNING = b"0-0"
Asking = TaskRequest | dist_ria.StatusReport
Answer = TypeVar("Answer", bound=NodeMessage)


class RedisLink:
    """One connection for all pages of a process."""

    def __init__(self, store: RedisConnection, keys: RedisKeys, patience: float) -> None:
        self._store = store
        self._keys = keys
        self._patience = patience
        self.last_contact = time.monotonic()  # when there was a coordinator last
        self._led = self.last_contact  # the same, where one can hear of others
        self._lately: deque[tuple[float, bytes]] = deque(maxlen=MOST_EVIDENCE)  # evidence, and when it was sent
        self._read: dict[str, bytes] = {}  # node -> the last entry of its mailbox that was read

    @property
    def place(self) -> str:
        """Where the crawl is."""
        return f"{self._store.shown}#{self._keys.crawl}"

    async def close(self) -> None:
        await self._store.close()

    async def ask(self, ask: TaskRequest) -> TaskReply:
        return await self._asked(ask, messages.to_reply, CrawlOver)

    async def report(self, ask: dist_ria.StatusReport) -> dist_ria.DistRiaReply:
        reply = await self._asked(ask, member_messages.to_news, dist_ria.Terminate)
        if isinstance(reply, dist_ria.SharedStates) and reply.incarnation != ask.incarnation:
            await self._send_again()
        return reply

    async def beat(self, beat: Heartbeat) -> bool:
        await self._try(beat)
        return False  # nobody answers that here; the next question will be

    async def leave(self, node: str) -> None:
        await self._try(Leave(node))

    async def send(self, kept: Sequence[StateEvidence], notes: Sequence[NoteEvidence]) -> None:
        """In pieces, none of which is large."""
        parcels = list(messages.parcels(kept, notes))
        self._lately.extend((time.monotonic(), parcel) for parcel in parcels)
        await self._put(parcels)

    # -- inside --

    async def _send_again(self) -> None:
        """The server may have lost what was sent lately."""
        now = time.monotonic()
        await self._put([parcel for sent, parcel in self._lately if now - sent < LATELY_SECONDS])

    async def _put(self, parcels: Sequence[bytes]) -> None:
        for parcel in parcels:
            since = time.monotonic()
            while not await self._has_room():
                if await self.look(since) is not None:
                    return  # nobody will take it, and what it is about is not written any more
                await asyncio.sleep(PAUSE_SECONDS)
            await self._call(partial(_add, self._keys.evidence, {"p": parcel}))

    async def _has_room(self) -> bool:
        """Whether evidence may be put where somebody takes it from. Raises LineLost."""
        return await self._waiting() < MOST_EVIDENCE

    async def _waiting(self) -> int:
        waiting: int = await self._call(lambda client: client.xlen(self._keys.evidence))
        return waiting

    async def _asked(
        self, ask: Asking, decoded: Callable[[bytes], Answer], over: Callable[[str, int, str], Answer]
    ) -> Answer:
        """The answer, however long that takes; it may be that the crawl is over."""
        while True:
            await self._call(self._saying(ask))
            answer = await self._answer(ask, decoded)
            if answer is not None:
                return answer
            ended = await self.look()
            if ended is not None:
                return over(ask.node, ask.number, ended)

    async def _call(self, act: Act, seconds: float = ANSWER_SECONDS) -> Any:
        """Raises LineLost."""
        try:
            return await self._store.call(act, seconds)
        except StoreError as trouble:
            raise CoordinatorLost(str(trouble)) from trouble

    def _saying(self, message: Asking | Heartbeat | Leave) -> Act:
        said = {"m": msgspec.json.encode(message)}
        return lambda client: client.xadd(self._keys.asks, said, maxlen=MOST_ASKS, approximate=True)

    async def _try(self, message: Asking | Heartbeat | Leave) -> None:
        with contextlib.suppress(RedisUnavailable, StoreError):
            await self._store.once(self._saying(message))

    async def _answer(self, ask: Asking, decoded: Callable[[bytes], Answer]) -> Answer | None:
        """The answer, if it comes before it is time to ask again."""
        key, until = self._keys.mail(ask.node), time.monotonic() + AGAIN_SECONDS
        while (left := until - time.monotonic()) > 0:
            streams, block = {key: self._read.get(ask.node, BEGINNING)}, max(1, round(left * 1000))
            try:
                found = await self._store.once(partial(_read, streams, block), left + AGAIN_SECONDS)
            except RedisUnavailable:
                return None
            except StoreError as trouble:
                raise CoordinatorLost(str(trouble)) from trouble
            for number, fields in found[0][1] if found else ():
                self._read[ask.node] = number
                self.last_contact = self._led = time.monotonic()
                answer = decoded(fields.get(b"m", b""))
                if answer.number == ask.number:
                    return answer
        return None

    async def look(self, since: float = 0.0) -> str | None:
        """Why the crawl ended, if it has and nobody coordinates any more. Raises LineLost when there is nobody.

        `since` is when we began to wait for somebody, if we did not before.
        """
        leader, ended = await self._call(lambda client: client.mget(self._keys.leader, self._keys.ended))
        now = time.monotonic()
        if leader is not None:
            self.last_contact = self._led = now
        elif ended is not None:
            return str(ended, errors="replace")
        elif now - max(self._led, since) > self._patience:
            raise CoordinatorLost(
                f"nobody coordinates {self._keys.crawl} at {self._store.shown}: run statecrawl coordinate --join, then"
                " start the node again."
            )
        return None


def _read(streams: dict[str, bytes], block: int, client: Any) -> Any:
    return client.xread(streams, block=block)


def _add(key: str, fields: dict[str, bytes], client: Any) -> Any:
    return client.xadd(key, fields)
