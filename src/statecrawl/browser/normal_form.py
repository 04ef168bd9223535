"""Normal form of a state under more rules, computed from the stored one. Pure.

A rule leaves out lines, which does not require the page. It may also change event ids: the text of an element is part
of them (agent/names.js). The new id cannot be computed from the lines, so such a state has no reduced form and has to
be visited again.
"""

from collections.abc import Collection
from dataclasses import dataclass

from statecrawl.browser.dynamic_content import Rule
from statecrawl.browser.lookalikes import ANYWHERE
from statecrawl.ports.page import PLAIN_FIELDS

FIELD, LINE = "\x1f", "\x1e"
NAMING = frozenset(("@aria-label", "@alt", "@placeholder", "@title", "@value"))  # attributes that are part of event ids
FIELDS = frozenset(("input", "option", "textarea"))  # elements whose content is left out together with their value
CONTENT = frozenset(("@value", "@checked", "@selected"))


@dataclass(slots=True)
class _Open:
    """An element whose end has not been reached."""

    place: str
    tag: str
    changed: bool = False  # a part of its name is left out
    named: bool = False  # its words are part of an event id


class _Unknown(Exception):
    """An event id may change in an unknown way."""


class _Reduction:
    """Filter for the lines of a normal form."""

    def __init__(self, rules: Collection[Rule]) -> None:
        self.rules = rules
        self.open = [_Open("", "")]
        self.hidden = 0  # depth inside an element that is left out

    def includes(self, place: str, what: str, value: str) -> bool:
        """Return whether a line stays. Raises _Unknown."""
        if self.hidden:
            self.hidden += (what == "<") - (what == ">")
            return False
        match what[:1]:
            case "<":
                return self._opens(place, value)
            case ">":
                self.close()
            case '"':
                return (place, "text") not in self.rules
            case "!":
                self.open[-1].named |= '"' in value
            case _:
                return self._has_attribute(self.open[-1], what)
        return True

    def close(self) -> None:
        """End an element, or the whole form."""
        closed = self.open.pop()
        if closed.changed and closed.named:
            raise _Unknown
        if self.open:
            self.open[-1].changed |= closed.changed

    def _opens(self, place: str, tag: str) -> bool:
        if (place, "@id") in self.rules:
            raise _Unknown  # the paths of elements inside it start with its id
        if (place, "node") in self.rules:
            self.open[-1].changed = True
            self.hidden = 1
            return False
        self.open.append(_Open(place, tag, changed=(place, "text") in self.rules))
        return True

    def _has_attribute(self, element: _Open, name: str) -> bool:
        ruled = (element.place, name) in self.rules
        of_field = element.tag in FIELDS and name in CONTENT and (element.place, "@value") in self.rules
        if ruled or of_field:
            element.changed |= name in NAMING
        return not ruled and not of_field


def _without_marks(place: str, classes: str, rules: Collection[Rule]) -> str:
    words = (word for word in classes.split(" ") if (place, f".{word}") not in rules)
    return " ".join(word for word in words if (ANYWHERE, f".{word}") not in rules)


def reduced(normal: str, rules: Collection[Rule]) -> str | None:
    """Return the normal form without what these rules leave out; None when event ids may change."""
    if any(place == ANYWHERE and what[:1] != "." for place, what in rules):
        return None  # counters are part of event ids
    reduction, lines = _Reduction(rules), list[str]()
    try:
        for line in normal.split(LINE):
            fields = line.split(FIELD)
            if len(fields) < PLAIN_FIELDS or not reduction.includes(fields[0], fields[1], fields[2]):
                continue
            if fields[1] == "@class" and fields[2]:
                fields[2] = _without_marks(fields[0], fields[2], rules)
                if not fields[2]:
                    continue
            lines.append(FIELD.join(fields) + LINE)
        reduction.close()
    except (_Unknown, IndexError):  # or the text is not a normal form
        return None
    return "".join(lines)
