"""The seam between a node and its coordinator, wherever that is.

Implemented by `cluster.http.link.HttpLink`. What is sent may arrive twice, and an answer may never come: the
machines of `coordination.client_server` are made for that.
"""

from collections.abc import Sequence
from typing import Protocol

from statecrawl.coordination.client_server_messages import Heartbeat, TaskReply, TaskRequest
from statecrawl.ports.page import Note, Snapshot
from statecrawl.ports.traffic import Exchange

StateEvidence = tuple[Snapshot, bytes | None]  # a state in full, and its picture
NoteEvidence = tuple[Note | Exchange, str, str | None]  # what happened, in which state, and at which event


class CoordinatorLink(Protocol):
    """How a node speaks to its coordinator.

    Whatever waits raises LineLost when the coordinator is not to be reached for too long, and NodeRefused when it does
    not want this node.
    """

    heard: float  # when there was a coordinator last, by the clock of whoever made the line

    async def ask(self, ask: TaskRequest) -> TaskReply:
        """The answer, however long that takes."""

    async def beat(self, beat: Heartbeat) -> bool:
        """Say that the node is alive; whether the crawl is over, as far as is heard. It may not get through."""

    async def send(self, kept: Sequence[StateEvidence], notes: Sequence[NoteEvidence]) -> None:
        """Have evidence kept; it is, when this returns."""

    async def leave(self, node: str) -> None:
        """A node goes. Nothing happens when that does not get through."""
