"""Crawls by statecrawl, as its command line offers them."""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.applications.application import Application
from bench.applications.documents import Documents, stored_documents
from bench.applications.functions import Functions, executed
from bench.applications.offline_browser import offline_browser
from bench.applications.variants import EVERY_CRAWL
from bench.applications.visit import visiting
from statecrawl.browser.chromium import VARIABLE
from statecrawl.stores.evidence import EvidenceReader

PROGRAM = "bench.applications.counted_crawl"
ROOT = Path(__file__).parent.parent.parent
MORE_SECONDS = 120.0  # beyond the time of the crawl, for its start and end


class CrawlFailed(Exception):
    """A crawl ended without a result."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Crawled:
    """What a crawl found."""

    functions: Functions
    at_load: Functions
    documents: Documents
    outcome: dict[str, Any]  # as --json prints it


def crawl(url: str, application: Application, arguments: Sequence[str], seconds: float, folder: Path) -> Crawled:
    """Crawl an application for a time. The folder receives the results. Raises CrawlFailed."""
    at_load = asyncio.run(_functions_at_load(url, application))
    out = folder / "crawl"
    command = [sys.executable, "-m", PROGRAM, "crawl", url, "--out", str(out), "--max-time", f"{seconds:g}s"]
    command += [*EVERY_CRAWL, *arguments]
    if application.login:
        (folder / "login.toml").write_text(application.login_file(), encoding="utf-8")
        command += ["--login", str(folder / "login.toml")]
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            check=False,
            timeout=seconds + MORE_SECONDS,
            cwd=ROOT,
            env={**os.environ, VARIABLE: str(offline_browser(folder, draws=False))},
        )
    except subprocess.TimeoutExpired as late:
        raise CrawlFailed(f"it did not end within {late.timeout:.0f} s") from late
    try:
        outcome = json.loads(done.stdout)
    except ValueError as error:
        raise CrawlFailed(done.stderr.strip()[-300:] or f"exit code {done.returncode}") from error
    return Crawled(
        functions=executed(EvidenceReader(out).coverage()),
        at_load=at_load,
        documents=stored_documents(out),
        outcome=outcome,
    )


async def _functions_at_load(url: str, application: Application) -> Functions:
    """Return what runs when the application is loaded and left alone."""
    async with visiting() as visit:
        await visit.load(url, application)
        return await visit.functions()
