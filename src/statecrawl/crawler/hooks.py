"""Hooks: callbacks through which a program follows a crawl, or takes part in its decisions.

A hook that raises ends the crawl: the results until then are stored, and the caller gets the exception.
"""

import inspect
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from statecrawl.journal.facts import Fact
from statecrawl.model.finding import Finding
from statecrawl.model.graph import Graph
from statecrawl.ports.journal_store import Journal
from statecrawl.ports.page import Note, Snapshot
from statecrawl.ports.recorder import EvidenceSink
from statecrawl.ports.traffic import Exchange
from statecrawl.strategies.settings import StrategySettings
from statecrawl.strategies.strategy import Strategy

# Makes a strategy for an empty graph; a class that derives from Strategy does
StrategyMaker = Callable[[Graph, StrategySettings], Strategy]
Check = Callable[[Snapshot], Iterable[Finding]]


@dataclass(slots=True, kw_only=True)
class Hooks:
    """The hooks of one crawl, all of them optional."""

    before_reset: Callable[[], Awaitable[None] | None] | None = None  # called before each reset of the application
    on_state: Callable[[Snapshot], None] | None = None  # called with each new state
    on_fact: Callable[[Fact], None] | None = None  # called with each fact, in the order of the journal
    on_note: Callable[[Note, str, str | None], None] | None = (
        None  # called with each page note, its state and its event
    )
    on_request: Callable[[Exchange, str, str | None], None] | None = (
        None  # called with each request and its response, likewise
    )
    strategy: StrategyMaker | None = None
    checks: Sequence[Check] = ()  # run on every new state
    findings: list[Finding] = field(default_factory=list)  # results of the checks

    async def reset(self) -> None:
        if self.before_reset is not None:
            done = self.before_reset()
            if inspect.isawaitable(done):
                await done

    def new_state(self, snapshot: Snapshot) -> None:
        if self.on_state is not None:
            self.on_state(snapshot)
        for check in self.checks:
            self.findings += check(snapshot)

    def recorded(self, facts: Iterable[Fact]) -> None:
        if self.on_fact is not None:
            for fact in facts:
                self.on_fact(fact)

    def noted(self, notes: Iterable[Note | Exchange], state: str, event: str | None) -> None:
        for note in notes:
            if isinstance(note, Exchange):
                if self.on_request is not None:
                    self.on_request(note, state, event)
            elif self.on_note is not None:
                self.on_note(note, state, event)


class HookedJournal:
    """A journal that passes each stored fact to the hooks."""

    def __init__(self, journal: Journal, hooks: Hooks) -> None:
        self._journal = journal
        self._hooks = hooks

    def read(self, start: int = 0) -> Iterator[Fact]:
        return self._journal.read(start)

    def append(self, facts: Iterable[Fact]) -> int:
        facts = list(facts)
        position = self._journal.append(facts)
        self._hooks.recorded(facts)
        return position

    def close(self) -> None:
        self._journal.close()


class HookedEvidence:
    """An evidence store that passes everything to the hooks, too."""

    def __init__(self, evidence: EvidenceSink, hooks: Hooks) -> None:
        self._evidence = evidence
        self._hooks = hooks

    def keep(self, snapshot: Snapshot, picture: bytes | None) -> None:
        self._evidence.keep(snapshot, picture)
        self._hooks.new_state(snapshot)

    def note(self, notes: Iterable[Note | Exchange], state: str, event: str | None) -> None:
        notes = list(notes)
        self._evidence.note(notes, state, event)
        self._hooks.noted(notes, state, event)

    def revise(self, names: Mapping[str, str], change: Callable[[str], str]) -> None:
        self._evidence.revise(names, change)

    def drop(self, states: Iterable[str]) -> None:
        self._evidence.drop(states)

    def form(self, state: str) -> tuple[str, str] | None:
        return self._evidence.form(state)

    def is_busy(self) -> bool:
        return self._evidence.is_busy()

    def flush(self) -> None:
        self._evidence.flush()
