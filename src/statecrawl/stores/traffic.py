"""Stored traffic: an append-only index, and bodies named by their hash.

    DIR/traffic/index.jsonl   one JSON object per line: a new exchange (`id`, and the fields of
                              `ports.traffic.Exchange` with hashes instead of bodies), or a further place of a known
                              exchange (`again`, with `state` and `event`)
    DIR/traffic/<sha256>.gz   a body, compressed

A body is written completely before the line that refers to it. So a crash leaves at worst an unused body or half of the
last line, and the exchange is recorded again when the crawl resumes. File names are hashes of the content, so a page
cannot choose them. Secrets are redacted before anything is hashed or written.
"""

import gzip
import hashlib
import json
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from statecrawl.errors import BadInput
from statecrawl.ports.traffic import Exchange, Place, RecordedExchange, identity, redacted
from statecrawl.privacy.redaction import Redactor

FOLDER = "traffic"
RENAMED = "renamed.json"  # in the directory of the states; see `stores.evidence`
INDEX = "index.jsonl"
LOST = "its file is gone"
COMPRESSION = 3  # of 9
MOST_PLACES = 20  # stored per exchange
HASH = re.compile("[0-9a-f]{64}")
BODIES = ("request_body", "response_body")


class TrafficReader:
    """Traffic of a crawl, opened for reading."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / FOLDER

    @property
    def exists(self) -> bool:
        return (self._folder / INDEX).is_file()

    def read(self, *, bodies: bool = True) -> Iterator[RecordedExchange]:
        """Iterate over all exchanges in the order in which they were first seen. Raises BadInput."""
        found, places = _indexed(self._lines(), renamed_states(self._folder.parent))
        for name, line in found.items():
            try:
                known = {field.name: line[field.name] for field in fields(Exchange) if field.name in line}
                exchange = msgspec.convert(known | dict.fromkeys(BODIES), Exchange)
            except (msgspec.ValidationError, TypeError):
                continue  # not written by statecrawl
            if not bodies:
                yield RecordedExchange(id=name, exchange=exchange, places=tuple(places[name]))
                continue
            request, response = (self._body(line.get(body)) for body in BODIES)
            missing = LOST if response is None and line.get("response_body") else exchange.missing
            exchange = replace(exchange, request_body=request, response_body=response, missing=missing)
            yield RecordedExchange(id=name, exchange=exchange, places=tuple(places[name]))

    def _lines(self) -> Iterator[dict[str, Any]]:
        try:
            with (self._folder / INDEX).open("rb") as file:
                for line in file:
                    fields_of_line = _parsed(line)
                    if fields_of_line is not None:
                        yield fields_of_line
        except FileNotFoundError:
            return
        except OSError as error:
            raise BadInput(f"cannot read {self._folder / INDEX}: {error.strerror}.") from error

    def _body(self, name: Any) -> bytes | None:
        if not isinstance(name, str) or not HASH.fullmatch(name):
            return None
        try:
            return gzip.decompress((self._folder / f"{name}.gz").read_bytes())
        except (OSError, EOFError, zlib.error):
            return None


class TrafficWriter(TrafficReader):
    """Traffic of a crawl, opened for writing. `wants` runs in the crawl's thread, `keep` in the writer's."""

    def __init__(self, folder: Path, redactor: Redactor | None, write: Callable[[Path, bytes], None]) -> None:
        """`write` writes a file completely or not at all, and raises OSError or StoreError."""
        super().__init__(folder)
        self._redactor = redactor
        self._write = write
        self._index: BinaryIO | None = None
        self._ends_a_line = False  # whether the index is known to end with a complete line
        known, places = _indexed(self._lines())
        self._whole = {name for name, line in known.items() if _is_whole(line)}
        self._places = {name: set(where) for name, where in places.items()}

    @property
    def whole(self) -> frozenset[str]:
        """Ids of the exchanges that are stored completely."""
        return frozenset(self._whole)

    def wants(self, exchange: Exchange, state: str, event: str | None) -> str | None:
        """Return the id of an exchange if its body or its place has to be stored; otherwise None."""
        name = identity(exchange)
        places = self._places.setdefault(name, set())
        is_news = (state, event) not in places and len(places) < MOST_PLACES
        if not is_news and (name in self._whole or not exchange.is_whole):
            return None
        places.add((state, event))
        return name

    def has(self, name: str) -> bool:
        """Whether an exchange is stored completely, so that only its place may be new."""
        return name in self._whole

    def keep(self, name: str, exchange: Exchange, state: str, event: str | None) -> None:
        """Store an exchange. Raises OSError, or whatever `write` raises."""
        if self.has(name):
            self.keep_places([(name, exchange.started, state, event)])
            return
        if self._redactor is not None:
            exchange = redacted(exchange, self._redactor)
        bodies = {body: self._stored(getattr(exchange, body)) for body in BODIES}
        bare = msgspec.to_builtins(replace(exchange, request_body=None, response_body=None))
        self._append(_line({"id": name, "state": state, "event": event} | bare | bodies))
        if exchange.is_whole:
            self._whole.add(name)

    def keep_places(self, places: Iterable[tuple[str, float, str, str | None]]) -> None:
        """Store further places of known exchanges: id, time, state and event."""
        self._append(
            b"".join(
                _line({"again": name, "state": state, "event": event, "started": started})
                for name, started, state, event in places
            )
        )

    def close(self) -> None:
        if self._index is not None:
            self._index.close()

    def _stored(self, body: bytes | None) -> str | None:
        if body is None:
            return None
        name = hashlib.sha256(body).hexdigest()
        path = self._folder / f"{name}.gz"
        if not path.is_file():
            self._folder.mkdir(exist_ok=True)
            self._write(path, gzip.compress(body, COMPRESSION, mtime=0))
        return name

    def _append(self, lines: bytes) -> None:
        """Append lines. A line truncated by a crash or a full disk is terminated first."""
        if self._index is None:
            self._folder.mkdir(exist_ok=True)
            self._index = (self._folder / INDEX).open("a+b", buffering=0)
        if not self._ends_a_line and self._index.seek(0, 2):
            self._index.seek(-1, 2)
            lines = lines if self._index.read(1) == b"\n" else b"\n" + lines
        self._ends_a_line = False
        if self._index.write(lines) != len(lines):
            raise OSError(28, "No space left on device")
        self._ends_a_line = True


def _line(fields_of_line: dict[str, Any]) -> bytes:
    return json.dumps(fields_of_line, ensure_ascii=True).encode() + b"\n"


def renamed_states(folder: Path) -> dict[str, str]:
    """Return the new ids of states that were renamed when the rules were revised."""
    try:
        return msgspec.json.decode((folder / "states" / RENAMED).read_bytes(), type=dict[str, str])
    except (OSError, msgspec.DecodeError):
        return {}


def _indexed(
    lines: Iterator[dict[str, Any]], names: Mapping[str, str] | None = None
) -> tuple[dict[str, dict[str, Any]], dict[str, list[Place]]]:
    """Return the most complete line of each exchange, and its places."""
    names = names or {}
    found: dict[str, dict[str, Any]] = {}
    places: dict[str, list[Place]] = {}
    for line in lines:
        name = str(line.get("id") or line.get("again"))
        if "id" in line and (name not in found or (_is_whole(line) and not _is_whole(found[name]))):
            found[name] = line
        event = line.get("event")
        state = str(line.get("state", ""))
        place = names.get(state, state), None if event is None else str(event)
        if place not in places.setdefault(name, []):
            places[name].append(place)
    return found, places


def _is_whole(line: dict[str, Any]) -> bool:
    return bool(line.get("response_body")) or line.get("status") == 0 or line.get("missing") == ""


def _parsed(line: bytes) -> dict[str, Any] | None:
    try:
        parsed = json.loads(line)
    except ValueError:
        return None  # truncated by a crash
    return parsed if isinstance(parsed, dict) and ("id" in parsed or "again" in parsed) else None
