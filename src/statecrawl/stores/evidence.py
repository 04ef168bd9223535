"""Evidence: what a crawl stores about each state beside the facts, as files that people and tools can open.

    DIR/crawl.journal        the facts
    DIR/crawl.toml           the settings, as a configuration file (`config.saved_settings`)
    DIR/states/<id>.html.gz  the DOM of a state when it was found
    DIR/states/<id>.json.gz  its URL, title, events with labels and selectors, links, forms, normal form
    DIR/states/<id>.jpg      its screenshot
    DIR/states/renamed.json  state ids that changed when the rules were revised, with the new ids
    DIR/traffic/             exchanges between the application and its servers; see `stores.traffic`
    DIR/findings.jsonl       findings of the user's own checks; see `stores.findings`
    DIR/serve.token          the token that nodes need to join a served crawl; readable by its owner only
    DIR/notes.jsonl          page notes (requests, errors, dialogs, windows, downloads): one JSON object per line
    DIR/coverage.json        which parts of the application's scripts have run; see `ports.coverage`
    DIR/report/              the report, which can be regenerated at any time

Everything from a page is data and never interpreted. The only value that becomes part of a file name is the state id. A
page that manipulates its agent could choose it, so it must look like a hash: hexadecimal digits. Secrets are redacted
before anything is written (`ports.snapshot_redaction`), unless the user wants to keep them. Files are written
completely or not at all, in a separate thread, while the crawl continues. The recorder calls `flush` before it writes
the fact of a state, so every state in the journal has its evidence.
"""

import gzip
import json
import re
import zlib
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import MISSING, fields
from functools import partial
from pathlib import Path
from typing import Any, TextIO

import msgspec
from msgspec.structs import replace

from statecrawl.errors import BadInput, StoreError
from statecrawl.ports.coverage import Script, merged_scripts
from statecrawl.ports.page import Note, Snapshot
from statecrawl.ports.snapshot_redaction import redacted_note, redacted_snapshot
from statecrawl.ports.traffic import Exchange
from statecrawl.privacy.redaction import BLANK, Redactor, without_hashes
from statecrawl.stores.findings import FINDINGS_NAME
from statecrawl.stores.traffic import FOLDER, RENAMED, TrafficWriter, renamed_states

JOURNAL_NAME = "crawl.journal"
NOTES_NAME = "notes.jsonl"
COMPRESSION = 3  # of 9: a third of the time for nearly the same size
COVERAGE_NAME = "coverage.json"
TOKEN_NAME = "serve.token"  # noqa: S105 — a file name, not a token
OURS = {JOURNAL_NAME, "states", NOTES_NAME, "crawl.toml", FINDINGS_NAME, TOKEN_NAME, FOLDER}
STATE_IN_NOTE = re.compile(rb'"state": "([0-9a-f]+)"')
STATE_ID = re.compile("[0-9a-f]+")
ABOUT = tuple(field.name for field in fields(Snapshot) if field.name != "html")
NEEDED = {field.name for field in fields(Snapshot) if field.default is MISSING} - {"html"}  # written by every release


def journal_of(folder: Path) -> Path:
    """Return the path of the journal in the directory of a crawl. Raises BadInput if there is none."""
    path = folder / JOURNAL_NAME
    if not path.is_file():
        raise BadInput(f"there is no crawl in {folder}: name a directory that was written by statecrawl crawl.")
    return path


def check_folder(folder: Path) -> None:
    """Raise BadInput if a directory contains other files but no crawl, and OSError if it cannot be read."""
    if folder.is_dir() and not (names := {path.name for path in folder.iterdir()}) & OURS and names:
        raise BadInput(f"{folder} contains other files but no crawl: name a new directory with --out.")


