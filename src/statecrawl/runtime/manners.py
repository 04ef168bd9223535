"""Manners: what a crawl does so as not to be a burden, made ready before the first page is opened."""

import asyncio
from dataclasses import dataclass, field

from statecrawl.browser.pace import Pace, rest
from statecrawl.errors import BadInput
from statecrawl.model.redaction import BLANK
from statecrawl.runtime.client import Client
from statecrawl.runtime.files import Files
from statecrawl.runtime.plan import CrawlPlan, origin
from statecrawl.runtime.robots import Robots


@dataclass(frozen=True, slots=True)
class Manners:
    """Of one process."""

    robots: Robots | None = None  # None: nobody's wishes are asked for
    pace: Pace | None = None  # None: as fast as it goes, and nobody counts
    warnings: tuple[str, ...] = ()
    files: Files | None = None  # None: nobody asks for what is meant for crawlers
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


async def manners_of(plan: CrawlPlan) -> Manners:
    """What a plan asks for, and the server where it begins. Raises BadInput when that does not want to be crawled."""
    robots = None if plan.ignore_robots else Robots(Client.of(plan))
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
    pace = Pace(delay, plan.most_concurrent) if wanted else None
    return Manners(robots, pace, tuple(warnings), _files(plan, robots, pace))


def _files(plan: CrawlPlan, robots: Robots | None, pace: Pace | None) -> Files | None:
    """What to ask for beside pages, where a whole site is crawled."""
    if plan.site is None:
        return None
    client = Client.of(plan)
    return Files(
        client=client,
        robots=robots or Robots(client),
        heeds=robots is not None,
        pace=pace,
        first=plan.url,
        holds=lambda url: plan.scope.holds(plan.url, url),
    )
