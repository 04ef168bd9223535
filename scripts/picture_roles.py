"""Take the picture of docs/results.md: crawl the bundled office with three roles, and look at the matrix in Chromium.

It needs the development tools.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from statecrawl.browser.chromium import find_browser
from statecrawl.testbed.sites.office import ADMIN, CLERK, LOGIN, PASSWORD

IMAGE = Path(__file__).parent.parent / "docs" / "images" / "roles.png"
SETTLED = 1500  # milliseconds after which a page has drawn everything


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "office"
        roles = ["--role", "guest"]
        for name, user in (("clerk", CLERK), ("admin", ADMIN)):
            file = Path(folder) / f"{name}.toml"
            file.write_text(LOGIN.format(user=user), encoding="utf-8")
            roles = ["--role", f"{name}={file}", *roles]
        crawl = [sys.executable, "-m", "statecrawl", "roles", "office", *roles, "--ignore", "#account"]
        environment = {**os.environ, "OFFICE_PASSWORD": PASSWORD}
        subprocess.run([*crawl, "--out", str(out), "--quiet"], check=True, env=environment, stdout=subprocess.DEVNULL)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=str(find_browser()), args=["--no-sandbox"])
            page = browser.new_page(viewport={"width": 1180, "height": 1740}, color_scheme="light")
            page.goto((out / "index.html").absolute().as_uri())
            page.wait_for_timeout(SETTLED)
            page.screenshot(path=IMAGE)
            browser.close()


if __name__ == "__main__":
    main()
