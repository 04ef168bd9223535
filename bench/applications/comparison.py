"""Real applications: statecrawl's default against its other strategies and a random clicker, in the same time.

`python -m bench applications` measures every cell that is missing, and prints the tables. Environment variables:
    SECONDS        of each run (60)
    RUNS           of which the medians are reported (3)
    APPLICATIONS   names, separated by spaces (all)
    VARIANTS       names, separated by spaces (all; with an empty string, only the tables are printed)
    BENCH_CACHE    directory for the packages of the applications
"""

import itertools
import os
import time

from bench.applications.application import Application
from bench.applications.catalogue import APPLICATIONS
from bench.applications.cells import keep, known_cells, measure
from bench.applications.crawls import CrawlFailed
from bench.applications.packages import NotInstalled
from bench.applications.servers import NotStarted
from bench.applications.summary import print_summary
from bench.applications.variants import VARIANTS
from statecrawl.errors import BrowserError

SECONDS = 60.0
RUNS = 3


def main() -> bool:
    """True when the default executes as many functions, and finds as many screens, as its limits say."""
    seconds, runs = float(os.environ.get("SECONDS", SECONDS)), int(os.environ.get("RUNS", RUNS))
    names = os.environ.get("APPLICATIONS", " ".join(APPLICATIONS)).split()
    variants = os.environ.get("VARIANTS", " ".join(VARIANTS)).split()
    unknown = [name for name in names if name not in APPLICATIONS] + [name for name in variants if name not in VARIANTS]
    if unknown:
        print(f"applications: unknown name {unknown[0]!r}: choose from {', '.join((*APPLICATIONS, *VARIANTS))}.")
        return False
    known = {cell.key for cell in known_cells()}
    for run, name, variant in itertools.product(range(1, runs + 1), names, variants):
        if (name, variant, seconds, run) not in known:
            _measure(APPLICATIONS[name], variant, seconds, run)
    return print_summary(known_cells(), seconds)


def _measure(application: Application, variant: str, seconds: float, run: int) -> None:
    """Measure a cell and keep it. If it cannot be measured, print why."""
    begun = time.perf_counter()
    try:
        cell = measure(application, variant, seconds, run)
    except (NotInstalled, NotStarted, CrawlFailed, BrowserError) as error:
        print(f"{application.name}, {variant}: not measured: {error}", flush=True)
        return
    keep(cell)
    print(
        f"{application.name}, {variant}, run {run}: {cell.functions:,} functions, {len(cell.screens):,} screens,"
        f" {cell.places:,} places, {cell.states:,} states, {cell.events_per_second:.1f} events/s, {cell.ended}"
        f" ({time.perf_counter() - begun:.0f} s)",
        flush=True,
    )
