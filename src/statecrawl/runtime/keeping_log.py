"""Where the log of peers is kept: `coordination.log` with a real journal, a real clock, and peers that wait."""

import asyncio
import time
from collections.abc import Sequence

from statecrawl.coordination.log import LogKeeper
from statecrawl.coordination.peer_to_peer import Entries, Passed, Request
from statecrawl.errors import BadInput
from statecrawl.journal.facts import Fact
from statecrawl.runtime.keeping import Keeping
from statecrawl.runtime.kept import Told


class LogKeeping(Keeping[Request, Entries]):
    """Keeps the log."""

    def _made(self, facts: Sequence[Fact]) -> LogKeeper:
        self._changed = asyncio.Event()
        self._log = LogKeeper(facts, incarnation=self.incarnation)
        return self._log

    # -- what peers say --

    async def exchange(self, request: Request) -> Entries:
        """Append and read. Raises BadInput when the peer says what can not be."""
        return await self.hear(request.peer, request)

    async def listen(self, peer: str, incarnation: int, position: int) -> Passed | None:
        """Wait until there is something to read, or a token has come, which is given out then."""
        await self.wait_until_ready()
        node, since = self._node(peer), time.monotonic()
        try:
            while not self._log.has_news(peer, incarnation, position):
                await self._changed.wait()
            return self._log.fetch(peer)
        finally:
            node.seen = time.monotonic()
            node.idle += node.seen - since
            self._log.heard_of(peer, node.seen)

    def pass_on(self, peer: str, passed: Passed) -> None:
        """A token for a peer."""
        self._log.post(peer, passed)
        self._has_changed()

    # -- inside --

    def _hear(self, said: Request, now: float) -> Told[Entries]:
        told = self._log.asked(said, now)
        if told.refused:
            self._resolve(said.peer, said.number, BadInput(told.refused))
        return Told(told.facts, told.answers)

    def _look_around(self, now: float) -> Told[Entries]:
        return Told()  # who was silent too long is for peers to say

    def _end(self, reason: str) -> Told[Entries]:
        return Told(self._log.end(reason).facts)

    def _give(self, answer: Entries) -> None:
        self._resolve(answer.peer, answer.number, answer)

    def _has_changed(self) -> None:
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()
