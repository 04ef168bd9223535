"""Reopening the application of a finished crawl, with the settings of that crawl."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from statecrawl.config.plan import CrawlPlan
from statecrawl.config.plan_builder import crawl_plan
from statecrawl.config.saved_settings import SETTINGS_NAME
from statecrawl.config.settings import read_config
from statecrawl.errors import BadInput
from statecrawl.journal.fold import FoldedCrawl
from statecrawl.stores.crawl_key import read_key
from statecrawl.testbed.sites.registry import SITES, site_named
from statecrawl.testbed.sites.server import start

LoginFile = Annotated[
    Path | None, typer.Option("--login", help="File with the login steps. Default: the file that the crawl used.")
]
ValuesFile = Annotated[
    Path | None,
    typer.Option("--values", help="File with values for form fields. Default: the file that the crawl used."),
]
BrowserPath = Annotated[str | None, typer.Option("--browser", help="Path of the Chrome or Chromium to use.")]


def overrides(login: Path | None, values: Path | None, browser: str | None) -> dict[str, Any]:
    """Return the settings that these options override."""
    files = {"login": login, "values": values}
    return {name: None if path is None else str(path) for name, path in files.items()} | {"browser": browser}


@asynccontextmanager
async def reopened(folder: Path, crawl: FoldedCrawl, given: dict[str, Any]) -> AsyncIterator[CrawlPlan]:
    """Yield the plan of the crawl in a directory; its application is served meanwhile if it is a bundled one.

    The settings in `given` override those of the crawl. Raises BadInput if the directory has no settings.
    """
    config = folder / SETTINGS_NAME
    if not config.exists():
        raise BadInput(
            f"the settings of the crawl in {folder} are missing ({SETTINGS_NAME}): run the same statecrawl crawl"
            " command again to write them."
        )
    url = str(read_config(config).get("url", crawl.started.application if crawl.started else ""))
    if "/" in url or url.partition(":")[0] not in SITES:
        yield _of_folder(crawl_plan(url, given, config), folder)
        return
    serving = await start(site_named(url))
    try:
        yield _of_folder(crawl_plan(serving.url, given, config, url), folder)
    finally:
        await serving.close()


def _of_folder(plan: CrawlPlan, folder: Path) -> CrawlPlan:
    return replace(plan, out=folder, key="" if plan.keep_secrets else read_key(folder))
