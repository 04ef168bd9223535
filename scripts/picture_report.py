"""Take the pictures of docs/results.md: crawl a bundled application, and look at its report in Chromium.

It needs the development tools.
"""

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from statecrawl.browser.chromium import find_browser

IMAGES = Path(__file__).parent.parent / "docs" / "images"
APPLICATION = "altoro"
PICTURES: dict[str, tuple[str, Any]] = {
    "report-overview": ("#/", "light"),
    "report-screens": ("#/screens", "light"),
    "report-graph": ("#/graph", "light"),
    "report-state": ("#/state/36", "dark"),
}
SETTLED = 1500  # milliseconds after which a page has drawn everything


def take(index: Path) -> None:
    """Look at the pages of a report."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(find_browser()), args=["--no-sandbox"])
        for name, (page, scheme) in PICTURES.items():
            opened = browser.new_page(viewport={"width": 1180, "height": 680}, color_scheme=scheme)
            opened.goto(f"{index.absolute().as_uri()}{page}")
            opened.wait_for_timeout(SETTLED)
            opened.screenshot(path=IMAGES / f"{name}.png")
            opened.close()
        browser.close()


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / APPLICATION
        crawl = [sys.executable, "-m", "statecrawl", "crawl", APPLICATION, "--coverage", "--out", str(out), "--quiet"]
        subprocess.run(crawl, check=True)
        take(out / "report" / "index.html")


if __name__ == "__main__":
    main()
