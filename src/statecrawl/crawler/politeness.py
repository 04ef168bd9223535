"""Manners: what a crawl does so as not to be a burden, made ready before the first page is opened."""

import asyncio
from dataclasses import dataclass, field

from statecrawl.browser.request_pace import RequestPace, rest
from statecrawl.config.plan import CrawlPlan, origin
from statecrawl.crawler.http_client import HttpClient
from statecrawl.crawler.robots import Robots
from statecrawl.crawler.site_files import SiteFiles
from statecrawl.errors import BadInput
from statecrawl.privacy.redaction import BLANK


@dataclass(frozen=True, slots=True)
class Politeness:
    """Of one process."""

    robots: Robots | None = None  # None: nobody's wishes are asked for
    pace: RequestPace | None = None  # None: as fast as it goes, and nobody counts
    warnings: tuple[str, ...] = ()
    files: SiteFiles | None = None  # None: nobody asks for what is meant for crawlers
    heard: dict[str, bool] = field(default_factory=dict)  # URLs to open that traffic named, in all runs; see `site`
    _hurry: asyncio.Event = field(default_factory=asyncio.Event)

    async def rest(self, seconds: float) -> None:
        """Leave servers alone for so long. Raises Hurried when the crawl is to end meanwhile."""
        await rest(seconds, self._hurry)

    def hurry(self) -> None:
        """Have whoever waits for a server give up: the crawl is to end."""
        self._hurry.set()
        if self.pace is not None:
            self.pace.hurry.set()

    def requests(self) -> int:
        """How many were made, where somebody counts."""
        return 0 if self.pace is None else self.pace.requests


async def manners_of(plan: CrawlPlan) -> Politeness:
    """What a plan asks for, and the server where it begins. Raises BadInput when that does not want to be crawled."""
    robots = None if plan.ignore_robots else Robots(HttpClient.of(plan))
    delay, warnings = plan.delay_seconds, []
    if robots is not None:
        if not await robots.allows(plan.url):
            raise BadInput(
                f"the robots.txt of {origin(plan.url)} asks crawlers not to open {BLANK.text(plan.url)}: if the site is"
                " yours, say --ignore-robots."
            )
        asked = await robots.delay(plan.url)
        if asked > delay:
            delay = asked
            warnings.append(f"robots.txt asks for {asked:g} s between requests: the crawl takes that time")
    wanted = delay or plan.most_concurrent is not None or plan.limits.requests is not None
    pace = RequestPace(delay, plan.most_concurrent) if wanted else None
    return Politeness(robots, pace, tuple(warnings), _files(plan, robots, pace))


def _files(plan: CrawlPlan, robots: Robots | None, pace: RequestPace | None) -> SiteFiles | None:
    """What to ask for beside pages, where a whole site is crawled."""
    if plan.site is None:
        return None
    client = HttpClient.of(plan)
    return SiteFiles(
        client=client,
        robots=robots or Robots(client),
        heeds=robots is not None,
        pace=pace,
        first=plan.url,
        holds=lambda url: plan.scope.holds(plan.url, url),
    )
