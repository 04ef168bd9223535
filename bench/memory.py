"""Memory over 100,000 events of one crawl: ours stays flat, the browser's capped. Draws docs/images/memory.svg."""

import asyncio
import resource
import shutil
import tempfile
from pathlib import Path

from bench.plot import linear
from bench.recorded import served
from bench.table import print_table
from statecrawl.config.plan import CrawlLimits, CrawlPlan, Scope
from statecrawl.crawler.assembly import crawl
from statecrawl.crawler.loop import CrawlLoop

APP = "bebop"
EVENTS = 100_000
EVERY = 5_000
PAGES = 2
CAP_MIB = 500  # of the browser, for each page
MOST_GROWTH = 1.1  # of our memory, from the first quarter, when all states are known, to the end
PICTURE = Path(__file__).parent.parent / "docs" / "images" / "memory.svg"


def main() -> bool:
    """True when memory is bounded."""
    folder = Path(tempfile.mkdtemp(prefix="statecrawl-bench-"))
    points: list[tuple[int, float, float]] = []
    begun: list[CrawlLoop] = []

    def told(crawling: CrawlLoop) -> None:
        events = crawling.recorder.tally.events
        if events // EVERY > len(points):
            points.append((events, _resident_mib(), crawling.health().browser_bytes / (1 << 20)))

    try:
        with served(APP) as (url, _):
            plan = CrawlPlan(
                url=url,
                out=folder / "crawl",
                model="states",
                pages=PAGES,
                limits=CrawlLimits(events=EVENTS),
                scope=Scope(allow_dangerous=True),
                learn_states=0,
                screenshots=False,
                recycle_bytes=CAP_MIB << 20,
            )
            outcome = asyncio.run(crawl(plan, begun.append, told))
    finally:
        shutil.rmtree(folder)
    print_table(
        f"Memory over {outcome.events:,} events ({APP})",
        ("events", "crawler, MiB", "browser, MiB"),
        [(events, f"{ours:.0f}", f"{browser:.0f}") for events, ours, browser in points],
    )
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_text(
        linear(
            {"crawler": [(e, ours) for e, ours, _ in points], "browser": [(e, browser) for e, _, browser in points]},
            "events fired",
            "resident memory, MiB",
        ),
        encoding="utf-8",
    )
    early, late = points[len(points) // 4][1], points[-1][1]
    return late <= early * MOST_GROWTH


def _resident_mib() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / (1 << 20)
