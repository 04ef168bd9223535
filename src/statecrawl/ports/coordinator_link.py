"""Interface between a task node and its coordinator.

Implemented by `cluster.http.link.HttpLink`. A message may arrive twice and a reply may never arrive; the state machines
in `coordination.client_server` tolerate both.
"""

from collections.abc import Sequence
from typing import Protocol

from statecrawl.coordination.client_server_messages import Heartbeat, TaskReply, TaskRequest
from statecrawl.ports.page import Note, Snapshot
from statecrawl.ports.traffic import Exchange

StateEvidence = tuple[Snapshot, bytes | None]  # snapshot of a state, and its screenshot
NoteEvidence = tuple[Note | Exchange, str, str | None]  # note or exchange, state id, event id


class CoordinatorLink(Protocol):
    """Connection of a node to its coordinator.

    A method that waits raises LineLost when the coordinator cannot be reached for too long, and NodeRefused when the
    coordinator rejects this node.
    """

    last_contact: float  # when the coordinator last replied, by the monotonic clock of this process

    async def ask(self, ask: TaskRequest) -> TaskReply:
        """Send a request and wait for the reply, however long that takes."""

    async def beat(self, beat: Heartbeat) -> bool:
        """Send a heartbeat, which may get lost. Return whether the crawl is known to be over."""

    async def send(self, kept: Sequence[StateEvidence], notes: Sequence[NoteEvidence]) -> None:
        """Send evidence. The coordinator has stored it when this returns."""

    async def leave(self, node: str) -> None:
        """Tell the coordinator that a node leaves. A lost message does no harm."""
