"""What was claimed about crawls with many nodes, beside what was simulated: from whatever crawls there are."""

from collections.abc import Iterable, Iterator, Sequence

from statecrawl.lab.paces import CLIENT_SERVER, OURS, PAPERS, PEER_TO_PEER
from statecrawl.lab.saturation import saturations
from statecrawl.lab.studies import BROADCAST_APP
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
CLOSE = 0.10  # difference of two shares, or of two times as a share, that are as good as the same


def claims(
    architectures: Sequence[ScaleResult],
    idle: Sequence[ScaleResult],
    sharing: Sequence[ScaleResult],
    balance: Sequence[ScaleResult],
    large: Sequence[ScaleResult],
    dealings: Sequence[PartitionBalance],
) -> list[Claim]:
    """Those to which the crawls have something to say."""
    return [
        *_peers_over_clients(architectures),
        *_coordinator(architectures, large),
        *_greedy(architectures),
        *_broadcast(large),
        *_idle(idle),
        *_extent(sharing),
        *_batches(sharing),
        *_balance(balance),
        *_moved(dealings),
    ]


def ratios(runs: Iterable[ScaleResult], pace: str) -> dict[tuple[str, str], float]:
    """(application, strategy) -> how many times as fast peers are as clients, with as many nodes as in table 7.3."""
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
        (PAPERS, "Peers are faster than clients of a coordinator, with 20 nodes, in the papers' setting"),
        (OURS, "The same with a coordinator that thinks as fast as ours"),
    ):
        found = ratios(runs, pace)
        if found:
            faster = sum(ratio > 1 for ratio in found.values())
            ours = f"{min(found.values()):.2f} to {max(found.values()):.2f}×; faster in {faster} of {len(found)} cases"
            holds = True if faster == len(found) else False if faster == 0 else None
            yield Claim(text=text, source=f"{THESIS}, table 7.3", published=published, ours=ours, holds=holds)


def _coordinator(architectures: Sequence[ScaleResult], large: Sequence[ScaleResult]) -> Iterator[Claim]:
    lower, upper = COORDINATOR_BOTTLENECK
    text, source = "The coordinator becomes the bottleneck as nodes reach this number", f"{THESIS}, §7.3.3"
    published = f"{lower} to {upper} nodes"
    theirs = [found for found in saturations(architectures) if _is(found, CLIENT_SERVER, PAPERS) and found.is_found]
    if theirs:
        nodes = [found.nodes for found in theirs]
        ours = f"{min(nodes)} to {max(nodes)} nodes in the papers' setting"
        yield Claim(text=text, source=source, published=published, ours=ours, holds=min(nodes) <= upper)
    for found in saturations(large):
        if _is(found, CLIENT_SERVER, OURS):
            ours = f"{'' if found.is_found else 'not up to '}{found.nodes:,} nodes on {found.app} with our engines"
            yield Claim(text=text, source=source, published=published, ours=ours, holds=found.nodes <= upper)


def _is(found: Saturation, architecture: str, pace: str) -> bool:
    return (found.architecture, found.pace) == (architecture, pace)


def _greedy(runs: Sequence[ScaleResult]) -> Iterator[Claim]:
    seconds = _by_strategy(runs)
    pairs = [both for both in seconds.values() if both.keys() >= {"greedy", "breadth-first"}]
    if pairs:
        better = sum(both["greedy"] < both["breadth-first"] for both in pairs)
        yield Claim(
            text="Greedy finishes before breadth-first, in both architectures",
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
    telling = sorted((run.setting.nodes, run.labour, run.walking) for run in peers)
    over = [nodes for nodes, labour, walking in telling if labour > walking]
    if telling:
        shares = ", ".join(f"{labour / (labour + walking):.0%} with {nodes}" for nodes, labour, walking in telling[2:])
        yield Claim(
            text="Peers that tell each other everything are held up by that, on Dyna-Table",
            source=f"{THESIS}, §6.2",
            published=f"from {BROADCAST_BOTTLENECK} nodes on",
            ours=f"telling takes {shares} of what nodes do: their ways to events of their own grow, too",
            holds=bool(over) and BROADCAST_BOTTLENECK / 2 <= over[0] <= BROADCAST_BOTTLENECK * 2.5,
        )


def _idle(runs: Sequence[ScaleResult]) -> Iterator[Claim]:
    for app, published in IDLING.items():
        mine = [run for run in runs if run.setting.app == app and run.setting.partition == "stride"]
        if mine:
            walking, idle = (sum(share) / len(mine) for share in zip(*((r.walking, r.idle) for r in mine), strict=True))
            yield Claim(
                text=f"Dist-RIA on {app}, 1 to {max(run.setting.nodes for run in mine)} nodes on average",
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
            text="To share only some transitions may not take longer",
            source=f"{THESIS}, §8.1.5 (left open)",
            published="open",
            ours=f"time against sharing all: {times}",
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
            text="To tell in batches may be more efficient",
            source=f"{THESIS}, §8.1.5 (left open)",
            published="open",
            ours=f"time against telling at once, by batch: {times}",
            holds=best.setting.share_every > 1,
        )


def _balance(runs: Sequence[ScaleResult]) -> Iterator[Claim]:
    """With unequal nodes that stay as they are: each approach against static, which is the published Dist-RIA."""
    unequal = [run for run in runs if run.setting.unequal > 1 and run.setting.changing is None and run.complete]
    static = {run.setting.app: run for run in unequal if _approach(run) == "static"}
    for name, text in (
        ("dynamic", "Dynamic balances perfectly, and static has no means against slow nodes"),
        ("hybrid", "To reserve some tasks for idle nodes (hybrid) saves time"),
        ("adaptive", "To deal work out by measured speeds (adaptive) saves time"),
        ("lazy-adaptive", "To hold work back till somebody is about to run out (lazy-adaptive) saves time"),
    ):
        found = [run for run in unequal if _approach(run) == name and run.setting.app in static]
        if found:
            times = [run.seconds / static[run.setting.app].seconds for run in found]
            idle = sum(run.idle for run in found) / len(found)
            before = sum(static[run.setting.app].idle for run in found) / len(found)
            yield Claim(
                text=text,
                source=f"{THESIS}, appendix A",
                published="not measured",
                ours=f"{min(times):.2f} to {max(times):.2f}× the time of static; idle {idle:.0%}, not {before:.0%}",
                holds=True if max(times) < 1 else None if min(times) < 1 else False,
            )


def _approach(run: ScaleResult) -> str:
    return "dynamic" if run.setting.architecture == CLIENT_SERVER else run.setting.balance


def _moved(dealings: Sequence[PartitionBalance]) -> Iterator[Claim]:
    moved = {each.partition: each.moved for each in dealings}
    if moved.keys() >= {"hash", "rendezvous"}:
        yield Claim(
            text="A hash decides whose an event is; when a member comes, rendezvous hashing moves only its share",
            source=f"{THESIS}, §5.2 (for a fixed number of nodes)",
            published="not measured",
            ours=f"{moved['hash']:.0%} of events move with the published hash, {moved['rendezvous']:.1%} with ours",
            holds=moved["rendezvous"] < moved["hash"],
        )
