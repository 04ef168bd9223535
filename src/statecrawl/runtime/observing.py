"""Observing: what pages report becomes facts, and facts are told to the model, the strategy and the journal.

Theory of operation
    Facts are made here and nowhere else while a crawl runs. Each is told to the fold and the strategy at once, so that
    the next task knows it, and kept for the journal, which is written in groups: a group costs one synchronous write,
    and events are a hundred times faster than that. What was not written when the machine dies was never acknowledged,
    and is found again.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from statecrawl.journal.facts import (
    BoundarySeen,
    CostMeasured,
    EventAdded,
    EventCrashed,
    EventHung,
    EventRefused,
    ExternalTransition,
    Fact,
    StateFound,
    TransitionDiverged,
    TransitionExplored,
)
from statecrawl.journal.fold import Crawl
from statecrawl.model.event import Event
from statecrawl.model.graph import UNEXPLORED
from statecrawl.ports.page import Note, Snapshot
from statecrawl.ports.store import Journal
from statecrawl.strategies.strategy import Strategy
from statecrawl.strategies.task import Pair
from statecrawl.strategies.telling import Teller

GROUP_FACTS = 500
GROUP_SECONDS = 0.25
BOUNDARIES = {"boundary": "scope", "window": "window", "download": "download"}  # kind of note -> what is beyond


@dataclass(slots=True)
class Tally:
    """What has been done so far."""

    events: int = 0
    resets: int = 0
    learning_events: int = 0  # to find out what is volatile; not part of the crawl
    learning_resets: int = 0


class Observer:
    """Makes facts. The strategy and the crawl must be over the same, fresh graph."""

    def __init__(
        self,
        crawl: Crawl,
        strategy: Strategy,
        journal: Journal,
        clock: Callable[[], float],
        before_write: Callable[[], None] = lambda: None,
    ) -> None:
        """`before_write` is called before facts are handed to the journal, and may raise StoreError."""
        self.crawl = crawl
        self.strategy = strategy
        self.tally = Tally()
        self.warnings: dict[str, None] = {}  # what whoever asked for the crawl should know, each once
        self._teller = Teller(crawl, strategy)
        self._journal = journal
        self._clock = clock
        self._before_write = before_write
        self._group: list[Fact] = []
        self._written = clock()

    def begin_again(self, crawl: Crawl, strategy: Strategy, facts: Iterable[Fact]) -> None:
        """Forget all that was told before, and be told these facts, which are in the journal already."""
        self.crawl, self.strategy = crawl, strategy
        self._teller = Teller(crawl, strategy)
        self._teller.tell(facts)

    def tell(self, *facts: Fact) -> None:
        """Learn facts, and keep them for the journal."""
        self._teller.tell(facts)
        self._group += facts
        if len(self._group) >= GROUP_FACTS or self._clock() - self._written > GROUP_SECONDS:
            self.write()

    def tell_journal(self, *facts: Fact) -> None:
        """Write facts after which this observer is not used any more."""
        self._group += facts
        self.write()

    def write(self) -> None:
        """Hand what is kept to the journal. Raises StoreError, and keeps it then: a journal must not have a gap."""
        self._written = self._clock()
        if self._group:
            self._before_write()
            self._journal.append(self._group)
            self._group = []

    # -- what was seen --

    def found(self, snapshot: Snapshot) -> int:
        """A state was seen; its number."""
        graph = self.crawl.graph
        if snapshot.state not in graph.numbers:
            events = [Event.named(name) for name in snapshot.events]
            self.tell(StateFound.of(snapshot.state, events, url=snapshot.url, title=snapshot.title))
        return graph.numbers[snapshot.state]

    def explored(self, pair: Pair, target: int) -> None:
        """A pair led somewhere for the first time, or was fired again by somebody who did not know."""
        state, event = self._names(pair)
        self.tell(
            TransitionExplored(
                state=state,
                event=event,
                target=self.crawl.graph.ids[target],
                fired=self.tally.events,
                resets=self.tally.resets,
            )
        )

    def diverged(self, pair: Pair, landed: int) -> None:
        """An explored pair led elsewhere."""
        graph = self.crawl.graph
        state, event = self._names(pair)
        incident = len(graph.divergences.get(pair, ())) + 1
        expected = graph.ids[graph.targets[pair[0]][pair[1]]]
        self.tell(
            TransitionDiverged(state=state, event=event, expected=expected, landed=graph.ids[landed], incident=incident)
        )

    def refused(self, pair: Pair, reason: str) -> None:
        state, event = self._names(pair)
        self.tell(EventRefused(state=state, event=event, reason=reason))

    def hung(self, pair: Pair, reason: str) -> None:
        state, event = self._names(pair)
        self.tell(EventHung(state=state, event=event, reason=reason))

    def crashed(self, pair: Pair, reason: str) -> None:
        state, event = self._names(pair)
        self.tell(EventCrashed(state=state, event=event, reason=reason))

    def moved(self, state: int, target: int) -> None:
        """The page changed without an event of ours."""
        ids = self.crawl.graph.ids
        incident = self.crawl.external.get((state, target), 0) + 1
        self.tell(ExternalTransition(state=ids[state], target=ids[target], incident=incident))

    def event_added(self, state: int, name: str) -> None:
        """A state has an event that nobody could see before."""
        self.tell(EventAdded(state=self.crawl.graph.ids[state], event=name))

    def measured(self, reset_cost: float) -> None:
        self.tell(CostMeasured(reset_cost=reset_cost))

    def boundaries(self, notes: Iterable[Note], pair: Pair | None, state: int) -> None:
        """Ways out of the application that were seen."""
        event = None if pair is None else self._names(pair)[1]
        for note in notes:
            what = BOUNDARIES.get(note.kind)
            if what is not None:
                self.tell(BoundarySeen(state=self.crawl.graph.ids[state], event=event, what=what, url=str(note.what)))

    def is_explored(self, pair: Pair) -> bool:
        return self.crawl.graph.targets[pair[0]][pair[1]] != UNEXPLORED

    def _names(self, pair: Pair) -> tuple[str, str]:
        graph = self.crawl.graph
        return graph.ids[pair[0]], graph.event(*pair).local
