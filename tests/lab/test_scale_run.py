"""Measurements of simulated crawls by several nodes."""

import pytest

from statecrawl.coordination.components import Responsibility
from statecrawl.lab.paces import ARCHITECTURES, PACES, pace_of
from statecrawl.lab.scale_run import cluster_of, scale
from statecrawl.ports.scale_run import ScaleResult, ScaleSetting
from statecrawl.testbed.catalogue import application

pytestmark = pytest.mark.cluster
every_architecture = pytest.mark.parametrize("architecture", ARCHITECTURES)


def crawled(**more: object) -> ScaleResult:
    setting = ScaleSetting(**{"app": "test-ria", "architecture": "client-server", "nodes": 4, **more})  # type: ignore[arg-type]
    return scale(application(setting.app), setting)


@every_architecture
@pytest.mark.parametrize("pace", PACES)
def test_a_crawl_is_complete_and_its_shares_add_up(architecture: str, pace: str) -> None:
    run = crawled(architecture=architecture, pace=pace)
    assert run.complete
    assert (run.states, run.transitions) == (39, 305)
    assert run.seconds_to_states is not None
    assert 0 < run.seconds_to_states <= run.seconds
    assert run.discovery[-1] == run.seconds_to_states
    assert list(run.discovery) == sorted(run.discovery)
    assert run.walking + run.overhead + run.idle == pytest.approx(1, abs=0.01)
    assert sum(run.idle_by_node) / 4 == pytest.approx(run.idle, abs=0.05)
    assert 0 <= run.coordinator_busy <= 1


@every_architecture
def test_the_same_setting_gives_the_same_figures_and_the_same_journal(architecture: str) -> None:
    assert crawled(architecture=architecture) == crawled(architecture=architecture)
    setting = ScaleSetting(app="test-ria", architecture=architecture, nodes=5, seed=2)
    one, other = (cluster_of(application("test-ria"), setting) for _ in range(2))
    one.run()
    other.run()
    assert one.journal.facts == other.journal.facts
    assert one.journal.times == other.journal.times


@every_architecture
def test_more_nodes_are_faster_and_not_faster_than_their_number(architecture: str) -> None:
    alone = crawled(architecture=architecture, app="altoro", nodes=1).seconds
    before = alone
    for nodes in (2, 4, 8):
        now = crawled(architecture=architecture, app="altoro", nodes=nodes).seconds
        assert now < before
        assert alone / now <= nodes * 1.15  # another order of events may be a little luckier
        before = now


def test_the_papers_coordinator_is_limited_by_its_computing_time() -> None:
    pace = pace_of("papers", application("dyna-table"), "client-server", "greedy")
    run = crawled(app="dyna-table", nodes=40, pace="papers")
    assert run.coordinator_busy > 0.95
    assert run.seconds >= run.transitions * (pace.think + pace.handle)


def test_the_papers_coordinator_is_the_bottleneck_from_twelve_nodes_on() -> None:
    """S. M. Mir Taheri, 2015, §6.2: on Dyna-Table."""
    few, many, most = (crawled(app="dyna-table", nodes=nodes, pace="papers") for nodes in (6, 12, 24))
    assert few.seconds / many.seconds > 1.6
    assert many.seconds / most.seconds < 1.15


def test_a_crowd_is_marked_as_one() -> None:
    assert crawled(architecture="peer-to-peer", nodes=65).is_shared_view
    assert not crawled(architecture="client-server", nodes=65).is_shared_view


def test_a_crawl_that_is_stopped_is_not_complete() -> None:
    for architecture, nodes in (("client-server", 4), ("peer-to-peer", 100)):
        setting = ScaleSetting(app="altoro", architecture=architecture, nodes=nodes)
        assert not scale(application("altoro"), setting, lambda _: False).complete


@every_architecture
@pytest.mark.parametrize("components", Responsibility)
def test_a_crawl_by_components_leaves_events_out(architecture: str, components: str) -> None:
    run = crawled(app="widgets:3,4", architecture=architecture, components=str(components), strategy="novelty")
    assert run.complete
    assert 3 * 4 * 3 <= run.transitions < application("widgets:3,4").truth.explored
    assert run == crawled(app="widgets:3,4", architecture=architecture, components=str(components), strategy="novelty")


@every_architecture
def test_more_nodes_fire_few_more_events_by_components(architecture: str) -> None:
    """One node fires all random checks, one after another: for others, each of them would be a long way."""
    alone, together = (
        crawled(
            app="widgets:4,4", architecture=architecture, components="gate-keepers", strategy="novelty", nodes=nodes
        )
        for nodes in (1, 4)
    )
    assert together.events < 1.4 * alone.events
    assert together.seconds < alone.seconds
    assert together.repeated <= 2
