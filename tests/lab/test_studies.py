"""The studies of how crawling scales, and the claims that they judge."""

import pytest

from statecrawl.lab.assignments import partition_balances
from statecrawl.lab.claims import claims, ratios
from statecrawl.lab.grid import NodeGrid
from statecrawl.lab.scale_run import CROWD_STRATEGIES, MOST_MACHINES, scale
from statecrawl.lab.studies import Study, all_studies
from statecrawl.ports.scale_run import ScaleResult, ScaleSetting
from statecrawl.testbed.catalogue import application
from statecrawl.testbed.published_nodes import PEERS_OVER_CLIENTS, TABLE_NODES


@pytest.mark.parametrize("full", [False, True])
def test_every_setting_of_the_studies_can_be_simulated(full: bool) -> None:
    studies = all_studies(full=full, seed=5)
    assert studies.keys() == set(Study)
    for setting in (setting for settings in studies.values() for setting in settings):
        NodeGrid(apps=(setting.app,), nodes=(setting.nodes,), architectures=(setting.architecture,))
        crowded = setting.nodes > MOST_MACHINES and setting.architecture != "client-server"
        assert not crowded or setting.strategy in CROWD_STRATEGIES
        assert setting.seed == 5


def test_full_studies_include_the_quick_ones() -> None:
    quick, full = (set(all_studies(full=full)[Study.ARCHITECTURES]) for full in (False, True))
    assert quick < full
    assert {setting.app for setting in full} == set(PEERS_OVER_CLIENTS)
    assert max(setting.nodes for setting in all_studies(full=True)[Study.LARGE]) == 5000


def test_rendezvous_hashing_moves_only_the_share_of_a_new_member() -> None:
    found = {each.partition: each for each in partition_balances(application("altoro"), 10)}
    assert found.keys() == {"range", "stride", "hash", "rendezvous"}
    assert found["rendezvous"].moved == pytest.approx(1 / 11, abs=0.03)
    assert found["hash"].moved == pytest.approx(0.5, abs=0.05)
    for each in found.values():
        assert each.fewest <= 1 <= each.busiest
        assert each.microseconds > 0


def runs(pace: str) -> list[ScaleResult]:
    return [
        scale(
            application("test-ria"),
            ScaleSetting(app="test-ria", architecture=architecture, nodes=nodes, strategy=strategy, pace=pace),
        )
        for architecture in ("client-server", "peer-to-peer")
        for strategy in ("breadth-first", "greedy")
        for nodes in (1, 10, TABLE_NODES)
    ]


def test_claims_are_judged_by_the_available_runs() -> None:
    nothing: dict[Study, list[ScaleResult]] = {study: [] for study in Study}
    assert claims(nothing, []) == []
    papers = runs("papers")
    found = ratios(papers, "papers")
    assert found.keys() == {("test-ria", "breadth-first"), ("test-ria", "greedy")}
    assert all(ratio > 1 for ratio in found.values())
    said = claims({**nothing, Study.ARCHITECTURES: papers}, [])
    assert [claim.holds for claim in said] == [True, True, True]
    assert "faster in 2 of 2 cases" in said[0].ours
    assert "nodes in the papers' setting" in said[1].ours
    assert "6 of 6 cases" in said[2].ours
