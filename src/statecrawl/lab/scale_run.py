"""Measurement of one simulated crawl by several nodes: its duration, and how the nodes spent their time."""

from functools import partial
from math import ceil, inf
from typing import Any

from statecrawl.coordination.balance import Balance
from statecrawl.coordination.components import Responsibility
from statecrawl.coordination.partition import Partition, PartitionRule
from statecrawl.coordination.shared_facts import SharingExtent, SharingRules
from statecrawl.journal.facts import Fact, StateFound
from statecrawl.lab.measurement import OnProgress, RunProgress, stop_check
from statecrawl.lab.paces import CLIENT_SERVER, DIST_RIA, pace_of
from statecrawl.ports.measurement import QUARTILES
from statecrawl.ports.scale_run import ScaleResult, ScaleSetting
from statecrawl.simulation.client_server import SimulatedClientServer
from statecrawl.simulation.cluster import SimulatedCluster, Slowness, uneven_speeds
from statecrawl.simulation.crowd import Crowd
from statecrawl.simulation.dist_ria import SimulatedDistRia
from statecrawl.simulation.peer_to_peer import SimulatedPeers
from statecrawl.strategies.registry import make_strategy
from statecrawl.strategies.settings import ModelKind, StrategySettings
from statecrawl.testbed.application import Application
from statecrawl.testbed.compositions import composition

MOST_MACHINES = 64  # largest number of peers or Dist-RIA nodes with a model each; more share one, as a crowd
CROWD_STRATEGIES = ("breadth-first", "greedy")
PROGRESS_ACTIONS = 4096  # actions of the simulation kernel between two progress reports


def scale(app: Application, setting: ScaleSetting, on_progress: OnProgress = lambda _: True) -> ScaleResult:
    """Crawl an application with several nodes. `on_progress` is called regularly and returns False to end the run."""
    if setting.nodes > MOST_MACHINES and setting.architecture != CLIENT_SERVER:
        return _scale_crowd(app, setting, on_progress)
    cluster = cluster_of(app, setting)

    def progress() -> RunProgress:
        return RunProgress(0, len(cluster.explored), sum(node.events for node in cluster.nodes))

    cluster.run(stop_check(progress, on_progress, PROGRESS_ACTIONS))
    return _measured(app, setting, cluster)


def cluster_of(app: Application, setting: ScaleSetting) -> SimulatedCluster:
    """Return a cluster that has not started. The setting must be valid."""
    model = ModelKind.STATES if setting.components is None else ModelKind.COMPONENTS
    rules = StrategySettings(reset_cost=app.reset_cost, seed=setting.seed, model=model)
    pace = pace_of(setting.pace, app, setting.architecture, setting.strategy)
    strategy = partial(make_strategy, setting.strategy, settings=rules)
    partition = Partition(PartitionRule(setting.partition), seed=setting.seed)
    common: dict[str, Any] = {
        "nodes": setting.nodes,
        "seed": setting.seed,
        "pace": pace,
        "slowness": slowness_of(setting),
    }
    if setting.components is not None:
        common["regions"] = composition(setting.app).page_regions
        if setting.architecture != CLIENT_SERVER:
            common["responsibility"] = Responsibility(setting.components)
    if setting.architecture == CLIENT_SERVER:
        return SimulatedClientServer(app.truth, strategy, **common)
    if setting.architecture == DIST_RIA:
        balance = Balance(setting.balance)
        return SimulatedDistRia(app.truth, strategy, partition=partition, balance=balance, **common)
    interval = inf if setting.share_interval is None else setting.share_interval
    sharing = SharingRules(extent=SharingExtent(setting.share), count=setting.share_every, seconds=interval)
    return SimulatedPeers(app.truth, strategy, partition=partition, sharing=sharing, **common)


