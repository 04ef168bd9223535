"""A coordinator's post in Redis: the journal, what nodes say, and their mailboxes.

Theory of operation
    One process coordinates at a time: the one whose name is in the key `leader`, which vanishes when it is not renewed.
    Every change is made by a script that looks first whether the caller still is that one. So a coordinator that was
    stopped for a while and wakes up can change nothing.

    The script also looks whether the journal ends with the group that the caller has read or written last. It does not
    when the server has lost what was written last (a power cut, or a replica that took over), nor when an answer to an
    earlier call was lost on its way. Then the coordinator knows more or less than the journal, which must not be: it
    forgets everything and reads again (`JournalOutdated`). The ids of groups are made by the server and contain its
    time, so what is written after a loss never has the id of something that was lost.

    Facts, answers, and the removal of the messages that they come from are one script: either all of that happened or
    nothing. A question that has no answer yet is put back without what it told, which is in the journal now. So what
    the next coordinator hears is what nobody has dealt with, and nothing is counted twice.

    What else a coordinator writes, that a run has begun and what is going on, is done by scripts that look likewise.
    Evidence waits in a stream until the coordinator has it on its disk. To delete it then needs no look: nobody deletes
    what is not on a disk of its own, and where two have the same, nothing is lost.
"""

import asyncio
import contextlib
import secrets
import time
from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

import msgspec

from statecrawl.cluster import messages as wire
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

LEAD_MILLISECONDS = 5_000  # without a sign of life, after which somebody else coordinates
MAIL_MILLISECONDS = 3_600_000  # that a mailbox is kept which nobody writes to
PUT_BACK = b""  # the entry of a question that we have put back, and not heard again yet
MOST_MESSAGES = 32  # dealt with at once: nobody should wait for a whole crowd
MOST_PARCELS = 8
RENEW_SECONDS = 1.0
Entries = list[tuple[bytes, dict[bytes, bytes]]]  # of a stream
Asked = TypeVar("Asked", bound=client_server_messages.TaskRequest | dist_ria.StatusReport)
Keep = Callable[[list[StateEvidence], list[NoteEvidence]], None]  # evidence on the disk; raises StoreError and BadInput


