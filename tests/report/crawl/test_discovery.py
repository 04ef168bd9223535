"""Discovery: what was known when."""

from itertools import pairwise

from hypothesis import given

from statecrawl.journal.facts import CrawlEnded, CrawlStarted, EquivalenceRevised, Fact, StateFound, TransitionExplored
from statecrawl.journal.fold import fold
from statecrawl.report.crawl.discovery import MOST_POINTS, Discovery, DiscoveryPoint
from tests.report.crawl.crawls import crawls


def told(facts: list[Fact]) -> Discovery:
    discovery = Discovery()
    for fact in facts:
        discovery.apply(fact)
    return discovery


@given(crawls())
def test_a_curve_never_falls_and_ends_with_what_is_known(facts: list[Fact]) -> None:
    discovery, crawl = told(facts), fold(facts)
    curve = discovery.curve()
    assert (curve[-1].states, curve[-1].transitions) == (len(crawl.graph), crawl.graph.explored)
    assert curve[-1].events == crawl.fired
    for one, other in pairwise(curve):
        assert one.events <= other.events
        assert (one.states, one.transitions) <= (other.states, other.transitions)
        assert one.seconds is not None
        assert other.seconds is not None
        assert 0 <= one.seconds <= other.seconds


def test_runs_count_and_the_time_between_them_does_not() -> None:
    discovery = told(
        [
            CrawlStarted(application="a", configuration={}, reset_cost=1, at=100.0),
            StateFound(state="a", events=("x", "y"), at=101.0),
            StateFound(state="b", events=(), at=104.0),
            TransitionExplored(state="a", event="x", target="b", fired=7, resets=1),
            CrawlStarted(application="a", configuration={}, reset_cost=1, run=2, at=9000.0),
            StateFound(state="c", events=(), at=9002.0),
            TransitionExplored(state="a", event="y", target="c", fired=9, resets=2),
            CrawlEnded(reason="complete", run=2, at=9003.0),
        ]
    )
    assert discovery.seconds == 7.0
    assert [(run.ended, run.seconds) for run in discovery.runs] == [("", 4.0), ("complete", 3.0)]
    assert discovery.curve()[:3] == [
        DiscoveryPoint(events=0, seconds=1.0, states=1, transitions=0),
        DiscoveryPoint(events=7, seconds=4.0, states=2, transitions=1),
        DiscoveryPoint(events=9, seconds=6.0, states=3, transitions=2),
    ]


def test_a_journal_without_times_has_none() -> None:
    discovery = told([CrawlStarted(application="a", configuration={}, reset_cost=1), StateFound(state="a", events=())])
    assert discovery.seconds is None
    assert discovery.curve() == [DiscoveryPoint(events=0, seconds=None, states=1, transitions=0)]


def test_a_revision_begins_again_and_what_was_spent_stays() -> None:
    curve = told(
        [
            StateFound(state="a", events=("x",)),
            TransitionExplored(state="a", event="x", target="a", fired=5, resets=1),
            EquivalenceRevised(revision=1, rules=()),
            StateFound(state="a", events=("x",)),
        ]
    ).curve()
    assert curve[-1] == DiscoveryPoint(events=5, seconds=None, states=1, transitions=0)


def test_a_curve_does_not_fall_at_a_revision() -> None:
    """It tells when the states were found that are still known."""
    kept: list[Fact] = [
        StateFound(state="a", events=("x", "y"), at=101.0),
        StateFound(state="b", events=("x",), at=104.0),
        TransitionExplored(state="a", event="x", target="b", fired=7, resets=1),
    ]
    curve = told(
        [
            CrawlStarted(application="a", configuration={}, reset_cost=1, at=100.0),
            *kept,
            StateFound(state="c", events=(), at=105.0),
            TransitionExplored(state="a", event="y", target="c", fired=9, resets=1),
            EquivalenceRevised(revision=1, rules=()),
            *kept,
            StateFound(state="d", events=(), at=112.0),
            TransitionExplored(state="b", event="x", target="d", fired=20, resets=1),
        ]
    ).curve()
    assert curve == [
        DiscoveryPoint(events=0, seconds=1.0, states=1, transitions=0),
        DiscoveryPoint(events=7, seconds=4.0, states=2, transitions=1),
        DiscoveryPoint(events=20, seconds=12.0, states=3, transitions=2),
    ]


def test_a_long_curve_is_thinned_out() -> None:
    facts: list[Fact] = [StateFound(state="a", events=tuple(map(str, range(40_000))))]
    facts += [TransitionExplored(state="a", event=str(i), target="a", fired=i + 1, resets=1) for i in range(40_000)]
    curve = told(facts).curve()
    assert len(curve) == MOST_POINTS
    assert (curve[0].events, curve[-1].events) == (0, 40_000)