class EvidenceReader:
    """Directory of a crawl, opened for reading."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._states = folder / "states"

    def about(self, state: str) -> dict[str, Any]:
        """Return the stored description of a state. Raises BadInput if there is none."""
        try:
            found: Any = json.loads(self._read(state, ".json.gz"))
        except ValueError as error:
            raise self._nothing(state) from error
        if not isinstance(found, dict) or not found.keys() >= NEEDED:
            raise self._nothing(state)
        return dict(found)

    def html(self, state: str) -> str:
        """Return the DOM of a state when it was found. Raises BadInput if it was not stored."""
        return self._read(state, ".html.gz").decode()

    def compressed_html(self, state: str) -> bytes | None:
        """Return the DOM of a state, compressed; None if it was not stored."""
        path = self._states / f"{state}.html.gz"
        return path.read_bytes() if STATE_ID.fullmatch(state) and path.is_file() else None

    def states_without_evidence(self, states: Iterable[str]) -> list[str]:
        """Return those of the states that have no evidence here, although their ids are valid."""
        pages = {state: self._states / f"{state}.html.gz" for state in states if STATE_ID.fullmatch(state)}
        return [state for state, page in pages.items() if not page.is_file()]

    def picture(self, state: str) -> Path | None:
        """Return the path of the screenshot of a state; None if there is none."""
        path = self._states / f"{state}.jpg"
        return path if STATE_ID.fullmatch(state) and path.is_file() else None

    def notes(self) -> list[bytes]:
        """Return the page notes, one JSON object per line. The last line may be truncated."""
        path = self.folder / NOTES_NAME
        notes = path.read_bytes() if path.is_file() else b""
        if names := {old.encode(): new.encode() for old, new in self.renamed().items()}:
            notes = STATE_IN_NOTE.sub(lambda found: b'"state": "%b"' % names.get(found[1], found[1]), notes)
        return notes.splitlines()

    def renamed(self) -> dict[str, str]:
        """Return the new ids of states that were renamed after notes and traffic were written."""
        return renamed_states(self.folder)

    def coverage(self) -> list[Script]:
        """Return which parts of the application's scripts have run; empty if it was not recorded."""
        try:
            return msgspec.json.decode((self.folder / COVERAGE_NAME).read_bytes(), type=list[Script])
        except (OSError, msgspec.DecodeError):
            return []

    def _read(self, state: str, suffix: str) -> bytes:
        if not STATE_ID.fullmatch(state):
            raise self._nothing(state)
        try:
            return gzip.decompress((self._states / f"{state}{suffix}").read_bytes())
        except (OSError, EOFError, zlib.error) as error:
            raise self._nothing(state) from error

    def _nothing(self, state: str) -> BadInput:
        return BadInput(f"there is no evidence of state {state} in {self.folder}.")


