"""States of a part of the page in words: what distinguishes each from the first. Pure."""

import re
from collections.abc import Iterable, Mapping, Sequence

from statecrawl.model.component_tasks import BEYOND, Value
from statecrawl.report.crawl.document import tidied
from statecrawl.report.crawl.part_looks import UNSEEN, PartLook
from statecrawl.report.crawl.part_names import LONGEST
from statecrawl.report.crawl.state_names import NAMELESS, state_names

FURTHER = "further values, not distinguished"
FIRST, SAME, ANOTHER = "as at first", "the same words, but not the same look", "of another look"
HIDDEN, VISIBLE = "not visible", "visible"
MOST_CLASSES = 2  # that are named
_NUMBERED = re.compile(r"(?:^| )\(\d+\)$")


def values_in_words(values: Mapping[Value, PartLook]) -> list[str]:
    """Tell what distinguishes each value from the first, and that from the second."""
    looks = [*values.values()]
    words = _differences(looks)
    if len(looks) > 1 and not words[0]:
        words[0] = _without_base(state_names([look.features for look in looks[1::-1]]))[1]
    told = [FURTHER if _is_further(value) else text for value, text in zip(values, words, strict=True)]
    same = VISIBLE if any(look.is_hidden for look in looks) else SAME
    plain = [same if number or same == VISIBLE else FIRST for number in range(len(looks))]
    return [HIDDEN if look.is_hidden else text or other for look, text, other in zip(looks, told, plain, strict=True)]


def rows_in_words(values: Iterable[Value], looks: Mapping[str, PartLook]) -> list[str]:
    """Tell how many rows there are: one or several, of each look."""
    counts = [value if isinstance(value, tuple) else () for value in values]
    names = [*dict.fromkeys(look for value in counts for look, _ in value)]
    words = _differences([looks.get(name, UNSEEN).as_row for name in names])
    called = {name: text or ANOTHER * (name != names[0]) for name, text in zip(names, words, strict=True)}
    return [", ".join(_rows(called[look], count) for look, count in value) or "none" for value in counts]


def _is_further(value: Value) -> bool:
    return isinstance(value, str) and value.startswith(BEYOND)


def _differences(looks: Sequence[PartLook]) -> list[str]:
    """Tell each look apart from the first; empty where only marks that nobody sees differ."""
    words = _without_base(state_names([look.features for look in looks]))
    return [text or _class_difference(looks[0].classes, look.classes) for text, look in zip(words, looks, strict=True)]


def _rows(look: str, count: int) -> str:
    words = "several" if count > 1 else "one"
    return f"{words} ({look})" if look else words


def _class_difference(one: frozenset[str], other: frozenset[str]) -> str:
    """Tell the second apart from the first by its classes, which the authors of an application know."""
    for word, classes in (("class", other - one), ("without class", one - other)):
        if classes:
            return f"{word} {', '.join(repr(tidied(name, LONGEST)) for name in sorted(classes)[:MOST_CLASSES])}"
    return ""


def _without_base(names: Iterable[str]) -> list[str]:
    """Remove the name that stands for no heading and no title, and the numbers of those that are called the same."""
    return [_NUMBERED.sub("", name.removeprefix(NAMELESS).removeprefix(" - ")).strip() for name in names]
