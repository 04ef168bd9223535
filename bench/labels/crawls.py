"""`python -m bench.labels.crawls [NAME…]`: crawl the applications whose states are to be labelled, with pictures.

Each crawl takes CRAWL_SECONDS, uses the options that a user has without asking, and reaches no other host. The results
stay outside of the repository, because they contain pages of third parties; `bench.labels.recording` makes of them what
is committed.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.applications.application import Application
from bench.applications.catalogue import APPLICATIONS
from bench.applications.offline_browser import offline_browser
from bench.applications.servers import served
from statecrawl.browser.chromium import VARIABLE

ROOT = Path(__file__).parent.parent.parent
RESULTS = ROOT / "bench" / "results" / "labels"
CRAWL_SECONDS = 50.0
MORE_SECONDS = 120.0  # beyond the time of the crawl, for its start and end
LABELLED = (
    "todomvc-react",
    "react-router",
    "django-admin",
    "dash",
    "swagger-ui",
    "fullcalendar",
    "jquery-ui",
    "datatables",
    "jkanban",
)


def crawl_folder(name: str) -> Path:
    """Return the directory of the crawl of an application."""
    return RESULTS / name / "crawl"


def crawl(application: Application) -> None:
    """Crawl an application once more. Raises NotInstalled, NotStarted or CalledProcessError."""
    out = crawl_folder(application.name)
    shutil.rmtree(out.parent, ignore_errors=True)
    out.parent.mkdir(parents=True)
    with TemporaryDirectory(prefix="statecrawl-bench-") as folder, served(application) as url:
        subprocess.run(
            _command(url, application, out),
            check=True,
            timeout=CRAWL_SECONDS + MORE_SECONDS,
            cwd=ROOT,
            env={**os.environ, VARIABLE: str(offline_browser(Path(folder), draws=False))},
        )


def _command(url: str, application: Application, out: Path) -> list[str]:
    command = [sys.executable, "-m", "statecrawl", "crawl", url, "--out", str(out)]
    command += ["--max-time", f"{CRAWL_SECONDS:g}s", "--no-report", "--quiet"]
    if application.login:
        login = out.parent / "login.toml"
        login.write_text(application.login_file(), encoding="utf-8")
        command += ["--login", str(login)]
    return command


def main(names: Sequence[str]) -> None:
    for name in names or LABELLED:
        print(f"{name}:", flush=True)
        crawl(APPLICATIONS[name])


if __name__ == "__main__":
    main(sys.argv[1:])
