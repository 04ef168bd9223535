"""Outboxes: what the walker of a node has seen since the node reported last."""

from statecrawl.coordination.partitioned_member import PartitionedMember
from statecrawl.errors import DamagedJournal
from statecrawl.journal.facts import Fact, StateFound
from statecrawl.model.graph import UNEXPLORED
from statecrawl.ports.recorder import WorkCount
from statecrawl.strategies.orders import StateEvent


class Outbox:
    """Outbox of a node to which a coordinator assigns tasks."""

    def __init__(self) -> None:
        self.tally = WorkCount()
        self.warnings: dict[str, None] = {}
        self.describes = False  # the coordinator has asked which state the page is in
        self.known: set[str] = set()  # states that the coordinator has mentioned
        self._facts: list[Fact] = []

    def knows(self, state: str) -> bool:
        return state in self.known

    def wants(self, state: str) -> bool:
        return self.describes

    def is_open(self, pair: StateEvent) -> bool:
        return True

    def report(self, *facts: Fact) -> None:
        self._facts += facts

    def take(self) -> tuple[Fact, ...]:
        """Remove and return all facts."""
        facts, self._facts = tuple(self._facts), []
        return facts

    def take_tally(self) -> WorkCount:
        """Return what was done since the last call."""
        tally, self.tally = self.tally, WorkCount()
        return tally

    def take_warnings(self) -> dict[str, None]:
        """Remove and return all warnings."""
        warnings, self.warnings = self.warnings, {}
        return warnings


class MemberOutbox(Outbox):
    """Outbox of a node that decides for itself: its member knows which states have been described."""

    def __init__(self, member: PartitionedMember) -> None:
        super().__init__()
        self._member = member

    def knows(self, state: str) -> bool:
        seen = any(isinstance(fact, StateFound) and fact.state == state for fact in self._facts)
        return seen or state in self._member.crawl.graph.numbers

    def wants(self, state: str) -> bool:
        return not self.knows(state)

    def is_open(self, pair: StateEvent) -> bool:
        try:
            state, position = self._member.crawl.pair(*pair)
        except DamagedJournal:
            return True  # the crawl was started anew meanwhile
        return self._member.crawl.graph.targets[state][position] == UNEXPLORED
