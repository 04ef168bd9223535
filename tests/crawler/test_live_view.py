"""Progress: present speeds, not averages since the start."""

from dataclasses import dataclass, field, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecrawl.config.plan import CrawlLimits, CrawlPlan
from statecrawl.crawler.live_view import HEALTH_SECONDS, RECENT_SECONDS, DiscoveryRate, GrowthRate, ProgressMeter
from statecrawl.crawler.outcome import Outcome, outcome_of
from statecrawl.crawler.status import NodeStatus, PageHealth
from statecrawl.journal.facts import CrawlStarted, EventHung, Fact, StateFound, TransitionExplored
from statecrawl.journal.fold import FoldedCrawl, fold
from statecrawl.ports.recorder import WorkCount
from statecrawl.strategies.component_summary import NO_COMPONENTS, ComponentSummary

FACTS: list[Fact] = [
    CrawlStarted(application="app", configuration={}, reset_cost=2.0),
    StateFound(state="a", events=("x", "y", "z")),
    StateFound(state="b", events=("x",)),
    TransitionExplored(state="a", event="x", target="b"),
    EventHung(state="a", event="y", reason="slow"),
]


@dataclass(slots=True)
class Watched:
    """A crawl of which this test says how far it is."""

    plan: CrawlPlan
    crawl: FoldedCrawl = field(default_factory=lambda: fold(FACTS))
    tally: WorkCount = field(default_factory=WorkCount)
    seconds: float = 0.0
    nodes: list[NodeStatus] = field(default_factory=list)
    examined: int = 0
    components: ComponentSummary = NO_COMPONENTS
    warnings: tuple[str, ...] = ()

    def outcome(self) -> Outcome:
        told = {"reset_cost": 2.0, "seconds": self.seconds, "events_before": 0, "ended_because": ""}
        known = {"components": self.components, "warnings": self.warnings}
        return outcome_of(self.plan.url, self.crawl, self.tally, **told, **known)  # type: ignore[arg-type]

    def doing(self) -> str:
        return ""

    def learning(self) -> str:
        return ""

    def health(self) -> PageHealth | None:
        self.examined += 1
        return PageHealth(pages=1, browsers=1, browser_bytes=7)

    def node_statuses(self) -> list[NodeStatus]:
        return self.nodes


@given(st.lists(st.integers(0, 100), min_size=2, max_size=60), st.sampled_from([0.125, 0.25, 0.5, 1.0, 2.0, 4.0]))
def test_a_speed_is_that_of_the_last_seconds(growth: list[int], step: float) -> None:
    speed, count = GrowthRate(), 0
    for number, more in enumerate(growth):
        count += more
        told = speed.at(number * step, count)
    recent = growth[-min(len(growth) - 1, int(-(-RECENT_SECONDS // step))) :]
    assert told == pytest.approx(sum(recent) / (len(recent) * step), rel=1e-6, abs=1e-6)


def test_what_began_again_has_no_speed_yet() -> None:
    speed = GrowthRate()
    speed.at(0, 100)
    assert speed.at(1, 150) == 50
    assert speed.at(2, 10) == 0


def test_the_cost_of_new_states_grows_while_there_is_none() -> None:
    new = DiscoveryRate()
    assert new.at(0, 1, 0) == (None, 0)
    assert new.at(1, 3, 10) == (5, 0)
    assert new.at(5, 3, 30) == (15, 4)
    for more in range(1, 40):
        cost, _ = new.at(5 + more, 3 + more, 30 + 2 * more)
    assert cost == 2, "the first ones are not recent any more"


def test_a_crawl_in_figures() -> None:
    now = [0.0]
    limits = CrawlLimits(states=10, events=100, seconds=60)
    watched = Watched(CrawlPlan(url="http://app.test/", out="x", limits=limits))  # type: ignore[arg-type]
    meter = ProgressMeter(lambda: now[0])
    meter.measure(watched)
    now[0], watched.seconds, watched.tally = 2.0, 20.0, WorkCount(events=50, resets=3)
    status = NodeStatus(
        name="n", seconds=4, silent=0, tasks=1, events=5, resets=0, idle_seconds=1, holds=("a", "click x")
    )
    watched.nodes = [status]
    at = meter.measure(watched)
    assert (at.states, at.transitions, at.known, at.queue, at.hung) == (2, 1, 4, 2, 1)
    assert (at.events_per_second, at.browser_bytes, watched.examined) == (25, 7, 2)
    assert [(left.limit, left.left) for left in at.limits] == [("max-time", 40), ("max-events", 50), ("max-states", 8)]
    assert [(node.idle_share, node.at) for node in at.nodes] == [(0.25, "click x")]
    now[0], watched.nodes = 3.0, [replace(status, events=9)]
    assert meter.measure(watched).nodes[0].events_per_second == 4
    assert watched.examined == 2, f"the browser is looked at every {HEALTH_SECONDS} s"


def test_what_was_left_out_is_not_to_be_explored() -> None:
    watched = Watched(CrawlPlan(url="http://app.test/", out="x"))  # type: ignore[arg-type]
    watched.components = ComponentSummary(is_used=True, spare=1, switched_at=2)
    at = ProgressMeter().measure(watched)
    assert (at.known, at.queue, at.spare) == (4, 1, 1)
    assert at.parts == "part by part since 2 states were found, 1 event left out"
    watched.components = NO_COMPONENTS
    assert ProgressMeter().measure(watched).parts == ""
