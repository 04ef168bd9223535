"""`python -m bench.applications.counted_crawl …`: statecrawl with `--coverage`, counting everything that runs.

By itself, a crawl counts before each reset and at the end, which is not enough for a comparison:
    -  Scripts whose text was never read are not counted, so those of a document that is left before are missed. Here,
       the crawl counts whenever it has arrived in another document, as the clicker does.
    -  A crawl that is out of time waits half a second for its pages, and then what ran since the last reset is lost.
       On a busy machine they need longer, so here it waits longer.
"""

from typing import Any
from unittest.mock import patch

from statecrawl.__main__ import run
from statecrawl.browser.coverage import Coverage
from statecrawl.browser.devtools import Session
from statecrawl.browser.page import BrowserPage
from statecrawl.crawler import crawl_end

CLOSING_SECONDS = 20.0


def main() -> None:
    start, reset, walk = Coverage.start, BrowserPage.reset, BrowserPage.walk
    new: set[str] = set()  # sessions with a document that has not been counted

    async def starting(coverage: Coverage, session: Session) -> None:
        await start(coverage, session)
        session.on("Page.frameNavigated", lambda event: None if "parentId" in event["frame"] else new.add(session.id))

    async def count(page: BrowserPage) -> None:
        if page._session is not None and page._session.id in new:
            new.discard(page._session.id)
            await page._take_coverage()

    async def resetting(page: BrowserPage, *arguments: Any, **named: Any) -> Any:
        landing = await reset(page, *arguments, **named)
        await count(page)
        return landing

    async def walking(page: BrowserPage, *arguments: Any, **named: Any) -> Any:
        walked = await walk(page, *arguments, **named)
        await count(page)
        return walked

    with (
        patch.object(crawl_end, "CLOSING_SECONDS", CLOSING_SECONDS),
        patch.object(Coverage, "start", starting),
        patch.object(BrowserPage, "reset", resetting),
        patch.object(BrowserPage, "walk", walking),
    ):
        run()


if __name__ == "__main__":
    main()
