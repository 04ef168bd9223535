"""Take the pictures of docs/report.md: crawl a bundled application, and look at its report in Chromium."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from statecrawl.browser.chromium import find_browser

IMAGES = Path(__file__).parent.parent / "docs" / "images"
APPLICATION = "altoro"
LIGHT, DARK = "1", "0"  # as Chromium numbers colour schemes
PICTURES = {"report-overview": ("#/", LIGHT), "report-graph": ("#/graph", LIGHT), "report-state": ("#/state/36", DARK)}
SECONDS = 60.0


def take(index: Path, name: str, page: str, scheme: str) -> None:
    flags = ["--headless", "--hide-scrollbars", "--window-size=1180,680", "--virtual-time-budget=4000"]
    flags += [] if os.geteuid() else ["--no-sandbox"]
    look = [f"--blink-settings=preferredColorScheme={scheme}", f"--screenshot={IMAGES / name}.png"]
    address = f"{index.absolute().as_uri()}{page}"
    subprocess.run([str(find_browser()), *flags, *look, address], check=True, timeout=SECONDS, capture_output=True)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / APPLICATION
        crawl = [sys.executable, "-m", "statecrawl", "crawl", APPLICATION, "--coverage", "--out", str(out), "--quiet"]
        subprocess.run(crawl, check=True)
        for name, (page, scheme) in PICTURES.items():
            take(out / "report" / "index.html", name, page, scheme)


if __name__ == "__main__":
    main()
