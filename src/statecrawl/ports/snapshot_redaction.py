"""Redaction of snapshots and notes before they are stored.

State ids are kept, and event ids have been sealed before (`privacy.seals`). This module only decides which rule applies
to which field; the rules themselves are in `privacy`.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice

from statecrawl.model.regions import Regions
from statecrawl.politeness.control import Control
from statecrawl.ports.page import PLAIN_FIELDS, Note, Snapshot
from statecrawl.privacy.redaction import Redactor
from statecrawl.privacy.seals import Sealer
from statecrawl.privacy.secret_names import is_secret_name
from statecrawl.urls.tags import tags

NAMED = "!"  # marks a line of the normal form that holds an event id
MADE_UP = "Secret-123"  # the agent's default input for password fields; see agent/values.js
# Values of password fields and token attributes are searched for in the rest of the page, too
LEAST_VALUE, LONGEST_VALUE = 6, 1_000  # characters
MOST_VALUES, MOST_LENGTH = 100, 20_000  # per page, and characters in all: each search takes time


def redacted_note(note: Note, redactor: Redactor) -> Note:
    return Note(note.kind, redactor.json(note.what))


def redacted_snapshot(snapshot: Snapshot, redactor: Redactor) -> Snapshot:
    """Redact a snapshot. Values of password fields are searched for in the rest of the page."""
    values = set(islice(_sought(_passwords(snapshot)), MOST_VALUES))
    inner = redactor.with_page_secrets(values) if values else redactor
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
    """Redact the input of a field, given the selector of the field."""
    if value is None or (value != MADE_UP and is_secret_name(field)):
        return None
    return redactor.text(value)


def sealed_snapshot(snapshot: Snapshot, sealer: Sealer) -> Snapshot:
    """Seal the secrets in the event ids and places of a snapshot, as all code outside the page knows them."""
    snapshot = replace(snapshot, regions=_sealed_regions(snapshot.regions, sealer))
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


def _sealed_regions(regions: Regions, sealer: Sealer) -> Regions:
    places = {place: sealer.text(place) for place in {region.place for region in regions}}
    return tuple(region._replace(place=places[region.place]) for region in regions)


def _sought(values: Iterable[str]) -> Iterator[str]:
    """Select the values to search for, each once, up to a total length. Short values may follow skipped long ones."""
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
    """Split a normal form into lines, each with whether its value is secret.

    Secret values are those of a field whose type or name marks it as secret (the value comes after the other
    attributes), and those of an attribute whose own name is secret.
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
        has_secret_name = what[:1] == "@" and what not in ("@name", "@id") and is_secret_name(what[1:])
        yield fields, has_secret_name or (what == "@value" and is_secret)


def _normal(normal: str, redactor: Redactor) -> str:
    if "@type" not in normal and "@data-" not in normal and redactor.text(normal) == normal:
        return normal
    lines = []
    for fields, is_secret in _lines(normal):
        if len(fields) >= PLAIN_FIELDS and fields[1] != NAMED:  # event ids have been sealed
            fields[0] = redactor.text(fields[0])
            fields[2] = redactor.mark_value(fields[2]) if is_secret else redactor.text(fields[2])
        lines.append("\x1f".join(fields))
    return "\x1e".join(lines)
