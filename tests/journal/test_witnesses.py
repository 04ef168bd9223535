"""Witnesses: the parts stored with the states become one path from the reset."""

from statecrawl.journal.facts import Fact, StateFound, TransitionDiverged, TransitionExplored
from statecrawl.journal.fold import fold
from statecrawl.journal.witnesses import events_of, witness_paths_of

EVENTS = ("a", "b", "c")


def state(name: str, walk: str | None = None, after: str | None = None, steps: tuple[str, ...] = ()) -> StateFound:
    return StateFound(state=name, events=EVENTS, walk=walk, after=after, steps=steps)


def explored(source: str, event: str, target: str) -> TransitionExplored:
    return TransitionExplored(state=source, event=event, target=target)


# The page shows nothing of how often "a" was fired: "c" leads to 3 only after "a", "b", "a".
WALK: list[Fact] = [
    state("0", "w"),
    explored("0", "a", "0"),
    state("1", "w", "0", ("a", "b")),
    explored("0", "b", "1"),
    explored("1", "a", "0"),
    state("3", "w", "1", ("a", "c")),
    explored("0", "c", "3"),
]


def path(facts: list[Fact], goal: int, most: int = 100) -> list[tuple[int, str]]:
    crawl = fold(facts)
    return [(at, EVENTS[position]) for at, position in witness_paths_of(crawl, most).to(goal)]


def test_a_path_is_the_one_that_was_walked() -> None:
    assert path(WALK, 0) == []
    assert path(WALK, 1) == [(0, "a"), (0, "b")]
    assert path(WALK, 2) == [(0, "a"), (0, "b"), (1, "a"), (0, "c")]


def test_a_path_that_is_too_long_is_replaced_by_the_shortest() -> None:
    assert path(WALK, 2, most=3) == [(0, "c")]


def test_journals_of_older_releases_have_only_the_shortest() -> None:
    plain = [StateFound(state=fact.state, events=EVENTS) if isinstance(fact, StateFound) else fact for fact in WALK]
    assert path(plain, 2) == [(0, "c")]
    assert events_of(fold(plain), 2, 100) is None


def test_parts_of_different_walks_make_no_path() -> None:
    facts: list[Fact] = [
        state("0", "w"),
        explored("0", "a", "0"),
        state("1", "x", "0", ("b",)),
        explored("0", "b", "1"),
    ]
    assert events_of(fold(facts), 1, 100) is None
    assert path(facts, 1) == [(0, "b")]


def test_where_an_event_led_here_and_there_the_path_ends_in_the_right_state() -> None:
    facts: list[Fact] = [
        state("0", "w"),
        state("1", "w", "0", ("a",)),
        explored("0", "a", "1"),
        state("2", "v", None, ("a",)),
        TransitionDiverged(state="0", event="a", expected="1", landed="2", incident=1),
        state("3", "v", "2", ("b",)),
        explored("2", "b", "3"),
        explored("1", "b", "0"),
    ]
    assert path(facts, 3) == [(0, "a"), (2, "b")]
    assert witness_paths_of(fold(facts), 9).walked(2) == [(0, 0)]


def test_a_witness_that_the_graph_contradicts_is_not_believed() -> None:
    facts: list[Fact] = [state("0", "w"), state("1", "w", "0", ("b", "b")), explored("0", "c", "1")]
    assert witness_paths_of(fold(facts), 9).walked(1) is None
    assert path(facts, 1) == [(0, "c")]


def test_a_witness_that_begins_at_a_state_that_nobody_told_of_is_left_out() -> None:
    facts: list[Fact] = [state("0", "w"), state("1", "w", "missing", ("b",)), explored("0", "b", "1")]
    assert fold(facts).witnesses.keys() == {0}


def test_the_first_witness_counts() -> None:
    facts = [*WALK, state("3", "y", None, ("c",))]
    assert len(path(facts, 2)) == 4


def test_a_state_without_any_path() -> None:
    facts = [*WALK, state("4")]
    paths = witness_paths_of(fold(facts), 9)
    assert not paths.is_reachable(3)
    assert paths.is_reachable(2)
