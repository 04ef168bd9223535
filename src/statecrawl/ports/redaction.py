"""States and notes without secrets, as they are kept. The id of a state stays; the names of its events were sealed."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice

from statecrawl.politeness.control import Control
from statecrawl.ports.page import PLAIN_FIELDS, Note, Snapshot
from statecrawl.privacy.redaction import Redactor
from statecrawl.privacy.seals import Sealer
from statecrawl.privacy.secret_names import is_secret_name
from statecrawl.urls.tags import tags

NAMED = "!"  # what a line of a normal form begins with that names an event
MADE_UP = "Secret-123"  # what the agent puts into fields for passwords, when nobody says: agent/values.js
# What stands in a field for passwords or in an attribute for a token is looked for elsewhere, too
LEAST_VALUE, LONGEST_VALUE = 6, 1_000  # characters
MOST_VALUES, MOST_LENGTH = 100, 20_000  # of one page, and characters of all of them: looking for each takes time


def redacted_note(note: Note, redactor: Redactor) -> Note:
    return Note(note.kind, redactor.json(note.what))


def redacted_snapshot(snapshot: Snapshot, redactor: Redactor) -> Snapshot:
    """The same state; what stands in fields for passwords is looked for in the rest of it."""
    values = set(islice(_sought(_passwords(snapshot)), MOST_VALUES))
    inner = redactor.knowing(values) if values else redactor
    return replace(
        snapshot,
        labels=tuple(map(inner.text, snapshot.labels)),
        selectors=tuple(map(inner.selector, snapshot.selectors)),
        url=inner.text(snapshot.url),
        title=inner.text(snapshot.title),
        html=inner.text(snapshot.html),
        normal=_normal(snapshot.normal, inner),
        given=tuple(
            tuple((inner.selector(to), _value(to, value, inner)) for to, value in each) for each in snapshot.given
        ),
        links=tuple(map(inner.text, snapshot.links)),
        forms=tuple(inner.json(form) for form in snapshot.forms),
        addresses=tuple((inner.text(url), inner.text(words)) for url, words in snapshot.addresses),
        strings=tuple(map(inner.text, snapshot.strings)),
        controls=tuple(_control(control, inner) for control in snapshot.controls),
        denied=tuple((inner.text(url), selector) for url, selector in snapshot.denied),
    )


def _control(control: Control, redactor: Redactor) -> Control:
    return replace(
        control,
        words=tuple(map(redactor.text, control.words)),
        names=redactor.text(control.names),
        icon=redactor.text(control.icon),
        target=redactor.text(control.target),
        fields=tuple(map(redactor.text, control.fields)),
        options=tuple(map(redactor.text, control.options)),
        heading=redactor.text(control.heading),
    )


def _value(field: str, value: str | None, redactor: Redactor) -> str | None:
    """What is put into a field, by its selector."""
    if value is None or (value != MADE_UP and is_secret_name(field)):
        return None
    return redactor.text(value)


def sealed_snapshot(snapshot: Snapshot, sealer: Sealer) -> Snapshot:
    """The same state, with names of events as they are known outside of the page."""
    events, hidden = tuple(map(sealer.text, snapshot.events)), tuple(map(sealer.text, snapshot.hidden))
    if (events, hidden) == (snapshot.events, snapshot.hidden):
        return snapshot
    renamed = dict(zip(snapshot.events, events, strict=True))
    lines = [line.split("\x1f") for line in snapshot.normal.split("\x1e")]
    for fields in lines:
        if len(fields) >= PLAIN_FIELDS and fields[1] == NAMED:
            fields[2] = renamed.get(fields[2], fields[2])
    normal = "\x1e".join("\x1f".join(fields) for fields in lines)
    return replace(snapshot, events=events, hidden=hidden, normal=normal)


def _sought(values: Iterable[str]) -> Iterator[str]:
    """The values that are looked for, each once, while there is room: a short one may fit where a long one does not."""
    left = MOST_LENGTH
    for value in dict.fromkeys(values):
        if LEAST_VALUE <= len(value) <= min(LONGEST_VALUE, left):
            left -= len(value)
            yield value


def _passwords(snapshot: Snapshot) -> Iterator[str]:
    if "password" in snapshot.html.lower():
        for tag, given, _, _ in tags(snapshot.html):
            if tag == "input" and given.get("type", "").lower() == "password":
                yield given.get("value", "")
    for fields, is_secret in _lines(snapshot.normal):
        if is_secret:
            yield fields[2]


def _lines(normal: str) -> Iterator[tuple[list[str], bool]]:
    """The lines of a normal form, each with whether it holds something secret.

    That is the value of a field whose type or name says so, which comes after its other attributes, and the value of an
    attribute whose own name says so.
    """
    is_secret = False
    for line in normal.split("\x1e"):
        fields = line.split("\x1f")
        if len(fields) < PLAIN_FIELDS:
            yield fields, False
            continue
        _, what, value = fields[:PLAIN_FIELDS]
        if what == "<":
            is_secret = False
        elif what == "@type":
            is_secret = is_secret or value.lower() == "password"
        elif what in ("@name", "@id"):
            is_secret = is_secret or is_secret_name(value)
        is_named_so = what[:1] == "@" and what not in ("@name", "@id") and is_secret_name(what[1:])
        yield fields, is_named_so or (what == "@value" and is_secret)


def _normal(normal: str, redactor: Redactor) -> str:
    if "@type" not in normal and "@data-" not in normal and redactor.text(normal) == normal:
        return normal
    lines = []
    for fields, is_secret in _lines(normal):
        if len(fields) >= PLAIN_FIELDS and fields[1] != NAMED:  # the names of events are sealed
            fields[0] = redactor.text(fields[0])
            fields[2] = redactor.mark_value(fields[2]) if is_secret else redactor.text(fields[2])
        lines.append("\x1f".join(fields))
    return "\x1e".join(lines)