class RedisMailbox(Generic[Asked, Reply]):
    """The post of one coordinator, or of one who waits to become it."""

    def __init__(
        self, store: RedisConnection, keys: RedisKeys, decoded: Callable[[bytes], Asked | Heartbeat | Leave]
    ) -> None:
        """What nodes say is decoded by this, which raises BadInput."""
        self._store = store
        self._keys = keys
        self._decoded = decoded
        self._me = secrets.token_hex(16)
        self._last = BEGINNING  # the group that the journal ends with, as far as we know
        self._heard = BEGINNING  # the last message
        self._dealt_with: list[bytes] = []  # messages, by the next commit
        self._open: dict[str, tuple[bytes, Asked]] = {}  # node -> its question, while it has no answer
        self._led = 0.0  # when we last said that we coordinate

    # -- leading --

    async def lead(self) -> bool:
        """Coordinate from now on, or still. False when somebody else does."""
        return await self._lead() is not None

    async def _lead(self) -> bytes | None:
        """The group that the journal ends with; None when somebody else coordinates."""
        keys = [self._keys.leader, self._keys.journal]
        last: bytes | None = await self._store.run("lead", keys, [self._me, LEAD_MILLISECONDS])
        if last == self._last:  # else `hear` looks itself, and says what is wrong
            self._led = time.monotonic()
        return last

    async def resign(self) -> None:
        """Let somebody else coordinate at once; soon, when that can not be said now."""
        with contextlib.suppress(RedisUnavailable, StoreError):
            await self._store.run("resign", [self._keys.leader], [self._me], patiently=False)

    # -- the port --

    async def read(self) -> list[Fact]:
        self._last = self._heard = BEGINNING
        self._dealt_with, self._open = [], {}
        if not await self.lead():
            raise Deposed
        facts: list[Fact] = []
        async for last, group in groups(self._store, self._keys):
            facts += group
            self._last = last
        return facts

    async def receive(self, seconds: float) -> list[Asked | Heartbeat | Leave]:
        if time.monotonic() - self._led > RENEW_SECONDS:
            last = await self._lead()
            if last is None:
                raise Deposed
            if last != self._last:
                raise JournalOutdated
        entries = await self._read(self._keys.asks, self._heard, MOST_MESSAGES, seconds)
        messages: list[Asked | Heartbeat | Leave] = []
        for number, fields in entries:
            self._heard = number
            try:
                message = self._decoded(fields.get(b"m", b""))
            except BadInput:  # whoever sends such a thing is no node
                self._dealt_with.append(number)
                continue
            if isinstance(message, Heartbeat | Leave):
                self._dealt_with.append(number)
            elif self._is_put_back(number, message):
                continue
            messages.append(message)
        return messages

    def _is_put_back(self, number: bytes, question: Asked) -> bool:
        """Whether we have put this question back ourselves; an earlier entry of the same node is void."""
        before, known = self._open.get(question.node, (PUT_BACK, None))
        if known is not None and question.number < known.number:
            self._dealt_with.append(number)
            return True
        self._open[question.node] = number, question
        if before != PUT_BACK:
            self._dealt_with.append(before)
            return False
        return question == known

    async def commit(self, facts: Sequence[Fact], answers: Sequence[Reply]) -> list[Reply]:
        if not facts and not answers and not self._dealt_with:
            return []
        asked = [self._open[answer.node][0] for answer in answers if answer.node in self._open]
        answered = [number for number in asked if number != PUT_BACK]
        waiting = {node: asked for node, asked in self._open.items() if all(answer.node != node for answer in answers)}
        told = {node: _without(ask) for node, (_, ask) in waiting.items() if ask != _without(ask)}
        done = [*self._dealt_with, *answered, *(waiting[node][0] for node in told)]
        ended = [fact.reason for fact in facts if isinstance(fact, CrawlEnded)]
        await self._commit(encode(facts), ended[-1] if ended else "", answers, done, list(told.values()))
        self._dealt_with, self._open = [], waiting
        self._open.update((node, (PUT_BACK, ask)) for node, ask in told.items())
        return list(answers)

    async def _commit(
        self, facts: bytes, ended: str, answers: Sequence[Reply], done: list[bytes], back: Sequence[Asked]
    ) -> None:
        """Raises Outdated and Deposed."""
        keys = [self._keys.leader, self._keys.journal, self._keys.asks, self._keys.ended]
        said = await self._store.run(
            "commit",
            [*keys, *(self._keys.mail(answer.node) for answer in answers)],
            [
                self._me,
                LEAD_MILLISECONDS,
                self._last,
                facts,
                ended,
                MAIL_MILLISECONDS,
                *map(msgspec.json.encode, answers),
                len(done),
                *done,
                *map(msgspec.json.encode, back),
            ],
        )
        self._last = last_written(said)

    # -- beside the port --

    async def begin(self, plan: dict[str, Any]) -> float:
        """A run begins by this plan, or goes on: the crawl has not ended any more.

        For how many seconds others have coordinated this run. Raises Deposed.
        """
        keys = [self._keys.leader, self._keys.plan, self._keys.ended, self._keys.spent, self._keys.spent_at]
        said = await self._store.run("begin", keys, [self._me, msgspec.json.encode(plan)])
        if said == b"deposed":
            raise Deposed
        return int(said) / 1000

    async def end(self, reason: str) -> None:
        """The crawl has ended for this reason, also when it left nothing behind."""
        await self._store.run("end", [self._keys.leader, self._keys.ended], [self._me, reason])

    async def invite(self, plan: dict[str, Any]) -> None:
        """Tell nodes another plan, in the middle of a run. Raises Deposed."""
        if await self._store.run("invite", [self._keys.leader, self._keys.plan], [self._me, msgspec.json.encode(plan)]):
            raise Deposed

    async def publish(self, status: dict[str, Any], plan: dict[str, Any], spent: float) -> None:
        """Tell whoever wants to know what is going on, and how many seconds this run was coordinated for.

        Nothing happens when that can not be done now, or somebody else coordinates.
        """
        keys = [self._keys.leader, self._keys.status, self._keys.spent, self._keys.plan, self._keys.spent_at]
        told, planned = msgspec.json.encode(status), msgspec.json.encode(plan)
        with contextlib.suppress(RedisUnavailable):
            said: list[str | bytes | int] = [self._me, told, 2 * LEAD_MILLISECONDS, round(spent * 1000), planned]
            await self._store.run("tell", keys, said, patiently=False)

    async def has_evidence(self) -> bool:
        """Whether some waits to be taken."""
        return bool(await self._store.call(lambda client: client.xlen(self._keys.evidence)))

    async def collect(self, keep: Keep) -> bool:
        """Take evidence of nodes to the disk; whether there was some. Raises what `keep` raises but BadInput."""
        entries = await self._read(self._keys.evidence, BEGINNING, MOST_PARCELS, 0.0)
        for _, fields in entries:
            with contextlib.suppress(BadInput):
                kept, notes = wire.to_parcel(fields.get(b"p", b""))
                await asyncio.to_thread(keep, kept, notes)
        if entries:
            taken = [number for number, _ in entries]
            await self._store.call(lambda client: client.xdel(self._keys.evidence, *taken))
        return bool(entries)

    async def _read(self, key: str, after: bytes, most: int, seconds: float) -> Entries:
        """The entries of a stream after one of them; waits so long for the first."""
        block = max(1, round(seconds * 1000)) if seconds else None
        found = await self._store.call(
            lambda client: client.xread({key: after}, count=most, block=block), seconds + ANSWER_SECONDS
        )
        return list(found[0][1]) if found else []


def last_written(said: bytes) -> bytes:
    """The journal's last group, as a script answers that has written. Raises Outdated and Deposed."""
    if said == b"deposed":
        raise Deposed
    if said == b"outdated":
        raise JournalOutdated
    return said


def _without(ask: Asked) -> Asked:
    """A question without what it tells."""
    return msgspec.structs.replace(ask, facts=(), events=0, resets=0, warnings=())
