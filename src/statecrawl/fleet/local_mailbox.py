"""Mailbox of a coordinator whose nodes call this process, and whose journal no other process writes.

The server (`cluster.http.server`) calls `ask` for each request and waits. If a node repeats its request while it waits,
because the connection was lost, the new call replaces the earlier one. All messages that arrive during a step are
handled together, so the more nodes ask, the more facts go into one synchronous write.
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

Request = TypeVar("Request", bound=NodeMessage)


class LocalMailbox(Generic[Request, Reply]):
    """Mailbox that nodes call in this process. Implements the Mailbox port."""

    def __init__(self, journal: Journal, intake: EvidenceIntake) -> None:
        self._journal = journal
        self._intake = intake
        self._arrived: asyncio.Queue[Request | Heartbeat | Leave] = asyncio.Queue()
        self._waiting: dict[str, tuple[int, asyncio.Future[Reply]]] = {}  # node -> number and reply of its request

    # -- calls of nodes --

    async def ask(self, request: Request) -> Reply:
        """Wait for the reply to a request. Raises BadInput when it is refused."""
        future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        earlier = self._waiting.pop(request.node, None)
        if earlier is not None:
            earlier[1].cancel()
        self._waiting[request.node] = request.number, future
        self._arrived.put_nowait(request)
        try:
            return await future
        finally:
            if self._waiting.get(request.node, (0, None))[1] is future:
                del self._waiting[request.node]

    def beat(self, beat: Heartbeat) -> None:
        self._arrived.put_nowait(beat)

    def leave(self, node: str) -> None:
        self._arrived.put_nowait(Leave(node))

    def store_evidence(self, states: Iterable[StateEvidence], notes: Iterable[NoteEvidence]) -> None:
        """Store evidence of a node. Raises StoreError, and BadInput when the evidence is invalid."""
        self._intake.store(states, notes)

    # -- calls of the coordinator --

    async def read(self) -> list[Fact]:
        return list(self._journal.read())

    async def receive(self, seconds: float) -> list[Request | Heartbeat | Leave]:
        messages: list[Request | Heartbeat | Leave] = []
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):  # `wait_for` of Python 3.11 may swallow a cancellation
                messages.append(await self._arrived.get())
        while not self._arrived.empty():
            messages.append(self._arrived.get_nowait())
        return messages

    async def commit(self, facts: Sequence[Fact], answers: Sequence[Reply]) -> list[Reply]:
        if facts:
            self._intake.flush()
            self._journal.append(facts)
        return [answer for answer in answers if self._reply(answer)]

    def refuse(self, request: Request, why: str) -> None:
        """Let `ask` raise BadInput for this request, if its node still waits."""
        if (future := self._future_of(request)) is not None:
            future.set_exception(BadInput(why))

    def _reply(self, answer: Reply) -> bool:
        if (future := self._future_of(answer)) is None:
            return False
        future.set_result(answer)
        return True

    def _future_of(self, message: NodeMessage) -> asyncio.Future[Reply] | None:
        number, future = self._waiting.get(message.node, (0, None))
        return None if future is None or number != message.number or future.done() else future
