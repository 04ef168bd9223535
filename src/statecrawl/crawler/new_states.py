"""Meeting a state: it is looked at once, when it is first seen, and what was seen is kept and reported.

Which events of a state must not be fired is decided from that look, by every process for itself (see
`coordination.inspection`): a state that others have described is looked at again before anything new is fired there.
"""

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from statecrawl.browser.dynamic_content import Rule
from statecrawl.browser.lookalikes import Likeness, Lookalikes, data_attributes, marks, notes_of_fields
from statecrawl.config.plan import CrawlPlan
from statecrawl.config.secrets import redactor_of, sealer_of
from statecrawl.coordination.inspection import Inspection
from statecrawl.crawler.http_client import REDIRECTS
from statecrawl.crawler.normal_forms import NormalForms
from statecrawl.crawler.politeness import Politeness
from statecrawl.crawler.refusals import Refusals
from statecrawl.crawler.rule_search import RuleSearch
from statecrawl.crawler.site_urls import Offers, SiteUrls
from statecrawl.crawler.start_page import snapshot_notes
from statecrawl.crawler.trail import Trail
from statecrawl.crawler.widget import OF_ONE_NODE, WidgetWatch
from statecrawl.errors import PageLost
from statecrawl.journal.facts import EventAdded, EventRefused, Fact, StateFound
from statecrawl.journal.qualifications import CUT
from statecrawl.journal.redaction import redacted
from statecrawl.journal.refusal_reasons import OUT_OF_SCOPE, ROBOTS
from statecrawl.model.event import BACK, OPENS, TRIES, UNOPENED, Event, opened_url
from statecrawl.politeness.control import Control
from statecrawl.ports.page import UNREVEALED, Note, Page, Snapshot, lines_of
from statecrawl.ports.recorder import EvidenceSink, Recorder
from statecrawl.ports.traffic import Exchange, ObservedExchange
from statecrawl.privacy.redaction import Redactor
from statecrawl.privacy.seals import Sealer
from statecrawl.strategies.orders import StateEvent

UNWANTED_WARNING = "robots.txt asks crawlers not to open some addresses: if the site is yours, say --ignore-robots"
LEAST_ERROR = 400  # status of HTTP
MOST_DOUBLES = 50  # states that look like others, to be compared when there is time


class RulesRevised(Exception):
    """States have to be told apart by these rules, too."""

    def __init__(self, rules: frozenset[Rule]) -> None:
        super().__init__()
        self.rules = rules
        self.names: dict[str, str] = {}  # the ids of states under them, as far as they can be told


def addresses_of(plan: CrawlPlan) -> SiteUrls | None:
    """Finds addresses to open; None where only one page is crawled, and what its events lead to."""
    if plan.site is None:
        return None
    refusals = Refusals(plan.scope)
    return SiteUrls(plan.site, plan.url, plan.scope.addresses(plan.url), plan.scope.deny, refusals.of_url)


Doubles = dict[str, tuple[str, Likeness]]  # the normal form of a state, and what it has in common with others


