"""Traffic on the disk: an index that only grows, and bodies under the names of what is in them.

    DIR/traffic/index.jsonl   one JSON object per line: an exchange when it is seen for the first time (`id`, and the
                              fields of `ports.traffic.Exchange` with hashes for bodies), or that a known one was seen
                              elsewhere, too (`again`, with `state` and `event`)
    DIR/traffic/<sha256>.gz   a body, compressed

A body is there before the line that speaks of it, and whole: a crash leaves at worst a body that nobody speaks of, or
half of the last line, and the exchange is recorded again when the crawl goes on. The name of a file is a hash of what
is in it and nothing that a page could choose. Secrets are taken out before anything is hashed or written.
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
RENAMED = "renamed.json"  # in the folder of the states: see `stores.evidence`
INDEX = "index.jsonl"
LOST = "its file is gone"
COMPRESSION = 3  # of 9
MOST_PLACES = 20  # in which the same exchange is told of
HASH = re.compile("[0-9a-f]{64}")
BODIES = ("request_body", "response_body")


class TrafficReader:
    """The traffic of one crawl, to look at."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / FOLDER

    @property
    def exists(self) -> bool:
        return (self._folder / INDEX).is_file()

    def read(self, *, bodies: bool = True) -> Iterator[RecordedExchange]:
        """All exchanges in the order in which they were first seen; their bodies, if asked for. Raises BadInput."""
        found, places = _indexed(self._lines(), renamed_states(self._folder.parent))
        for name, line in found.items():
            try:
                known = {field.name: line[field.name] for field in fields(Exchange) if field.name in line}
                exchange = msgspec.convert(known | dict.fromkeys(BODIES), Exchange)
            except (msgspec.ValidationError, TypeError):
                continue  # somebody else has written that
            if not bodies:
                yield RecordedExchange(id=name, exchange=exchange, places=tuple(places[name]))
                continue
            asked, told = (self._body(line.get(body)) for body in BODIES)
            missing = LOST if told is None and line.get("response_body") else exchange.missing
            exchange = replace(exchange, request_body=asked, response_body=told, missing=missing)
            yield RecordedExchange(id=name, exchange=exchange, places=tuple(places[name]))

    def _lines(self) -> Iterator[dict[str, Any]]:
        try:
            with (self._folder / INDEX).open("rb") as file:
                for line in file:
                    told = _parsed(line)
                    if told is not None:
                        yield told
        except FileNotFoundError:
            return
        except OSError as trouble:
            raise BadInput(f"cannot read {self._folder / INDEX}: {trouble.strerror}.") from trouble

    def _body(self, name: Any) -> bytes | None:
        if not isinstance(name, str) or not HASH.fullmatch(name):
            return None
        try:
            return gzip.decompress((self._folder / f"{name}.gz").read_bytes())
        except (OSError, EOFError, zlib.error):
            return None


class TrafficWriter(TrafficReader):
    """The same, to write into: `note` in the thread of the crawl, `keep` in that of the writer."""

    def __init__(self, folder: Path, redactor: Redactor | None, write: Callable[[Path, bytes], None]) -> None:
        """`write` writes a file whole or not at all, and raises OSError or StoreError."""
        super().__init__(folder)
        self._redactor = redactor
        self._write = write
        self._index: BinaryIO | None = None
        self._ends_a_line = False  # whether the index is known to do so
        known, places = _indexed(self._lines())
        self._whole = {name for name, line in known.items() if _is_whole(line)}
        self._places = {name: set(where) for name, where in places.items()}

    @property
    def whole(self) -> frozenset[str]:
        """The ids of the exchanges of which everything is kept."""
        return frozenset(self._whole)

    def wants(self, exchange: Exchange, state: str, event: str | None) -> str | None:
        """The id of an exchange that has to be kept, with its body or because it happens here, too; else None."""
        name = identity(exchange)
        places = self._places.setdefault(name, set())
        is_news = (state, event) not in places and len(places) < MOST_PLACES
        if not is_news and (name in self._whole or not exchange.is_whole):
            return None
        places.add((state, event))
        return name

    def has(self, name: str) -> bool:
        """Whether everything of an exchange is kept, so that only the place is news."""
        return name in self._whole

    def keep(self, name: str, exchange: Exchange, state: str, event: str | None) -> None:
        """Raises OSError, or what `write` raises."""
        if self.has(name):
            self.keep_places([(name, exchange.started, state, event)])
            return
        if self._redactor is not None:
            exchange = redacted(exchange, self._redactor)
        bodies = {body: self._kept(getattr(exchange, body)) for body in BODIES}
        told = msgspec.to_builtins(replace(exchange, request_body=None, response_body=None))
        self._say(_line({"id": name, "state": state, "event": event} | told | bodies))
        if exchange.is_whole:
            self._whole.add(name)

    def keep_places(self, places: Iterable[tuple[str, float, str, str | None]]) -> None:
        """Exchanges that are kept were seen again, each by its id, at a time, in a state and after an event."""
        self._say(
            b"".join(
                _line({"again": name, "state": state, "event": event, "started": started})
                for name, started, state, event in places
            )
        )

    def close(self) -> None:
        if self._index is not None:
            self._index.close()

    def _kept(self, body: bytes | None) -> str | None:
        if body is None:
            return None
        name = hashlib.sha256(body).hexdigest()
        path = self._folder / f"{name}.gz"
        if not path.is_file():
            self._folder.mkdir(exist_ok=True)
            self._write(path, gzip.compress(body, COMPRESSION, mtime=0))
        return name

    def _say(self, lines: bytes) -> None:
        """Add lines; one that was cut off by a crash or a full disk does not spoil them."""
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


def _line(told: dict[str, Any]) -> bytes:
    return json.dumps(told, ensure_ascii=True).encode() + b"\n"


def renamed_states(folder: Path) -> dict[str, str]:
    """The ids of states of a crawl that changed when its rules were revised, and what they are now."""
    try:
        return msgspec.json.decode((folder / "states" / RENAMED).read_bytes(), type=dict[str, str])
    except (OSError, msgspec.DecodeError):
        return {}


def _indexed(
    lines: Iterator[dict[str, Any]], names: Mapping[str, str] | None = None
) -> tuple[dict[str, dict[str, Any]], dict[str, list[Place]]]:
    """The best line of each exchange, and where it was seen."""
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
        told = json.loads(line)
    except ValueError:
        return None  # cut off by a crash
    return told if isinstance(told, dict) and ("id" in told or "again" in told) else None
