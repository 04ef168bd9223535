"""Batches of evidence on their way from a node to the process that stores them."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace

from statecrawl.ports.coordinator_link import NoteEvidence, StateEvidence
from statecrawl.ports.page import Note, Snapshot
from statecrawl.ports.snapshot_redaction import redacted_note, redacted_snapshot
from statecrawl.ports.traffic import Exchange, redacted
from statecrawl.privacy.redaction import Redactor


class EvidenceBatch:
    """Evidence that a node has not sent yet. Implements the EvidenceSink port."""

    def __init__(self, redactor: Redactor | None) -> None:
        """Without a redactor, secrets are sent."""
        self.states: list[StateEvidence] = []
        self.notes: list[NoteEvidence] = []
        self._redactor = redactor

    def keep(self, snapshot: Snapshot, picture: bytes | None) -> None:
        public = snapshot if self._redactor is None else redacted_snapshot(snapshot, self._redactor)
        self.states.append((public, picture))

    def note(self, notes: Iterable[Note | Exchange], state: str, event: str | None) -> None:
        self.notes += [(self._redacted(note), state, event) for note in notes]

    def _redacted(self, note: Note | Exchange) -> Note | Exchange:
        if self._redactor is None:
            return note
        return redacted(note, self._redactor) if isinstance(note, Exchange) else redacted_note(note, self._redactor)

    def revise(self, names: Mapping[str, str], change: Callable[[str], str]) -> None:
        """Rename states. Of several that become one, the evidence of the first remains."""
        states: dict[str, StateEvidence] = {}
        for snapshot, picture in self.states:
            if (name := names.get(snapshot.state)) is not None and name not in states:
                states[name] = replace(snapshot, state=name, normal=change(snapshot.normal)), picture
        self.states = list(states.values())
        self.notes = [(note, names.get(state, state), event) for note, state, event in self.notes]

    def drop(self, states: Iterable[str]) -> None:
        pass

    def form(self, state: str) -> tuple[str, str] | None:
        return None  # the node has met all of its states in the same run

    def is_busy(self) -> bool:
        return False

    def flush(self) -> None:
        pass

    def take(self) -> tuple[list[StateEvidence], list[NoteEvidence]]:
        """Remove and return everything."""
        states, notes, self.states, self.notes = self.states, self.notes, [], []
        return states, notes

    def keep_only(self, states: Collection[str]) -> None:
        """Drop the evidence of all other states. Traffic stays, since it does not depend on what a state is."""
        self.states = [each for each in self.states if each[0].state in states]
        self.notes = [note for note in self.notes if note[1] in states or isinstance(note[0], Exchange)]
