"""Politeness of a crawl towards servers: robots.txt, pace and files for crawlers, prepared before the first page."""

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
    """Politeness of one process."""

    robots: Robots | None = None  # None: robots.txt is ignored
    pace: RequestPace | None = None  # None: no limit, and requests are not counted
    warnings: tuple[str, ...] = ()
    files: SiteFiles | None = None  # None: files for crawlers are not requested
    offers: dict[str, bool] = field(default_factory=dict)  # URLs to open that traffic named, in all runs; see `Offers`
    _hurry: asyncio.Event = field(default_factory=asyncio.Event)

    async def rest(self, seconds: float) -> None:
        """Send no request for so long. Raises OutOfTime when the crawl ends meanwhile."""
        await rest(seconds, self._hurry)

    def hurry(self) -> None:
        """End all waits for servers, because the crawl ends."""
        self._hurry.set()
        if self.pace is not None:
            self.pace.hurry.set()

    def requests(self) -> int:
        """How many requests were sent; 0 where they are not counted."""
        return 0 if self.pace is None else self.pace.requests


async def politeness_of(plan: CrawlPlan) -> Politeness:
    """The politeness that the plan and the server of its first page ask for.

    Raises BadInput when the server's robots.txt disallows the first page.
    """
    robots = None if plan.ignore_robots else Robots(HttpClient.of(plan))
    delay, warnings = plan.delay_seconds, []
    if robots is not None:
        if not await robots.allows(plan.url):
            raise BadInput(
                f"the robots.txt of {origin(plan.url)} asks crawlers not to open {BLANK.text(plan.url)}: if the site is"
                " yours, use --ignore-robots."
            )
        wanted = await robots.delay(plan.url)
        if wanted > delay:
            delay = wanted
            warnings.append(f"robots.txt asks for {wanted:g} s between requests: the crawl takes that time")
    is_paced = delay or plan.max_concurrent is not None or plan.limits.requests is not None
    pace = RequestPace(delay, plan.max_concurrent) if is_paced else None
    return Politeness(robots, pace, tuple(warnings), _files(plan, robots, pace))


def _files(plan: CrawlPlan, robots: Robots | None, pace: RequestPace | None) -> SiteFiles | None:
    """The files for crawlers, where a whole site is crawled."""
    if plan.site is None:
        return None
    client = HttpClient.of(plan)
    return SiteFiles(
        client=client,
        robots=robots or Robots(client),
        heeds=robots is not None,
        pace=pace,
        first=plan.url,
        holds=lambda url: plan.scope.contains(plan.url, url),
    )
