"""Coverage is merged, in any order."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from statecrawl.ports.coverage import Function, Range, Script, covered, merged_ranges, merged_scripts

RANGES = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)).map(lambda pair: (min(pair), max(pair))))


def characters(ranges: tuple[Range, ...] | list[Range]) -> set[int]:
    return {place for start, end in ranges for place in range(start, end)}


@given(RANGES)
def test_united_ranges_are_the_same_characters_and_do_not_touch(ranges: list[Range]) -> None:
    found = merged_ranges(ranges)
    assert characters(found) == characters(ranges)
    assert all(one[1] < other[0] for one, other in itertools.pairwise(found))
    assert all(start < end for start, end in found)


@st.composite
def nested(draw: st.DrawFn, start: int = 0, end: int = 40, depth: int = 3) -> list[tuple[Range, bool]]:
    """A range, and ranges inside of it."""
    found = [((start, end), draw(st.booleans()))]
    at = start
    while depth and at < end and draw(st.booleans()):
        first = draw(st.integers(at, end))
        last = draw(st.integers(first, end))
        if first < last and (first, last) != (start, end):
            found += draw(nested(first, last, depth - 1))
        at = last
    return found


@given(nested())
def test_the_innermost_range_decides(ranges: list[tuple[Range, bool]]) -> None:
    has_run: dict[int, bool] = {}
    for (start, end), ran in ranges:  # outer ones first
        has_run |= dict.fromkeys(range(start, end), ran)
    assert characters(covered(ranges)) == {place for place, ran in has_run.items() if ran}


def script(ranges: list[Range], ran: set[int]) -> Script:
    functions = tuple(Function(name=f"f{i}", line=1, start=i, end=i + 5, ran=i in ran) for i in range(4))
    return Script(url="http://a.test/a.js", hash="00", length=30, covered=merged_ranges(ranges), functions=functions)


@given(RANGES, RANGES, st.sets(st.integers(0, 3)), st.sets(st.integers(0, 3)))
def test_what_ran_anywhere_has_run(one: list[Range], other: list[Range], ran: set[int], ran_too: set[int]) -> None:
    here, there = script(one, ran), script(other, ran_too)
    (found,) = merged_scripts([here, there])
    assert merged_scripts([there, here]) == [found]
    assert merged_scripts([found, here]) == [found]
    assert characters(found.covered) == characters(one) | characters(other)
    assert {place for place, function in enumerate(found.functions) if function.ran} == ran | ran_too


def test_another_text_is_another_script() -> None:
    one = script([], set())
    other = Script(url=one.url, hash="01", length=30, covered=(), functions=())
    assert merged_scripts([other, one]) == [one, other]
