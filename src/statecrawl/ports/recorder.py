"""Interface between a walker and the recorder of a crawl. Reports use ids, which mean the same in every process.

Implemented by `crawler.recorder.CrawlRecorder`, which knows the whole crawl, and by `fleet.outbox.Outbox`, which
knows what its coordinator has sent.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from statecrawl.journal.facts import Fact
from statecrawl.ports.page import Note, Snapshot
from statecrawl.ports.traffic import Exchange
from statecrawl.strategies.orders import StateEvent


@dataclass(slots=True)
class WorkCount:
    """Work done so far."""

    events: int = 0
    resets: int = 0
    learning_events: int = 0  # spent on learning dynamic content; not part of the crawl
    learning_resets: int = 0


class Recorder(Protocol):
    """Receives reports."""

    tally: WorkCount
    warnings: dict[str, None]  # messages for the user, each once

    def knows(self, state: str) -> bool:
        """Whether a state has been described."""

    def wants(self, state: str) -> bool:
        """Whether a walker in this state should describe it now."""

    def is_open(self, pair: StateEvent) -> bool:
        """Whether this event is not explored yet, as far as this process knows."""

    def report(self, *facts: Fact) -> None:
        """Report observations in the order in which they were made; see `journal.novelty`."""


class EvidenceSink(Protocol):
    """Stores evidence: snapshots, screenshots and page notes."""

    def keep(self, snapshot: Snapshot, picture: bytes | None) -> None:
        """Store the snapshot and screenshot of a state. Raises StoreError when the state id is invalid."""

    def note(self, notes: Iterable[Note | Exchange], state: str, event: str | None) -> None:
        """Store notes and exchanges. Raises StoreError."""

    def revise(self, names: Mapping[str, str], change: Callable[[str], str]) -> None:
        """Store states under new ids, several of which may be equal. Raises StoreError.

        `names` maps old ids to new ones; `change` returns the new normal form. The files of the old ids stay until
        `drop`, because the journal still refers to them.
        """

    def drop(self, states: Iterable[str]) -> None:
        """Delete the evidence of states that the journal no longer refers to."""

    def form(self, state: str) -> tuple[str, str] | None:
        """Return the stored URL and normal form of a state, redacted; None if there are none."""

    def is_busy(self) -> bool:
        """Whether `flush` would have to wait."""

    def flush(self) -> None:
        """Hand over everything. Raises StoreError on failure; the next call tries again."""
