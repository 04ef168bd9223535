"""The number of nodes beyond which more nodes do not help, and the bottleneck."""

import pytest

from statecrawl.lab.saturation import COORDINATOR, LOG, NOTHING, OVERHEAD, WORK, bottleneck, gain, saturations
from statecrawl.ports.scale_run import ScaleResult, ScaleSetting


def run(
    nodes: int, seconds: float, *, busy: float = 0.0, overhead: float = 0.0, architecture: str = "client-server"
) -> ScaleResult:
    return ScaleResult(
        setting=ScaleSetting(app="demo", architecture=architecture, nodes=nodes),
        complete=True,
        states=1,
        transitions=1,
        seconds=seconds,
        seconds_to_states=seconds,
        discovery=(),
        events=1,
        resets=1,
        messages=1,
        repeated=0,
        walking=0.3,
        overhead=overhead,
        coordinator_busy=busy,
        idle_by_node=(),
    )


def test_gain_is_for_each_doubling() -> None:
    assert gain(run(1, 100), run(4, 25)) == pytest.approx(2)
    assert gain(run(10, 50), run(20, 50)) == pytest.approx(1)


def test_it_saturates_at_the_last_number_of_nodes_that_helped() -> None:
    runs = [run(1, 100), run(10, 12), run(20, 7), run(40, 6.9, busy=0.97), run(80, 7)]
    (found,) = saturations(reversed(runs))
    assert (found.nodes, found.is_found, found.bottleneck) == (20, True, COORDINATOR)
    assert found.speed_up == pytest.approx(100 / 7)
    assert found.most_speed_up == pytest.approx(100 / 6.9)
    assert found.most_nodes == 40


def test_a_crawl_that_still_gains_is_not_saturated() -> None:
    (found,) = saturations([run(1, 100), run(10, 12)])
    assert (found.nodes, found.is_found, found.bottleneck) == (10, False, NOTHING)


def test_there_is_no_saturation_without_a_run_with_one_node() -> None:
    assert saturations([run(2, 100), run(10, 12)]) == []
    assert saturations([run(1, 100)]) == []


@pytest.mark.parametrize(
    ("architecture", "busy", "overhead", "what"),
    [
        ("client-server", 0.95, 0.0, COORDINATOR),
        ("dist-ria", 0.95, 0.6, COORDINATOR),
        ("peer-to-peer", 0.95, 0.0, LOG),
        ("peer-to-peer", 0.2, 0.6, OVERHEAD),
        ("peer-to-peer", 0.2, 0.1, WORK),
    ],
)
def test_the_bottleneck(architecture: str, busy: float, overhead: float, what: str) -> None:
    assert bottleneck(run(9, 1, busy=busy, overhead=overhead, architecture=architecture)) == what
