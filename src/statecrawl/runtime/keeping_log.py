"""Where the log of peers is kept: `coordination.log` with a real journal, a real clock, and peers that wait."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from statecrawl.coordination.log import LogKeeper
from statecrawl.coordination.peer_to_peer import Entries, Passed, Request
from statecrawl.journal.facts import Fact
from statecrawl.ports.line import Kept, Noted
from statecrawl.runtime.desk import Desk
from statecrawl.runtime.hearing import Hearing
from statecrawl.runtime.keeping import Keep, Learn
from statecrawl.runtime.kept import Told
from statecrawl.runtime.plan import CrawlPlan


class LogDesk(Desk[Request, Entries]):
    """Where peers come to."""

    keeping: "LogKeeping"

    async def exchange(self, request: Request) -> Entries:
        """Append and read. Raises BadInput when the peer says what can not be."""
        return await self.ask(request)

    async def listen(self, peer: str, incarnation: int, position: int) -> Passed | None:
        return await self.keeping.listen(peer, incarnation, position)

    def pass_on(self, peer: str, passed: Passed) -> None:
        self.keeping.pass_on(peer, passed)

    def keep(self, kept: Iterable[Kept], notes: Iterable[Noted]) -> None:
        self.keeping.keep(kept, notes)


class LogKeeping(Hearing[Request, Entries]):
    """Keeps the log."""

    def __init__(
        self,
        plan: CrawlPlan,
        desk: LogDesk,
        learn: Learn,
        keep: Keep,
        told: Callable[[Any], None] = lambda _: None,
    ) -> None:
        super().__init__(plan, desk, learn, keep, told)
        self._desk = desk
        self._changed = asyncio.Event()
        self._log: LogKeeper

    # -- what peers say, beside what they ask at the desk --

    async def listen(self, peer: str, incarnation: int, position: int) -> Passed | None:
        """Wait until there is something to read, or a token has come, which is given out then."""
        await self.wait_until_ready()
        node, since = self._node(peer), self.clock.now()
        try:
            while not self._log.has_news(peer, incarnation, position):
                await self._changed.wait()
            return self._log.fetch(peer)
        finally:
            node.seen = self.clock.now()
            node.idle += node.seen - since
            self._log.heard_of(peer, node.seen)

    def pass_on(self, peer: str, passed: Passed) -> None:
        """A token for a peer."""
        self._log.post(peer, passed)
        self._has_changed()

    # -- inside --

    def _made(self, facts: Sequence[Fact]) -> LogKeeper:
        self._log = LogKeeper(facts, incarnation=self.incarnation)
        return self._log

    def _hear(self, said: Request, now: float) -> Told[Entries]:
        told = self._log.asked(said, now)
        if told.refused:
            self._desk.refuse(said, told.refused)
        return Told(told.facts, told.answers)

    def _end(self, reason: str) -> Told[Entries]:
        return Told(self._log.end(reason).facts)

    def _has_changed(self) -> None:
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()
