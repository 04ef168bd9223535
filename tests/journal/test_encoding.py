"""The encoding: exact round trips for any text, equal bytes for equal facts, and clear errors for everything else."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecrawl.errors import DamagedJournal, NewerFormat
from statecrawl.journal.encoding import decode, encode
from statecrawl.journal.facts import (
    BoundarySeen,
    ComponentClaimed,
    CostMeasured,
    CrawlEnded,
    CrawlStarted,
    EquivalenceRevised,
    EventAdded,
    EventCrashed,
    EventHung,
    EventRefused,
    EventsDealt,
    ExternalTransition,
    Fact,
    MemberJoined,
    MemberLeft,
    StateFound,
    TransitionDiverged,
    TransitionExplored,
)
from statecrawl.journal.fold import fold

FIRST = ("started", "state", "explored", "diverged", "refused", "hung", "crashed", "ended")
SECOND = ("event", "external", "boundary", "revised", "cost")
THIRD = ("joined", "left")
FOURTH = ("dealt",)
FIFTH = ("claimed",)
KINDS = (FIRST, SECOND, THIRD, FOURTH, FIFTH)
VERSIONS = {kind: version for version, kinds in enumerate(KINDS, 1) for kind in kinds}
EXPLORED = TransitionExplored(state="a", event="e", target="b")
LINE = b'{"kind":"explored","v":1,"state":"a","event":"e","target":"b"}\n'

texts = st.text(st.characters(exclude_categories=()))  # with surrogates, NUL, line ends, quotes: whatever a page holds
counts = st.integers(1, 2**53)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
configurations = st.dictionaries(texts, values, max_size=4)
names: st.SearchStrategy[str | tuple[str, str]] = texts | st.tuples(texts, texts)
events = st.lists(names, max_size=6, unique_by=lambda name: name if isinstance(name, str) else name[0]).map(tuple)
failures = {"state": texts, "event": texts, "reason": texts}
facts: st.SearchStrategy[Fact] = st.one_of(
    st.builds(
        CrawlStarted,
        application=texts,
        configuration=configurations,
        reset_cost=st.floats(0, 1e6),
        run=counts,
    ),
    st.builds(StateFound, state=texts, events=events, url=st.none() | texts, title=st.none() | texts),
    st.builds(
        TransitionExplored,
        state=texts,
        event=texts,
        target=texts,
        fired=st.none() | counts,
        resets=st.none() | counts,
    ),
    st.builds(TransitionDiverged, state=texts, event=texts, expected=texts, landed=texts, incident=counts),
    st.builds(EventRefused, **failures),
    st.builds(EventHung, **failures),
    st.builds(EventCrashed, **failures),
    st.builds(CrawlEnded, reason=texts, run=counts),
    st.builds(EventAdded, state=texts, event=names),
    st.builds(ExternalTransition, state=texts, target=texts, incident=counts),
    st.builds(BoundarySeen, state=texts, event=st.none() | texts, what=texts, url=texts),
    st.builds(EquivalenceRevised, revision=counts, rules=st.lists(st.tuples(texts, texts), max_size=3).map(tuple)),
    st.builds(CostMeasured, reset_cost=st.floats(0, 1e6)),
    st.builds(MemberJoined, member=texts, epoch=counts),
    st.builds(MemberLeft, member=texts, epoch=counts),
    st.builds(ComponentClaimed, place=texts, member=texts, epoch=counts),
    st.builds(
        EventsDealt,
        state=texts,
        first=counts,
        shares=st.lists(st.tuples(texts, st.integers(1, 9)), min_size=1, max_size=3).map(tuple),
    ),
)


@given(st.lists(facts, max_size=5))
def test_what_is_written_is_read_back_whatever_the_text(written: list[Fact]) -> None:
    lines = encode(written)
    assert lines.count(b"\n") == len(written)
    assert decode(lines) == written
    assert encode(decode(lines)) == lines
    assert b"".join(encode([fact]) for fact in written) == lines


@given(st.lists(facts, min_size=1, max_size=3))
def test_every_line_is_one_json_object_for_any_reader(written: list[Fact]) -> None:
    for line in encode(written).decode().removesuffix("\n").split("\n"):
        fields = json.loads(line)
        assert fields["v"] == VERSIONS[fields["kind"]]


@given(st.lists(st.tuples(facts, st.dictionaries(texts, values, max_size=3)), min_size=1, max_size=3))
def test_fields_of_a_newer_release_are_kept(written: list[tuple[Fact, dict[str, Any]]]) -> None:
    lines = []
    for fact, added in written:
        known = json.loads(encode([fact]))
        lines.append({name: value for name, value in added.items() if name not in type(fact).__struct_fields__} | known)
    read = decode("\n".join(map(json.dumps, lines)).encode())
    assert [type(fact) for fact in read] == [type(fact) for fact, _ in written]
    once = encode(read)
    assert [json.loads(line) for line in once.decode().removesuffix("\n").split("\n")] == lines
    assert decode(once) == read
    assert encode(decode(once)) == once


def test_a_field_may_even_be_called_unknown() -> None:
    line = LINE.replace(b"}", b',"unknown":{"x":1}}')
    (fact,) = decode(line)
    assert fact.unknown == {"unknown": {"x": 1}}
    assert encode([fact]) == line


def test_mappings_are_written_in_order_so_that_equal_facts_are_equal_bytes() -> None:
    one = CrawlStarted(
        application="a", configuration={"b": {"d": 1, "c": [{"f": 0, "e": 0}]}, "a": "\ud800"}, reset_cost=2
    )
    two = CrawlStarted(
        application="a", configuration={"a": "\ud800", "b": {"c": [{"e": 0, "f": 0}], "d": 1}}, reset_cost=2
    )
    assert encode([one]) == encode([two])


def test_half_a_surrogate_pair_is_written_as_an_escape_and_only_its_line_pays_for_it() -> None:
    strange = EventHung(state="s\ud800", event="é", reason="")
    lines = encode([EXPLORED, strange])
    assert lines == LINE + b'{"kind":"hung","v":1,"state":"s\\ud800","event":"\\u00e9","reason":""}\n'
    assert decode(lines) == [EXPLORED, strange]


def test_giant_numbers_survive() -> None:
    fact = CrawlStarted(application="a", configuration={"limit": 10**30}, reset_cost=2.0)
    assert decode(encode([fact, EXPLORED])) == [fact, EXPLORED]


def test_a_huge_text_survives() -> None:
    fact = CrawlEnded(reason='\0\n"\\\u2028x' * 500_000)
    assert decode(encode([fact])) == [fact]


def test_nothing_is_nothing() -> None:
    assert encode([]) == b""
    assert decode(b"") == []


def test_the_last_line_end_may_be_missing() -> None:
    assert decode(LINE + LINE.removesuffix(b"\n")) == [EXPLORED, EXPLORED]


def test_a_line_without_a_version_is_of_the_version_of_its_kind() -> None:
    assert decode(LINE.replace(b'"v":1,', b"")) == [EXPLORED]
    assert decode(b'{"kind":"cost","reset_cost":2.5}') == [CostMeasured(reset_cost=2.5)]


def test_lines_of_all_versions_stand_side_by_side() -> None:
    second = b'{"kind":"event","v":2,"state":"a","event":["f","g"]}\n'
    third = b'{"kind":"left","v":3,"member":"n","epoch":2}\n'
    fourth = b'{"kind":"dealt","v":4,"state":"a","first":0,"shares":[["n",1]]}\n'
    fifth = b'{"kind":"claimed","v":5,"place":"ul","member":"n","epoch":1}\n'
    lines = LINE + second + third + fourth + fifth + LINE
    added, left = EventAdded(state="a", event=("f", "g")), MemberLeft(member="n", epoch=2)
    dealt = EventsDealt(state="a", first=0, shares=(("n", 1),))
    claimed = ComponentClaimed(place="ul", member="n", epoch=1)
    assert decode(lines) == [EXPLORED, added, left, dealt, claimed, EXPLORED]
    assert encode(decode(lines)) == lines


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"", "line 12 of the journal is not JSON"),
        (b"{", "line 12 of the journal is not JSON"),
        (b"\xff", "line 12 of the journal is not JSON"),
        (b'{"kind":"ended","v":1,"reason":NaN}', "NaN is not a JSON number"),
        (b'{"kind":"ended","v":1,"reason":"","x":1e999}', "1e999 is too large a number"),
        (b'{"kind":"ended","v":1,"reason":"","x":' + b"[" * 100_000, "line 12 of the journal is not JSON"),
        (b"[]", "line 12 of the journal is JSON, but not an object"),
        (LINE.strip() + LINE.strip(), "line 12 of the journal is not JSON"),
        (b'{"v":1}', "line 12 of the journal has the unknown kind None; known kinds: started, state"),
        (b'{"kind":["state"],"v":1}', r"has the unknown kind \['state'\]"),
        (b'{"kind":"dreamt","v":1}', "line 12 of the journal has the unknown kind 'dreamt'"),
        (b'{"kind":"ended","v":1}', "line 12 of the journal is not a valid 'ended' fact: .*reason"),
        (b'{"kind":"ended","v":1,"reason":7}', "line 12 of the journal is not a valid 'ended' fact: .*reason"),
        (b'{"kind":"ended","v":0,"reason":""}', "line 12 of the journal is not a valid 'ended' fact: .*v"),
        (b'{"kind":"ended","v":"2","reason":""}', "line 12 of the journal is not a valid 'ended' fact: .*v"),
        (b'{"kind":"state","v":1,"state":"s","events":["a","a"]}', "lists an event twice"),
        (b'{"kind":"state","v":1,"state":"s","events":["a"],"regions":[["","s","l","c",[1]]]}', "does not have"),
        (b'{"kind":"dreamt","v":2}', "line 12 of the journal has the unknown kind 'dreamt'"),
        (b'{"kind":"ended","v":2,"reason":""}', "line 12 of the journal is not a valid 'ended' fact: .*v"),
        (b'{"kind":"cost","v":1,"reset_cost":2}', "line 12 of the journal is not a valid 'cost' fact: .*v"),
        (
            b'{"kind":"joined","v":2,"member":"n","epoch":1}',
            "line 12 of the journal is not a valid 'joined' fact: .*v",
        ),
        (b'{"kind":"left","v":3,"member":"n"}', "line 12 of the journal is not a valid 'left' fact: .*epoch"),
        (b'{"kind":"dealt","v":4,"state":"s","first":0,"shares":[]}', "an assignment of state 's'"),
        (
            b'{"kind":"dealt","v":3,"state":"s","first":0,"shares":[["n",1]]}',
            "is not a valid 'dealt' fact: .*v",
        ),
        (b'{"kind":"dreamt","v":3}', "line 12 of the journal has the unknown kind 'dreamt'"),
        (b'{"kind":"cost","v":2,"reset_cost":1e999}', "1e999 is too large a number"),
        (
            b'{"kind":"event","v":2,"state":"s","event":["a"]}',
            "line 12 of the journal is not a valid 'event' fact",
        ),
        (
            b'{"kind":"revised","v":2,"revision":1,"rules":["a"]}',
            "line 12 of the journal is not a valid 'revised' fact",
        ),
    ],
)
def test_damage_is_named_with_its_line(line: bytes, message: str) -> None:
    with pytest.raises(DamagedJournal, match=message):
        decode(LINE + line + b"\n" + LINE, first=11)


@pytest.mark.parametrize("line", [b'{"kind":"explored","v":6,"state":"a"}', b'{"kind":"dreamt","v":6}'])
def test_a_newer_version_is_refused_before_anything_else_is_judged(line: bytes) -> None:
    with pytest.raises(
        NewerFormat, match="line 2 of the journal has format version 6, and this statecrawl reads up to 5"
    ):
        decode(LINE + line)


def test_the_documented_examples_are_what_is_written() -> None:
    page = (Path(__file__).parents[2] / "docs" / "formats.md").read_text(encoding="utf-8")
    block = re.search(r"```jsonl\n(.*?)```", page, re.DOTALL)
    assert block is not None
    lines = block[1].encode()
    assert encode(decode(lines)) == lines
    assert fold(decode(lines)).progress().facts == lines.count(b"\n")
    assert {json.loads(line)["kind"] for line in lines.splitlines()} == VERSIONS.keys()
