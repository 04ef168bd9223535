"""Make the pictures of docs/crawling.md: a crawl is watched while it runs, in a browser and in a terminal.

    python scripts/picture_live.py [APPLICATION [SECONDS]]

It writes live.png, live-nodes.png and terminal.svg into docs/images, and needs Chromium and the development tools
(`make install chromium`).
"""

import asyncio
import io
import json
import re
import sys
import tempfile
from asyncio.subprocess import PIPE
from pathlib import Path
from typing import Any

from playwright.async_api import async_playwright
from rich.console import Console

from statecrawl.browser.chromium import find_browser
from statecrawl.cli.progress_text import view
from statecrawl.crawler.live_view import CrawlProgress, LimitLeft, NodeProgress

IMAGES = Path(__file__).parent.parent / "docs" / "images"
COLUMNS = 112
FONT = re.compile(r"@font-face \{.*?\}", re.DOTALL)  # of somewhere on the web


async def pictured(application: str, seconds: float, name: str, scheme: Any, *more: str) -> CrawlProgress:
    """Crawl, and take a picture of the live page after so many seconds; how far the crawl was then."""
    with tempfile.TemporaryDirectory() as folder:
        options = ["--out", f"{folder}/crawl", "--live-at", "0", "--json", "--no-report", *more]
        command = [sys.executable, "-m", "statecrawl", "crawl", application, *options]
        crawl = await asyncio.create_subprocess_exec(*command, stderr=PIPE, stdout=PIPE)
        if crawl.stderr is None:
            raise OSError("there is no standard error to read")
        address = json.loads(await crawl.stderr.readline())["text"].removeprefix("live: ")
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=str(find_browser()), args=["--no-sandbox"])
            page = await browser.new_page(viewport={"width": 1280, "height": 860}, color_scheme=scheme)
            await page.goto(address)
            await asyncio.sleep(seconds)
            await page.screenshot(path=IMAGES / name, full_page=True)
            told = await page.evaluate("statecrawl.live.figures")
            await browser.close()
        if crawl.returncode is None:
            crawl.terminate()
        await crawl.communicate()
    return progress(told)


def progress(told: dict[str, Any]) -> CrawlProgress:
    """What the page was told."""
    fields = {name: told[name] for name in CrawlProgress.__dataclass_fields__ if name not in ("limits", "nodes")}
    nodes = tuple(
        NodeProgress(
            name=node["name"], tasks=node["tasks"], events=node["events"], resets=node["resets"],
            events_per_second=node["speed"], idle_seconds=node["idle_seconds"], idle_share=node["idle"],
            silent_seconds=node["silent"], at=node["at"],
        )
        for node in told["nodes"]
    )  # fmt: skip
    return CrawlProgress(limits=tuple(LimitLeft(**left) for left in told["limits"]), nodes=nodes, **fields)


def main() -> None:
    application = sys.argv[1] if len(sys.argv) > 1 else "altoro"
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 12.0
    asyncio.run(pictured(application, seconds, "live.png", "light"))
    at = asyncio.run(pictured(application, seconds, "live-nodes.png", "dark", "--nodes", "2", "--max-time", "10m"))
    console = Console(record=True, width=COLUMNS, file=io.StringIO(), highlight=False)
    console.print(view(at, COLUMNS))
    picture = FONT.sub("", console.export_svg(title=f"statecrawl crawl {application} --nodes 2 --max-time 10m"))
    (IMAGES / "terminal.svg").write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main()
