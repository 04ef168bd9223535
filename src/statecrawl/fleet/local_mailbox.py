"""A desk: the post of a coordinator whose nodes call this process, and whose journal nobody else writes.

Whoever serves nodes (`cluster.http.server`) calls `ask` and waits; a node that asks again while it waits, because the
connection was lost, takes the place of its earlier question. All that was said meanwhile is heard at once, so the more
nodes ask, the more facts go into one synchronous write.
"""

import asyncio
import contextlib
from collections.abc import Iterable, Sequence
from typing import Generic, TypeVar

from statecrawl.coordination.client_server_messages import Heartbeat, Leave
from statecrawl.errors import BadInput
from statecrawl.fleet.evidence_intake import EvidenceIntake
from statecrawl.journal.facts import Fact
from statecrawl.ports.coordinator_link import NoteEvidence, StateEvidence
from statecrawl.ports.journal_store import Journal
from statecrawl.ports.mailbox import NodeMessage, Reply

Asked = TypeVar("Asked", bound=NodeMessage)


class LocalMailbox(Generic[Asked, Reply]):
    """Where nodes come to."""

    def __init__(self, journal: Journal, filing: EvidenceIntake) -> None:
        self._journal = journal
        self._filing = filing
        self._said: asyncio.Queue[Asked | Heartbeat | Leave] = asyncio.Queue()
        self._waiting: dict[str, tuple[int, asyncio.Future[Reply]]] = {}  # node -> its question

    # -- what nodes say --

    async def ask(self, ask: Asked) -> Reply:
        """The answer to a question, however long that takes. Raises BadInput when it was refused."""
        future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        earlier = self._waiting.pop(ask.node, None)
        if earlier is not None:
            earlier[1].cancel()
        self._waiting[ask.node] = ask.number, future
        self._said.put_nowait(ask)
        try:
            return await future
        finally:
            if self._waiting.get(ask.node, (0, None))[1] is future:
                del self._waiting[ask.node]

    def beat(self, beat: Heartbeat) -> None:
        self._said.put_nowait(beat)

    def leave(self, node: str) -> None:
        self._said.put_nowait(Leave(node))

    def keep(self, kept: Iterable[StateEvidence], notes: Iterable[NoteEvidence]) -> None:
        """Evidence of a node, which is kept when this returns. Raises StoreError, and BadInput when it cannot be."""
        self._filing.keep(kept, notes)

    # -- the port --

    async def read(self) -> list[Fact]:
        return list(self._journal.read())

    async def receive(self, seconds: float) -> list[Asked | Heartbeat | Leave]:
        messages: list[Asked | Heartbeat | Leave] = []
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):  # `wait_for` of Python 3.11 may swallow that it was cancelled
                messages.append(await self._said.get())
        while not self._said.empty():
            messages.append(self._said.get_nowait())
        return messages

    async def commit(self, facts: Sequence[Fact], answers: Sequence[Reply]) -> list[Reply]:
        if facts:
            self._filing.flush()
            self._journal.append(facts)
        return [answer for answer in answers if self._give(answer)]

    def refuse(self, question: Asked, why: str) -> None:
        """Who asked this, if it still waits, said what can not be."""
        if (future := self._waits_for(question)) is not None:
            future.set_exception(BadInput(why))

    def _give(self, answer: Reply) -> bool:
        if (future := self._waits_for(answer)) is None:
            return False
        future.set_result(answer)
        return True

    def _waits_for(self, message: NodeMessage) -> asyncio.Future[Reply] | None:
        number, future = self._waiting.get(message.node, (0, None))
        return None if future is None or number != message.number or future.done() else future
