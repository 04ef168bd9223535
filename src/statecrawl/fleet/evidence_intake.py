"""Filing: evidence that nodes send, checked and put where evidence is kept."""

import threading
from collections.abc import Iterable

from statecrawl.errors import BadInput
from statecrawl.ports.coordinator_link import NoteEvidence, StateEvidence
from statecrawl.ports.recorder import EvidenceSink
from statecrawl.stores.evidence import STATE_ID


class EvidenceIntake:
    """Takes what nodes send to a keeper."""

    def __init__(self, keeper: EvidenceSink) -> None:
        self._keeper = keeper
        self._unflushed: set[str] = set()  # states whose evidence is on its way to the disk
        self._lock = threading.Lock()  # it may be called from threads, since disks are slow

    def keep(self, kept: Iterable[StateEvidence], notes: Iterable[NoteEvidence]) -> None:
        """It is kept when this returns. Raises StoreError, and BadInput when it cannot be."""
        with self._lock:
            for snapshot, picture in kept:
                if not STATE_ID.fullmatch(snapshot.state):
                    raise BadInput(f"a page calls its state '{snapshot.state[:80]}', which is no id: it meddles.")
                if snapshot.state not in self._unflushed:  # else it is sent again, because the disk was full
                    self._unflushed.add(snapshot.state)
                    self._keeper.keep(snapshot, picture)
            for note, state, event in notes:
                self._keeper.note([note], state, event)
            self._flush()

    def flush(self) -> None:
        """Raises StoreError; then it is tried again by the next."""
        with self._lock:
            self._flush()

    def _flush(self) -> None:
        self._keeper.flush()
        self._unflushed.clear()
