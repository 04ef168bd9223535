"""The coordinator of Dist-RIA with a real journal, a real clock, and nodes that wait.

A node that is done is told that nothing is new only when something is, or when it asks the same again: so it neither
asks without end nor sleeps when there is something to do.
"""

import time
from collections.abc import Sequence

from statecrawl.coordination.dist_ria import Ask, Coordinator, Reply, Status, Stay, Terminate
from statecrawl.journal.facts import Fact
from statecrawl.runtime.keeping import PATIENCE, Keeping
from statecrawl.runtime.kept import Told
from statecrawl.runtime.team import Team

EXPECTED = 1  # nodes that are waited for: whoever comes later takes its share then


class StarKeeping(Keeping[Ask, Reply]):
    """Coordinates."""

    def _made(self, facts: Sequence[Fact]) -> Coordinator:
        self._staying: dict[str, Stay] = {}  # nodes that have nothing to do, and what they will be told
        balance = (self.plan.team or Team()).balanced
        self._coordinator = Coordinator(
            facts, expected=EXPECTED, patience=PATIENCE, incarnation=self.incarnation, balance=balance
        )
        return self._coordinator

    async def report(self, ask: Ask) -> Reply:
        """The answer to a question."""
        since = time.monotonic()
        try:
            return await self.hear(ask.node, ask)
        finally:
            if ask.status is Status.DONE and ask.node in self.nodes:
                self.nodes[ask.node].idle += time.monotonic() - since

    # -- inside --

    def _hear(self, said: Ask, now: float) -> Told[Reply]:
        told = self._coordinator.asked(said, now)
        if said.status is Status.TERMINATED:  # its last words have been heard
            return Told(told.facts, [Terminate(said.node, said.number, "")])
        return Told(told.facts, told.answers)

    def _look_around(self, now: float) -> Told[Reply]:
        for name in self._waiting:
            self._node(name)
            self._coordinator.heard_of(name, now)
        told = self._coordinator.passed(now)
        return Told(told.facts, told.answers)

    def _end(self, reason: str) -> Told[Reply]:
        told = self._coordinator.end(reason, time.monotonic())
        return Told(told.facts, told.answers)

    def _give(self, answer: Reply) -> None:
        self._staying.pop(answer.node, None)
        asked, _ = self._waiting.get(answer.node, (None, None))
        match asked, answer:
            case Ask(status=Status.DONE, heard=heard), Stay() if heard == answer.heard:
                self._staying[answer.node] = answer
            case _:  # also a node that has to say first that it has heard all there was
                self._resolve(answer.node, answer.number, answer)

    def _has_changed(self) -> None:
        for node, answer in list(self._staying.items()):
            if self._coordinator.has_news(answer.heard):
                del self._staying[node]
                self._resolve(node, answer.number, answer)
