"""Hooks: what a program that crawls wants to be told while it does, or to decide itself.

A hook that raises ends the crawl: what was found until then is kept, and the error reaches whoever began it.
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

StrategyMaker = Callable[
    [Graph, StrategySettings], Strategy
]  # over an empty graph; a class that derives from Strategy is one
Check = Callable[[Snapshot], Iterable[Finding]]


@dataclass(slots=True, kw_only=True)
class Hooks:
    """All of them; what is not given does nothing."""

    before_reset: Callable[[], Awaitable[None] | None] | None = None  # of the application, each time
    on_state: Callable[[Snapshot], None] | None = None  # when one is met
    on_fact: Callable[[Fact], None] | None = None  # whatever was recorded, in the order of the journal
    on_note: Callable[[Note, str, str | None], None] | None = None  # what happened on the way; state and event
    on_request: Callable[[Exchange, str, str | None], None] | None = None  # a request and what came of it; likewise
    strategy: StrategyMaker | None = None
    checks: Sequence[Check] = ()  # of every state that is met
    findings: list[Finding] = field(default_factory=list)  # of these checks

    async def reset(self) -> None:
        if self.before_reset is not None:
            done = self.before_reset()
            if inspect.isawaitable(done):
                await done

    def met(self, snapshot: Snapshot) -> None:
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
    """Another journal, that tells the hooks what it has kept."""

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
    """Keeps what another keeper keeps, and tells the hooks."""

    def __init__(self, keeper: EvidenceSink, hooks: Hooks) -> None:
        self._keeper = keeper
        self._hooks = hooks

    def keep(self, snapshot: Snapshot, picture: bytes | None) -> None:
        self._keeper.keep(snapshot, picture)
        self._hooks.met(snapshot)

    def note(self, notes: Iterable[Note | Exchange], state: str, event: str | None) -> None:
        told = list(notes)
        self._keeper.note(told, state, event)
        self._hooks.noted(told, state, event)

    def revise(self, names: Mapping[str, str], change: Callable[[str], str]) -> None:
        self._keeper.revise(names, change)

    def drop(self, states: Iterable[str]) -> None:
        self._keeper.drop(states)

    def form(self, state: str) -> tuple[str, str] | None:
        return self._keeper.form(state)

    def is_busy(self) -> bool:
        return self._keeper.is_busy()

    def flush(self) -> None:
        self._keeper.flush()
