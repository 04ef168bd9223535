"""Mailbox of a coordinator in Redis: the journal, the messages of nodes, and the nodes' own mailboxes.

Theory of operation
    One process coordinates at a time: the one whose name is in the key `leader`, which expires unless it is renewed.
    Every change is made by a script that first checks whether the caller still leads. So a coordinator that was
    suspended for a while and wakes up cannot change anything.

    The script also checks whether the journal ends with the group that the caller read or wrote last. It does not when
    the server has lost its last writes (a power cut, or a replica that took over), or when the reply to an earlier call
    was lost. Then the coordinator knows more or less than the journal, which must not be: it discards its state and
    reads the journal again (`JournalOutdated`). The server makes the ids of groups, which contain its time, so what is
    written after a loss never has the id of something that was lost.

    Appending facts, sending replies, and removing the messages they result from is one script: either all of it happens
    or nothing. A request without a reply is put back without its facts, which are in the journal by then. So the next
    coordinator receives exactly the unprocessed messages, and nothing is counted twice.

    Other writes of a coordinator, such as the start of a run or the status, are made by scripts with the same checks.
    Evidence waits in a stream until the coordinator has stored it on disk. Deleting it then needs no check: a process
    only deletes what it has on its own disk, and where two have the same evidence, nothing is lost.
"""

import asyncio
import contextlib
import secrets
import time
from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

import msgspec

from statecrawl.cluster.messages import decode_evidence
from statecrawl.cluster.redis.connection import ANSWER_SECONDS, RedisConnection, RedisUnavailable
from statecrawl.cluster.redis.journal import BEGINNING, groups
from statecrawl.cluster.redis.keys import RedisKeys
from statecrawl.coordination import client_server_messages, dist_ria
from statecrawl.coordination.client_server_messages import Heartbeat, Leave
from statecrawl.errors import BadInput, StoreError
from statecrawl.journal.encoding import encode
from statecrawl.journal.facts import CrawlEnded, Fact
from statecrawl.ports.coordinator_link import NoteEvidence, StateEvidence
from statecrawl.ports.mailbox import Deposed, JournalOutdated, Reply

LEAD_MILLISECONDS = 5_000  # without a renewal, after which another process may lead
MAIL_MILLISECONDS = 3_600_000  # expiry of a mailbox without new entries
PUT_BACK = b""  # entry id of a request that was put back and not received again yet
MOST_MESSAGES = 32  # processed at once, so that no node waits for many others
MOST_PARCELS = 8
RENEW_SECONDS = 1.0
Entries = list[tuple[bytes, dict[bytes, bytes]]]  # entries of a stream
Request = TypeVar("Request", bound=client_server_messages.TaskRequest | dist_ria.StatusReport)
# Stores evidence on disk; raises StoreError and BadInput.
Keep = Callable[[list[StateEvidence], list[NoteEvidence]], None]


