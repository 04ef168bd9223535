"""Names of states: short, for people, and unique. Pure.

Theory of operation
    A state is named after its screen: the most important heading that is not on nearly every page, else the title
    without the parts that nearly all titles share, else the route. The event that led to a state says nothing about it.

    States of the same name are told apart. The first of them keeps the name; each of the others adds the first kind of
    feature in which it differs from it: "Orders - dialog 'New order'", "Orders - tab 'Archive'". Those that are still
    called the same are compared again, with the first of them. Different screens are compared before the states of one
    screen, so the name of a state says first what its screen differs in. What cannot be told apart is numbered.

    All text comes from pages. `state_features` has removed control characters and limited every text, so a name has at
    most MOST_PHRASES phrases and LONGEST_NAME characters.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from statecrawl.report.crawl.document import tidied
from statecrawl.report.crawl.state_features import KINDS, StateFeatures

LONGEST_NAME = 160
LONGEST_QUOTE = 40  # characters of a feature in a name
MOST_QUOTED = 3  # features of one kind in a name
MOST_PHRASES = 4  # in a name
COMMON_SHARE = 0.75  # of the states: a heading that more of them have says nothing about a state
LEAST_STATES = 4  # of which something can be common
NAMELESS = "page"
Phrases = tuple[tuple[str, str], ...]  # each with the kind of feature that it is about
BETWEEN_PARTS = re.compile(r"\s(?:[|·•:»–—-]|::)\s")  # of a title, whose words have one space between them
PHRASES = {  # words before the features of a kind; the others are only quoted
    "dialog": "dialog",
    "tab": "tab",
    "current": "at",
    "menu": "menu",
    "expanded": "expanded",
    "checked": "checked",
    "pressed": "pressed",
    "selected": "selected",
    "option": "option",
    "field": "with",
    "disabled": "disabled",
}
OPPOSITES = {
    "dialog": "without dialog",
    "expanded": "collapsed",
    "checked": "unchecked",
    "field": "without",
    "disabled": "enabled",
}
UNQUOTED = frozenset(("route", "count"))
SWITCHED = frozenset(("checked", "expanded", "pressed"))  # items that are on or off, each on its own
LASTING = frozenset(("heading", "text", "field"))  # a state with a further one has the one before, too
CONTENT = LASTING | {"disabled", "count"}  # kinds that say less than the others


def state_names(states: Sequence[StateFeatures], screens: Sequence[int] = ()) -> list[str]:
    """Return a name for each state. `screens` has the screen of each state; without it, all are on one."""
    common = _Common(states)
    groups: dict[str, list[int]] = {}
    for number, features in enumerate(states):
        groups.setdefault(common.base(features), []).append(number)
    names = [""] * len(states)
    for base, numbers in groups.items():
        for number, phrases in _Comparison(states, numbers[0]).of(numbers, screens):
            names[number] = " - ".join(filter(None, (base, ", ".join(text for _, text in phrases))))
    return _numbered(names)


class _Common:
    """What most states have in common, so that it says nothing about one of them."""

    def __init__(self, states: Sequence[StateFeatures]) -> None:
        self._least = max(COMMON_SHARE * len(states), LEAST_STATES - 1)
        self._headings = self._frequent({words for _, words in each.headings} for each in states)
        self._parts = self._frequent(set(BETWEEN_PARTS.split(each.title)) for each in states)
        self._titles = self._frequent({each.title} for each in states)

    def _frequent(self, found: Iterable[set[str]]) -> set[str]:
        counts = Counter(each for one in found for each in one)
        return {each for each, count in counts.items() if count > self._least}

    def base(self, features: StateFeatures) -> str:
        """Return the name of the screen that a state belongs to."""
        return next(filter(None, self._candidates(features)), NAMELESS)

    def _candidates(self, features: StateFeatures) -> Iterator[str]:
        yield from (self._only_heading(features, level) for level in (1, 2))
        yield "" if features.title in self._titles else self._title(features.title)
        yield self._only_heading(features, 3)
        yield next((words for level, words in features.headings if level == 1), "")
        yield self._title(features.title)
        yield next((words for _, words in features.headings), "")
        yield features.route

    def _only_heading(self, features: StateFeatures, level: int) -> str:
        """Return the heading of this level if there is exactly one; several are the headings of a list."""
        words = {words for each, words in features.headings if each == level and words not in self._headings}
        return words.pop() if len(words) == 1 else ""

    def _title(self, title: str) -> str:
        parts = [part for part in BETWEEN_PARTS.split(title) if part not in self._parts]
        return " - ".join(parts) or title


class _Comparison:
    """Tells states of the same name apart from the first of them."""

    def __init__(self, states: Sequence[StateFeatures], first: int) -> None:
        self._states = states
        self._first = states[first]

    def of(self, numbers: Sequence[int], screens: Sequence[int]) -> Iterator[tuple[int, Phrases]]:
        """Yield each state with the phrases that follow its name."""
        by_screen: dict[int, list[int]] = {}
        found: list[tuple[int, Phrases]] = []
        for number in numbers:
            by_screen.setdefault(screens[number] if screens else 0, []).append(number)
        members = {each[0]: each for each in by_screen.values()}
        for first, phrases in self._apart([*members], ()):
            alike: dict[Phrases, list[int]] = {}
            for number in members[first]:
                alike.setdefault(self._inherited(first, number, phrases), []).append(number)
            for inherited, group in alike.items():
                found += self._apart(group, inherited)
        same: dict[Phrases, list[int]] = {}
        for number, phrases in found:
            same.setdefault(phrases, []).append(number)
        for phrases, group in same.items():  # of different screens
            yield from self._apart(group, phrases)

    def _inherited(self, first: int, number: int, phrases: Phrases) -> Phrases:
        """Return the phrases of the first state of a screen as they apply to another state of it."""
        one, other = self._states[first], self._states[number]
        changed = (
            (kind, text if one.has_same(other, kind) else self._phrase(kind, one, other)) for kind, text in phrases
        )
        return tuple((kind, text) for kind, text in changed if text)

    def _apart(self, numbers: Sequence[int], phrases: Phrases, steps: int = 0) -> Iterator[tuple[int, Phrases]]:
        first, *others = numbers
        yield first, phrases
        longer: dict[Phrases, list[int]] = {}
        for number in others:
            longer.setdefault(self._extended(phrases, self._states[first], self._states[number]), []).append(number)
        for more, members in longer.items():
            if more == phrases or steps == MOST_PHRASES:
                yield from ((number, more) for number in members)
            else:
                yield from self._apart(members, more, steps + 1)

    def _extended(self, phrases: Phrases, one: StateFeatures, other: StateFeatures) -> Phrases:
        """Add the first difference between two states. A phrase of the same kind is replaced unless both hold."""
        kind = _difference(one, other)
        if kind is None or (len(phrases) == MOST_PHRASES and kind not in dict(phrases)):
            return phrases
        text = self._phrase(kind, one, other)
        if (kind, text) in phrases:
            text = _change(kind, one, other)
        rest = tuple(each for each in phrases if each[0] != kind or kind in LASTING)
        return phrases if (kind, text) in phrases else (*rest[: MOST_PHRASES - 1], (kind, text))

    def _phrase(self, kind: str, one: StateFeatures, other: StateFeatures) -> str:
        """Say what is different in a state, from the very first one if possible: the name of that has no phrases."""
        return (kind not in LASTING and _change(kind, self._first, other)) or _change(kind, one, other)


def _difference(one: StateFeatures, other: StateFeatures) -> str | None:
    """Return the first kind of feature in which states differ."""
    kinds = [kind for kind in KINDS if not one.has_same(other, kind)]
    late = [kind for kind in kinds if kind in CONTENT]  # what is there says more than what is not
    first = (kind for kind in kinds if kind not in CONTENT and _change(kind, one, other))
    more = (kind for kind in late if _gain(kind, one, other))
    fewer = (kind for kind in late if _loss(kind, one, other))
    return next((kind for some in (first, more, fewer) for kind in some), None)


def _change(kind: str, one: StateFeatures, other: StateFeatures) -> str:
    """Say what a state has more than another one, or else less; of items that are on or off, say both."""
    gain, loss = _gain(kind, one, other), _loss(kind, one, other)
    return ", ".join(filter(None, (gain, loss))) if kind in SWITCHED else gain or loss


def _gain(kind: str, first: StateFeatures, other: StateFeatures) -> str:
    return _phrase(kind, PHRASES.get(kind, ""), _without(other.kinds.get(kind, ()), first.kinds.get(kind, ())))


def _loss(kind: str, first: StateFeatures, other: StateFeatures) -> str:
    opposite = OPPOSITES.get(kind, f"without {PHRASES.get(kind, '')}".strip())
    return _phrase(kind, opposite, _without(first.kinds.get(kind, ()), other.kinds.get(kind, ())))


def _without(texts: Iterable[str], others: Iterable[str]) -> list[str]:
    known = set(others)
    return [text for text in texts if text not in known]


def _phrase(kind: str, word: str, texts: Sequence[str]) -> str:
    """Return features of one kind as a phrase: checked 'milk', 'bread' and 3 more."""
    if not texts or kind in UNQUOTED:
        return tidied(texts[0], LONGEST_QUOTE) if texts else ""
    most = 1 if kind == "text" else MOST_QUOTED
    quoted = ", ".join(f"'{tidied(text, LONGEST_QUOTE)}'" for text in texts[:most] if text)
    rest = f"and {len(texts) - most} more" if len(texts) > most and kind != "text" else ""
    return " ".join(filter(None, (word, quoted, rest)))


def _numbered(names: Iterable[str]) -> list[str]:
    """Return the names without duplicates: Orders, Orders (2), Orders (3)."""
    known: set[str] = set()
    counts: Counter[str] = Counter()
    unique = []
    for name in names:
        short = name = tidied(name, LONGEST_NAME)
        while name in known:
            counts[short] += 1
            name = f"{short} ({counts[short] + 1})"
        known.add(name)
        unique.append(name)
    return unique
