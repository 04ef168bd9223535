"""Texts that would keep a backtracking expression busy, made from the expression itself."""

import importlib
import pkgutil
import re
from collections.abc import Iterator
from re import _constants as ops  # type: ignore[attr-defined] # how Python itself reads expressions
from re import _parser  # type: ignore[attr-defined]
from typing import Any

import statecrawl

PUMPED = 20  # a part that may be repeated more often than this can be pumped up
NOTHING = "\x00"  # what hardly any expression accepts
SAMPLES = {
    ops.CATEGORY_DIGIT: "0",
    ops.CATEGORY_SPACE: " ",
    ops.CATEGORY_WORD: "a",
    ops.CATEGORY_NOT_DIGIT: "a",
    ops.CATEGORY_NOT_SPACE: "a",
    ops.CATEGORY_NOT_WORD: "-",
}


def expressions() -> Iterator[tuple[str, re.Pattern[str]]]:
    """Every compiled expression for texts in a module of the package, with where it stands."""
    for info in pkgutil.walk_packages(statecrawl.__path__, "statecrawl."):
        if info.name.endswith("__main__") or ".assets" in info.name:
            continue
        module = importlib.import_module(info.name)
        for name, value in vars(module).items():
            for each in value.values() if isinstance(value, dict) else (value,):
                if isinstance(each, re.Pattern) and isinstance(each.pattern, str):
                    yield f"{info.name.removeprefix('statecrawl.')}.{name}", each


def hostile(expression: re.Pattern[str], length: int) -> Iterator[str]:
    """Texts of about this length which the expression begins to match again and again."""
    pumps = {("", ""), *_pumps(_parser.parse(expression.pattern, expression.flags), "")}
    for prefix, pump in sorted(pumps):
        for piece in {pump, prefix + pump, prefix, prefix + pump + NOTHING} - {""}:
            yield prefix + piece * (length // len(piece))
            yield prefix + piece * (length // len(piece)) + NOTHING


def _pumps(parsed: Any, prefix: str) -> Iterator[tuple[str, str]]:
    """Every part that may be repeated without end, with what leads to it."""
    for op, told in parsed:
        match op:
            case ops.MAX_REPEAT | ops.MIN_REPEAT | ops.POSSESSIVE_REPEAT:
                _, most, inner = told
                if most > PUMPED:
                    yield from ((prefix, sample) for sample in _samples(inner))
                yield from _pumps(inner, prefix)
            case ops.BRANCH:
                for branch in told[1]:
                    yield from _pumps(branch, prefix)
            case ops.SUBPATTERN:
                yield from _pumps(told[3], prefix)
            case ops.ATOMIC_GROUP:
                yield from _pumps(told, prefix)
            case ops.ASSERT:
                yield from _pumps(told[1], prefix)
            case _:
                pass
        prefix += next(_samples([(op, told)]), "")


def _samples(parsed: Any) -> Iterator[str]:
    """Some texts that this part matches."""
    found = [""]
    for op, told in parsed:
        found = [before + after for before in found for after in _each(op, told)][:8]
    yield from (text for text in found if text)


def _each(op: Any, told: Any) -> list[str]:
    match op:
        case ops.LITERAL:
            return [chr(told)]
        case ops.NOT_LITERAL:
            return ["b" if told == ord("a") else "a"]
        case ops.ANY:
            return ["a"]
        case ops.IN:
            return _members(told)
        case ops.BRANCH:
            return [sample for branch in told[1] for sample in _samples(branch)] or [""]
        case ops.SUBPATTERN:
            return list(_samples(told[3])) or [""]
        case ops.ATOMIC_GROUP:
            return list(_samples(told)) or [""]
        case ops.MAX_REPEAT | ops.MIN_REPEAT | ops.POSSESSIVE_REPEAT:
            return [sample * max(told[0], 1) for sample in _samples(told[2])] or [""]
        case _:
            return [""]


def _members(told: Any) -> list[str]:
    """Some letters of a set."""
    if told[0][0] is ops.NEGATE:
        compiled = [letter for letter in "a0 -\"'<>=&;:/x" if not _holds(told[1:], letter)]
        return compiled[:3] or ["~"]
    letters = []
    for op, member in told:
        match op:
            case ops.LITERAL:
                letters.append(chr(member))
            case ops.RANGE:
                letters.append(chr(member[0]))
            case ops.CATEGORY:
                letters.append(SAMPLES.get(member, "a"))
    return letters[:4] or [""]


def _holds(members: Any, letter: str) -> bool:
    for op, member in members:
        if op is ops.LITERAL and ord(letter) == member:
            return True
        if op is ops.RANGE and member[0] <= ord(letter) <= member[1]:
            return True
        if op is ops.CATEGORY and _in_category(member, letter):
            return True
    return False


def _in_category(category: Any, letter: str) -> bool:
    if category is ops.CATEGORY_SPACE:
        return letter.isspace()
    if category is ops.CATEGORY_DIGIT:
        return letter.isdigit()
    return category is ops.CATEGORY_WORD and (letter.isalnum() or letter == "_")
