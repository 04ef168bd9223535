"""Take the picture of docs/roles.md: crawl the bundled office with three roles, and look at the matrix in Chromium."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from statecrawl.browser.chromium import find_browser
from statecrawl.testbed.sites.office import ADMIN, CLERK, PASSWORD

IMAGE = Path(__file__).parent.parent / "docs" / "images" / "roles.png"
LOGIN = """session = "#menu button, #news"
[[step]]
fill = "#user"
value = "{user}"
[[step]]
fill = "#password"
env = "OFFICE_PASSWORD"
[[step]]
click = "#enter"
"""
SECONDS = 60.0


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
        flags = ["--headless", "--hide-scrollbars", "--window-size=1180,1740", "--virtual-time-budget=4000"]
        flags += [] if os.geteuid() else ["--no-sandbox"]
        look = [str(find_browser()), *flags, "--blink-settings=preferredColorScheme=1", f"--screenshot={IMAGE}"]
        page = (out / "index.html").absolute().as_uri()
        subprocess.run([*look, page], check=True, timeout=SECONDS, capture_output=True)


if __name__ == "__main__":
    main()
