"""Intake of the evidence that nodes send: it is checked and stored."""

import threading
from collections.abc import Iterable

from statecrawl.errors import BadInput
from statecrawl.ports.coordinator_link import NoteEvidence, StateEvidence
from statecrawl.ports.recorder import EvidenceSink
from statecrawl.stores.evidence import STATE_ID


class EvidenceIntake:
    """Stores the evidence that nodes send."""

    def __init__(self, sink: EvidenceSink) -> None:
        self._sink = sink
        self._unflushed: set[str] = set()  # states whose evidence is on its way to the disk
        self._lock = threading.Lock()  # threads may call it, since disks are slow

    def store(self, states: Iterable[StateEvidence], notes: Iterable[NoteEvidence]) -> None:
        """Store evidence durably. Raises StoreError, and BadInput when the evidence is invalid."""
        with self._lock:
            for snapshot, picture in states:
                if not STATE_ID.fullmatch(snapshot.state):
                    raise BadInput(
                        f"a page reports the state '{snapshot.state[:80]}', which is no state id: the page tampers"
                        " with the crawl."
                    )
                if snapshot.state not in self._unflushed:  # otherwise it is sent again because the disk was full
                    self._unflushed.add(snapshot.state)
                    self._sink.keep(snapshot, picture)
            for note, state, event in notes:
                self._sink.note([note], state, event)
            self._flush()

    def flush(self) -> None:
        """Write everything to the disk. Raises StoreError; the next call tries again."""
        with self._lock:
            self._flush()

    def _flush(self) -> None:
        self._sink.flush()
        self._unflushed.clear()
