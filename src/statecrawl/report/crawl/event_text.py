"""Events in words: what somebody would do who fires them by hand.

The names are those that the agent gives (`browser/agent/names.js`), as in `click a "Products" #products in nav#menu`.
A name of another making, as in a model file, is told as it is.
"""

import re
from collections.abc import Iterable

from statecrawl.model.event import ACCEPTED, BACK, DISMISSED, EVENT_KINDS
from statecrawl.privacy.redaction import without_hashes

PHRASES = {name: kind.phrase for name, kind in EVENT_KINDS.items() if kind.phrase} | {"drop": "drop something on"}
OTHER = "other"
_PLACE = re.compile(r" in [^ ]+(?: #\d+)?$")


def kind_of(event: str) -> str:
    """What kind of event it is, by its name."""
    first = event.partition(" ")[0]
    return first if first in PHRASES or event == BACK else OTHER


def in_words(event: str) -> str:
    """The event as something to do: click “Products”."""
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
    said = _quoted(element)
    what = _PLACE.sub("", element) if said is None else f"“{said}”"
    told = f"{PHRASES[kind]} {key}{what}"
    if given:
        told += f", {'with ' if kind == 'click' else ''}“{value}”"
    if is_accepted:
        return f"{told}, and answer its question with yes"
    return f"{told}, and answer its question with no" if dismissed else told


def _quoted(element: str) -> str | None:
    """What an element says, which stands between quotation marks in its name."""
    _, mark, rest = element.partition('"')
    said, end, _ = f"{rest} ".partition('" ')
    return said if mark and end else None


def way_in_words(events: Iterable[str]) -> list[str]:
    """A way from the beginning, step by step."""
    return ["open the application", *map(in_words, events)]