class EvidenceWriter(EvidenceReader):
    """Directory of a crawl, opened for writing."""

    def __init__(self, folder: Path, redactor: Redactor | None = None) -> None:
        """Without a redactor, secrets are stored. Raises BadInput if the directory cannot be created."""
        super().__init__(folder)
        self._redactor = redactor
        try:
            check_folder(folder)
            self._states.mkdir(parents=True, exist_ok=True)
            self._notes: TextIO = (folder / NOTES_NAME).open("a+", encoding="utf-8", errors="backslashreplace")
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else "this is not a valid directory name"
            raise BadInput(f"cannot write into {folder}: {reason}; name another directory with --out.") from error
        self._notes.seek(0)
        line = "\n"
        self._known_notes = {_note_key(line := note) for note in self._notes}
        self._is_cut = not line.endswith("\n")  # a crash truncated the last line
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="evidence")
        self._traffic = TrafficWriter(folder, redactor, self._write)
        # jobs of the writer since the last flush
        self._writing: deque[tuple[Callable[[], None], Future[None] | None]] = deque()
        self._seen_again: list[tuple[str, float, str, str | None]] = []  # repeated exchanges, for the next flush

    @property
    def exchanges(self) -> frozenset[str]:
        """Ids of the exchanges that are stored completely."""
        return self._traffic.whole

    def is_busy(self) -> bool:
        """Whether a flush would have to wait for the writer."""
        last = self._writing[-1][1] if self._writing else None
        return last is not None and not last.done()

    def keep(self, snapshot: Snapshot, picture: bytes | None) -> None:
        """Store a state by the next `flush`. Raises StoreError if its id is invalid."""
        name = snapshot.state
        if not STATE_ID.fullmatch(name):
            raise StoreError(f"the page returned the invalid state id '{name[:80]}': it interferes with the crawl.")
        self._do(partial(self._keep, snapshot, picture))

    def _do(self, job: Callable[[], None]) -> None:
        """Let the writer run a job by the next `flush`."""
        self._writing.append((job, self._writer.submit(job)))

    def _keep(self, snapshot: Snapshot, picture: bytes | None) -> None:
        if self._redactor is not None:
            snapshot = redacted_snapshot(snapshot, self._redactor)
        folder, name = self._states, snapshot.state
        self._write(folder / f"{name}.html.gz", _zipped(_utf8(snapshot.html)))
        about = {field: getattr(snapshot, field) for field in ABOUT}
        self._write(folder / f"{name}.json.gz", _zipped(_json(about)))
        if picture is not None:
            self._write(folder / f"{name}.jpg", picture)

    def _exchanged(self, exchange: Exchange, state: str, event: str | None) -> None:
        name = self._traffic.wants(exchange, state, event)
        if name is None:
            return
        if self._traffic.has(name):
            self._seen_again.append((name, exchange.started, state, event))
        else:
            self._do(partial(self._keep_exchange, name, exchange, state, event))

    def _keep_exchange(self, name: str, exchange: Exchange, state: str, event: str | None) -> None:
        try:
            self._traffic.keep(name, exchange, state, event)
        except OSError as error:
            raise _full(self.folder, error) from error

    def _hand_over_places(self) -> None:
        """Let the writer store the new places of known exchanges, in one job."""
        if self._seen_again:
            self._do(partial(self._keep_places, self._seen_again))
            self._seen_again = []

    def _keep_places(self, places: Iterable[tuple[str, float, str, str | None]]) -> None:
        try:
            self._traffic.keep_places(places)
        except OSError as error:
            raise _full(self.folder, error) from error

    def note(self, notes: Iterable[Note | Exchange], state: str, event: str | None) -> None:
        """Store notes and exchanges, each once. Raises StoreError."""
        for note in notes:
            if isinstance(note, Exchange):
                self._exchanged(note, state, event)
                continue
            if self._redactor is not None:
                note = redacted_note(note, self._redactor)
            line = json.dumps({"kind": note.kind, "what": note.what, "state": state, "event": event}, ensure_ascii=True)
            key = _note_key(line)
            if key not in self._known_notes:
                self._append(line)
                self._known_notes.add(key)

    def form(self, state: str) -> tuple[str, str] | None:
        """Return the stored URL and normal form of a state, redacted; None if there are none."""
        with suppress(BadInput):
            about = self.about(state)
            return str(about["url"]), str(about["normal"])
        return None

    def revise(self, names: Mapping[str, str], change: Callable[[str], str]) -> None:
        """Store states under new ids, several of which may be equal. Raises StoreError.

        `names` maps old ids to new ones; `change` returns the new normal form. The files of the old ids stay until
        `drop`, because the journal still refers to them.
        """
        self.flush()
        for old, new in names.items():
            if old != new:
                self._rename(old, new, change)
        before = self.renamed()
        after = {old: names.get(new, new) for old, new in before.items()} | {o: n for o, n in names.items() if o != n}
        if after:
            self._write(self._states / RENAMED, msgspec.json.encode(after))

    def _rename(self, old: str, new: str, change: Callable[[str], str]) -> None:
        if (self._states / f"{new}.json.gz").is_file():
            return  # merged with another state that has evidence
        about = self.about(old)
        about |= {"state": new, "normal": change(str(about["normal"]))}
        self._write(self._states / f"{new}.html.gz", (self._states / f"{old}.html.gz").read_bytes())
        if (picture := self.picture(old)) is not None:
            self._write(self._states / f"{new}.jpg", picture.read_bytes())
        self._write(self._states / f"{new}.json.gz", _zipped(_json(about)))

    def drop(self, states: Iterable[str]) -> None:
        """Delete the evidence of states that the journal no longer refers to."""
        for state in filter(STATE_ID.fullmatch, states):
            for suffix in (".html.gz", ".json.gz", ".jpg"):
                with suppress(OSError):
                    (self._states / f"{state}{suffix}").unlink()

    def add_coverage(self, scripts: Iterable[Script]) -> None:
        """Merge script coverage into the stored coverage. Raises StoreError."""
        if self._redactor is not None:
            scripts = [replace(script, url=self._redactor.text(script.url)) for script in scripts]
        known = merged_scripts([*self.coverage(), *scripts])
        if known:
            self._write(self.folder / COVERAGE_NAME, msgspec.json.encode(known))

    def flush(self) -> None:
        """Hand everything to the operating system. Raises StoreError if it cannot be written."""
        self._hand_over_places()
        while self._writing:
            job, written = self._writing[0]
            self._writing[0] = job, None  # if it fails, the next flush tries again
            job() if written is None else written.result()
            self._writing.popleft()
        try:
            self._notes.flush()
        except OSError as error:
            raise _full(self.folder, error) from error

    def close(self) -> None:
        """Close the files. Raises StoreError if the last notes could not be written; the files are closed anyway."""
        self._hand_over_places()
        self._writer.shutdown()
        self._traffic.close()
        try:
            self._notes.close()
        except OSError as error:
            raise _full(self.folder, error) from error

    def _read(self, state: str, suffix: str) -> bytes:
        if not self._notes.closed:
            self.flush()
        return super()._read(state, suffix)

    def _append(self, line: str) -> None:
        try:
            self._notes.write(f"\n{line}\n" if self._is_cut else f"{line}\n")
        except OSError as error:
            raise _full(self.folder, error) from error
        self._is_cut = False

    def _write(self, path: Path, content: bytes) -> None:
        draft = path.with_name(f".{path.name}.tmp")
        try:
            draft.write_bytes(content)
            draft.replace(path)
        except OSError as error:
            with suppress(OSError):
                draft.unlink(missing_ok=True)
            raise _full(self.folder, error) from error


def _note_key(line: str) -> str:
    """Return a key that is equal for notes with the same content, regardless of state and secrets."""
    try:
        note = json.loads(line)
        return without_hashes(json.dumps([note["kind"], BLANK.json(note["what"])]))
    except (ValueError, TypeError, KeyError):
        return line  # truncated by a crash


def _utf8(text: str) -> bytes:
    return text.encode("utf-8", errors="backslashreplace")


def _json(about: dict[str, Any]) -> bytes:
    try:
        return msgspec.json.encode(about)
    except UnicodeEncodeError:  # half of a surrogate pair
        return json.dumps(about, ensure_ascii=True).encode()


def _zipped(content: bytes) -> bytes:
    return gzip.compress(content, COMPRESSION, mtime=0)


def _full(folder: Path, error: OSError) -> StoreError:
    return StoreError(
        f"cannot write into {folder}: {error.strerror}; make room, then run the same command again to resume."
    )
