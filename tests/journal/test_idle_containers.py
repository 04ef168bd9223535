"""Listeners on containers that have proved to do nothing are refused, with a reason."""

import pytest

from statecrawl.journal.crawl_bounds import CrawlBounds, CrawlBoundsTracker
from statecrawl.journal.facts import (
    BoundarySeen,
    EquivalenceRevised,
    EventAdded,
    EventRefused,
    Fact,
    StateFound,
    TransitionExplored,
)
from statecrawl.journal.fold import FoldedCrawl, fold
from statecrawl.journal.idle_containers import IDLE, PROBES, IdleContainers
from tests.journal.test_crawl_bounds import crawled_within

BOUNDS = CrawlBounds(probes=PROBES)


def found(state: str, *containers: str) -> StateFound:
    """Make a state with a control and containers of one template."""
    places = tuple((place, "template") for place in range(1, len(containers) + 1))
    return StateFound(state=state, events=("press", *containers), containers=places)


def fired(state: str, event: str = "box", target: str = "") -> TransitionExplored:
    return TransitionExplored(state=state, event=event, target=target or state)


def refused(*facts: Fact) -> list[tuple[str, str]]:
    return [(refusal.state, refusal.event) for refusal in crawled_within(BOUNDS, *facts)[0]]


ABCDE = [found(state, "box") for state in "abcde"]


def test_what_did_nothing_in_several_states_is_left_out_in_all_others() -> None:
    probes = [fired(state) for state in "abc"]
    assert refused(*ABCDE, *probes[:2]) == []
    assert refused(*ABCDE, *probes) == [("d", "box"), ("e", "box")]
    refusals, journal = crawled_within(BOUNDS, *ABCDE, *probes)
    assert {refusal.reason for refusal in refusals} == {f"{IDLE} in 3 states"}
    assert fold(journal).progress().closed == 2


def test_in_states_found_later_one_is_probed_now_and_then() -> None:
    idle = [found(state, "box") for state in "abc"]
    later = [found(f"s{number}", "box", "box #2") for number in range(4, 17)]
    told_later = refused(*idle, *(fired(state) for state in "abc"), *later)
    probed = {fact.state for fact in later} - {state for state, event in told_later if event == "box"}
    assert probed == {"s4", "s8", "s16"}
    assert all((fact.state, "box #2") in told_later for fact in later)


EFFECTS: dict[str, tuple[Fact, ...]] = {
    "another state": (ABCDE[0], fired("d", target="a")),
    "a way out": (BoundarySeen(state="d", event="box", what="window", url="http://h/"), fired("d")),
    "a dialog": (EventAdded(state="d", event="box (dismissed)"), fired("d")),
}


@pytest.mark.parametrize("effect", EFFECTS)
def test_what_had_an_effect_anywhere_is_never_left_out(effect: str) -> None:
    facts = [found("d", "box"), *EFFECTS[effect], *ABCDE, *(fired(state) for state in "abc")]
    assert refused(*facts) == []


def test_an_effect_that_shows_late_ends_it() -> None:
    facts: list[Fact] = [*ABCDE[:3], *(fired(state) for state in "abc"), ABCDE[3], fired("d", target="a"), ABCDE[4]]
    assert refused(*facts) == []


def test_others_of_the_same_state_are_left_out_when_several_did_nothing_there() -> None:
    row = found("a", *(f"box #{number}" for number in range(1, 7)))
    assert refused(row, *(fired("a", f"box #{number}") for number in (1, 2))) == []
    assert refused(row, *(fired("a", f"box #{number}") for number in (1, 2, 3))) == [
        ("a", f"box #{number}") for number in (4, 5, 6)
    ]


def test_what_is_explored_or_refused_is_not_refused_again() -> None:
    denied = EventRefused(state="e", event="box", reason="denied")
    assert refused(*ABCDE, denied, *(fired(state) for state in "abcd")) == [("d", "box")]


def test_controls_and_other_templates_are_not_concerned() -> None:
    other = StateFound(state="x", events=("press", "box"), containers=((1, "another"),))
    presses = [fired(state, "press") for state in "abcde"]
    assert refused(*ABCDE, other, *presses) == []
    assert ("x", "box") not in refused(*ABCDE, other, *(fired(state) for state in "abc"))


def test_without_probes_nothing_is_left_out() -> None:
    assert crawled_within(CrawlBounds(), *ABCDE, *(fired(state) for state in "abcd"))[0] == []


@pytest.mark.parametrize("position", [1, 3, 5, 6, 8])
def test_whoever_goes_on_from_a_journal_decides_alike(position: int) -> None:
    facts: list[Fact] = [*ABCDE[:4], *(fired(state) for state in "abc"), ABCDE[4]]
    refusals, journal = crawled_within(BOUNDS, *facts)
    crawl = fold(journal[:position])
    bounding, later = CrawlBoundsTracker(BOUNDS, crawl), []
    for fact in journal[position:]:
        crawl.apply(fact)
        later += bounding.refusals_after(fact)
    assert [fact for fact in refusals if fact not in journal[:position]] == later


@pytest.mark.parametrize("effect", EFFECTS)
def test_whoever_goes_on_knows_of_effects(effect: str) -> None:
    crawl = fold([found("d", "box"), *EFFECTS[effect], *ABCDE[:3]])
    containers, refusals = IdleContainers(PROBES, crawl), []
    for state in "abc":
        crawl.apply(fired(state))
        refusals += containers.refusals_after(fired(state))
    assert refusals == []


def test_a_fact_that_is_told_again_counts_once() -> None:
    crawl = fold([*ABCDE, fired("a")])
    containers = IdleContainers(PROBES, crawl)
    again: list[Fact] = [ABCDE[0], fired("a"), fired("a"), fired("b")]
    for fact in again:
        crawl.apply(fact)
        assert containers.refusals_after(fact) == []


def test_other_rules_begin_again() -> None:
    crawl = FoldedCrawl()
    containers = IdleContainers(PROBES, crawl)
    revised = EquivalenceRevised(revision=1, rules=())
    facts: list[Fact] = [*ABCDE, fired("a"), fired("b"), revised, *ABCDE[:3], fired("c")]
    for fact in facts:
        crawl.apply(fact)
        assert containers.refusals_after(fact) == []
