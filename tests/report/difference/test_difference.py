"""The difference between two crawls: nothing for the same, and turned around it is turned around."""

from dataclasses import replace

from hypothesis import given

from statecrawl.journal.facts import Fact, StateFound, TransitionExplored
from statecrawl.report.crawl.content import Reading
from statecrawl.report.difference.difference import ComparedTransition, CrawlDifference, difference_of
from statecrawl.report.difference.page import difference_page
from statecrawl.report.difference.state_match import Side, match, place_of
from tests.report.crawl.crawls import crawls

Said = dict[str, frozenset[str]]


def side(facts: list[Fact], said: Said | None = None) -> Side:
    reading = Reading().extend(facts)
    found = [reading.found[state] for state in reading.crawl.graph.ids]
    urls, titles = [fact.url or "" for fact in found], [fact.title or "" for fact in found]
    return Side(reading.crawl.graph, urls, titles, (said or {}).get)


def compared(old: Side, new: Side) -> CrawlDifference:
    return difference_of(match(old, new), lambda one, other: (("/", (one,), (other,)),))


def turned(difference: CrawlDifference) -> CrawlDifference:
    """The same, seen from the other side."""

    def around(transition: ComparedTransition) -> ComparedTransition:
        old, new = transition.new, transition.old
        return replace(transition, old=old, new=new, led=transition.leads, leads=transition.led)

    return replace(
        difference,
        states=difference.states[::-1],
        transitions=difference.transitions[::-1],
        states_gone=difference.states_new,
        states_new=difference.states_gone,
        states_changed=tuple(
            sorted(
                (
                    replace(
                        each,
                        old=each.new,
                        new=each.old,
                        places=tuple((place, after, before) for place, before, after in each.places),
                        events_gone=each.events_new,
                        events_new=each.events_gone,
                    )
                    for each in difference.states_changed
                ),
                key=lambda each: each.old.number,
            )
        ),
        events_gone=difference.events_new,
        events_new=difference.events_gone,
        transitions_gone=tuple(map(around, difference.transitions_new)),
        transitions_new=tuple(map(around, difference.transitions_gone)),
        transitions_changed=tuple(
            sorted(map(around, difference.transitions_changed), key=lambda each: (each.old, each.event))
        ),
    )


@given(crawls())
def test_a_crawl_is_like_itself(facts: list[Fact]) -> None:
    found = compared(side(facts), side(facts))
    assert found.is_empty
    assert found.same == found.states[0]


@given(crawls(), crawls())
def test_turned_around_what_was_new_is_gone(one: list[Fact], other: list[Fact]) -> None:
    found = compared(side(one), side(other))
    assert compared(side(other), side(one)) == turned(found)
    told = len(found.states_changed) + found.same
    assert (told + len(found.states_gone), told + len(found.states_new)) == found.states


def crawl(*names: str, target: int = 1) -> list[Fact]:
    """Three states in a row; an event leads from each to the next."""
    facts: list[Fact] = [StateFound(state=name, events=("go", "stay"), url="http://a.test/") for name in names]
    facts += [TransitionExplored(state=names[0], event="stay", target=names[0])]
    facts += [TransitionExplored(state=names[0], event="go", target=names[target])]
    return [*facts, TransitionExplored(state=names[1], event="go", target=names[2])]


WORDS = frozenset({"a", "b", "c", "d"})


def test_a_state_that_says_something_else_has_changed() -> None:
    said = {"0a": WORDS, "0b": WORDS | {"x"}, "0c": WORDS, "1b": WORDS | {"y"}}
    found = compared(side(crawl("0a", "0b", "0c"), said), side(crawl("0a", "1b", "0c"), said))
    assert [(each.old.id, each.new.id) for each in found.states_changed] == [("0b", "1b")]
    assert found.states_changed[0].new.way == ("open the application", "go")
    assert (found.states_gone, found.states_new, found.transitions_changed) == ((), (), ())


def test_a_state_that_is_not_alike_is_gone_and_another_is_new() -> None:
    said = {"0a": WORDS, "0b": WORDS, "0c": WORDS, "1b": frozenset("vwxyz")}
    found = compared(side(crawl("0a", "0b", "0c"), said), side(crawl("0a", "1b", "0c"), said))
    assert [state.id for state in found.states_gone] == ["0b"]
    assert [state.id for state in found.states_new] == ["1b"]
    assert [(each.event, each.led, each.leads) for each in found.transitions_changed] == [("go", 1, 1)]


def test_of_several_that_changed_each_is_found_again_by_the_way_to_it() -> None:
    said = {name: WORDS | {name} for name in ("0a", "0b", "0c", "1a", "1b", "1c")}
    found = compared(side(crawl("0a", "0b", "0c"), said), side(crawl("1a", "1b", "1c"), said))
    pairs = [(each.old.id, each.new.id) for each in found.states_changed]
    assert pairs == [("0a", "1a"), ("0b", "1b"), ("0c", "1c")]


def test_an_event_that_leads_elsewhere() -> None:
    found = compared(side(crawl("0a", "0b", "0c")), side(crawl("0a", "0b", "0c", target=2)))
    (moved,) = found.transitions_changed
    assert (moved.event, moved.old, moved.led, moved.leads) == ("go", 0, 1, 2)
    assert not found.is_empty


def test_the_page_holds_nothing_that_runs() -> None:
    hostile = "</style><script>alert(1)</script>\"'><img src=x onerror=alert(1)>"
    old: list[Fact] = [StateFound(state="0a", events=(hostile,), url=hostile, title=hostile)]
    new: list[Fact] = [
        StateFound(state="0b", events=(hostile, "x"), url=hostile, title=hostile),
        TransitionExplored(state="0b", event=hostile, target="0b"),
    ]
    found = difference_of(match(side(old), side(new)), lambda one, other: ((hostile, (hostile,), (hostile,)),))
    page = difference_page(found, hostile, hostile)
    assert "<script" not in page
    assert "<img" not in page
    assert page.count("</style>") == 1
    assert "&lt;script&gt;" in page


def test_a_place_has_no_server() -> None:
    assert place_of("http://127.0.0.1:8000/a?b#c") == place_of("https://app.test/a?b#c") == "/a?b#c"
    assert place_of("http://[half") == "http://[half"
