"""Crowd: as fast as the same number of machines, within a few percent, and complete."""

import pytest

from statecrawl.lab.scale_run import cluster_of, crowd_of
from statecrawl.ports.scale_run import ScaleSetting
from statecrawl.testbed.catalogue import application

CASES = {"test-ria": (8, 0.15), "altoro": (20, 0.08), "dyna-table": (10, 0.15)}  # nodes, by how much it may be off
LONG = "dyna-table"


@pytest.mark.parametrize("architecture", ["dist-ria", "peer-to-peer"])
@pytest.mark.parametrize("strategy", ["greedy", "breadth-first"])
@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.long) if n == LONG else n for n in CASES])
def test_a_crowd_takes_as_long_as_machines(name: str, architecture: str, strategy: str) -> None:
    nodes, most = CASES[name]
    app = application(name)
    setting = ScaleSetting(app=name, architecture=architecture, nodes=nodes, strategy=strategy, partition="hash")
    cluster, crowd = cluster_of(app, setting), crowd_of(app, setting)
    cluster.run()
    crowd.run()
    assert cluster.journal.ended_at is not None
    assert crowd.ended is not None
    assert len(crowd.found) == len(app.truth)
    assert crowd.explored == app.truth.explored
    machines = cluster.journal.times[cluster.journal.ended_at - 1]
    assert crowd.ended == pytest.approx(machines, rel=most)
    assert crowd.events == pytest.approx(sum(node.events for node in cluster.nodes), rel=most)


def test_the_same_seed_gives_the_same_crowd() -> None:
    app = application("altoro")
    setting = ScaleSetting(app="altoro", architecture="peer-to-peer", nodes=100, seed=3)
    one, other = crowd_of(app, setting), crowd_of(app, setting)
    one.run()
    other.run()
    assert (one.ended, one.events, one.resets, one.found) == (other.ended, other.events, other.resets, other.found)


def test_a_crowd_larger_than_its_work_ends_too() -> None:
    app = application("tiny")
    crowd = crowd_of(app, ScaleSetting(app="tiny", architecture="dist-ria", nodes=1000))
    crowd.run()
    assert crowd.ended is not None
    assert sum(member.walked > 0 for member in crowd.members) <= app.truth.explored + 1
