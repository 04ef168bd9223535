"""What recording the traffic costs: the same crawl with and without it, one after the other, in one run.

What counts is the processor time of the crawler and all processes of its browser: on a busy machine, speeds say little.
The first application asks its server for something after resets only, the others with every event.
"""

import asyncio
import os
from dataclasses import replace
from statistics import median

from bench.recorded import cpu_seconds, planned, served
from bench.table import print_table
from statecrawl.crawler.assembly import crawl
from statecrawl.crawler.loop import CrawlLoop

ROUNDS = 3  # of which the medians count
EVENTS = 1000  # of each crawl
SAMPLED = 0.9  # of them, after which the processor time is read
MOST_COST = {"hypercube:10": 1.10, "periodic-table": 1.5, "dyna-table": 1.5}  # times the processor time without it


def main() -> bool:
    """True when recording costs next to nothing."""
    rows = []
    holds = True
    for app, most in MOST_COST.items():
        runs: dict[bool, list[tuple[float, float]]] = {True: [], False: []}
        with served(app) as (url, server):
            for number in range(2 * ROUNDS):
                traffic = number % 4 in (1, 2)  # each goes first as often as the other
                runs[traffic].append(_run(url, server, traffic=traffic))
        (speed, used), (plain_speed, plain_used) = (
            (median(run[0] for run in runs[kind]), median(run[1] for run in runs[kind])) for kind in (True, False)
        )
        fits = used / plain_used <= most
        holds = holds and fits
        figures = f"{plain_speed:.0f}", f"{speed:.0f}", f"{speed / plain_speed:.2f}"
        times = f"{1e6 * plain_used:.0f}", f"{1e6 * used:.0f}", f"{used / plain_used:.2f}"
        rows.append((app, *figures, *times, "yes" if fits else "no"))
    print_table(
        "A crawl with one page, without and with traffic recorded: events per second, and processor time of each",
        ("application", "without", "with", "share", "µs without", "with", "times", "holds"),
        rows,
    )
    return holds


def _run(url: str, server: int, *, traffic: bool) -> tuple[float, float]:
    """Events per second, and seconds of processor time for each."""
    cpu: list[float] = []
    used = sum(os.times()[:2])  # by us, before

    def told(crawling: CrawlLoop) -> None:
        events = crawling.recorder.tally.events
        if events >= EVENTS * SAMPLED and not cpu:  # the browser is gone when the crawl is over
            seconds = cpu_seconds(server)
            cpu.append((sum(seconds.values()) - seconds["server"] - used) / events)

    with planned(url, "greedy", 1, EVENTS) as plan:
        outcome = asyncio.run(crawl(replace(plan, traffic=traffic), lambda _: None, told))
    return outcome.events_per_second, cpu[0]
