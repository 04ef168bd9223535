"""The seam between a coordinator and what it stands on: where messages come from, and where facts and answers go.

Implemented by `fleet.local_mailbox.LocalMailbox` (a journal of this process, nodes that call it) and
`cluster.redis.mailbox.RedisMailbox` (a journal that nodes and other coordinators see as well). Questions and answers
are those of an architecture.
"""

from collections.abc import Sequence
from typing import Protocol, TypeVar

from statecrawl.coordination.client_server_messages import Heartbeat, Leave
from statecrawl.journal.facts import Fact


class JournalOutdated(Exception):
    """The journal is not what was read last: it must be read again, and everything thought of it forgotten."""


class Deposed(Exception):
    """Somebody else coordinates this crawl now."""


class Addressed(Protocol):
    """A question of a node, or the answer to it."""

    @property
    def node(self) -> str: ...
    @property
    def number(self) -> int: ...


Asked_co = TypeVar("Asked_co", bound=Addressed, covariant=True)
Answered = TypeVar("Answered", bound=Addressed)


class Mailbox(Protocol[Asked_co, Answered]):
    """What a coordinator stands on. Everything here raises StoreError when it can not be done at all."""

    async def read(self) -> list[Fact]:
        """The journal so far. What was heard and not committed since is heard again. Raises Deposed."""

    async def hear(self, seconds: float) -> Sequence[Asked_co | Heartbeat | Leave]:
        """All that was said since; at least one message, unless the time has passed. Raises Outdated and Deposed.

        A question that has no answer is heard again when it is asked again.
        """

    async def commit(self, facts: Sequence[Fact], answers: Sequence[Answered]) -> Sequence[Answered]:
        """Write the facts, then send the answers; those of them that surely went out.

        All that was heard is dealt with then. Raises Outdated and Deposed, and has done nothing then.
        """
