"""Evidence: what a crawl keeps of each state beside the facts, as files that people and tools can open.

    DIR/crawl.journal        the facts
    DIR/crawl.toml           what was asked for: a configuration file (`config.saved_settings`)
    DIR/states/<id>.html.gz  the DOM of a state, as it was when the state was found
    DIR/states/<id>.json.gz  its address, title, events with labels and selectors, links, forms, normal form
    DIR/states/<id>.jpg      what it looked like
    DIR/states/renamed.json  ids of states that changed when the rules were revised, and what they are now
    DIR/traffic/             what the application and its servers said to each other; see `stores.traffic`
    DIR/findings.jsonl       what checks of one's own have found; see `stores.findings`
    DIR/serve.token          what nodes have to know, where the crawl is served; for its owner only
    DIR/notes.jsonl          requests, errors, dialogs, windows, downloads: one JSON object per line, each once
    DIR/coverage.json        which parts of the application's scripts have run; see `ports.coverage`
    DIR/report/              a report of all that, which can be made anew at any time

What comes from a page is data and stays data: nothing here is interpreted, and the only thing that becomes part of a
file's name is the id of a state, which a page that meddles with its agent could choose, so it must be what a hash is:
hexadecimal digits. Secrets are taken out first (`privacy.redaction`), unless they are to be kept. Files are written
whole or not at all, by a thread of their own: the crawl goes on meanwhile. Who writes the fact of a state calls `flush`
first, so that a state in the journal always has its evidence.
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
from statecrawl.ports.redaction import redacted_note, redacted_snapshot
from statecrawl.ports.traffic import Exchange
from statecrawl.privacy.redaction import BLANK, Redactor, without_hashes
from statecrawl.stores.findings import FINDINGS_NAME
from statecrawl.stores.traffic import FOLDER, RENAMED, TrafficWriter, renamed_states

JOURNAL_NAME = "crawl.journal"
COMPRESSION = 3  # of 9: a third of the time for nearly the same size
COVERAGE_NAME = "coverage.json"
TOKEN_NAME = "serve.token"  # noqa: S105 — of the file with what nodes have to know, where the crawl is served
OURS = {JOURNAL_NAME, "states", "notes.jsonl", "crawl.toml", FINDINGS_NAME, TOKEN_NAME, FOLDER}
STATE_NOTED = re.compile(rb'"state": "([0-9a-f]+)"')  # in a note
STATE_ID = re.compile("[0-9a-f]+")
ABOUT = tuple(field.name for field in fields(Snapshot) if field.name != "html")
NEEDED = {field.name for field in fields(Snapshot) if field.default is MISSING} - {"html"}  # by every release


def journal_of(folder: Path) -> Path:
    """The journal of the crawl in a folder. Raises BadInput when there is none."""
    path = folder / JOURNAL_NAME
    if not path.is_file():
        raise BadInput(f"there is no crawl in {folder}: name the folder that statecrawl crawl wrote.")
    return path


def check_folder(folder: Path) -> None:
    """Raises BadInput when a folder holds something else than a crawl, and OSError when nobody may look."""
    if folder.is_dir() and not (names := {path.name for path in folder.iterdir()}) & OURS and names:
        raise BadInput(f"{folder} holds other files and no crawl: name a new folder with --out.")


class EvidenceReader:
    """The folder of one crawl, to look at: nothing in it is changed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._states = folder / "states"

    def about(self, state: str) -> dict[str, Any]:
        """What was kept of a state. Raises BadInput when nothing was."""
        try:
            found: Any = json.loads(self._read(state, ".json.gz"))
        except ValueError as trouble:
            raise self._nothing(state) from trouble
        if not isinstance(found, dict) or not found.keys() >= NEEDED:
            raise self._nothing(state)
        return dict(found)

    def html(self, state: str) -> str:
        """The DOM of a state as it was when the state was found. Raises BadInput when nothing was kept."""
        return self._read(state, ".html.gz").decode()

    def compressed_html(self, state: str) -> bytes | None:
        """The same, still compressed; None when nothing was kept."""
        path = self._states / f"{state}.html.gz"
        return path.read_bytes() if STATE_ID.fullmatch(state) and path.is_file() else None

    def lacking(self, states: Iterable[str]) -> list[str]:
        """Those of these states of which nothing was kept here, though it could be."""
        pages = {state: self._states / f"{state}.html.gz" for state in states if STATE_ID.fullmatch(state)}
        return [state for state, page in pages.items() if not page.is_file()]

    def picture(self, state: str) -> Path | None:
        """What a state looked like, as a file; None when nobody took a picture."""
        path = self._states / f"{state}.jpg"
        return path if STATE_ID.fullmatch(state) and path.is_file() else None

    def notes(self) -> list[bytes]:
        """What happened on the way, one JSON object per line; the last may be cut off."""
        path = self.folder / "notes.jsonl"
        told = path.read_bytes() if path.is_file() else b""
        if names := {old.encode(): new.encode() for old, new in self.renamed().items()}:
            told = STATE_NOTED.sub(lambda found: b'"state": "%b"' % names.get(found[1], found[1]), told)
        return told.splitlines()

    def renamed(self) -> dict[str, str]:
        """States that are called otherwise now than when notes and traffic were written."""
        return renamed_states(self.folder)

    def coverage(self) -> list[Script]:
        """Which parts of the application's scripts have run; nothing where nobody has found out."""
        try:
            return msgspec.json.decode((self.folder / COVERAGE_NAME).read_bytes(), type=list[Script])
        except (OSError, msgspec.DecodeError):
            return []

    def _read(self, state: str, suffix: str) -> bytes:
        if not STATE_ID.fullmatch(state):
            raise self._nothing(state)
        try:
            return gzip.decompress((self._states / f"{state}{suffix}").read_bytes())
        except (OSError, EOFError, zlib.error) as trouble:
            raise self._nothing(state) from trouble

    def _nothing(self, state: str) -> BadInput:
        return BadInput(f"there is no evidence of state {state} in {self.folder}.")


