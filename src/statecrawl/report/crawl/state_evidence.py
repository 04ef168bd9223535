"""What was kept of states beside the facts, in types: whoever wrote it, a page may have meddled with it."""

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any, Protocol

import msgspec

from statecrawl.ports.coverage import Script


class FormEvidence(msgspec.Struct, frozen=True):
    """A form of a page: where it sends what."""

    action: str = ""
    method: str = "get"
    fields: tuple[tuple[str, str, str], ...] = ()  # element, type, name


class StateContent(msgspec.Struct, frozen=True):
    """What a state looked like, as far as it is told here."""

    url: str = ""
    title: str = ""
    links: tuple[str, ...] = ()
    forms: tuple[FormEvidence, ...] = ()
    normal: str = ""
    cut: bool = False  # the page was too large to be seen whole


class NoteContent(msgspec.Struct, frozen=True):
    """Something that happened on the way."""

    kind: str
    what: Any
    state: str = ""
    event: str | None = None


class CrawlEvidence(Protocol):
    """What was kept of a crawl."""

    def about(self, state: str) -> Any:
        """What is known of a state, as JSON; None when nothing was kept."""

    def dom(self, state: str) -> bytes | None:
        """Its document, compressed by gzip; None when nothing was kept."""

    def has_picture(self, state: str) -> bool: ...
    def coverage(self) -> Iterable[Script]: ...


def seen(told: Any) -> StateContent | None:
    """What was kept of a state, or nothing where it is not what it should be."""
    try:
        return msgspec.convert(told, StateContent, strict=False)
    except msgspec.ValidationError:
        return None


def notes_of(lines: Iterable[bytes]) -> Iterator[NoteContent]:
    """The notes of a crawl; what a crash has cut off is left out."""
    for line in lines:
        try:
            yield msgspec.json.decode(line, type=NoteContent)
        except msgspec.DecodeError:
            with suppress(ValueError, RecursionError):  # half a character is JSON to some, and a page may say one
                yield msgspec.convert(json.loads(line), NoteContent)


def noted_in(lines: Iterable[bytes]) -> Iterator[tuple[str, Any]]:
    """Kind and content of each note, for `journal.qualifications`."""
    return ((note.kind, note.what) for note in notes_of(lines))


def text_of(what: Any) -> str:
    """What a note says, as text."""
    if isinstance(what, str):
        return what
    if isinstance(what, list):
        return " ".join(text_of(each) for each in what)
    return "" if what is None else str(what)
