"""The one place that creates the pages of an application.

Pages are opened in *worlds*. The crawl itself takes place in world 0. Pages of the other worlds repeat its paths with
another clock and other random numbers, which shows what is dynamic content.
"""

import secrets
from dataclasses import replace

from statecrawl.browser.agent import EPOCH, PATIENCE, STEP, AgentSettings, Ignore
from statecrawl.browser.browsers import Browsers
from statecrawl.browser.coverage import Coverage
from statecrawl.browser.dynamic_content import Rule
from statecrawl.browser.page import BrowserPage
from statecrawl.browser.page_settings import PageSettings
from statecrawl.browser.saved_session import SavedSessions
from statecrawl.browser.traffic import TrafficIndex
from statecrawl.config.plan import CrawlPlan
from statecrawl.config.secrets import sealer_of
from statecrawl.crawler.dangerous_dialogs import declining
from statecrawl.crawler.http_client import HttpClient
from statecrawl.crawler.server_reset import reset_server
from statecrawl.ports.page import Page
from statecrawl.strategies.settings import ModelKind

# By how many milliseconds the clock of each further world is ahead (another day and hour), and by how many more it
# advances at each event (another minute): dates differ at once, and measured time differs after the first event.
WORLD_OFFSET = 40 * 86_400_000 + 3_723_000
WORLD_STEP = 61_000
WORLD_STRETCH = 0.13  # by which timers run longer: ticks of a second differ at once, slides of 3 s or more do not


class PageFactory:
    """Opens the pages of one process in its browsers."""

    def __init__(
        self,
        plan: CrawlPlan,
        browsers: Browsers,
        *,
        traffic: TrafficIndex | None = None,
        until: float | None = None,
        coverage: Coverage | None = None,
        may_hold: bool = True,
    ) -> None:
        """Pages of world 0 record `traffic` and `coverage`, if given, and may hold requests back if `may_hold`.

        No event starts after `until`, by the monotonic clock.
        """
        self.browsers = browsers
        self._plan = plan
        self._traffic = traffic if plan.traffic else None
        self._until = until
        self._coverage = coverage
        self._may_hold = may_hold
        self._agent_name = f"a{secrets.token_hex(12)}"
        self._logins: dict[int, SavedSessions] = {}  # world -> sessions that its pages share

    async def make(self, world: int, rules: frozenset[Rule]) -> BrowserPage:
        """Return a page of a world that tells states apart under the given rules. It opens when it is first used."""
        is_crawled = world == 0
        settings = replace(
            page_settings(self._plan, self._agent_name, world, rules),
            until=self._until,
            logins=self._logins.setdefault(world, SavedSessions()),
            holds=is_crawled and self._may_hold,
        )
        traffic, coverage = (self._traffic, self._coverage) if is_crawled else (None, None)
        return BrowserPage(self.browsers, settings, traffic, coverage)

    @staticmethod
    def is_worn(page: Page) -> bool:
        """Return whether the next reset would replace the page by a new one."""
        return isinstance(page, BrowserPage) and page.is_worn()

    def browsers_started(self) -> int:
        """Return how many browsers this process has started so far."""
        return self.browsers.started

    async def reset_server(self) -> None:
        """Reset the server as the plan asks. Raises SiteUnreachable."""
        await reset_server(self._plan.resetting, HttpClient.of(self._plan))


def page_settings(plan: CrawlPlan, name: str, world: int, rules: frozenset[Rule]) -> PageSettings:
    """Return the settings of a page. Every world but the first has another seed and another clock."""
    saved = plan.resetting.storage_state or {}
    agent = AgentSettings(
        name=name,
        seed=plan.seed + 7919 * world,
        epoch=EPOCH + WORLD_OFFSET * world,
        step=STEP + WORLD_STEP * world,
        patience=PATIENCE if plan.max_concurrent is None else max(PATIENCE, int(plan.event_seconds * 1000)),
        horizon=int(plan.horizon_seconds * 1000),
        stretch=1 + WORLD_STRETCH * world,
        equivalence=plan.equivalence,
        rules=tuple(sorted(rules)),
        ignore=Ignore(
            selectors=plan.ignore_selectors,
            attributes=plan.ignore_attributes,
            patterns=plan.ignore_patterns,
            hidden=plan.ignore_hidden,
        ),
        values=plan.values,
        allow=plan.scope.url_patterns(plan.url),
        deny=plan.scope.deny,
        session=plan.resetting.session,
        login=tuple((step["verb"], step["selector"]) for step in plan.resetting.login if "verb" in step),
        site=plan.site is not None,
        regions=plan.model_used is not ModelKind.STATES,
        boxes=plan.model_used is not ModelKind.STATES and plan.screenshots,
        denied=plan.scope.denied_selectors,
        declining=() if plan.scope.allow_dangerous else declining(),
    )
    return PageSettings(
        url=plan.url,
        agent=agent,
        event_seconds=plan.event_seconds,
        load_seconds=plan.load_seconds,
        read_only=plan.scope.read_only,
        trusted=plan.trusted,
        access=plan.access,
        recycle_events=plan.recycle_events,
        login=plan.resetting.login,
        sealer=sealer_of(plan),
        cookies=tuple(saved.get("cookies", ())),
        storage=tuple(
            (origin["origin"], item["name"], item["value"])
            for origin in saved.get("origins", ())
            for item in origin.get("localStorage", ())
        ),
    )
