"""How much a second page brings on two cores: with the server on the same machine, and with one far away.

In one and the same crawl of two pages the second one rests every other while, so that both are measured within seconds
of each other: the speed of a machine that others use, too, changes by half within a minute, and a ratio of two crawls
that ran one after the other says more about that than about us.

What has to hold has to hold for the default strategy. Greedy is shown beside it: it sends several events ahead in one
call, so one page alone keeps more than one core busy.
"""

import asyncio
import time
from dataclasses import dataclass, field
from statistics import median
from unittest.mock import patch

from bench.recorded import cpu_seconds, planned, served
from bench.table import print_table
from statecrawl.config.plan import DEFAULT_STRATEGY
from statecrawl.crawler.assembly import crawl
from statecrawl.crawler.loop import CrawlLoop
from statecrawl.crawler.walker import Walker
from statecrawl.strategies.orders import Order

APP = "periodic-table"
FIRST_EVENTS = 1000  # among which nearly all states are found and described; of a whole crawl they are a thirtieth
ENOUGH = "enough"


@dataclass(frozen=True)
class Case:
    """One comparison."""

    strategy: str
    latency: int  # of the server, in milliseconds
    skipped: int  # events before the first turn
    turn: float  # seconds
    pairs: int  # of turns: one page, both; both, one page; …
    least: float | None  # what has to hold


CASES = (
    Case(DEFAULT_STRATEGY, latency=0, skipped=FIRST_EVENTS, turn=2.0, pairs=30, least=1.4),
    Case("greedy", latency=0, skipped=FIRST_EVENTS, turn=2.0, pairs=20, least=None),
    Case(DEFAULT_STRATEGY, latency=50, skipped=100, turn=5.0, pairs=6, least=1.7),
)
CHANGE_SECONDS = 0.3  # till the second page has ended what it was at


@dataclass
class Turns:
    """What was measured: for each pair of turns, with one page and with both."""

    speeds: list[tuple[float, float]] = field(default_factory=list)  # events per second
    cpu: list[tuple[float, float]] = field(default_factory=list)  # milliseconds of all processes for each event


def main() -> bool:
    """True when all that has to hold holds."""
    rows = []
    holds = True
    for case in CASES:
        turns = asyncio.run(_measured(case))
        ratios = [both / one for one, both in turns.speeds]
        ratio = median(ratios)
        held = case.least is None or ratio >= case.least
        holds = holds and held
        print(f"{case.strategy}, {case.latency} ms, ratios: {', '.join(f'{each:.2f}' for each in ratios)}", flush=True)
        one, both = (median(column) for column in zip(*turns.speeds, strict=True))
        one_cpu, both_cpu = (median(column) for column in zip(*turns.cpu, strict=True))
        verdict = "—" if case.least is None else f"{'yes' if held else 'no'} (≥ {case.least})"
        busy = [f"{speed * cpu / 1000:.2f}" for speed, cpu in ((one, one_cpu), (both, both_cpu))]
        cells = (f"{one:.0f}", f"{both:.0f}", f"{ratio:.2f}×", verdict, f"{one_cpu:.1f}", f"{both_cpu:.1f}", *busy)
        rows.append((case.strategy, f"{case.latency} ms", *cells))
    columns = ("strategy", "server's latency", "1 page, events/s", "2 pages", "ratio", "holds")
    print_table(
        f"Two pages ({APP})",
        (*columns, "CPU ms/event, 1 page", "2 pages", "cores busy, 1 page", "2 pages"),
        rows,
    )
    return holds


async def _measured(case: Case) -> Turns:
    turns = Turns()
    awake = asyncio.Event()  # the second page
    awake.set()
    perform = Walker.perform
    measuring: list[asyncio.Task[None]] = []

    async def performing(walker: Walker, order: Order) -> None:
        if walker.number > 0:
            await awake.wait()
        await perform(walker, order)

    with served(APP, case.latency) as (url, server), planned(url, case.strategy, pages=2) as plan:

        def told(crawling: CrawlLoop) -> None:
            if not measuring and crawling.recorder.tally.events >= case.skipped:
                measuring.append(asyncio.create_task(_alternate(case, crawling, awake, server, turns)))

        with patch.object(Walker, "perform", performing):
            await crawl(plan, lambda _: None, told)
    await measuring[0]
    return turns


async def _alternate(case: Case, crawling: CrawlLoop, awake: asyncio.Event, server: int, turns: Turns) -> None:
    """One page, both, both, one page, …: a machine that becomes faster or slower favours neither."""
    try:
        for number in range(case.pairs):
            results = {}
            for both in (False, True) if number % 2 == 0 else (True, False):
                (awake.set if both else awake.clear)()
                await asyncio.sleep(CHANGE_SECONDS + 4 * case.latency / 1000)
                results[both] = await _turn(case.turn, crawling, server)
            turns.speeds.append((results[False][0], results[True][0]))
            turns.cpu.append((results[False][1], results[True][1]))
    finally:
        awake.set()
        crawling.stop(ENOUGH)


async def _turn(seconds: float, crawling: CrawlLoop, server: int) -> tuple[float, float]:
    """Events per second, and milliseconds of CPU for each."""
    tally = crawling.recorder.tally
    begun, events, used = time.perf_counter(), tally.events, sum(cpu_seconds(server).values())
    await asyncio.sleep(seconds)
    fired = max(tally.events - events, 1)
    return fired / (time.perf_counter() - begun), (sum(cpu_seconds(server).values()) - used) * 1000 / fired
