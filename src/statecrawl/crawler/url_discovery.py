"""Discovery of URLs: what states, servers and traffic name becomes an event of the application's first state.

Theory of operation
    `SiteUrls` decides which URLs are opened and by which event. This module collects them from three sources: the
    snapshot of each new state, files meant for crawlers, and the traffic of pages. URLs from snapshots become events at
    once. URLs from traffic wait in `Politeness.offers` until `report_new` adds them, so that an exchange that
    arrives in the middle of a walk does not change the first state during that walk.

    Whether robots.txt allows a URL may take a request, so every method that asks is asynchronous, and another page may
    run meanwhile.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from statecrawl.config.plan import CrawlPlan
from statecrawl.crawler.fact_reporter import FactReporter
from statecrawl.crawler.http_client import REDIRECTS
from statecrawl.crawler.politeness import Politeness
from statecrawl.crawler.refusals import Refusals
from statecrawl.crawler.site_urls import Offers, SiteUrls
from statecrawl.journal.facts import EventAdded, EventRefused
from statecrawl.journal.refusal_reasons import OUT_OF_SCOPE, ROBOTS
from statecrawl.model.event import OPENS, TRIES, opened_url
from statecrawl.ports.page import Snapshot
from statecrawl.ports.recorder import EvidenceSink
from statecrawl.ports.traffic import Exchange, ObservedExchange
from statecrawl.privacy.seals import Sealer
from statecrawl.strategies.orders import StateEvent

ROBOTS_WARNING = "robots.txt asks crawlers not to open some URLs: if the site is yours, use --ignore-robots"
LEAST_ERROR = 400  # status of HTTP


def site_urls_of(plan: CrawlPlan) -> SiteUrls | None:
    """Return the URL finder of a plan; None where only one page and what its events lead to is crawled."""
    if plan.site is None:
        return None
    refusals = Refusals(plan.scope)
    return SiteUrls(plan.site, plan.url, plan.scope.url_patterns(plan.url), plan.scope.deny, refusals.of_url)


@dataclass(slots=True)
class UrlDiscovery:
    """Finds the URLs to open in one process, as long as the rules for states do not change."""

    plan: CrawlPlan
    reporter: FactReporter
    evidence: EvidenceSink
    politeness: Politeness
    sealer: Sealer | None  # seals secrets in event names; None when secrets are not sealed
    first_state: str | None = None  # the state in which the application started last
    _urls: SiteUrls | None = field(init=False)
    _reported: int = 0  # how many of `politeness.offers`
    _redirects: list[ObservedExchange] = field(default_factory=list)  # whose bodies were not requested yet
    _opening_states: dict[str, str] = field(default_factory=dict)  # event that opens a URL -> state that has it

    def __post_init__(self) -> None:
        self._urls = site_urls_of(self.plan)

    # -- sources --

    @property
    def needs_traffic(self) -> bool:
        """Whether the traffic of pages may name URLs to open."""
        return self._urls is not None and self._urls.reads_exchanges

    def add_exchange(self, exchange: Exchange, state: str, event: str | None) -> None:
        """Store an exchange, and remember the URLs that it names until `report_new`."""
        self.evidence.note([exchange], state, event)
        if self._urls is not None:
            self._remember(self._urls.from_exchange(exchange))
            if exchange.kind == "Document" and exchange.method == "GET" and exchange.status in REDIRECTS:
                self._redirects.append((exchange, state, event))

    def add_windows(self, urls: Iterable[str]) -> None:
        """Remember the URLs of windows that a page tried to open, if they are in scope, until `report_new`."""
        if self._urls is not None:
            for url in urls:
                self._remember(self._urls.from_window(url))

    async def offered_by(self, snapshot: Snapshot, *, is_first: bool) -> Offers:
        """URLs to open that a state names; those in files for crawlers belong to the first state."""
        urls, files = self._urls, self.politeness.files
        if urls is None:
            return {}
        found, offers = dict(urls.from_snapshot(snapshot)), self.politeness.offers
        if files is not None:
            before = len(offers)
            async for exchange in files.of_page(snapshot.html, snapshot.url):
                self._add_file(exchange, urls)
            found = {**found, **dict(list(offers.items())[before:]), **found}
            if is_first:
                async for exchange in files.for_crawlers():
                    self._add_file(exchange, urls)
                found = {**found, **offers, **found}  # also those from before the rules were revised
        return found

    def _add_file(self, exchange: Exchange, urls: SiteUrls) -> None:
        if self.plan.traffic and exchange.status < LEAST_ERROR:  # a site without such files is not broken
            self.evidence.note([exchange], "", None)
        self._remember(urls.from_exchange(exchange))

    async def _follow_redirects(self) -> None:
        files, urls = self.politeness.files, self._urls
        while self._redirects and files is not None and urls is not None:
            redirect, state, event = self._redirects.pop()
            found = await files.of_redirect(redirect.url)
            if found is None:
                continue
            self._remember(urls.from_exchange(found))
            if self.plan.traffic and found.status == redirect.status:
                whole = replace(redirect, response_body=found.response_body, missing=found.missing)
                self.evidence.note([whole], state, event)

    def _remember(self, offers: Offers) -> None:
        for url, offered in offers.items():
            self.politeness.offers.setdefault(url, offered)

    # -- events --

    async def report_new(self) -> None:
        """Add an event to the first state for each URL that was remembered since the last call."""
        await self._follow_redirects()
        offers = self.politeness.offers
        if self._urls is None or self.first_state is None or len(offers) == self._reported:
            return
        fresh = dict(list(offers.items())[self._reported :])
        self._reported += len(fresh)  # before the next await: another page may call this meanwhile
        reasons = await self.refusal_reasons(fresh)
        events = self.new_events(fresh, self.first_state)
        self.add_events(events)
        self.refuse(self.first_state, events, reasons)

    def add_events(self, events: Iterable[str]) -> None:
        """Report that the first state has these events."""
        if self.first_state is not None:
            self.reporter.report(*(EventAdded(state=self.first_state, event=event) for event in events))

    def new_events(self, offers: Offers, first_state: str | None) -> list[str]:
        """Events for those URLs that nothing has named before; `first_state` gets them."""
        return [] if self._urls is None else self._sealed_events(self._urls.new_events(offers), first_state)

    def report_missing_page(self, event: str) -> None:
        """A guessed URL has no page. If the application offers it all the same, opening it shows a state."""
        url = opened_url(self._opened(event))
        if self._urls is not None and self.first_state is not None and url is not None:
            self.add_events(self._sealed_events(self._urls.mark_missing(url), self.first_state))

    def _sealed_events(self, events: Iterable[str], first_state: str | None) -> list[str]:
        sealed = list(map(self._sealed, events))
        if first_state is not None:
            self._opening_states.update(dict.fromkeys(sealed, first_state))
        return sealed

    def _opened(self, event: str) -> str:
        """The name of an event in the page."""
        return event if self.sealer is None else self.sealer.opened(event)

    def _sealed(self, event: str) -> str:
        """The name of an event outside of the page."""
        return event if self.sealer is None else self.sealer.text(event)

    # -- refusals --

    async def refusal_reasons(self, offers: Offers) -> dict[str, str]:
        """Events for URLs that the plan excludes or that robots.txt disallows, each with the reason."""
        robots, urls = self.politeness.robots, self._urls
        reasons: dict[str, str] = {}
        for url, offered in offers.items():
            if urls is None:
                break
            reason = urls.refusal(url)
            if reason is None and robots is not None and not await robots.allows(url):
                reason = ROBOTS
            if reason is not None:
                reasons[self._sealed(urls.event_for(url, offered=offered))] = reason
        return reasons

    async def refusal_reason(self, event: str) -> str | None:
        """Why an event that opens a URL must not be fired; None when it may be."""
        url, robots = opened_url(self._opened(event)), self.politeness.robots
        if self._urls is None or url is None or not self._urls.is_page(url):
            return OUT_OF_SCOPE
        reason = self._urls.refusal(url)
        return ROBOTS if reason is None and robots is not None and not await robots.allows(url) else reason

    def refuse_reconsidered(self) -> list[str]:
        """Refuse events for URLs that were offered before and turned out to be dangerous; return these events."""
        urls = {} if self._urls is None else self._urls.take_withdrawn()
        reasons = {self._sealed(opens + url): reason for url, reason in urls.items() for opens in (OPENS, TRIES)}
        events = [event for event in reasons if event in self._opening_states]
        self._refuse(((self._opening_states[event], event) for event in events), reasons)
        return events

    def refuse(self, state: str, events: Iterable[str], reasons: Mapping[str, str]) -> None:
        """Report which of these events of a state must not be fired."""
        self._refuse(((state, event) for event in events), reasons)

    def _refuse(self, pairs: Iterable[StateEvent], reasons: Mapping[str, str]) -> None:
        for state, event in pairs:
            reason = reasons.get(event)
            if reason is not None:
                self.reporter.report(EventRefused(state=state, event=event, reason=reason))
                self.warn(reason)

    def warn(self, reason: str) -> None:
        """Warn the user when robots.txt is the reason why an event is refused."""
        if reason == ROBOTS:
            self.reporter.recorder.warnings[ROBOTS_WARNING] = None
