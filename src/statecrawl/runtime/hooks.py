"""Hooks: what a program that crawls wants to be told while it does, or to decide itself.

A hook that raises ends the crawl: what was found until then is kept, and the error reaches whoever began it.
"""

import inspect
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from statecrawl.journal.facts import Fact
from statecrawl.model.finding import Finding
from statecrawl.model.graph import Graph
from statecrawl.ports.page import Note, Snapshot
from statecrawl.ports.record import Keeper
from statecrawl.ports.store import Journal
from statecrawl.strategies.rules import Rules
from statecrawl.strategies.strategy import Strategy

StrategyMaker = Callable[[Graph, Rules], Strategy]  # over an empty graph; a class that derives from Strategy is one
Check = Callable[[Snapshot], Iterable[Finding]]


@dataclass(slots=True, kw_only=True)
class Hooks:
    """All of them; what is not given does nothing."""

    before_reset: Callable[[], Awaitable[None] | None] | None = None  # of the application, each time
    on_state: Callable[[Snapshot], None] | None = None  # when one is met
    on_fact: Callable[[Fact], None] | None = None  # whatever was recorded, in the order of the journal
    on_note: Callable[[Note, str, str | None], None] | None = None  # what happened on the way; state and event
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

    def noted(self, notes: Iterable[Note], state: str, event: str | None) -> None:
        if self.on_note is not None:
            for note in notes:
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


class HookedKeeper:
    """Keeps what another keeper keeps, and tells the hooks."""

    def __init__(self, keeper: Keeper, hooks: Hooks) -> None:
        self._keeper = keeper
        self._hooks = hooks

    def keep(self, snapshot: Snapshot, picture: bytes | None) -> None:
        self._keeper.keep(snapshot, picture)
        self._hooks.met(snapshot)

    def note(self, notes: Iterable[Note], state: str, event: str | None) -> None:
        notes = list(notes)
        self._keeper.note(notes, state, event)
        self._hooks.noted(notes, state, event)

    def flush(self) -> None:
        self._keeper.flush()
