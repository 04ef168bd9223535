"""The bundled applications crawled in Chromium, completely: every model found must be the true one.

`python -m bench truth` runs all; `python -m bench.truth APP STRATEGY` runs one.
"""

import sys
import time

from bench.recorded import recorded, served
from bench.table import print_table
from statecrawl.testbed.catalogue import application
from statecrawl.testbed.model_match import mismatch

EVERY = ("breadth-first", "depth-first", "greedy", "hypercube", "menu", "probability")
SMALL = ("tiny", "viol8", "hypercube:4", "pager:6", "menusite:3,2", "widgets:2,4", "test-ria", "altoro", "dyna-table")
LARGE = ("periodic-table", "clip-marks", "file-tree")
TWO_PAGES = ("dyna-table", *LARGE, "elfinder", "bebop")  # at a time, to use both cores
CRAWLS = [*((app, strategy) for app in SMALL for strategy in EVERY)] + [
    (app, strategy) for app in LARGE for strategy in ("greedy", "probability")
]


def main() -> bool:
    """True when every model found is the true one."""
    rows = [row(app, strategy) for app, strategy in CRAWLS]
    print_table(
        "Crawls in Chromium held against the truth",
        ("application", "strategy", "states", "transitions", "events", "resets", "seconds", "events/s", "true"),
        rows,
    )
    return all(found[-1] == "yes" for found in rows)


def row(app: str, strategy: str) -> tuple[object, ...]:
    """One crawl."""
    begun = time.perf_counter()
    with served(app) as (url, server):
        crawl = recorded(url, strategy=strategy, pages=2 if app in TWO_PAGES else 1, server=server)
    told = crawl.outcome
    wrong = mismatch(crawl.crawling.crawl.graph, application(app).truth)
    seconds = time.perf_counter() - begun
    figures = (told.states, told.transitions, told.events, told.resets)
    print(f"{app} {strategy}: {wrong or 'true'}, {told.events:,} events in {seconds:.1f} s", flush=True)
    return app, strategy, *figures, f"{told.seconds:.1f}", f"{told.events_per_second:.0f}", wrong or "yes"


if __name__ == "__main__":
    print(row(sys.argv[1], sys.argv[2]))
