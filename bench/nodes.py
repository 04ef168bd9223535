"""What further nodes bring, with real browsers in processes of their own on this machine, by the server's latency."""

import asyncio
import time
from dataclasses import dataclass

from bench.recorded import planned, served
from bench.table import print_table
from statecrawl.fleet.supervisor import crawl_with_nodes
from statecrawl.fleet.task_coordinator import TaskCoordinator

APP = "periodic-table"
STRATEGY = "probability"
COUNTS = {200: (1, 2, 8), 50: (1, 2), 20: (1, 2), 0: (1, 2)}  # latency in milliseconds -> how many nodes
LEAST = {(200, 2): 1.8, (200, 8): 6.0}  # times the speed of one node
SECONDS = 20.0
CALM_SECONDS = 5.0  # after all nodes are there


@dataclass
class Speed:
    """Events between two moments."""

    begun: float = 0.0
    events: int = 0
    per_second: float = 0.0


def main() -> bool:
    """True when all that has to hold holds."""
    rows, holds = [], True
    for latency, counts in COUNTS.items():
        alone = 0.0
        for count in counts:
            speed = asyncio.run(_speed(latency, count))
            alone = alone or speed
            ratio, least = speed / alone, LEAST.get((latency, count))
            held = least is None or ratio >= least
            holds = holds and held
            verdict = "" if least is None else f"{'yes' if held else 'no'} (≥ {least})"
            rows.append((f"{latency} ms", count, f"{speed:.1f}", f"{ratio:.2f}×", verdict))
            print(f"{latency} ms, {count} nodes: {speed:.1f} events/s", flush=True)
    print_table(f"Nodes ({APP}, {STRATEGY}, over HTTP)", ("latency", "nodes", "events/s", "ratio", "holds"), rows)
    return holds


async def _speed(latency: int, count: int) -> float:
    speed = Speed()
    complete_at: list[float] = []

    def told(coordinating: TaskCoordinator) -> None:
        now = time.monotonic()
        if not complete_at:
            if len(coordinating.members) >= count and all(member.tasks > 1 for member in coordinating.members):
                complete_at.append(now)
        elif now - complete_at[0] < CALM_SECONDS:
            speed.begun, speed.events = now, coordinating.crawl.fired
        elif now - speed.begun >= SECONDS and not speed.per_second:
            speed.per_second = (coordinating.crawl.fired - speed.events) / (now - speed.begun)
            coordinating.stop("enough")

    with served(APP, latency) as (url, _), planned(url, STRATEGY, pages=1) as plan:
        await crawl_with_nodes(plan, count, lambda _: None, told)
    return speed.per_second
