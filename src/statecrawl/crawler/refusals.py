"""Refusals: events that must not be fired, decided from a snapshot alone, so that all nodes decide alike."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from statecrawl.config.plan import Scope
from statecrawl.journal.facts import EventRefused
from statecrawl.journal.qualifications import ERROR, READ_ONLY
from statecrawl.journal.refusal_reasons import DANGEROUS, EXCLUDED
from statecrawl.model.event import kind_of
from statecrawl.model.regex import found
from statecrawl.politeness.control import Control
from statecrawl.politeness.danger import danger_of
from statecrawl.ports.page import Note, Snapshot

MOST_REMEMBERED = 20_000  # controls: most of a state's were in the state before, too
OPEN = "open"  # kind of an event that opens a URL
ANY = "*"  # in a rule: every kind of event
# Errors that scripts throw when a request fails: browsers, axios, Angular
_NO_ANSWER = re.compile(r"failed to fetch|load failed|network ?error|: 0 unknown error", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Refusals:
    """Refusals by the rules of one scope."""

    scope: Scope

    def of(self, snapshot: Snapshot) -> Iterator[EventRefused]:
        """Yield every event of a state that must not be fired, with the reason."""
        controls = snapshot.controls or tuple(map(_control_of, snapshot.events, snapshot.labels))
        for event, label, control in zip(snapshot.events, snapshot.labels, controls, strict=True):
            reason = self.reason(control, label)
            if reason is not None:
                yield EventRefused(state=snapshot.state, event=event, reason=reason)

    def of_url(self, url: str, words: str = "", matches: tuple[str, ...] = ()) -> str | None:
        """Return why a URL must not be opened, given the words of a link to it and the user's selectors that match."""
        link = Control(
            kind=OPEN,
            tag="a",
            words=tuple(words.split(" | ")) if words else (),
            target=url,
            method="get",
            is_plain=True,
            matches=matches,
        )
        return self.reason(link, f"{words} {url}")

    def reason(self, control: Control, label: str) -> str | None:
        """Return why a control must not be used; None when it may be."""
        for expression in self.scope.deny_elements:
            if found(expression, label, ignores_case=True) is not None:
                return f"{EXCLUDED}--deny-element '{expression}'"
        return self._excluded_kind(control) or (None if self.scope.allow_dangerous else _danger(control))

    def _excluded_kind(self, control: Control) -> str | None:
        events = self.scope.events
        if events and control.kind not in events:
            return f"{EXCLUDED}--events {','.join(events)}"
        for rule in self.scope.deny_events:
            kind, _, selector = rule.partition(" ")
            if kind in (ANY, control.kind) and (not selector or selector in control.matches):
                return f"{EXCLUDED}--deny-event '{rule}'"
        return None


@lru_cache(maxsize=MOST_REMEMBERED)
def _danger(control: Control) -> str | None:
    verdict = danger_of(control)
    return None if verdict is None else f"{DANGEROUS}{verdict}"


def _control_of(event: str, label: str) -> Control:
    """Make a control of what evidence without controls has: the name of an event and its label."""
    rest = event.partition(" ")[2]
    tag = re.match("[a-z]*", rest)
    return Control(kind=kind_of(event), tag=tag[0] if tag else "", words=(label,) if label else ())


def own_notes(notes: Sequence[Note]) -> Sequence[Note]:
    """Return the notes without the errors that a page threw because --read-only blocked its requests."""
    if not any(note.kind == READ_ONLY for note in notes):
        return notes
    return [note for note in notes if note.kind != ERROR or not _NO_ANSWER.search(str(note.what))]