def slowness_of(setting: ScaleSetting) -> Slowness:
    """Return how slow each node is: evenly spread, and rotating among the nodes if the setting says so."""
    steps = max(setting.nodes - 1, 1)
    factors = [1 + (setting.slowdown - 1) * number / steps for number in range(setting.nodes)]
    period = setting.slowdown_period
    if period is None:
        return uneven_speeds(factors)
    return lambda number, now: factors[(number + int(now / period)) % len(factors)]


def _measured(app: Application, setting: ScaleSetting, cluster: SimulatedCluster) -> ScaleResult:
    journal, nodes = cluster.journal, cluster.nodes
    discovered = first_times(journal.facts, journal.times)
    ended = journal.ended_at is not None
    seconds = journal.times[journal.ended_at - 1] if journal.ended_at is not None else cluster.kernel.now
    whole = max(seconds, 1e-9)
    states = len(app.truth)
    at = [ceil(share * states) - 1 for share in QUARTILES]
    return ScaleResult(
        setting=setting,
        complete=ended,
        states=len(discovered),
        transitions=len(cluster.explored),
        seconds=seconds,
        seconds_to_states=discovered[-1] if len(discovered) == states else None,
        discovery=tuple(discovered[place] for place in at if place < len(discovered)),
        events=sum(node.events for node in nodes),
        resets=sum(node.resets for node in nodes),
        messages=cluster.network.carried,
        repeated=cluster.repeated,
        walking=sum(node.walked for node in nodes) / whole / len(nodes),
        overhead=sum(node.overhead for node in nodes) / whole / len(nodes),
        coordinator_busy=min(cluster.server_busy / whole, 1.0),
        idle_by_node=tuple(max(0.0, 1 - (node.walked + node.overhead) / whole) for node in nodes),
    )


def _scale_crowd(app: Application, setting: ScaleSetting, on_progress: OnProgress) -> ScaleResult:
    crowd = crowd_of(app, setting)

    def progress() -> RunProgress:
        return RunProgress(len(crowd.found), crowd.explored, crowd.events)

    crowd.run(stop_check(progress, on_progress, PROGRESS_ACTIONS))
    discovered = list(crowd.found.values())
    seconds = crowd.kernel.now if crowd.ended is None else crowd.ended
    whole, members, states = max(seconds, 1e-9), crowd.members, len(app.truth)
    at = [ceil(share * states) - 1 for share in QUARTILES]
    return ScaleResult(
        setting=setting,
        complete=crowd.ended is not None,
        states=len(discovered),
        transitions=crowd.explored,
        seconds=seconds,
        seconds_to_states=discovered[-1] if len(discovered) == states else None,
        discovery=tuple(discovered[place] for place in at if place < len(discovered)),
        events=crowd.events,
        resets=crowd.resets,
        messages=crowd.messages,
        repeated=0,
        walking=sum(member.walked for member in members) / whole / len(members),
        overhead=sum(member.overhead for member in members) / whole / len(members),
        coordinator_busy=min(crowd.server.busy / whole, 1.0),
        idle_by_node=tuple(max(0.0, 1 - (member.walked + member.overhead) / whole) for member in members),
        is_shared_view=True,
    )


def crowd_of(app: Application, setting: ScaleSetting) -> Crowd:
    """Return a crowd that has not started. The setting must be one that a crowd supports."""
    return Crowd(
        app.truth,
        nodes=setting.nodes,
        seed=setting.seed,
        pace=pace_of(setting.pace, app, setting.architecture, setting.strategy),
        partition=Partition(PartitionRule.HASH, seed=setting.seed),  # rendezvous hashes every event once per member
        reset_cost=app.reset_cost,
        states_only=setting.architecture == DIST_RIA or setting.share == SharingExtent.STATES,
        oldest_first=setting.strategy == "breadth-first",
    )


def first_times(facts: list[Fact], times: list[float]) -> list[float]:
    """Return the times at which states were first recorded, in order."""
    seen: dict[str, float] = {}
    for fact, time in zip(facts, times, strict=True):
        if isinstance(fact, StateFound):
            seen.setdefault(fact.state, time)
    return list(seen.values())
