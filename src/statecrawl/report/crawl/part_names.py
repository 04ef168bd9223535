"""Names of the parts of a page, for people, and what was cut of them, in words. Pure.

A part is named after its kind and its label: table “Files”, dialog “New order”. Kind and label come from a document
that shows it (`report.crawl.part_labels`). Without one, its place has to do, which is a path of containers
(`browser/agent/regions.js`): the row of `#files>table>tr` is a "row of table in files".

Labels and places come from pages: they are data, of limited length, without control characters.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from statecrawl.model.component_tasks import EVERY_ROW, FIELD, Unit
from statecrawl.report.crawl.document import tidied
from statecrawl.report.crawl.event_text import in_words
from statecrawl.strategies.component_summary import CutPart

AREA = "area"  # a part of no particular kind
DEEPEST = 2  # containers that a name mentions
LONGEST = 40  # characters of a label or an identifier
KINDS_OF_ROLES = {
    "alert": "message", "alertdialog": "dialog", "article": "article", "banner": "header", "cell": "cell",
    "complementary": "sidebar", "contentinfo": "footer", "dialog": "dialog", "feed": "feed", "figure": "figure",
    "form": "form", "grid": "table", "group": "group", "list": "list", "listbox": "list", "listitem": "item",
    "log": "log", "main": "main content", "menu": "menu", "menubar": "menu bar", "navigation": "navigation",
    "progressbar": "progress bar", "radiogroup": "choice", "region": "section", "row": "row", "search": "search",
    "status": "status", "tab": "tab", "table": "table", "tablist": "tab strip", "tabpanel": "tab panel",
    "timer": "timer", "toolbar": "toolbar", "tooltip": "tooltip", "tree": "tree", "treegrid": "table",
    "treeitem": "item",
}  # fmt: skip
KINDS_OF_TAGS = {
    "article": "article", "aside": "sidebar", "dd": "entry", "details": "details", "dialog": "dialog", "dl": "list",
    "dt": "entry", "fieldset": "group of fields", "footer": "footer", "form": "form", "frame": "frame",
    "header": "header", "html": "page style", "iframe": "frame", "li": "item", "main": "main content", "menu": "list",
    "nav": "navigation", "ol": "list", "section": "section", "svg": "drawing", "table": "table", "tr": "row",
    "ul": "list",
}  # fmt: skip
CONTROLS = {"a": "link", "button": "button", "input": "field", "select": "list", "textarea": "field"}
PLAIN = frozenset((AREA, "group", "section"))
ROWS = frozenset(("row", "item", "entry"))
_STEP = re.compile(r"\A(?P<tag>[^\[.]*)(?:\[(?P<role>.*)\])?")
_BY_ID = re.compile(r"\A(?P<tag>[\w-]+)(?P<id>#\S+)")
_BETWEEN_WORDS = re.compile(r"[-_\s]+|(?<=[a-z])(?=[A-Z])")
_PLURALS = {"details": "details", "entry": "entries", "group of fields": "groups of fields", "search": "searches"}


class PartLabel(NamedTuple):
    """What a document says about a part of the page."""

    kind: str
    label: str = ""


NO_LABELS: Mapping[str, PartLabel] = {}


@dataclass(frozen=True, slots=True)
class PartNames:
    """Names of the parts of one application, by their places."""

    labels: Mapping[str, PartLabel]  # of places that documents have shown

    def of(self, place: str, *, several: bool = False) -> str:
        """Return the name of the part with a place; with `several`, of all parts with it."""
        return self._name(place, DEEPEST, several=several)

    def of_unit(self, unit: Unit, *, is_alone: bool = True) -> str:
        """Return the name of one part, with its number unless it is the only one with its place; or of all rows."""
        place, ordinal = unit
        number = "" if is_alone and ordinal <= 0 else f" {ordinal + 1}"
        return self._name(place, DEEPEST, several=ordinal == EVERY_ROW, number=number)

    def _name(self, place: str, deep: int, *, several: bool = False, number: str = "") -> str:
        if not place:
            return "page"
        around, _, step = place.rpartition(">")
        kind, label = self.labels.get(place) or PartLabel(kind_of_step(step))
        if step.startswith(FIELD):
            kind, label = "field", label or step.removeprefix(FIELD)
        noun = _PLURALS.get(kind, f"{kind}s") if several else kind
        if label:
            return f"{noun}{number} “{tidied(label, LONGEST)}”"
        noun += number
        if step.startswith("#"):
            words = _id_in_words(step)
            return words + number if kind == AREA or words.endswith(kind) else f"{words} {noun}"
        while self._says_nothing(around):
            around = around.rpartition(">")[0]
        if not around or not deep or kind == "main content":
            return noun
        return f"{noun} {'of' if kind in ROWS else 'in'} {self._name(around, deep - 1)}"

    def _says_nothing(self, place: str) -> bool:
        """Whether a container is nothing to name what is in it after, such as the branches of a tree."""
        around, _, step = place.rpartition(">")
        kind, label = self.labels.get(place) or PartLabel(kind_of_step(step))
        return bool(around) and not step.startswith("#") and (kind in ROWS or (kind in PLAIN and not label))


def kind_of(tag: str, role: str) -> str:
    """Return what a person would call an element."""
    return KINDS_OF_ROLES.get(role) or KINDS_OF_TAGS.get(tag) or AREA


def kind_of_step(step: str) -> str:
    """Return what a person would call the element of a step of a place, which may be anything if it has an id."""
    found = _STEP.match(step)
    return AREA if found is None or step.startswith("#") else kind_of(found["tag"], found["role"] or "")


def _id_in_words(step: str) -> str:
    words = " ".join(_BETWEEN_WORDS.split(step.removeprefix("#")))
    return tidied(words, LONGEST).lower() or AREA


def cuts_in_words(cuts: Sequence[CutPart], names: PartNames) -> tuple[str, ...]:
    """Return what was cut, in words, each thing once."""
    return tuple(dict.fromkeys(_cut_in_words(cut, names) for cut in cuts))


def _cut_in_words(cut: CutPart, names: PartNames) -> str:
    name = names.of(cut.place, several=cut.is_rows or len(cut.ordinals) > 1)
    if cut.is_rows:
        return f"{name}: none, one and several are distinguished"
    fewest, most = cut.kept
    kept = f"{most}" if fewest == most or len(cut.ordinals) == 1 else f"{fewest} to {most}"
    return f"{name}: {kept} of unlimited; {_event_in_words(cut)} fired {cut.fired} times"


def _event_in_words(cut: CutPart) -> str:
    words = in_words(cut.example).removeprefix("click ")
    if by_id := _BY_ID.fullmatch(words):
        words = f"the {_id_in_words(by_id['id'])} {CONTROLS.get(by_id['tag'], 'control')}"
    return words if cut.event == cut.example else f"events such as {words}"
