"""The seam between whoever walks and whoever knows: what was seen is reported in names, which mean the same everywhere.

Implemented by `crawler.recorder.CrawlRecorder`, which knows the whole crawl, and by `fleet.task_node.Outbox`, which
knows what somebody else has told it.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from statecrawl.journal.facts import Fact
from statecrawl.ports.page import Note, Snapshot
from statecrawl.ports.traffic import Exchange
from statecrawl.strategies.orders import Named


@dataclass(slots=True)
class WorkCount:
    """What has been done so far."""

    events: int = 0
    resets: int = 0
    learning_events: int = 0  # to find out what is volatile; not part of the crawl
    learning_resets: int = 0


class Recorder(Protocol):
    """Takes reports."""

    tally: WorkCount
    warnings: dict[str, None]  # what whoever asked for the crawl should know, each once

    def knows(self, state: str) -> bool:
        """Whether a state is known to have been described."""

    def wants(self, state: str) -> bool:
        """Whether a state has to be described now, by whoever is there."""

    def is_open(self, pair: Named) -> bool:
        """Whether nobody has found out yet where this leads, as far as is known here."""

    def report(self, *facts: Fact) -> None:
        """What was seen, in the order in which it was; see `journal.novelty`."""


class EvidenceKeeper(Protocol):
    """Keeps what was seen beside the facts."""

    def keep(self, snapshot: Snapshot, picture: bytes | None) -> None:
        """What is known of a state. Raises StoreError when the id is none."""

    def note(self, notes: Iterable[Note | Exchange], state: str, event: str | None) -> None:
        """What happened on the way. Raises StoreError."""

    def revise(self, names: Mapping[str, str], change: Callable[[str], str]) -> None:
        """States get other ids, and some become one; `change` makes their new normal forms. Raises StoreError.

        What is kept under the old ids stays until `drop`: the journal still names them.
        """

    def drop(self, states: Iterable[str]) -> None:
        """Nobody names these states any more."""

    def form(self, state: str) -> tuple[str, str] | None:
        """The URL and the normal form of a state as they were kept, without secrets; None if nothing was."""

    def is_busy(self) -> bool:
        """Whether `flush` would have to wait."""

    def flush(self) -> None:
        """Hand over everything. Raises StoreError when that cannot be done; it is tried again by the next."""
