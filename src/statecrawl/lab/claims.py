"""The claims of the papers about crawls with many nodes, compared with simulated crawls."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from statecrawl.lab.paces import CLIENT_SERVER, OURS, PAPERS, PEER_TO_PEER
from statecrawl.lab.saturation import saturations
from statecrawl.lab.studies import BROADCAST_APP, Study
from statecrawl.ports.scale_run import ScaleResult
from statecrawl.ports.scale_study import Claim, PartitionBalance, Saturation
from statecrawl.testbed.published_nodes import (
    BROADCAST_BOTTLENECK,
    COORDINATOR_BOTTLENECK,
    IDLING,
    PEERS_OVER_CLIENTS,
    TABLE_NODES,
)

THESIS = "Mir Taheri 2015"
CLOSE = 0.10  # largest difference of two shares, or relative difference of two times, that counts as equal


def claims(studies: Mapping[Study, Sequence[ScaleResult]], balances: Sequence[PartitionBalance]) -> list[Claim]:
    """Return the claims that can be judged by these crawls."""
    architectures, sharing = studies[Study.ARCHITECTURES], studies[Study.SHARING]
    return [
        *_peers_over_clients(architectures),
        *_coordinator(architectures, studies[Study.LARGE]),
        *_greedy(architectures),
        *_broadcast(studies[Study.LARGE]),
        *_idle(studies[Study.IDLE]),
        *_extent(sharing),
        *_batches(sharing),
        *_balance(studies[Study.BALANCE]),
        *_moved(balances),
    ]


def ratios(runs: Iterable[ScaleResult], pace: str) -> dict[tuple[str, str], float]:
    """Return (application, strategy) -> speed of peers divided by that of clients, with the nodes of table 7.3."""
    seconds = {
        (run.setting.app, run.setting.strategy, run.setting.architecture): run.seconds
        for run in runs
        if run.complete and run.setting.pace == pace and run.setting.nodes == TABLE_NODES
    }
    return {
        (app, strategy): clients / seconds[app, strategy, PEER_TO_PEER]
        for (app, strategy, architecture), clients in seconds.items()
        if architecture == CLIENT_SERVER and (app, strategy, PEER_TO_PEER) in seconds and app in PEERS_OVER_CLIENTS
    }


def _peers_over_clients(runs: Sequence[ScaleResult]) -> Iterator[Claim]:
    printed = [value for row in PEERS_OVER_CLIENTS.values() for value in row.values()]
    published = f"{min(printed):.2f} to {max(printed):.2f}×"
    for pace, text in (
        (PAPERS, "With 20 nodes, peers are faster than clients of a coordinator, in the papers' setting"),
        (OURS, "The same with a coordinator as fast as ours"),
    ):
        speeds = ratios(runs, pace)
        if speeds:
            faster = sum(ratio > 1 for ratio in speeds.values())
            ours = (
                f"{min(speeds.values()):.2f} to {max(speeds.values()):.2f}×; faster in {faster} of {len(speeds)} cases"
            )
            holds = True if faster == len(speeds) else False if faster == 0 else None
            yield Claim(text=text, source=f"{THESIS}, table 7.3", published=published, ours=ours, holds=holds)


def _coordinator(architectures: Sequence[ScaleResult], large: Sequence[ScaleResult]) -> Iterator[Claim]:
    lower, upper = COORDINATOR_BOTTLENECK
    text, source = "The coordinator becomes the bottleneck from this number of nodes on", f"{THESIS}, §7.3.3"
    published = f"{lower} to {upper} nodes"
    theirs = [each for each in saturations(architectures) if _is(each, CLIENT_SERVER, PAPERS) and each.is_found]
    if theirs:
        nodes = [each.nodes for each in theirs]
        ours = f"{min(nodes)} to {max(nodes)} nodes in the papers' setting"
        yield Claim(text=text, source=source, published=published, ours=ours, holds=min(nodes) <= upper)
    for each in saturations(large):
        if _is(each, CLIENT_SERVER, OURS):
            ours = f"{'' if each.is_found else 'not up to '}{each.nodes:,} nodes on {each.app} with our engines"
            yield Claim(text=text, source=source, published=published, ours=ours, holds=each.nodes <= upper)


def _is(saturation: Saturation, architecture: str, pace: str) -> bool:
    return (saturation.architecture, saturation.pace) == (architecture, pace)


def _greedy(runs: Sequence[ScaleResult]) -> Iterator[Claim]:
    seconds = _by_strategy(runs)
    pairs = [both for both in seconds.values() if both.keys() >= {"greedy", "breadth-first"}]
    if pairs:
        better = sum(both["greedy"] < both["breadth-first"] for both in pairs)
        yield Claim(
            text="Greedy finishes before breadth-first in both architectures",
            source=f"{THESIS}, §7.3.3",
            published="always",
            ours=f"in {better} of {len(pairs)} cases",
            holds=True if better == len(pairs) else None,
        )


def _by_strategy(runs: Iterable[ScaleResult]) -> dict[tuple[str, str, str, int], dict[str, float]]:
    seconds: dict[tuple[str, str, str, int], dict[str, float]] = {}
    for run in runs:
        setting = run.setting
        if run.complete:
            key = (setting.app, setting.architecture, setting.pace, setting.nodes)
            seconds.setdefault(key, {})[setting.strategy] = run.seconds
    return seconds


def _broadcast(large: Sequence[ScaleResult]) -> Iterator[Claim]:
    peers = [run for run in large if (run.setting.app, run.setting.pace) == (BROADCAST_APP, PAPERS) and run.complete]
    overheads = sorted((run.setting.nodes, run.overhead, run.walking) for run in peers)
    over = [nodes for nodes, overhead, walking in overheads if overhead > walking]
    if overheads:
        shares = ", ".join(
            f"{overhead / (overhead + walking):.0%} with {nodes}" for nodes, overhead, walking in overheads[2:]
        )
        yield Claim(
            text="On Dyna-Table, sharing everything becomes the bottleneck of peers",
            source=f"{THESIS}, §6.2",
            published=f"from {BROADCAST_BOTTLENECK} nodes on",
            ours=f"sharing takes {shares} of the nodes' busy time: their paths to events of their own grow, too",
            holds=bool(over) and BROADCAST_BOTTLENECK / 2 <= over[0] <= BROADCAST_BOTTLENECK * 2.5,
        )


def _idle(runs: Sequence[ScaleResult]) -> Iterator[Claim]:
    for app, published in IDLING.items():
        mine = [run for run in runs if run.setting.app == app and run.setting.partition == "stride"]
        if mine:
            walking, idle = (sum(share) / len(mine) for share in zip(*((r.walking, r.idle) for r in mine), strict=True))
            yield Claim(
                text=f"Dist-RIA on {app}, average of 1 to {max(run.setting.nodes for run in mine)} nodes",
                source="Mirtaheri et al. 2013, §VI-B",
                published=f"{published.walking:.0%} firing events, {published.idle:.0%} idle",
                ours=f"{walking:.0%} firing events, {idle:.0%} idle",
                holds=True
                if abs(walking - published.walking) <= CLOSE and abs(idle - published.idle) <= CLOSE
                else None,
            )


def _extent(runs: Sequence[ScaleResult]) -> Iterator[Claim]:
    at_once = {run.setting.share: run for run in runs if run.setting.share_every == 1 and run.complete}
    if at_once.keys() >= {"states", "shorter", "all"}:
        everything = at_once["all"]
        times = ", ".join(f"{name} {at_once[name].seconds / everything.seconds:.2f}×" for name in ("shorter", "states"))
        yield Claim(
            text="Sharing only some transitions may not take longer",
            source=f"{THESIS}, §8.1.5 (left open)",
            published="open",
            ours=f"time relative to sharing all: {times}",
            holds=min(at_once["shorter"].seconds, at_once["states"].seconds) <= everything.seconds * (1 + CLOSE),
        )


def _batches(runs: Sequence[ScaleResult]) -> Iterator[Claim]:
    batches = {run.setting.share_every: run for run in runs if run.setting.share == "all" and run.complete}
    if len(batches) > 1:
        times = ", ".join(
            f"{batch}: {run.seconds / batches[1].seconds:.2f}×" for batch, run in sorted(batches.items())[1:]
        )
        best = min(batches.values(), key=lambda run: run.seconds)
        yield Claim(
            text="Sharing in batches may be more efficient",
            source=f"{THESIS}, §8.1.5 (left open)",
            published="open",
            ours=f"time relative to sharing at once, by batch size: {times}",
            holds=best.setting.share_every > 1,
        )


def _balance(runs: Sequence[ScaleResult]) -> Iterator[Claim]:
    """Compare each approach with static, the published Dist-RIA, on nodes of unequal, constant speed."""
    unequal = [run for run in runs if run.setting.slowdown > 1 and run.setting.slowdown_period is None and run.complete]
    static = {run.setting.app: run for run in unequal if _approach(run) == "static"}
    for name, text in (
        ("dynamic", "Dynamic assignment balances perfectly; static assignment cannot compensate for slow nodes"),
        ("hybrid", "Reserving some tasks for idle nodes (hybrid) saves time"),
        ("adaptive", "Assigning work by measured speed (adaptive) saves time"),
        ("lazy-adaptive", "Holding work back until a node is about to run out (lazy-adaptive) saves time"),
    ):
        compared = [run for run in unequal if _approach(run) == name and run.setting.app in static]
        if compared:
            times = [run.seconds / static[run.setting.app].seconds for run in compared]
            idle = sum(run.idle for run in compared) / len(compared)
            before = sum(static[run.setting.app].idle for run in compared) / len(compared)
            yield Claim(
                text=text,
                source=f"{THESIS}, appendix A",
                published="not measured",
                ours=f"{min(times):.2f} to {max(times):.2f}× the time of static; idle {idle:.0%}, not {before:.0%}",
                holds=True if max(times) < 1 else None if min(times) < 1 else False,
            )


def _approach(run: ScaleResult) -> str:
    return "dynamic" if run.setting.architecture == CLIENT_SERVER else run.setting.balance


def _moved(balances: Sequence[PartitionBalance]) -> Iterator[Claim]:
    moved = {each.partition: each.moved for each in balances}
    if moved.keys() >= {"hash", "rendezvous"}:
        yield Claim(
            text="A hash assigns events to members; when a member joins, rendezvous hashing moves only its share",
            source=f"{THESIS}, §5.2 (for a fixed number of nodes)",
            published="not measured",
            ours=f"{moved['hash']:.0%} of events move with the published hash, {moved['rendezvous']:.1%} with ours",
            holds=moved["rendezvous"] < moved["hash"],
        )
