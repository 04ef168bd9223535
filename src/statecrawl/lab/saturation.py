"""Saturation: from which number of nodes on more of them hardly help, and what holds the crawl up then."""

from collections.abc import Iterable, Sequence
from itertools import groupby, pairwise
from math import log2

from statecrawl.lab.paces import PEER_TO_PEER
from statecrawl.ports.scale_run import ScaleResult
from statecrawl.ports.scale_study import Saturation

LEAST_GAIN = 1.10  # for each doubling of nodes
BUSY = 0.9  # a centre that is occupied for this share of the time is what the others wait for
LABOURING = 0.5  # share of their time that nodes spend on telling and learning

COORDINATOR, LOG = "the coordinator is occupied", "the log is occupied"
TELLING, WORK, NOTHING = "nodes tell and learn more than they walk", "there is not enough to do for all", "nothing yet"


def saturations(runs: Iterable[ScaleResult]) -> list[Saturation]:
    """One for each way of crawling that was tried with one node and with more."""
    ordered = sorted((run for run in runs if run.complete), key=lambda run: (_group(run), run.setting.nodes))
    grouped = [list(group) for _, group in groupby(ordered, key=_group)]
    return [saturation(group) for group in grouped if len(group) > 1 and group[0].setting.nodes == 1]


def saturation(runs: Sequence[ScaleResult]) -> Saturation:
    """Of one way of crawling, by rising numbers of nodes, the first being 1."""
    at, beyond = next(
        ((before, after) for before, after in pairwise(runs) if gain(before, after) < LEAST_GAIN), (runs[-1], None)
    )
    held_up = beyond or at
    alone, setting = runs[0].seconds, at.setting
    fastest = min(runs, key=lambda run: run.seconds)
    return Saturation(
        architecture=setting.architecture,
        strategy=setting.strategy,
        pace=setting.pace,
        app=setting.app,
        nodes=setting.nodes,
        is_found=beyond is not None,
        speed_up=alone / at.seconds,
        most_speed_up=alone / fastest.seconds,
        most_nodes=fastest.setting.nodes,
        bottleneck=NOTHING if beyond is None else bottleneck(beyond),
        coordinator_busy=held_up.coordinator_busy,
        labour=held_up.labour,
        idle=held_up.idle,
    )


def gain(before: ScaleResult, after: ScaleResult) -> float:
    """By which factor each doubling of nodes made it faster, between two numbers of nodes."""
    doublings = log2(after.setting.nodes / before.setting.nodes)
    return float((before.seconds / after.seconds) ** (1 / doublings))


def bottleneck(run: ScaleResult) -> str:
    """What holds a crawl up that more nodes do not make faster."""
    if run.coordinator_busy >= BUSY:
        return LOG if run.setting.architecture == PEER_TO_PEER else COORDINATOR
    return TELLING if run.labour >= LABOURING else WORK


def _group(run: ScaleResult) -> tuple[str, ...]:
    setting = run.setting
    return setting.app, setting.pace, setting.architecture, setting.strategy
