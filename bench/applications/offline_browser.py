"""The browser, started so that it reaches no other host than this machine: measurements must not depend on the network.

A crawl uses the headless shell as it always does, drawing frames on demand. A person's browser draws by itself, and
only then does real input arrive without further ado, so the clicker's browser has a name that statecrawl does not take
for that of a headless shell.
"""

import shlex
from pathlib import Path

from statecrawl.browser.chromium import find_browser

NO_OTHER_HOSTS = "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"
DRAWING = "chromium"


def offline_browser(folder: Path, *, draws: bool) -> Path:
    """Write a program into the folder that starts the browser. It draws by itself, or else on demand where it can."""
    browser = find_browser()
    program = folder / (DRAWING if draws else browser.name)
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(str(browser))} {shlex.quote(NO_OTHER_HOSTS)} "$@"\n')
    program.chmod(0o755)
    return program
