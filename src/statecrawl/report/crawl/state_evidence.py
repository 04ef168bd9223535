"""Stored evidence of states, validated, because it contains data from crawled pages."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any, Protocol

import msgspec

from statecrawl.model.component_tasks import Unit
from statecrawl.model.regions import Box
from statecrawl.ports.coverage import Script


class FormEvidence(msgspec.Struct, frozen=True):
    """A form of a page: its target and fields."""

    action: str = ""
    method: str = "get"
    fields: tuple[tuple[str, str, str], ...] = ()  # element, type, name


class StateContent(msgspec.Struct, frozen=True):
    """Content of a state, as far as the report shows it."""

    url: str = ""
    title: str = ""
    links: tuple[str, ...] = ()
    forms: tuple[FormEvidence, ...] = ()
    normal: str = ""
    regions: tuple[tuple[Any, ...], ...] = ()  # see `model.regions`
    boxes: tuple[Box, ...] = ()
    cut: bool = False  # the page was too large to store in full

    def boxes_of_units(self) -> dict[Unit, Box]:
        """Return where the parts of the page are; nothing in older evidence."""
        counts: Counter[str] = Counter()
        found: dict[Unit, Box] = {}
        places = (str(region[0]) if region else "" for region in self.regions)
        for place, box in zip(places, self.boxes, strict=False):
            found[place, counts[place]] = box
            counts[place] += 1
        return found


class NoteContent(msgspec.Struct, frozen=True):
    """A page note: a request, error, dialog or similar."""

    kind: str
    what: Any
    state: str = ""
    event: str | None = None


class CrawlEvidence(Protocol):
    """Stored evidence of a crawl."""

    def about(self, state: str) -> Any:
        """Return the stored content of a state as JSON values; None if there is none."""

    def dom(self, state: str) -> bytes | None:
        """Return its document, compressed with gzip; None if it was not stored."""

    def has_picture(self, state: str) -> bool: ...
    def picture(self, state: str) -> bytes | None:
        """Return its screenshot, as JPEG; None if there is none."""

    def coverage(self) -> Iterable[Script]: ...


def seen(content: Any) -> StateContent | None:
    """Return the validated content of a state; None if it is invalid."""
    try:
        return msgspec.convert(content, StateContent, strict=False)
    except msgspec.ValidationError:
        return None


def notes_of(lines: Iterable[bytes]) -> Iterator[NoteContent]:
    """Yield the page notes of a crawl. Lines that a crash cut off are skipped."""
    for line in lines:
        try:
            yield msgspec.json.decode(line, type=NoteContent)
        except msgspec.DecodeError:
            # Lone surrogates, which pages may send, are valid JSON only for `json`.
            with suppress(ValueError, RecursionError):
                yield msgspec.convert(json.loads(line), NoteContent)


def noted_in(lines: Iterable[bytes]) -> Iterator[tuple[str, Any]]:
    """Yield kind and content of each note, for `journal.qualifications`."""
    return ((note.kind, note.what) for note in notes_of(lines))


def text_of(what: Any) -> str:
    """Return the content of a note as text."""
    if isinstance(what, str):
        return what
    if isinstance(what, list):
        return " ".join(text_of(each) for each in what)
    return "" if what is None else str(what)