class RedisMailbox(Generic[Request, Reply]):
    """Mailbox of one coordinator, or of a process that waits to become one."""

    def __init__(
        self, store: RedisConnection, keys: RedisKeys, decoded: Callable[[bytes], Request | Heartbeat | Leave]
    ) -> None:
        """`decoded` decodes the messages of nodes, and raises BadInput."""
        self._store = store
        self._keys = keys
        self._decoded = decoded
        self._name = secrets.token_hex(16)
        self._last = BEGINNING  # last group of the journal, as far as known
        self._last_message = BEGINNING  # last message received
        self._handled: list[bytes] = []  # messages to remove with the next commit
        self._open: dict[str, tuple[bytes, Request]] = {}  # node -> its request without a reply
        self._led = 0.0  # when the leadership was last renewed

    # -- leading --

    async def lead(self) -> bool:
        """Take or renew the leadership. False when another process leads."""
        return await self._lead() is not None

    async def _lead(self) -> bytes | None:
        """Return the last group of the journal; None when another process leads."""
        keys = [self._keys.leader, self._keys.journal]
        last: bytes | None = await self._store.run("lead", keys, [self._name, LEAD_MILLISECONDS])
        if last == self._last:  # else `receive` renews it itself, and raises the right error
            self._led = time.monotonic()
        return last

    async def resign(self) -> None:
        """Give up the leadership at once; it expires soon if the server is unavailable."""
        with contextlib.suppress(RedisUnavailable, StoreError):
            await self._store.run("resign", [self._keys.leader], [self._name], patiently=False)

    # -- the port --

    async def read(self) -> list[Fact]:
        self._last = self._last_message = BEGINNING
        self._handled, self._open = [], {}
        if not await self.lead():
            raise Deposed
        facts: list[Fact] = []
        async for last, group in groups(self._store, self._keys):
            facts += group
            self._last = last
        return facts

    async def receive(self, seconds: float) -> list[Request | Heartbeat | Leave]:
        if time.monotonic() - self._led > RENEW_SECONDS:
            last = await self._lead()
            if last is None:
                raise Deposed
            if last != self._last:
                raise JournalOutdated
        entries = await self._read(self._keys.asks, self._last_message, MOST_MESSAGES, seconds)
        messages: list[Request | Heartbeat | Leave] = []
        for number, fields in entries:
            self._last_message = number
            try:
                message = self._decoded(fields.get(b"m", b""))
            except BadInput:  # not sent by a node
                self._handled.append(number)
                continue
            if isinstance(message, Heartbeat | Leave):
                self._handled.append(number)
            elif self._is_put_back(number, message):
                continue
            messages.append(message)
        return messages

    def _is_put_back(self, number: bytes, request: Request) -> bool:
        """Whether this process has put back this request itself; an earlier entry of the same node is void."""
        before, known = self._open.get(request.node, (PUT_BACK, None))
        if known is not None and request.number < known.number:
            self._handled.append(number)
            return True
        self._open[request.node] = number, request
        if before != PUT_BACK:
            self._handled.append(before)
            return False
        return request == known

    async def commit(self, facts: Sequence[Fact], replies: Sequence[Reply]) -> list[Reply]:
        if not facts and not replies and not self._handled:
            return []
        answered = [self._open[reply.node][0] for reply in replies if reply.node in self._open]
        waiting = {node: entry for node, entry in self._open.items() if all(reply.node != node for reply in replies)}
        put_back = {node: _without(request) for node, (_, request) in waiting.items() if request != _without(request)}
        done = [number for number in answered if number != PUT_BACK]
        done = [*self._handled, *done, *(waiting[node][0] for node in put_back)]
        ended = [fact.reason for fact in facts if isinstance(fact, CrawlEnded)]
        await self._commit(encode(facts), ended[-1] if ended else "", replies, done, list(put_back.values()))
        self._handled, self._open = [], waiting
        self._open.update((node, (PUT_BACK, request)) for node, request in put_back.items())
        return list(replies)

    async def _commit(
        self, facts: bytes, ended: str, replies: Sequence[Reply], done: list[bytes], put_back: Sequence[Request]
    ) -> None:
        """Raises JournalOutdated and Deposed."""
        keys = [self._keys.leader, self._keys.journal, self._keys.asks, self._keys.ended]
        result = await self._store.run(
            "commit",
            [*keys, *(self._keys.mail(reply.node) for reply in replies)],
            [
                self._name,
                LEAD_MILLISECONDS,
                self._last,
                facts,
                ended,
                MAIL_MILLISECONDS,
                *map(msgspec.json.encode, replies),
                len(done),
                *done,
                *map(msgspec.json.encode, put_back),
            ],
        )
        self._last = last_written(result)

    # -- in addition to the port --

    async def begin(self, plan: dict[str, Any]) -> float:
        """Start or continue a run by this plan; the crawl no longer counts as ended.

        Return for how many seconds other processes have coordinated this run. Raises Deposed.
        """
        keys = [self._keys.leader, self._keys.plan, self._keys.ended, self._keys.spent, self._keys.spent_at]
        spent = await self._store.run("begin", keys, [self._name, msgspec.json.encode(plan)])
        if spent == b"deposed":
            raise Deposed
        return int(spent) / 1000

    async def end(self, reason: str) -> None:
        """Record why the crawl ended, also when it left nothing behind."""
        await self._store.run("end", [self._keys.leader, self._keys.ended], [self._name, reason])

    async def replace_plan(self, plan: dict[str, Any]) -> None:
        """Replace the plan for nodes during a run. Raises Deposed."""
        if await self._store.run(
            "replace_plan", [self._keys.leader, self._keys.plan], [self._name, msgspec.json.encode(plan)]
        ):
            raise Deposed

    async def publish(self, status: dict[str, Any], plan: dict[str, Any], spent: float) -> None:
        """Publish the status, and for how many seconds this run was coordinated.

        Does nothing if the server is unavailable or another process leads.
        """
        keys = [self._keys.leader, self._keys.status, self._keys.spent, self._keys.plan, self._keys.spent_at]
        content, milliseconds = msgspec.json.encode(status), round(spent * 1000)
        arguments: list[str | bytes | int] = [
            self._name,
            content,
            2 * LEAD_MILLISECONDS,
            milliseconds,
            msgspec.json.encode(plan),
        ]
        with contextlib.suppress(RedisUnavailable):
            await self._store.run("publish", keys, arguments, patiently=False)

    async def has_evidence(self) -> bool:
        """Whether evidence is waiting."""
        return bool(await self._store.call(lambda client: client.xlen(self._keys.evidence)))

    async def collect(self, keep: Keep) -> bool:
        """Store waiting evidence; whether there was any. Raises what `keep` raises, except BadInput."""
        entries = await self._read(self._keys.evidence, BEGINNING, MOST_PARCELS, 0.0)
        for _, fields in entries:
            with contextlib.suppress(BadInput):
                states, notes = decode_evidence(fields.get(b"p", b""))
                await asyncio.to_thread(keep, states, notes)
        if entries:
            taken = [number for number, _ in entries]
            await self._store.call(lambda client: client.xdel(self._keys.evidence, *taken))
        return bool(entries)

    async def _read(self, key: str, after: bytes, most: int, seconds: float) -> Entries:
        """Return the entries of a stream after one of them; wait up to `seconds` for the first."""
        block = max(1, round(seconds * 1000)) if seconds else None
        found = await self._store.call(
            lambda client: client.xread({key: after}, count=most, block=block), seconds + ANSWER_SECONDS
        )
        return list(found[0][1]) if found else []


def last_written(result: bytes) -> bytes:
    """Return the last group of the journal from the result of a script. Raises JournalOutdated and Deposed."""
    if result == b"deposed":
        raise Deposed
    if result == b"outdated":
        raise JournalOutdated
    return result


def _without(request: Request) -> Request:
    """Return a request without its report."""
    return msgspec.structs.replace(request, facts=(), events=0, resets=0, warnings=())