@dataclass(slots=True)
class NewStates:
    """Meets the states of a crawl, as long as nothing changes what a state is."""

    plan: CrawlPlan
    record: Recorder
    keeper: EvidenceSink
    search: RuleSearch | None  # for dynamic content; None: somebody else has found it, or nobody wants to
    known_rules: frozenset[Rule]
    manners: Politeness = field(default_factory=Politeness)
    lookalikes: Lookalikes | None = None  # None: what a state is stays as it is
    first: str | None = None  # the state in which the application began last
    judgement: Inspection = field(default_factory=Inspection)
    redactor: Redactor | None = field(init=False)  # of facts; None when secrets are kept
    _sealer: Sealer | None = field(init=False)
    refusals: Refusals = field(init=False)
    _addresses: SiteUrls | None = None  # None: only what is found at the first address, or by events
    _followed: int = 0  # of what was heard of
    _widgets: WidgetWatch = field(default_factory=WidgetWatch)
    _told_widget: str = ""
    _redirects: list[ObservedExchange] = field(default_factory=list)  # whose bodies nobody has asked for yet
    _hidden: set[str] = field(default_factory=set)  # events of controls that were noted as not to be seen
    forms: NormalForms | None = None  # of the states that were met, while somebody searches for dynamic content
    doubles: Doubles = field(default_factory=dict)  # states that look like others, and were not compared yet
    _openings: dict[str, str] = field(default_factory=dict)  # events that open URLs -> the state that has them
    _put_off: set[str] = field(default_factory=set)  # of these, those that were compared but for a rest

    def __post_init__(self) -> None:
        plan = self.plan
        self.redactor, self._sealer = redactor_of(plan), sealer_of(plan)
        self.refusals = Refusals(plan.scope)
        self._addresses = addresses_of(plan)
        self.record.warnings.update(dict.fromkeys(self.manners.warnings))

    async def meet(
        self,
        page: Page,
        by: StateEvent | None = None,
        *,
        after: str | None = None,
        surprise: bool = False,
        trail: Trail | None = None,
    ) -> str:
        """The state that a page is in: by this pair, or by itself after a state, or else by a reset.

        With `surprise`, the pair led elsewhere before, so that the path cannot be relied on. The `trail` of the page
        says how a new state was reached. Raises PageLost.
        """
        snapshot = await page.describe(lines=True)
        state, refused = snapshot.state, self._judged(snapshot)
        if not self.record.wants(state):
            return state  # it changed once more before it was looked at
        picture = await _drawn(page) if self.plan.screenshots else None
        is_first = by is None and after is None
        named = await self._named(snapshot, is_first=is_first)
        ways, doubted = {} if self.forms is None else self.forms.paths, self._refuse_doubted()
        way = () if by is None else (*ways.get(by[0], ()), by[1])
        repeatable = after is None if by is None else by[0] in ways and by[1] not in (BACK, *doubted) and not surprise
        unwanted = await self._unwanted(named)
        if not self.record.wants(state):
            return state  # another page has met it meanwhile
        self.keeper.keep(snapshot, picture)
        self._widgets.met(snapshot.url, snapshot.normal)
        if self._widgets.is_due:
            self.tell_widget()
        self._note_hidden(snapshot)
        self._note(snapshot, is_first=is_first)
        opens = self._opens(named, state if is_first else self.first)
        names = (*snapshot.events, *opens) if is_first else snapshot.events
        found: Fact = StateFound.of(
            state,
            map(Event.named, names),
            url=snapshot.url,
            title=snapshot.title,
            at=round(time.time(), 3),
            links=snapshot.linked,
            forms=snapshot.submits,
            witness=None if trail is None else trail.witness,
            containers=snapshot.containers,
        )
        found = self._redacted(found)
        if self.first is not None and not is_first:  # before the state: who dies between them has not met it
            self.record.report(*(EventAdded(state=self.first, event=event) for event in opens))
            self._refuse(self.first, opens, unwanted)
        self.record.report(found, *map(self._redacted, refused))
        if trail is not None:
            trail.found(state)
        if is_first:
            self._refuse(state, opens, unwanted)
        if self.forms is not None:
            self.forms.add(state, snapshot.url, snapshot.normal)
        if self.search is not None and repeatable:
            ways[state] = way
            self.search.offer(state, snapshot.normal, way)
        self.look_for_doubles(state, snapshot.normal)
        return state

    def look_for_doubles(self, state: str, normal: str) -> None:
        """Remember a state to be compared if it looks like others."""
        if self.lookalikes is not None and (like := self.lookalikes.met(state, normal)) is not None:
            self.doubles[state] = normal, like
            if len(self.doubles) > MOST_DOUBLES:
                del self.doubles[next(iter(self.doubles))]

    async def judge(self, page: Page) -> str:
        """Look at the state that a page is in, and decide what must not be fired there; which state it is.

        Raises PageLost.
        """
        snapshot = await page.describe()
        self.record.report(*map(self._redacted, self._judged(snapshot)))
        return snapshot.state

    async def judge_by_name(self, pairs: Iterable[StateEvent]) -> None:
        """Decide which of these events must not be fired that no snapshot shows: they open a URL, or go back."""
        for state, event in pairs:
            reason = None
            if event == BACK:
                reason = self.refusals.reason(Control(kind=BACK), BACK)
            elif event.startswith((OPENS, TRIES, UNOPENED)) and self.judgement.refusal((state, event)) is None:
                reason = await self._why_not_open(self._opened(event))
            if reason is not None:
                self.judgement.refuse([EventRefused(state=state, event=event, reason=reason)])
            if reason == ROBOTS:
                self.record.warnings[UNWANTED_WARNING] = None

    async def compare(self, page: Page, state: str, trail: Sequence[str], *, rests: bool = True) -> bool:
        """Find out why a state that was just met looks like others; whether the page is still in it.

        `trail` is where the page was since its last reset. Counters and notes of fields cost next to nothing; without
        `rests`, what takes longer is put off. Raises PageLost and Revised.
        """
        double = self.doubles.pop(state, None)
        if double is None or self.lookalikes is None or (self.forms is not None and self.forms.is_full):
            return True
        normal, like = double
        if state not in self._put_off:
            await self._find_counters(page, self.lookalikes.counters(state, like, trail))
            await self._find_notes(page, normal, self.lookalikes.marked_otherwise(like))
        if not rests and self.lookalikes.has_other_marks(like):
            self.doubles[state] = double
            self._put_off.add(state)
            return True
        if not self.lookalikes.wants_rest(state, like):
            return True
        quiet = await page.rest()
        rested = await page.describe(lines=True)
        found = marks(lines_of(normal), lines_of(rested.normal), self.known_rules) if quiet else frozenset()
        if rules := found - self.known_rules:
            raise RulesRevised(rules)
        return rested.state == state

    def left_to_compare(self) -> tuple[str, tuple[str, ...]] | None:
        """A state that looks like others and was not compared yet, and the events that lead to it."""
        if self.lookalikes is None or self.lookalikes.is_tired or self.forms is None:
            return None
        for state, (_, like) in tuple(self.doubles.items()):
            if state in self.forms.paths and self.lookalikes.has_other_marks(like):
                return state, self.forms.paths[state]
            del self.doubles[state]
        return None

    async def _find_counters(self, page: Page, rules: frozenset[Rule]) -> None:
        if rules:
            seen = await page.styled(data_attributes(rules))
            rules = frozenset(rule for rule in rules if not data_attributes([rule]) & seen) - self.known_rules
        if rules:
            raise RulesRevised(rules)

    async def _find_notes(self, page: Page, normal: str, others: Iterable[str]) -> None:
        """Leave out classes that only say what was done to fields before, and that nobody sees."""
        for other in others:
            known = None if self.forms is None else self.forms.normal(other)
            found = frozenset() if known is None else notes_of_fields(lines_of(known), lines_of(normal))
            words = {word for _, word in found}
            if words and not await page.styled(words) and (rules := found - self.known_rules):
                raise RulesRevised(rules)

    def tell_widget(self) -> None:
        """Say in which widget the crawl is stuck, if it is."""
        widget = self._widgets.stuck()
        if widget is not None:
            self.record.warnings.pop(self._told_widget, None)  # the figures were others then
            self._told_widget = widget.sentence() if self.plan.fleet is None else widget.sentence(OF_ONE_NODE)
            self.record.warnings[self._told_widget] = None

    def _note(self, snapshot: Snapshot, *, is_first: bool) -> None:
        """Keep what is wrong with a page as far as it was described."""
        notes = list(snapshot_notes(self.plan, snapshot)) if is_first else []
        if snapshot.cut:
            notes.append(Note(CUT, f"{snapshot.url} (state {snapshot.state})"))
        self.keeper.note(notes, snapshot.state, None)

    def heard(self, exchange: Exchange, state: str, event: str | None) -> None:
        """An exchange is kept, and what it names remembered until `follow`."""
        self.keeper.note([exchange], state, event)
        if self._addresses is not None:
            self._remember(self._addresses.from_exchange(exchange))
            if exchange.kind == "Document" and exchange.method == "GET" and exchange.status in REDIRECTS:
                self._redirects.append((exchange, state, event))

    def windows(self, urls: Iterable[str]) -> None:
        """Windows that a page wanted to open: those in scope are remembered until `follow`."""
        if self._addresses is not None:
            for url in urls:
                self._remember(self._addresses.from_window(url))

    @property
    def listens(self) -> bool:
        """Whether what pages ask for may name addresses to open."""
        return self._addresses is not None and self._addresses.reads_exchanges

    async def follow(self) -> None:
        """Have those opened that were heard of."""
        await self._look_behind_redirects()
        if self._addresses is None or self.first is None or len(self.manners.heard) == self._followed:
            return
        named = dict(list(self.manners.heard.items())[self._followed :])
        self._followed += len(named)  # at once: another page may come here meanwhile
        unwanted = await self._unwanted(named)
        opens = self._opens(named, self.first)
        self.record.report(*(EventAdded(state=self.first, event=event) for event in opens))
        self._refuse(self.first, opens, unwanted)

    def has_no_page(self, event: str) -> None:
        """A guessed URL has no page: where the application offers it all the same, that is for a state to show."""
        url = opened_url(self._opened(event))
        if self._addresses is not None and self.first is not None and url is not None:
            opens = self._remembered(self._addresses.mark_missing(url), self.first)
            self.record.report(*(EventAdded(state=self.first, event=event) for event in opens))

    async def _look_behind_redirects(self) -> None:
        files, addresses = self.manners.files, self._addresses
        while self._redirects and files is not None and addresses is not None:
            redirect, state, event = self._redirects.pop()
            found = await files.of_redirect(redirect.url)
            if found is None:
                continue
            self._remember(addresses.from_exchange(found))
            if self.plan.traffic and found.status == redirect.status:
                whole = replace(redirect, response_body=found.response_body, missing=found.missing)
                self.keeper.note([whole], state, event)

    def _note_hidden(self, snapshot: Snapshot) -> None:
        """Note each control once that is in the page and can not be seen; perhaps another state shows it."""
        fresh = [event for event in snapshot.hidden if event not in self._hidden]
        self._hidden.update(fresh)
        if fresh:
            self.keeper.note([Note(UNREVEALED, event) for event in fresh], snapshot.state, None)

    async def _named(self, snapshot: Snapshot, *, is_first: bool) -> Offers:
        """URLs to open that a state names; the first one also stands for what servers tell crawlers."""
        addresses, files = self._addresses, self.manners.files
        if addresses is None:
            return {}
        found, heard = dict(addresses.from_snapshot(snapshot)), self.manners.heard
        if files is not None:
            before = len(heard)
            async for exchange in files.of_page(snapshot.html, snapshot.url):
                self._kept(exchange, addresses)
            found = {**found, **dict(list(heard.items())[before:]), **found}
            if is_first:
                async for exchange in files.for_crawlers():
                    self._kept(exchange, addresses)
                found = {**found, **heard, **found}  # also what was heard before the rules were revised
        return found

    def _kept(self, exchange: Exchange, addresses: SiteUrls) -> None:
        if self.plan.traffic and exchange.status < LEAST_ERROR:  # a site without them is no broken one
            self.keeper.note([exchange], "", None)
        self._remember(addresses.from_exchange(exchange))

    def _remember(self, named: Offers) -> None:
        """Keep what is to be opened until `follow`."""
        for url, offered in named.items():
            self.manners.heard.setdefault(url, offered)

    async def _unwanted(self, named: Offers) -> dict[str, str]:
        """Events that open what the plan excludes or servers want crawlers to leave alone, each with the reason."""
        robots, addresses = self.manners.robots, self._addresses
        unwanted: dict[str, str] = {}
        for url, offered in named.items():
            if addresses is None:
                break
            reason = addresses.refusal(url)
            if reason is None and robots is not None and not await robots.allows(url):
                reason = ROBOTS
            if reason is not None:
                unwanted[self._sealed(addresses.event_for(url, offered=offered))] = reason
        return unwanted

    async def _why_not_open(self, event: str) -> str | None:
        """Why the event that opens a URL must not be fired, by its name in the page."""
        url, robots = opened_url(event), self.manners.robots
        if self._addresses is None or url is None or not self._addresses.is_page(url):
            return OUT_OF_SCOPE
        reason = self._addresses.refusal(url)
        return ROBOTS if reason is None and robots is not None and not await robots.allows(url) else reason

    def _opened(self, event: str) -> str:
        """What the event is called in the page."""
        return event if self._sealer is None else self._sealer.opened(event)

    def _sealed(self, event: str) -> str:
        """What the event is called outside of the page."""
        return event if self._sealer is None else self._sealer.text(event)

    def _opens(self, named: Offers, first: str | None) -> list[str]:
        """The events of URLs that nobody has named before, which are added to this first state."""
        return [] if self._addresses is None else self._remembered(self._addresses.new_events(named), first)

    def _remembered(self, opens: Iterable[str], first: str | None) -> list[str]:
        """What these events are called outside of the page, remembered with their state."""
        sealed = list(map(self._sealed, opens))
        if first is not None:
            self._openings.update(dict.fromkeys(sealed, first))
        return sealed

    def _refuse_doubted(self) -> list[str]:
        """Report that URLs must not be opened that were named before; the events that would open them."""
        doubted = {} if self._addresses is None else self._addresses.take_withdrawn()
        reasons = {self._sealed(opens + url): reason for url, reason in doubted.items() for opens in (OPENS, TRIES)}
        events = [event for event in reasons if event in self._openings]
        self._refuse_at(((self._openings[event], event) for event in events), reasons)
        if events and self.forms is not None:
            self.forms.avoid(events)
        if events and self.search is not None:
            self.search.avoid(events)
        return events

    def _refuse(self, first: str, opens: Iterable[str], unwanted: Mapping[str, str]) -> None:
        """Report which of these events are not to be fired in the first state."""
        self._refuse_at(((first, event) for event in opens), unwanted)

    def _refuse_at(self, pairs: Iterable[StateEvent], unwanted: Mapping[str, str]) -> None:
        for state, event in pairs:
            reason = unwanted.get(event)
            if reason is None:
                continue
            self.record.report(self._redacted(EventRefused(state=state, event=event, reason=reason)))
            if reason == ROBOTS:
                self.record.warnings[UNWANTED_WARNING] = None

    def _redacted(self, fact: Fact) -> Fact:
        return fact if self.redactor is None else redacted(fact, self.redactor)

    def _judged(self, snapshot: Snapshot) -> list[EventRefused]:
        """What must not be fired in a state, which is known from now on."""
        refused = list(self.refusals.of(snapshot))
        self.judgement.judge(snapshot.state, refused)
        return refused


async def _drawn(page: Page) -> bytes | None:
    """A picture, as far as the page lets itself be drawn."""
    try:
        return await page.picture()
    except PageLost:
        return None
