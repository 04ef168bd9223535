"""Interface between a coordinator and its transport: where messages come from, and where facts and replies go.

Implemented by `fleet.local_mailbox.LocalMailbox` (a journal of this process, called by the nodes directly) and
`cluster.redis.mailbox.RedisMailbox` (a journal shared with nodes and standby coordinators). The types of requests and
replies depend on the architecture.
"""

from collections.abc import Sequence
from typing import Protocol, TypeVar

from statecrawl.coordination.client_server_messages import Heartbeat, Leave
from statecrawl.journal.facts import Fact


class JournalOutdated(Exception):
    """The journal no longer matches what was read: discard everything derived from it and read it again."""


class Deposed(Exception):
    """Another process coordinates this crawl now."""


class NodeMessage(Protocol):
    """Request of a node, or the reply to it."""

    @property
    def node(self) -> str: ...
    @property
    def number(self) -> int: ...


Request_co = TypeVar("Request_co", bound=NodeMessage, covariant=True)
Reply = TypeVar("Reply", bound=NodeMessage)


class Mailbox(Protocol[Request_co, Reply]):
    """Inbox, outbox and journal of a coordinator. Every method raises StoreError when the store fails."""

    async def read(self) -> list[Fact]:
        """Read the journal. Messages received and not committed since are delivered again. Raises Deposed."""

    async def receive(self, seconds: float) -> Sequence[Request_co | Heartbeat | Leave]:
        """Return all messages that have arrived: at least one, or none after a timeout.

        A request without a reply is delivered again when the node repeats it. Raises JournalOutdated and Deposed.
        """

    async def commit(self, facts: Sequence[Fact], answers: Sequence[Reply]) -> Sequence[Reply]:
        """Write the facts, then send the replies. Return the replies that were certainly sent.

        This acknowledges all messages received so far. Raises JournalOutdated and Deposed, having done nothing.
        """
