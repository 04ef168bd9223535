"""Link from a node to its coordinator through Redis, whichever process coordinates.

A request is added to a stream that the coordinator reads, and the reply arrives in the node's own mailbox. A request
without a reply for a while is added again, since the server may have lost it: processing it twice does no harm. The
coordinator may change meanwhile. When there has been no coordinator for too long, or no server, the link is lost,
unless the crawl has ended, which the server remembers.

A Dist-RIA node repeats its observations when the server has lost data; so it sends its recent evidence again, too.
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

REPEAT_SECONDS = 4.0  # without a reply, after which a request is repeated
MOST_REQUESTS = 50_000  # waiting for a coordinator; more are dropped, and repeated by their nodes
MOST_EVIDENCE = 64  # parcels waiting for a coordinator; then nodes wait, too
RECENT_SECONDS = 10.0  # a durable server loses less than this
PAUSE_SECONDS = 0.2  # between two checks for room for evidence
BEGINNING = b"0-0"
Request = TaskRequest | dist_ria.StatusReport
Answer = TypeVar("Answer", bound=NodeMessage)


class RedisLink:
    """Connection of one process, shared by all its pages."""

    def __init__(self, store: RedisConnection, keys: RedisKeys, patience: float) -> None:
        self._store = store
        self._keys = keys
        self._patience = patience
        self.last_contact = time.monotonic()  # time of the last reply or sign of a coordinator
        self._led = self.last_contact  # time of the last sign of a coordinator
        self._recent: deque[tuple[float, bytes]] = deque(maxlen=MOST_EVIDENCE)  # parcels, and when they were sent
        self._read: dict[str, bytes] = {}  # node -> last entry read from its mailbox

    @property
    def place(self) -> str:
        """Where the crawl is."""
        return f"{self._store.display_url}#{self._keys.crawl}"

    async def close(self) -> None:
        await self._store.close()

    async def ask(self, request: TaskRequest) -> TaskReply:
        return await self._ask(request, messages.decode_reply, CrawlOver)

    async def report(self, report: dist_ria.StatusReport) -> dist_ria.DistRiaReply:
        reply = await self._ask(report, member_messages.decode_reply, dist_ria.Terminate)
        if isinstance(reply, dist_ria.SharedStates) and reply.incarnation != report.incarnation:
            await self._send_again()
        return reply

    async def beat(self, heartbeat: Heartbeat) -> bool:
        await self._try(heartbeat)
        return False  # heartbeats are not answered here, but the next request is

    async def leave(self, node: str) -> None:
        await self._try(Leave(node))

    async def send(self, states: Sequence[StateEvidence], notes: Sequence[NoteEvidence]) -> None:
        """Send evidence in parcels of limited size."""
        parcels = list(messages.split_evidence(states, notes))
        self._recent.extend((time.monotonic(), parcel) for parcel in parcels)
        await self._put(parcels)

    # -- inside --

    async def _send_again(self) -> None:
        """Repeat recent evidence, which the server may have lost."""
        now = time.monotonic()
        await self._put([parcel for sent, parcel in self._recent if now - sent < RECENT_SECONDS])

    async def _put(self, parcels: Sequence[bytes]) -> None:
        for parcel in parcels:
            since = time.monotonic()
            while not await self._has_room():
                if await self.end_reason(since) is not None:
                    return  # no coordinator will store it, and its facts are not recorded any more
                await asyncio.sleep(PAUSE_SECONDS)
            await self._call(partial(_add, self._keys.evidence, {"p": parcel}))

    async def _has_room(self) -> bool:
        """Whether there is room for more evidence. Raises CoordinatorLost."""
        return await self._waiting() < MOST_EVIDENCE

    async def _waiting(self) -> int:
        waiting: int = await self._call(lambda client: client.xlen(self._keys.evidence))
        return waiting

    async def _ask(
        self, request: Request, decoded: Callable[[bytes], Answer], over: Callable[[str, int, str], Answer]
    ) -> Answer:
        """Return the reply, however long it takes; it may say that the crawl is over."""
        while True:
            await self._call(self._message(request))
            answer = await self._answer(request, decoded)
            if answer is not None:
                return answer
            ended = await self.end_reason()
            if ended is not None:
                return over(request.node, request.number, ended)

    async def _call(self, act: Act, seconds: float = ANSWER_SECONDS) -> Any:
        """Raises CoordinatorLost."""
        try:
            return await self._store.call(act, seconds)
        except StoreError as error:
            raise CoordinatorLost(str(error)) from error

    def _message(self, message: Request | Heartbeat | Leave) -> Act:
        entry = {"m": msgspec.json.encode(message)}
        return lambda client: client.xadd(self._keys.asks, entry, maxlen=MOST_REQUESTS, approximate=True)

    async def _try(self, message: Request | Heartbeat | Leave) -> None:
        with contextlib.suppress(RedisUnavailable, StoreError):
            await self._store.once(self._message(message))

    async def _answer(self, request: Request, decoded: Callable[[bytes], Answer]) -> Answer | None:
        """Return the reply, if it arrives before the request must be repeated."""
        key, until = self._keys.mail(request.node), time.monotonic() + REPEAT_SECONDS
        while (left := until - time.monotonic()) > 0:
            streams, block = {key: self._read.get(request.node, BEGINNING)}, max(1, round(left * 1000))
            try:
                found = await self._store.once(partial(_read, streams, block), left + REPEAT_SECONDS)
            except RedisUnavailable:
                return None
            except StoreError as error:
                raise CoordinatorLost(str(error)) from error
            for number, fields in found[0][1] if found else ():
                self._read[request.node] = number
                self.last_contact = self._led = time.monotonic()
                answer = decoded(fields.get(b"m", b""))
                if answer.number == request.number:
                    return answer
        return None

    async def end_reason(self, since: float = 0.0) -> str | None:
        """Return why the crawl ended, if it has and no coordinator is active.

        Raises CoordinatorLost when there has been no coordinator for too long; `since` is when waiting for one started.
        """
        leader, ended = await self._call(lambda client: client.mget(self._keys.leader, self._keys.ended))
        now = time.monotonic()
        if leader is not None:
            self.last_contact = self._led = now
        elif ended is not None:
            return str(ended, errors="replace")
        elif now - max(self._led, since) > self._patience:
            raise CoordinatorLost(
                f"{self._keys.crawl} at {self._store.display_url} has no coordinator: run statecrawl coordinate --join,"
                " then start the node again."
            )
        return None


def _read(streams: dict[str, bytes], block: int, client: Any) -> Any:
    return client.xread(streams, block=block)


def _add(key: str, fields: dict[str, bytes], client: Any) -> Any:
    return client.xadd(key, fields)
