"""Events in words: what a person would do to fire them.

The agent makes event names (`browser/agent/names.js`), such as `click a "Products" #products in nav#menu`. Names from
other sources, such as model files, are shown unchanged.
"""

import re
from collections.abc import Iterable

from statecrawl.model.event import ACCEPTED, BACK, DISMISSED, EVENT_KINDS
from statecrawl.privacy.redaction import without_hashes

PHRASES = {name: kind.phrase for name, kind in EVENT_KINDS.items() if kind.phrase} | {"drop": "drop something on"}
OTHER = "other"
_PLACE = re.compile(r" in [^ ]+(?: #\d+)?$")


def kind_of(event: str) -> str:
    """Return the kind of an event, given its name."""
    first = event.partition(" ")[0]
    return first if first in PHRASES or event == BACK else OTHER


def in_words(event: str) -> str:
    """Return an event as an instruction: click “Products”."""
    event = without_hashes(event)
    if event == BACK:
        return "go back"
    kind, _, element = event.partition(" ")
    if kind not in PHRASES:
        return event
    element, dismissed, _ = element.partition(DISMISSED)
    is_accepted, element = element.endswith(ACCEPTED), element.removesuffix(ACCEPTED)
    element, given, value = element.rpartition(" = ") if " = " in element else (element, "", "")
    key = ""
    if kind == "key" and element.partition(" ")[2]:
        pressed, _, element = element.partition(" ")
        key = f"{pressed} in "
    label = _quoted(element)
    what = _PLACE.sub("", element) if label is None else f"“{label}”"
    text = f"{PHRASES[kind]} {key}{what}"
    if given:
        text += f", {'with ' if kind == 'click' else ''}“{value}”"
    if is_accepted:
        return f"{text}, and answer its question with yes"
    return f"{text}, and answer its question with no" if dismissed else text


def _quoted(element: str) -> str | None:
    """Return the label of an element, which is in quotation marks in its name."""
    _, mark, rest = element.partition('"')
    label, end, _ = f"{rest} ".partition('" ')
    return label if mark and end else None


def way_in_words(events: Iterable[str]) -> list[str]:
    """Return a path from the first page, step by step."""
    return ["open the application", *map(in_words, events)]