class EvidenceWriter(EvidenceReader):
    """The folder of one crawl, to write into."""

    def __init__(self, folder: Path, redactor: Redactor | None = None) -> None:
        """Without a redactor, secrets are kept. Raises BadInput when the folder cannot be made."""
        super().__init__(folder)
        self._redactor = redactor
        try:
            check_folder(folder)
            self._states.mkdir(parents=True, exist_ok=True)
            self._notes: TextIO = (folder / "notes.jsonl").open("a+", encoding="utf-8", errors="backslashreplace")
        except (OSError, ValueError) as trouble:
            reason = trouble.strerror if isinstance(trouble, OSError) else "no folder has such a name"
            raise BadInput(f"cannot write into {folder}: {reason}; name another folder with --out.") from trouble
        self._notes.seek(0)
        line = "\n"
        self._told = {_once(line := told) for told in self._notes}
        self._is_cut = not line.endswith("\n")  # by a crash, in the middle of the last line
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="evidence")
        self._traffic = TrafficWriter(folder, redactor, self._write)
        # what the writer was given since the last flush
        self._writing: deque[tuple[Callable[[], None], Future[None] | None]] = deque()
        self._seen_again: list[tuple[str, float, str, str | None]] = []  # exchanges, for the next flush

    @property
    def exchanges(self) -> frozenset[str]:
        """The ids of the exchanges of which everything is kept."""
        return self._traffic.whole

    def is_busy(self) -> bool:
        """Whether a flush would have to wait for the writer."""
        last = self._writing[-1][1] if self._writing else None
        return last is not None and not last.done()

    def keep(self, snapshot: Snapshot, picture: bytes | None) -> None:
        """Keep what is known of a state, by the next `flush`. Raises StoreError when the id is none."""
        name = snapshot.state
        if not STATE_ID.fullmatch(name):
            raise StoreError(f"the page calls its state '{name[:80]}', which is no id: it meddles with the crawl.")
        self._do(partial(self._keep, snapshot, picture))

    def _do(self, job: Callable[[], None]) -> None:
        """Have the writer do it, by the next `flush`."""
        self._writing.append((job, self._writer.submit(job)))

    def _keep(self, snapshot: Snapshot, picture: bytes | None) -> None:
        if self._redactor is not None:
            snapshot = redacted_snapshot(snapshot, self._redactor)
        kept, name = self._states, snapshot.state
        self._write(kept / f"{name}.html.gz", _zipped(_utf8(snapshot.html)))
        about = {field: getattr(snapshot, field) for field in ABOUT}
        self._write(kept / f"{name}.json.gz", _zipped(_json(about)))
        if picture is not None:
            self._write(kept / f"{name}.jpg", picture)

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
        except OSError as trouble:
            raise _full(self.folder, trouble) from trouble

    def _hand_over_places(self) -> None:
        """Have the writer keep where known exchanges were seen again: one job for all of them."""
        if self._seen_again:
            self._do(partial(self._keep_places, self._seen_again))
            self._seen_again = []

    def _keep_places(self, places: Iterable[tuple[str, float, str, str | None]]) -> None:
        try:
            self._traffic.keep_places(places)
        except OSError as trouble:
            raise _full(self.folder, trouble) from trouble

    def note(self, notes: Iterable[Note | Exchange], state: str, event: str | None) -> None:
        """Keep what happened on the way, once. Raises StoreError."""
        for note in notes:
            if isinstance(note, Exchange):
                self._exchanged(note, state, event)
                continue
            if self._redactor is not None:
                note = redacted_note(note, self._redactor)
            line = json.dumps({"kind": note.kind, "what": note.what, "state": state, "event": event}, ensure_ascii=True)
            key = _once(line)
            if key not in self._told:
                self._say(line)
                self._told.add(key)

    def form(self, state: str) -> tuple[str, str] | None:
        """The URL and the normal form of a state as they were kept, without secrets; None if nothing was."""
        with suppress(BadInput):
            about = self.about(state)
            return str(about["url"]), str(about["normal"])
        return None

    def revise(self, names: Mapping[str, str], change: Callable[[str], str]) -> None:
        """States get other ids, and some become one; `change` makes their new normal forms. Raises StoreError.

        What is kept under the old ids stays until `drop`: the journal still names them.
        """
        self.flush()
        for old, new in names.items():
            if old != new:
                self._rename(old, new, change)
        before = self.renamed()
        told = {old: names.get(new, new) for old, new in before.items()} | {o: n for o, n in names.items() if o != n}
        if told:
            self._write(self._states / RENAMED, msgspec.json.encode(told))

    def _rename(self, old: str, new: str, change: Callable[[str], str]) -> None:
        if (self._states / f"{new}.json.gz").is_file():
            return  # it became one with another state, of which there is evidence
        about = self.about(old)
        about |= {"state": new, "normal": change(str(about["normal"]))}
        self._write(self._states / f"{new}.html.gz", (self._states / f"{old}.html.gz").read_bytes())
        if (picture := self.picture(old)) is not None:
            self._write(self._states / f"{new}.jpg", picture.read_bytes())
        self._write(self._states / f"{new}.json.gz", _zipped(_json(about)))

    def drop(self, states: Iterable[str]) -> None:
        """Nobody names these states any more."""
        for state in filter(STATE_ID.fullmatch, states):
            for suffix in (".html.gz", ".json.gz", ".jpg"):
                with suppress(OSError):
                    (self._states / f"{state}{suffix}").unlink()

    def cover(self, scripts: Iterable[Script]) -> None:
        """Keep which parts of scripts have run, beside what earlier runs have kept. Raises StoreError."""
        if self._redactor is not None:
            scripts = [replace(script, url=self._redactor.text(script.url)) for script in scripts]
        known = merged_scripts([*self.coverage(), *scripts])
        if known:
            self._write(self.folder / COVERAGE_NAME, msgspec.json.encode(known))

    def flush(self) -> None:
        """Hand everything to the operating system. Raises StoreError when the disk does not take it."""
        self._hand_over_places()
        while self._writing:
            job, written = self._writing[0]
            self._writing[0] = job, None  # what cannot be written is tried again by the next flush
            job() if written is None else written.result()
            self._writing.popleft()
        try:
            self._notes.flush()
        except OSError as trouble:
            raise _full(self.folder, trouble) from trouble

    def close(self) -> None:
        """Raises StoreError when the last notes could not be kept; it is closed all the same."""
        self._hand_over_places()
        self._writer.shutdown()
        self._traffic.close()
        try:
            self._notes.close()
        except OSError as trouble:
            raise _full(self.folder, trouble) from trouble

    def _read(self, state: str, suffix: str) -> bytes:
        if not self._notes.closed:
            self.flush()
        return super()._read(state, suffix)

    def _say(self, line: str) -> None:
        try:
            self._notes.write(f"\n{line}\n" if self._is_cut else f"{line}\n")
        except OSError as trouble:
            raise _full(self.folder, trouble) from trouble
        self._is_cut = False

    def _write(self, path: Path, content: bytes) -> None:
        draft = path.with_name(f".{path.name}.tmp")
        try:
            draft.write_bytes(content)
            draft.replace(path)
        except OSError as trouble:
            with suppress(OSError):
                draft.unlink(missing_ok=True)
            raise _full(self.folder, trouble) from trouble


def _once(line: str) -> str:
    """What two notes have in common that say the same, wherever they were made."""
    try:
        note = json.loads(line)
        return without_hashes(json.dumps([note["kind"], BLANK.json(note["what"])]))
    except (ValueError, TypeError, KeyError):
        return line  # cut off by a crash


def _utf8(text: str) -> bytes:
    return text.encode("utf-8", errors="backslashreplace")


def _json(about: dict[str, Any]) -> bytes:
    try:
        return msgspec.json.encode(about)
    except UnicodeEncodeError:  # half a character
        return json.dumps(about, ensure_ascii=True).encode()


def _zipped(content: bytes) -> bytes:
    return gzip.compress(content, COMPRESSION, mtime=0)


def _full(folder: Path, trouble: OSError) -> StoreError:
    return StoreError(
        f"cannot write into {folder}: {trouble.strerror}; make room, then run the same command again to go on."
    )
