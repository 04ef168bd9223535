"""Dynamic content: what differs between several visits to the same state. Pure.

Theory of operation
    Three loads are compared: the visit of the crawl, and two *re-walks* of the same path in other worlds, with other
    random numbers, another clock and another cookie jar. The normal forms are aligned as trees, and every place where
    two of them differ is a *candidate*. A candidate becomes a rule only if its value differs in each of the three
    loads. A value that differs in one load only proves nothing: that load may have been another state. If the two
    re-walks agree with each other but not with the visit, the path led elsewhere, and nothing is learnt from it.

    A *slot* is a small part of the page without events whose content differs in each load, such as an advertisement.
    Parts of it may be in one load only, and two loads may agree on what they lack; neither means that a path led
    elsewhere. A slot that contains other elements each time is dynamic as a whole: its next content is in none of the
    loads.

    A rule must not hide content of the application:
    * a part that contains an event is never left out;
    * the text of an element with an event is left out only if every element at that place shows a text that no other
      load shows there. On a control, such as a button or a link, the texts may differ in their digits only;
    * at least half of the elements that a rule names must really differ;
    * all rules together concern at most 30 % of the elements, or none is accepted: then the page as a whole differs
      each time, and leaving out parts does not help.

    Every rejected rule is returned with the reason, for `statecrawl explain`.

The method follows the load-reload technique that M. E. Dincturk et al., "A Model-Based Approach for Crawling Rich
Internet Applications", 2014, §2.8, name for this purpose; alignment and guards are ours.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import combinations
from typing import Any

Rule = tuple[str, str]  # place, and what is left out there: "text", "node" or "@name"
Line = tuple[Any, ...]  # place, what, value, 1 where an event is

MOST_SHARE = 0.3  # share of a page that rules may concern
LEAST_TRUE = 0.5  # share of the elements named by a rule that must really differ
MOST_ALIGNED = 1_000_000  # pairs of children of two elements to compare
CONTROLS = frozenset(("a", "area", "button", "input", "label", "option", "select", "summary", "textarea"))
DIGITS = re.compile(r"\d+")

DIVERGED = "the two re-walks agree with each other, not with the first visit: the path led elsewhere"
ONE_DIFFERS = "only one of three loads differs"
HAS_EVENT = "there is an event at it or inside it"
LABELS = "it is the text of an element with an event, and other loads show it too, or it labels a control"
MOSTLY_SAME = "most elements at this place are equal in all loads"
TOO_MUCH = "too large a part of the page differs from load to load"


@dataclass(slots=True)
class ComparedElement:
    """An element of the normal form."""

    place: str
    tag: str
    carries: bool = False  # an event
    attributes: dict[str, str] = field(default_factory=dict)
    texts: list[str] = field(default_factory=list)
    inside: list["ComparedElement"] = field(default_factory=list)

    def everything(self) -> Iterator["ComparedElement"]:
        """Iterate over this element and all its descendants."""
        yield self
        for element in self.inside:
            yield from element.everything()

    @property
    def holds_event(self) -> bool:
        return any(element.carries for element in self.everything())


@dataclass(frozen=True, slots=True)
class LoadComparison:
    """What comes of comparing loads."""

    rules: frozenset[Rule] = frozenset()
    rejected: tuple[tuple[Rule, str], ...] = ()  # candidates, each with the reason


def tree(lines: Sequence[Line]) -> ComparedElement:
    """The normal form as a tree, below a root without a name."""
    root = ComparedElement("", "")
    above = [root]
    for line in lines:
        place, what, value = str(line[0]), str(line[1]), str(line[2])
        match what[:1]:
            case "<":
                element = ComparedElement(place, value, len(line) > 3)
                above[-1].inside.append(element)
                above.append(element)
            case ">":
                above.pop()
            case "@":
                above[-1].attributes[what] = value
            case '"':
                above[-1].texts.append(value)
            case _:
                pass  # an event; its element is marked
    return root


def differences(one: ComparedElement, other: ComparedElement) -> Iterator[Rule]:
    """Return the places where two loads differ."""
    if one.texts != other.texts:
        yield one.place, "text"
    for name in one.attributes.keys() | other.attributes.keys():
        if one.attributes.get(name) != other.attributes.get(name):
            yield one.place, name
    mine, theirs = [[inner.place for inner in element.inside] for element in (one, other)]
    for equal, i, to_i, j, to_j in _aligned(mine, theirs):
        if equal:
            for here, there in zip(one.inside[i:to_i], other.inside[j:to_j], strict=True):
                yield from differences(here, there)
            continue
        for element in (*one.inside[i:to_i], *other.inside[j:to_j]):
            yield element.place, "node"


def _aligned(mine: Sequence[str], theirs: Sequence[str]) -> Iterator[tuple[bool, int, int, int, int]]:
    """Align two lists: runs of equal and of different items, with their bounds in each list."""
    begin = next((at for at, pair in enumerate(zip(mine, theirs, strict=False)) if pair[0] != pair[1]), None)
    begin = min(len(mine), len(theirs)) if begin is None else begin
    end, most = 0, min(len(mine), len(theirs)) - begin
    while end < most and mine[-1 - end] == theirs[-1 - end]:
        end += 1
    to_mine, to_theirs = len(mine) - end, len(theirs) - end
    yield True, 0, begin, 0, begin
    if (to_mine - begin) * (to_theirs - begin) <= MOST_ALIGNED:
        middle = SequenceMatcher(None, mine[begin:to_mine], theirs[begin:to_theirs], autojunk=False).get_opcodes()
        for verb, i, to_i, j, to_j in middle:
            yield verb == "equal", begin + i, begin + to_i, begin + j, begin + to_j
    else:  # a detailed comparison would take too long
        yield False, begin, to_mine, begin, to_theirs
    yield True, to_mine, len(mine), to_theirs, len(theirs)


def compared(loads: Sequence[Sequence[Line]]) -> LoadComparison:
    """Compare three loads of one state: the visit of the crawl, and two re-walks."""
    trees = [_Load(tree(lines)) for lines in loads]
    amounts: Counter[Rule] = Counter()
    for one, other in combinations(trees, 2):
        for rule, amount in Counter(differences(one.root, other.root)).items():
            amounts[rule] = max(amounts[rule], amount)
    rejected = {rule: reason for rule in amounts if (reason := _guarded(rule, trees))}
    open_ = amounts.keys() - rejected.keys()
    slots = _slots({place for place, _ in amounts}, trees)
    found = {slots[place] for place, _ in open_ if place in slots}
    changing = {(slot, "node") for slot in found if _all_differ(load.shape(slot) for load in trees)}
    rules = changing | {rule for rule in open_ if _all_differ(load.value(rule) for load in trees)}
    rules = {rule for rule in rules if not any(_is_inside(rule, load, changing) for load in trees)}
    if any(_agree(rule, trees) for rule in amounts.keys() - rules if rule[0] not in slots):
        return LoadComparison(rejected=_sorted(dict.fromkeys(amounts, DIVERGED)))
    covered = {rule for rule in open_ if any(_is_inside(rule, load, changing) for load in trees)}
    rejected.update(dict.fromkeys(open_ - rules - covered, ONE_DIFFERS))
    untrue = {rule for rule in rules if amounts[rule] < LEAST_TRUE * trees[0].named(rule)}
    rejected.update(dict.fromkeys(untrue, MOSTLY_SAME))
    rules -= untrue
    elements = list(trees[0].root.everything())
    touched = {id(inner) for element in elements for inner in _touched(element, rules)}
    if len(touched) > MOST_SHARE * len(elements):
        rejected.update(dict.fromkeys(rules, TOO_MUCH))
        rules = set()
    return LoadComparison(frozenset(rules), _sorted(rejected))


def may_tick(loads: Sequence[Sequence[Line]]) -> bool:
    """Return whether only numbers differ somewhere, but not in all loads: a clock may have shown one second twice."""
    trees = [_Load(tree(lines)) for lines in loads]
    rules = {rule for one, other in combinations(trees, 2) for rule in differences(one.root, other.root)}
    shown = ([load.value(rule) for load in trees] for rule in rules)
    return any(
        not _all_differ(values) and len({DIGITS.sub("0", repr(value)) for value in values}) == 1 for values in shown
    )


class _Load:
    """Index of one load by place."""

    def __init__(self, root: ComparedElement) -> None:
        self.root = root
        self.places: dict[str, list[ComparedElement]] = {}
        self.parents: dict[str, str] = {}
        self._index(root)
        self.whole = self.size("")

    def _index(self, element: ComparedElement) -> None:
        self.places.setdefault(element.place, []).append(element)
        for inner in element.inside:
            self.parents.setdefault(inner.place, element.place)
            self._index(inner)

    def at(self, place: str) -> list[ComparedElement]:
        return self.places.get(place, [])

    def value(self, rule: Rule) -> tuple[object, ...]:
        """Return what a rule names in this load; for a whole part, the number of its elements."""
        place, what = rule
        match what:
            case "node":
                return (len(self.at(place)),)
            case "text":
                return tuple(tuple(element.texts) for element in self.at(place))
            case _:
                return tuple(element.attributes.get(what) for element in self.at(place))

    def content(self, place: str) -> tuple[object, ...]:
        """Return everything at a place."""
        return tuple(_signature(element) for element in self.at(place))

    def shape(self, place: str) -> tuple[tuple[str, ...], ...]:
        """Return the children of the elements at a place."""
        return tuple(tuple(inner.place for inner in element.inside) for element in self.at(place))

    def size(self, place: str) -> int:
        """Return the number of elements at a place, with their descendants."""
        return sum(1 for element in self.at(place) for _ in element.everything())

    def named(self, rule: Rule) -> int:
        """Return how many elements a rule would change."""
        place, what = rule
        match what:
            case "node":
                return 0
            case "text":
                return sum(bool(element.texts) for element in self.at(place))
            case _:
                return sum(what in element.attributes for element in self.at(place))


def _signature(element: ComparedElement) -> tuple[object, ...]:
    """Return everything about an element and its descendants."""
    inside = tuple(_signature(inner) for inner in element.inside)
    return element.place, tuple(element.texts), tuple(sorted(element.attributes.items())), inside


def _all_differ(values: Iterable[object]) -> bool:
    return all(one != other for one, other in combinations(values, 2))


def _slots(places: Iterable[str], loads: Sequence[_Load]) -> dict[str, str]:
    """Return the slot of each place that belongs to one."""
    around = {place: next((load.parents[place] for load in loads if place in load.parents), "") for place in places}
    slots = {slot for slot in set(around.values()) if slot and _is_slot(slot, loads)}
    return {place: slot for place, slot in around.items() if slot in slots}


def _is_slot(place: str, loads: Sequence[_Load]) -> bool:
    if any(element.holds_event for load in loads for element in load.at(place)):
        return False
    small = all(load.size(place) <= MOST_SHARE * load.whole for load in loads)
    return small and _all_differ(load.content(place) for load in loads)


def _is_inside(rule: Rule, load: _Load, slots: set[Rule]) -> bool:
    """Return whether a rule is about something inside a part that is left out."""
    return rule not in slots and _is_covered(rule[0], load, slots)


def _agree(rule: Rule, loads: Sequence[_Load]) -> bool:
    """Return whether the re-walks agree with each other but not with the visit."""
    visit, second, third = (load.value(rule) for load in loads)
    return second == third != visit


def _is_covered(place: str, load: _Load, rules: set[Rule]) -> bool:
    """Return whether a place lies inside a part that is left out."""
    while place in load.parents:
        if (place, "node") in rules:
            return True
        place = load.parents[place]
    return False


def _guarded(rule: Rule, loads: Sequence[_Load]) -> str:
    """Return why a rule would hide content of the application; "" when it would not."""
    place, what = rule
    elements = [load.at(place) for load in loads]
    if what == "node":
        return HAS_EVENT if any(element.holds_event for at in elements for element in at) else ""
    if what == "text" and any(element.carries for at in elements for element in at):
        return "" if _is_unique(elements) else LABELS
    return ""


def _is_unique(loads: Sequence[Sequence[ComparedElement]]) -> bool:
    """Return whether elements with events show texts that no other load shows at the same place."""
    if len({len(elements) for elements in loads}) > 1:
        return False
    control = any(element.tag in CONTROLS for elements in loads for element in elements)
    alike: Callable[[str], str] = (lambda text: DIGITS.sub("0", text)) if control else (lambda _: "")
    shown = [[" ".join(element.texts) for element in elements] for elements in loads]
    seen = [set(texts) for texts in shown]
    disjoint = all(not one & other for one, other in combinations(seen, 2))
    return disjoint and len({tuple(map(alike, texts)) for texts in shown}) == 1


def _touched(element: ComparedElement, rules: set[Rule]) -> Iterator[ComparedElement]:
    if (element.place, "node") in rules:
        yield from element.everything()
    elif (element.place, "text") in rules:
        yield element


def _sorted(rejected: dict[Rule, str]) -> tuple[tuple[Rule, str], ...]:
    return tuple(sorted(rejected.items()))
