"""The normal form of a state under further rules, computed from the one that was stored. Pure.

A rule leaves out lines, which can be done without the page. It may also change the names of events: the text of an
element is part of them (agent/names.js). What the name would be then cannot be told from the lines, so such a state has
no reduced form, and has to be visited again.
"""

from collections.abc import Collection
from dataclasses import dataclass

from statecrawl.browser.dynamic_content import Rule
from statecrawl.browser.lookalikes import ANYWHERE
from statecrawl.ports.page import PLAIN_FIELDS

FIELD, LINE = "\x1f", "\x1e"
NAMING = frozenset(("@aria-label", "@alt", "@placeholder", "@title", "@value"))  # attributes that names are made of
FIELDS = frozenset(("input", "option", "textarea"))  # whose content is left out together with their value
CONTENT = frozenset(("@value", "@checked", "@selected"))


@dataclass(slots=True)
class _Open:
    """An element whose end was not seen yet."""

    place: str
    tag: str
    changed: bool = False  # something that its name is made of is left out
    named: bool = False  # by its words, in the name of an event


class _Unknown(Exception):
    """The name of an event may change, and nobody knows to what."""


class _Reduction:
    """Goes over the lines of a normal form."""

    def __init__(self, rules: Collection[Rule]) -> None:
        self.rules = rules
        self.above = [_Open("", "")]
        self.hidden = 0  # elements around this line that are left out

    def keeps(self, place: str, what: str, value: str) -> bool:
        """Whether a line stays. Raises _Unknown."""
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
                self.above[-1].named |= '"' in value
            case _:
                return self._keeps_attribute(self.above[-1], what)
        return True

    def close(self) -> None:
        """The end of an element, or of all."""
        closed = self.above.pop()
        if closed.changed and closed.named:
            raise _Unknown
        if self.above:
            self.above[-1].changed |= closed.changed

    def _opens(self, place: str, tag: str) -> bool:
        if (place, "@id") in self.rules:
            raise _Unknown  # places inside it are named by its id
        if (place, "node") in self.rules:
            self.above[-1].changed = True
            self.hidden = 1
            return False
        self.above.append(_Open(place, tag, changed=(place, "text") in self.rules))
        return True

    def _keeps_attribute(self, element: _Open, name: str) -> bool:
        ruled = (element.place, name) in self.rules
        of_field = element.tag in FIELDS and name in CONTENT and (element.place, "@value") in self.rules
        if ruled or of_field:
            element.changed |= name in NAMING
        return not ruled and not of_field


def _without_marks(place: str, classes: str, rules: Collection[Rule]) -> str:
    kept = (word for word in classes.split(" ") if (place, f".{word}") not in rules)
    return " ".join(word for word in kept if (ANYWHERE, f".{word}") not in rules)


def reduced(normal: str, rules: Collection[Rule]) -> str | None:
    """The normal form without what these rules leave out; None when names of events may change."""
    if any(place == ANYWHERE and what[:1] != "." for place, what in rules):
        return None  # numbers that count up are in names of events, too
    reduction, kept = _Reduction(rules), list[str]()
    try:
        for line in normal.split(LINE):
            fields = line.split(FIELD)
            if len(fields) < PLAIN_FIELDS or not reduction.keeps(fields[0], fields[1], fields[2]):
                continue
            if fields[1] == "@class" and fields[2]:
                fields[2] = _without_marks(fields[0], fields[2], rules)
                if not fields[2]:
                    continue
            kept.append(FIELD.join(fields) + LINE)
        reduction.close()
    except (_Unknown, IndexError):  # or it is none
        return None
    return "".join(kept)
