"""How fast the crawl is, against the limit of a bare script in the page and against straightforward crawlers.

All of it in one run, on the same events in the same order: what the crawl did is written down (`recorded`), then done
again by `bare.js` inside the page, and by a Playwright script that clicks, reads the content and hashes it.
"""

import asyncio
import hashlib
import shutil
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from playwright.sync_api import sync_playwright

from bench.recorded import Recorded, Segment, recorded, served
from bench.table import print_table
from statecrawl.browser.chromium import FLAGS, Chromium, find_browser
from statecrawl.browser.context_targets import open_page

APPS = {  # selector that lists the elements of the events in their order
    "periodic-table": ".cell, button",
    "dyna-table": "[data-action]",
    "hypercube:10": "button",
}
BARE = (Path(__file__).parent / "bare.js").read_text(encoding="utf-8")
ROUNDS = 3  # of which the medians count: the machine may change its mind
EVENTS = 3000  # of each crawl
PLAYWRIGHT_EVENTS = 120  # of them done by Playwright, which takes its time
OURS_ALONE = (
    "--headless",
    "--remote-debugging-pipe",
    "--no-startup-window",
)  # flags that Playwright sets in its own way
WHOLE = ("chromium", "chromium-browser", "google-chrome", "chrome")
LEAST_SHARE = 0.15  # of the bare script
GOAL_SHARE = 0.40
LEAST_TIMES = 8.0  # the speed of the straightforward crawler


def main() -> bool:
    """True when every limit holds."""
    rows = []
    holds = True
    shell, whole = find_browser(), _whole_browser()
    for app, selector in APPS.items():
        rounds = [_round(app, selector, shell, whole) for _ in range(ROUNDS)]
        crawl = rounds[-1].crawl
        ours, bare, clicks, plain, same, forced, waiting = (
            median(getattr(one, name) for one in rounds)
            for name in ("ours", "bare", "clicks", "plain", "same", "forced", "waiting")
        )

        def against(name: str, rounds: list[_Round] = rounds) -> float:
            return float(median(one.ours / getattr(one, name) for one in rounds))

        fits = against("bare") >= LEAST_SHARE and against("plain") >= LEAST_TIMES
        holds = holds and fits
        row = [app, crawl.outcome.events, len(crawl.segments), f"{ours:.0f}"]
        row += [f"{bare:.0f}", f"{against('bare'):.0%}", f"{clicks:.0f}", f"{against('clicks'):.0%}"]
        for name, speed in (("plain", plain), ("same", same), ("forced", forced), ("waiting", waiting)):
            row += [f"{speed:.1f}", f"{against(name):.1f}×"]
        rows.append((*row, "yes" if fits else "no"))
        _print_cpu(app, crawl)
        spread = ", ".join(f"{one.ours / one.plain:.1f}" for one in rounds)
        print(f"{app}: times the speed of Playwright, by round: {spread}", flush=True)
    print_table(
        f"Events per second of a crawl with one page, journal and strategy included, in {shell.name}; and of "
        f"Playwright in {whole.name}, in {shell.name}, there with forced clicks, and waiting for an idle network",
        (
            *("application", "events", "resets", "ours", "bare script", "share", "clicks alone", "share"),
            *("Playwright", "ours", "same browser", "ours", "forced", "ours", "idle", "ours", "holds"),
        ),
        rows,
    )
    return holds


@dataclass(frozen=True, slots=True, kw_only=True)
class _Round:
    """Events per second of everybody, measured one after the other."""

    crawl: Recorded
    ours: float
    bare: float
    clicks: float
    plain: float
    same: float
    forced: float
    waiting: float


def _round(app: str, selector: str, shell: Path, whole: Path) -> _Round:
    with served(app) as (url, server):
        crawl = recorded(url, max_events=EVENTS, server=server)
        segments = crawl.segments
        (plain,) = _playwright(url, selector, segments, whole, {})
        same, forced, waiting = _playwright(url, selector, segments, shell, {}, {"force": True}, {"wait": True})
        bare, clicks = asyncio.run(_bare(url, selector, segments))
    events = sum(len(segment.positions) for segment in segments)
    return _Round(
        crawl=crawl,
        ours=crawl.outcome.events_per_second,
        bare=events / bare,
        clicks=events / clicks,
        plain=plain,
        same=same,
        forced=forced,
        waiting=waiting,
    )


def _whole_browser() -> Path:
    """A browser with windows, which is what most people have; ours when there is no other."""
    found = next(filter(None, map(shutil.which, WHOLE)), None)
    return Path(found) if found else find_browser()


def _print_cpu(app: str, crawl: Recorded) -> None:
    told = ", ".join(f"{name} {1e6 * seconds:.0f}" for name, seconds in sorted(crawl.cpu.items()))
    cost = _reset_cost(crawl)
    print(f"{app}: CPU µs per event: {told}" + (f"; a reset takes the time of {cost:.1f} events" if cost else ""))


def _reset_cost(crawl: Recorded) -> float:
    return crawl.crawling.times.reset_cost()


async def _bare(url: str, selector: str, segments: Sequence[Segment]) -> tuple[float, float]:
    """Seconds that the bare script takes, with the DOM written after each event, and without."""
    chromium = await Chromium.start()
    try:
        session = await open_page(chromium.connection)
        await session.call("Page.enable")
        await session.call("Page.addScriptToEvaluateOnNewDocument", source=BARE)

        async def evaluate(expression: str) -> None:
            answer = await session.call("Runtime.evaluate", expression=expression, awaitPromise=True)
            if "exceptionDetails" in answer:
                raise RuntimeError(f"the bare script failed: {answer['exceptionDetails']}")

        async def run(verb: str) -> float:
            begun = time.perf_counter()
            for segment in segments:
                await session.call("Page.navigate", url=url)
                await evaluate("bareReady()")
                await evaluate(f"{verb}({selector!r}, {list(segment.positions)})")
            return time.perf_counter() - begun

        return await run("bareRun"), await run("bareClicks")
    finally:
        await chromium.close()


def _playwright(
    url: str, selector: str, segments: Sequence[Segment], program: Path, *ways: dict[str, bool]
) -> list[float]:
    """Events per second of crawlers that click, read the content and hash it, each in its own way.

    `force` skips Playwright's checks before a click; `wait` is for an idle network after it.
    """
    with sync_playwright() as playwright:
        flags = [flag for flag in FLAGS if flag not in OURS_ALONE]
        browser = playwright.chromium.launch(executable_path=str(program), args=["--no-sandbox", *flags])
        page = browser.new_page()

        def run(events: int, *, force: bool = False, wait: bool = False) -> float:
            left = events
            begun = time.perf_counter()
            for segment in segments:
                page.goto(url)
                if wait:
                    page.wait_for_load_state("networkidle")
                else:
                    page.locator(selector).first.wait_for()
                for position in segment.positions[:left]:
                    page.locator(selector).nth(position).click(force=force)
                    if wait:
                        page.wait_for_load_state("networkidle")
                    hashlib.sha1(page.content().encode()).hexdigest()  # noqa: S324 — as such crawlers do
                    left -= 1
                if left <= 0:
                    break
            return (events - left) / (time.perf_counter() - begun)

        speeds = [run(PLAYWRIGHT_EVENTS // 4 if way.get("wait") else PLAYWRIGHT_EVENTS, **way) for way in ways]
        browser.close()
    return speeds
