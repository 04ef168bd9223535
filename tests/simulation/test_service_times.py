"""Service times: the queue of the server, and the durations of the nodes' work."""

from dataclasses import replace
from functools import partial
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecrawl.coordination.partition import Partition
from statecrawl.coordination.shared_facts import SharingRules
from statecrawl.lab.fault_trials import strategy, truth
from statecrawl.simulation.client_server import SimulatedClientServer
from statecrawl.simulation.dist_ria import SimulatedDistRia
from statecrawl.simulation.kernel import Kernel
from statecrawl.simulation.peer_to_peer import SimulatedPeers
from statecrawl.simulation.service_times import ServiceQueue, ServiceTimes

GREEDY = partial(strategy, "greedy")
QUIET = ServiceTimes(handle=0.0, lease=1e6, beat=1e6, latest=1e6)  # without heartbeats


@given(arrivals=st.lists(st.tuples(st.floats(0, 10), st.floats(0, 3)), max_size=12))
def test_a_queue_serves_in_order_of_arrival(arrivals: list[tuple[float, float]]) -> None:
    kernel = Kernel()
    spans: list[tuple[float, float]] = []

    def work(seconds: float) -> tuple[float, "partial[None]"]:
        return seconds, partial(spans.append, (kernel.now, kernel.now + seconds))

    queue = ServiceQueue(kernel, work)
    for at, seconds in arrivals:
        kernel.after(at, partial(queue.put, seconds))
    kernel.run()
    assert len(spans) == len(arrivals)
    assert queue.busy == pytest.approx(sum(seconds for _, seconds in arrivals))
    assert all(end <= begin + 1e-9 for (_, end), (begin, _) in pairwise(spans))
    begins = [begin for begin, _ in spans]
    assert all(begin >= at for at, begin in zip(sorted(at for at, _ in arrivals), begins, strict=True))


@pytest.mark.parametrize("think", [0.02, 0.05])
@pytest.mark.parametrize("nodes", [8, 40])
def test_a_coordinator_assigns_no_more_tasks_than_it_can_choose(think: float, nodes: int) -> None:
    cluster = SimulatedClientServer(truth("test-ria"), GREEDY, nodes=nodes, seed=1, pace=replace(QUIET, think=think))
    cluster.run()
    tasks = len(cluster.explored)
    assert cluster.kernel.now >= tasks * think
    if nodes == 40:  # 0.3 s a task: far more than such a coordinator can keep busy
        assert cluster.server_busy / cluster.kernel.now > 0.9
        assert cluster.kernel.now < tasks * think * 1.5


def test_the_overhead_of_peers_grows_with_their_number() -> None:
    laboured = []
    for nodes in (2, 4, 8):
        cluster = SimulatedPeers(
            truth("test-ria"),
            GREEDY,
            nodes=nodes,
            seed=1,
            partition=Partition(),
            sharing=SharingRules(),
            pace=replace(QUIET, call=0.001),
        )
        cluster.run()
        laboured.append(sum(node.overhead for node in cluster.nodes))
    assert laboured[0] < laboured[1] < laboured[2]
    assert laboured[2] == pytest.approx(7 * laboured[0], rel=0.3)


def test_longer_service_times_end_later() -> None:
    def seconds(**more: float) -> float:
        pace = replace(QUIET, **more)  # type: ignore[arg-type]
        cluster = SimulatedDistRia(truth("test-ria"), GREEDY, nodes=3, seed=1, partition=Partition(), pace=pace)
        cluster.run()
        return cluster.kernel.now

    plain = seconds()
    for name in ("think", "learn", "handle", "store", "serve", "wake"):
        assert seconds(**{name: 0.3}) > plain, name


def test_the_seed_determines_the_variation_of_durations() -> None:
    def seconds(seed: int, spread: float) -> float:
        pace = replace(QUIET, spread=spread)
        cluster = SimulatedClientServer(truth("test-ria"), GREEDY, nodes=3, seed=seed, pace=pace)
        cluster.run()
        return cluster.kernel.now

    assert seconds(1, 0.5) == seconds(1, 0.5)
    assert seconds(1, 0.5) != seconds(2, 0.5)
