"""Saturation: the number of nodes beyond which more nodes hardly help, and the bottleneck at that point."""

from collections.abc import Iterable, Sequence
from itertools import groupby, pairwise
from math import log2

from statecrawl.lab.paces import PEER_TO_PEER
from statecrawl.ports.scale_run import ScaleResult
from statecrawl.ports.scale_study import Saturation

LEAST_GAIN = 1.10  # speed-up per doubling of nodes
BUSY = 0.9  # a coordinator or log that is busy for this share of the time is the bottleneck
HIGH_OVERHEAD = 0.5  # share of their time that nodes spend on sharing and learning facts

COORDINATOR, LOG = "the coordinator is busy", "the log is busy"
OVERHEAD, WORK, NOTHING = "nodes share and learn more than they walk", "not enough work for all nodes", "none yet"


def saturations(runs: Iterable[ScaleResult]) -> list[Saturation]:
    """Return the saturation of each combination of settings that was run with one node and with more."""
    ordered = sorted((run for run in runs if run.complete), key=lambda run: (_group(run), run.setting.nodes))
    grouped = [list(group) for _, group in groupby(ordered, key=_group)]
    return [saturation(group) for group in grouped if len(group) > 1 and group[0].setting.nodes == 1]


def saturation(runs: Sequence[ScaleResult]) -> Saturation:
    """Return the saturation of runs that differ only in the number of nodes: ascending, starting with 1."""
    at, beyond = next(
        ((before, after) for before, after in pairwise(runs) if gain(before, after) < LEAST_GAIN), (runs[-1], None)
    )
    saturated = beyond or at
    alone, setting = runs[0].seconds, at.setting
    fastest = min(runs, key=lambda run: run.seconds)
    return Saturation(
        architecture=setting.architecture,
        strategy=setting.strategy,
        pace=setting.pace,
        app=setting.app,
        is_found=beyond is not None,
        nodes=setting.nodes,
        speed_up=alone / at.seconds,
        most_speed_up=alone / fastest.seconds,
        most_nodes=fastest.setting.nodes,
        bottleneck=NOTHING if beyond is None else bottleneck(beyond),
        coordinator_busy=saturated.coordinator_busy,
        overhead=saturated.overhead,
        idle=saturated.idle,
    )


def gain(before: ScaleResult, after: ScaleResult) -> float:
    """Return the speed-up per doubling of nodes between two runs."""
    doublings = log2(after.setting.nodes / before.setting.nodes)
    return float((before.seconds / after.seconds) ** (1 / doublings))


def bottleneck(run: ScaleResult) -> str:
    """Return the bottleneck of a crawl that more nodes do not make faster."""
    if run.coordinator_busy >= BUSY:
        return LOG if run.setting.architecture == PEER_TO_PEER else COORDINATOR
    return OVERHEAD if run.overhead >= HIGH_OVERHEAD else WORK


def _group(run: ScaleResult) -> tuple[str, ...]:
    setting = run.setting
    return setting.app, setting.pace, setting.architecture, setting.strategy
