"""The coordinator of Dist-RIA with a real journal, a real clock, and nodes that wait.

A node that is done is told that nothing is new only when something is: so it neither asks without end nor sleeps when
there is something to do. Its line asks the same again every few seconds, which says that it is there.
"""

from collections.abc import Iterable, Sequence

from statecrawl.coordination.dist_ria import Ask, Coordinator, Reply, Status, Stay, Terminate
from statecrawl.journal.facts import Fact
from statecrawl.ports.line import Kept, Noted
from statecrawl.runtime.desk import Desk
from statecrawl.runtime.hearing import Hearing
from statecrawl.runtime.keeping import PATIENCE
from statecrawl.runtime.kept import Told
from statecrawl.runtime.team import Team

EXPECTED = 1  # nodes that are waited for: whoever comes later takes its share then


class StarDesk(Desk[Ask, Reply]):
    """Where nodes come to, unless they write to a Redis."""

    keeping: "StarKeeping"

    async def report(self, ask: Ask) -> Reply:
        """The answer to a question."""
        return await self.ask(ask)

    def keep(self, kept: Iterable[Kept], notes: Iterable[Noted]) -> None:
        self.keeping.keep(kept, notes)


class StarKeeping(Hearing[Ask, Reply]):
    """Coordinates."""

    def _made(self, facts: Sequence[Fact]) -> Coordinator:
        self._done: dict[str, tuple[Ask, float]] = {}  # questions of nodes that have nothing to do, and since when
        self._staying: dict[str, Stay] = {}  # what those will be told who wait for news
        balance = (self.plan.team or Team()).balanced
        self._coordinator = Coordinator(
            facts, expected=EXPECTED, patience=PATIENCE, incarnation=self.incarnation, balance=balance
        )
        return self._coordinator

    def _hear(self, said: Ask, now: float) -> Told[Reply]:
        told = self._coordinator.asked(said, now)
        if said.status is Status.TERMINATED:  # its last words have been heard
            return Told(told.facts, [Terminate(said.node, said.number, "")])
        if said.status is Status.DONE:
            before, since = self._done.get(said.node, (said, now))
            self._done[said.node] = said, since if before.number == said.number else now
        return Told(told.facts, told.answers)

    def _look_around(self, now: float) -> Told[Reply]:
        told = self._coordinator.passed(now)
        return Told(told.facts, told.answers)

    def _end(self, reason: str) -> Told[Reply]:
        told = self._coordinator.end(reason, self.clock.now())
        return Told(told.facts, told.answers)

    def _due(self, answers: Sequence[Reply]) -> Sequence[Reply]:
        waiting = self._staying | {answer.node: answer for answer in answers}
        self._staying = {
            node: answer for node, answer in waiting.items() if isinstance(answer, Stay) and self._may_wait(answer)
        }
        due = [answer for node, answer in waiting.items() if node not in self._staying]
        for answer in due:
            _, since = self._done.pop(answer.node, (None, None))
            if since is not None:
                self.nodes[answer.node].idle += self.clock.now() - since
        return due

    def _may_wait(self, answer: Stay) -> bool:
        """Whether a node that has nothing to do is told nothing new. It has to know all there is: else it says so."""
        ask, _ = self._done.get(answer.node, (None, 0.0))
        return (
            ask is not None
            and (ask.number, ask.heard) == (answer.number, answer.heard)
            and not self._coordinator.has_news(answer.heard)
        )
