"""Evidence: what a crawl keeps of each state beside the facts, as files that people and tools can open.

    DIR/crawl.journal        the facts
    DIR/states/<id>.html.gz  the DOM of a state, as it was when the state was found
    DIR/states/<id>.json.gz  its address, title, events with their labels, links, forms, and normal form
    DIR/states/<id>.jpg      what it looked like
    DIR/notes.jsonl          requests, errors, dialogs, windows, downloads: one JSON object per line, each once

What comes from a page is data and stays data: names of files are made from ids that we computed, and nothing here is
interpreted. Files are written whole or not at all; those of a state are written before its fact, so that a
state in the journal always has its evidence.
"""

import gzip
import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any, TextIO

from statecrawl.errors import BadInput, StoreError
from statecrawl.ports.page import Note, Snapshot

JOURNAL_NAME = "crawl.journal"
COMPRESSION = 3  # of 9: a third of the time for nearly the same size


class Evidence:
    """The folder of one crawl."""

    def __init__(self, folder: Path) -> None:
        """Raises BadInput when it cannot be made."""
        self.folder = folder
        self._states = folder / "states"
        try:
            self._states.mkdir(parents=True, exist_ok=True)
            self._notes: TextIO = (folder / "notes.jsonl").open("a+", encoding="utf-8", errors="backslashreplace")
        except OSError as trouble:
            raise BadInput(
                f"cannot write into {folder}: {trouble.strerror}; name another folder with --out."
            ) from trouble
        self._notes.seek(0)
        self._told = {_once(line) for line in self._notes}

    def keep(self, snapshot: Snapshot, picture: bytes | None) -> None:
        """Keep what is known of a state. Raises StoreError when the disk does not take it."""
        about: dict[str, Any] = asdict(snapshot)
        html = about.pop("html")
        name = snapshot.state
        self._write(f"{name}.html.gz", _zipped(html))
        self._write(f"{name}.json.gz", _zipped(json.dumps(about, ensure_ascii=True)))
        if picture is not None:
            self._write(f"{name}.jpg", picture)

    def note(self, notes: Iterable[Note], state: str, event: str | None) -> None:
        """Keep what happened on the way, once."""
        for note in notes:
            line = json.dumps({"kind": note.kind, "what": note.what, "state": state, "event": event}, ensure_ascii=True)
            key = _once(line)
            if key not in self._told:
                self._told.add(key)
                self._notes.write(line + "\n")

    def flush(self) -> None:
        """Hand everything to the operating system."""
        try:
            self._notes.flush()
        except OSError as trouble:
            raise _full(self.folder, trouble) from trouble

    def about(self, state: str) -> dict[str, Any]:
        """What was kept of a state. Raises BadInput when nothing was."""
        path = self._states / f"{state}.json.gz"
        try:
            found: dict[str, Any] = json.loads(gzip.decompress(path.read_bytes()))
        except (OSError, ValueError, EOFError) as trouble:
            raise BadInput(f"there is no evidence of state {state} in {self.folder}.") from trouble
        return found

    def html(self, state: str) -> str:
        """The DOM of a state as it was when the state was found. Raises BadInput when nothing was kept."""
        try:
            return gzip.decompress((self._states / f"{state}.html.gz").read_bytes()).decode()
        except (OSError, ValueError, EOFError) as trouble:
            raise BadInput(f"there is no evidence of state {state} in {self.folder}.") from trouble

    def close(self) -> None:
        self.flush()
        self._notes.close()

    def _write(self, name: str, content: bytes) -> None:
        path = self._states / name
        draft = path.with_name(f".{name}.tmp")
        try:
            draft.write_bytes(content)
            draft.replace(path)
        except OSError as trouble:
            raise _full(self.folder, trouble) from trouble


def _once(line: str) -> str:
    """What two notes have in common that say the same, wherever they were made."""
    try:
        note = json.loads(line)
        return json.dumps([note["kind"], note["what"]])
    except (ValueError, TypeError, KeyError):
        return line  # cut off by a crash


def _zipped(text: str) -> bytes:
    return gzip.compress(text.encode("utf-8", errors="backslashreplace"), COMPRESSION, mtime=0)


def _full(folder: Path, trouble: OSError) -> StoreError:
    return StoreError(
        f"cannot write into {folder}: {trouble.strerror}; make room, then run the same command again to go on."
    )
