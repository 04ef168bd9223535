"""What is volatile in a page: found by comparing several loads of the same state. Pure.

Each load ran with other random numbers, another clock and another cookie jar, so what differs between them has nothing
to do with the state. The normal forms are aligned as trees; what differs in at least two of the three pairs of loads
becomes a rule, unless that would hide something of the application:
* a part that carries or contains an event is never left out, nor are the words of an element that carries one;
* a rule must be about what it says: at least half of all the places it names must really differ;
* all rules together must not concern more than 30 % of the page, or none is taken: then the page as a whole is
  different from load to load, and leaving out is no cure.

The method follows the load-reload technique that M. E. Dincturk et al., "A Model-Based Approach for Crawling Rich
Internet Applications", 2014, §2.8, name for this purpose; alignment and guards are ours.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Any

Rule = tuple[str, str]  # place, and what is left out there: "text", "node" or "@name"
Line = tuple[Any, ...]  # place, what, value, 1 where an event is

MOST_SHARE = 0.3  # of the elements of a page that rules may concern
LEAST_TRUE = 0.5  # of the places that a rule names which must really differ
LOADS_THAT_DIFFER = 2  # of the three pairs of loads


@dataclass(slots=True)
class Element:
    """A part of the normal form."""

    place: str
    tag: str
    carries: bool = False  # an event
    attributes: dict[str, str] = field(default_factory=dict)
    texts: list[str] = field(default_factory=list)
    inside: list["Element"] = field(default_factory=list)

    def everything(self) -> Iterator["Element"]:
        """Itself and all inside it."""
        yield self
        for element in self.inside:
            yield from element.everything()

    @property
    def holds_event(self) -> bool:
        return any(element.carries for element in self.everything())


def tree(lines: Sequence[Line]) -> Element:
    """The normal form as a tree, below a root without a name."""
    root = Element("", "")
    above = [root]
    for line in lines:
        place, what, value = str(line[0]), str(line[1]), str(line[2])
        match what[:1]:
            case "<":
                element = Element(place, value, len(line) > 3)
                above[-1].inside.append(element)
                above.append(element)
            case ">":
                above.pop()
            case "@":
                above[-1].attributes[what] = value
            case '"':
                above[-1].texts.append(value)
            case _:
                pass  # an event; the element before it is marked
    return root


def differences(one: Element, other: Element) -> Iterator[Rule]:
    """Where two loads differ."""
    if one.texts != other.texts and not one.carries:
        yield one.place, "text"
    for name in one.attributes.keys() | other.attributes.keys():
        if one.attributes.get(name) != other.attributes.get(name):
            yield one.place, name
    mine, theirs = [[inner.place for inner in element.inside] for element in (one, other)]
    for verb, i, to_i, j, to_j in SequenceMatcher(None, mine, theirs, autojunk=False).get_opcodes():
        if verb == "equal":
            for here, there in zip(one.inside[i:to_i], other.inside[j:to_j], strict=True):
                yield from differences(here, there)
            continue
        for element in (*one.inside[i:to_i], *other.inside[j:to_j]):
            if not element.holds_event:
                yield element.place, "node"


def volatile_rules(loads: Sequence[Sequence[Line]]) -> set[Rule]:
    """The rules that three loads of one state call for."""
    trees = [tree(lines) for lines in loads]
    first, second, third = trees
    found: Counter[Rule] = Counter()
    amounts: Counter[Rule] = Counter()
    for one, other in ((first, second), (first, third), (second, third)):
        here = Counter(differences(one, other))
        found.update(here.keys())
        for rule, amount in here.items():
            amounts[rule] = max(amounts[rule], amount)
    rules = {rule for rule, times in found.items() if times >= LOADS_THAT_DIFFER}
    rules -= {rule for root in trees for element in root.everything() for rule in _kept(element)}
    rules = {rule for rule in rules if amounts[rule] >= LEAST_TRUE * _named(first, rule)}
    elements = list(first.everything())
    touched = {id(inner) for element in elements for inner in _touched(element, rules)}
    return rules if len(touched) <= MOST_SHARE * len(elements) else set()


def _kept(element: Element) -> Iterator[Rule]:
    """What no rule may say of the place of an element, because another one at the same place would suffer."""
    if element.carries:
        yield element.place, "text"
    if element.holds_event:
        yield element.place, "node"


def _named(root: Element, rule: Rule) -> int:
    """How many elements of a page a rule would change."""
    place, what = rule
    named = [element for element in root.everything() if element.place == place]
    match what:
        case "node":
            return 0
        case "text":
            return sum(bool(element.texts) for element in named)
        case _:
            return sum(what in element.attributes for element in named)


def _touched(element: Element, rules: set[Rule]) -> Iterator[Element]:
    if (element.place, "node") in rules:
        yield from element.everything()
    elif (element.place, "text") in rules:
        yield element
