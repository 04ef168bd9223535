"""Where the real parts meet: the only module that names the browser, the journal and the evidence together."""

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing
from dataclasses import replace

from statecrawl.browser.agent import EPOCH, PATIENCE, STEP, AgentSettings, Ignore
from statecrawl.browser.browsers import Browsers
from statecrawl.browser.chromium import find_browser
from statecrawl.browser.coverage import Coverage
from statecrawl.browser.dynamic_content import Rule
from statecrawl.browser.page import BrowserPage
from statecrawl.browser.saved_session import SavedSessions
from statecrawl.browser.tab import PageSettings
from statecrawl.browser.traffic import KeptTraffic
from statecrawl.config.plan import CrawlPlan
from statecrawl.config.secrets import keyed_redactor, sealer_of, with_key
from statecrawl.crawler.dangerous_dialogs import declining
from statecrawl.crawler.hooks import HookedEvidence, HookedJournal, Hooks
from statecrawl.crawler.http_client import HttpClient
from statecrawl.crawler.loop import CrawlLoop, CrawlParts
from statecrawl.crawler.new_states import addresses_of
from statecrawl.crawler.outcome import Outcome, qualified
from statecrawl.crawler.politeness import Politeness, manners_of
from statecrawl.crawler.server_reset import reset_server
from statecrawl.errors import SiteUnreachable
from statecrawl.privacy.redaction import MARKER
from statecrawl.stores.evidence import JOURNAL_NAME, EvidenceWriter
from statecrawl.stores.sqlite_journal import open_journal
from statecrawl.stores.traffic import TrafficReader

# By how many milliseconds the clock of another world is ahead (other day, other hour), and by how many more it advances
# at each event (other minute): dates differ at once, and time that was measured differs after the first event.
ELSEWHEN = 40 * 86_400_000 + 3_723_000
ELSEWHEN_STEP = 61_000
ELSEWHEN_STRETCH = (
    0.13  # by which timers run longer: ticks of a second differ at once, and slides of 3 s or more do not
)


async def crawl(
    plan: CrawlPlan,
    begun: Callable[[CrawlLoop], None],
    told: Callable[[CrawlLoop], None],
    hooks: Hooks | None = None,
) -> Outcome:
    """Crawl as planned. `begun` is given the crawl before it runs, `told` after every task.

    Raises what the parts raise: BadInput, StoreError, BrowserError, SiteUnreachable.
    """
    program, begun_at = find_browser(plan.browser), time.perf_counter()
    until = None if plan.limits.seconds is None else time.monotonic() + plan.limits.seconds
    manners = await manners_in_time(plan)
    with (
        closing(EvidenceWriter(plan.out, keyed_redactor(plan))) as evidence,
        closing(open_journal(plan.out / JOURNAL_NAME)) as journal,
    ):
        plan = with_key(plan)
        manners.heard.update(heard_before(plan))
        browsers = Browsers(program, plan.recycle_bytes * plan.pages, pace=manners.pace)
        coverage = Coverage() if plan.coverage else None
        make_page = page_maker(plan, browsers, KeptTraffic(evidence.exchanges), until, coverage)

        async def before_reset() -> None:
            await reset_server(plan.resetting, HttpClient.of(plan))
            if hooks is not None:
                await hooks.reset()

        crawling = CrawlLoop(
            plan,
            CrawlParts(
                journal=journal if hooks is None else HookedJournal(journal, hooks),
                keeper=evidence if hooks is None else HookedEvidence(evidence, hooks),
                make_page=make_page,
                before_reset=before_reset,
                browser_bytes=browsers.resident_bytes,
                manners=manners,
                browsers=lambda: browsers.started,
                told=told,
                resets_server=plan.resetting.of_server or (hooks is not None and hooks.before_reset is not None),
                make_strategy=None if hooks is None else hooks.strategy,
                is_worn=lambda page: isinstance(page, BrowserPage) and page.is_worn(),
            ),
            begun_at,
        )
        begun(crawling)
        try:
            outcome = await crawling.run()
            return qualified(outcome, crawling.crawl, evidence)
        finally:
            await asyncio.shield(browsers.close(at_once=crawling.is_out_of_time))
            if coverage is not None:
                evidence.cover(coverage.scripts())


async def manners_in_time(plan: CrawlPlan) -> Politeness:
    """What a plan asks for, and the server, if it answers before the time is over. Raises BadInput, SiteUnreachable."""
    try:
        async with asyncio.timeout(plan.limits.seconds):
            return await manners_of(plan)
    except TimeoutError as late:
        raise SiteUnreachable(f"{plan.url} did not answer within --max-time {plan.limits.seconds:g}s.") from late


def heard_before(plan: CrawlPlan) -> Iterator[tuple[str, bool]]:
    """Addresses to open that the traffic of earlier runs names: some may have ended before they could say so."""
    addresses = addresses_of(plan)
    if addresses is not None and addresses.listens:
        for recorded in TrafficReader(plan.out).read():
            yield from (each for each in addresses.heard(recorded.exchange).items() if MARKER not in each[0])


def page_maker(
    plan: CrawlPlan, browsers: Browsers, ledger: KeptTraffic, until: float | None, coverage: Coverage | None = None
) -> Callable[[int, frozenset[Rule]], Awaitable[BrowserPage]]:
    """Makes the pages of one process, in the n-th world and under given rules; no event starts after `until`."""
    name = f"a{secrets.token_hex(12)}"
    logins: dict[int, SavedSessions] = {}  # of each world

    async def make_page(world: int, rules: frozenset[Rule]) -> BrowserPage:
        settings = page_settings(plan, name, world, rules)
        settings = replace(settings, until=until, logins=logins.setdefault(world, SavedSessions()), holds=world == 0)
        return BrowserPage(browsers, settings, heard(plan, world, ledger), coverage if world == 0 else None)

    return make_page


def heard(plan: CrawlPlan, world: int, ledger: KeptTraffic) -> KeptTraffic | None:
    """Where a page keeps account of its traffic, if it does. What other worlds ask for is no part of the crawl."""
    return ledger if plan.traffic and world == 0 else None


def page_settings(plan: CrawlPlan, name: str, world: int, rules: frozenset[Rule]) -> PageSettings:
    """How a page is opened. In every world but the first, chance and time are others."""
    saved = plan.resetting.storage_state or {}
    agent = AgentSettings(
        name=name,
        seed=plan.seed + 7919 * world,
        epoch=EPOCH + ELSEWHEN * world,
        step=STEP + ELSEWHEN_STEP * world,
        patience=PATIENCE if plan.most_concurrent is None else max(PATIENCE, int(plan.event_seconds * 1000)),
        horizon=int(plan.horizon_seconds * 1000),
        stretch=1 + ELSEWHEN_STRETCH * world,
        equivalence=plan.equivalence,
        rules=tuple(sorted(rules)),
        ignore=Ignore(
            selectors=plan.ignore_selectors,
            attributes=plan.ignore_attributes,
            patterns=plan.ignore_patterns,
            hidden=plan.ignore_hidden,
        ),
        values=plan.values,
        allow=plan.scope.addresses(plan.url),
        deny=plan.scope.deny,
        session=plan.resetting.session,
        login=tuple((step["verb"], step["selector"]) for step in plan.resetting.login if "verb" in step),
        site=plan.site is not None,
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
