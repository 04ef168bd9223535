"""New states: each is described once, when it is first seen; what the page shows is stored and reported.

Which events of a state must not be fired follows from its description. Every process decides that for itself (see
`coordination.inspection`): before it fires anything new in a state that another process has described, it inspects the
state.
"""

import time
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from statecrawl.browser.dynamic_content import Rule
from statecrawl.browser.lookalikes import Lookalikes
from statecrawl.config.plan import CrawlPlan
from statecrawl.config.secrets import redactor_of, sealer_of
from statecrawl.coordination.inspection import Inspection
from statecrawl.crawler.fact_reporter import FactReporter
from statecrawl.crawler.lookalike_comparison import LookalikeComparison
from statecrawl.crawler.politeness import Politeness
from statecrawl.crawler.refusals import Refusals
from statecrawl.crawler.rule_search import RuleSearch
from statecrawl.crawler.start_page import snapshot_notes
from statecrawl.crawler.stored_normal_forms import NormalForms
from statecrawl.crawler.trail import Trail
from statecrawl.crawler.url_discovery import UrlDiscovery
from statecrawl.crawler.widget import OF_ONE_NODE, WidgetWatch
from statecrawl.errors import PageLost
from statecrawl.journal.facts import EventRefused, StateFound
from statecrawl.journal.qualifications import CUT
from statecrawl.model.event import BACK, OPENS, TRIES, UNOPENED
from statecrawl.politeness.control import Control
from statecrawl.ports.page import UNREVEALED, Note, Page, Snapshot
from statecrawl.ports.recorder import EvidenceSink, Recorder
from statecrawl.strategies.orders import StateEvent


@dataclass(slots=True)
class NewStates:
    """Describes the states of a crawl, as long as the rules that identify states do not change."""

    plan: CrawlPlan
    recorder: Recorder
    evidence: EvidenceSink
    search: RuleSearch | None  # for dynamic content; None where another node has done it, or the plan turns it off
    rules: frozenset[Rule]  # in force
    politeness: Politeness = field(default_factory=Politeness)
    lookalikes: Lookalikes | None = None  # None: the rules are final
    forms: NormalForms | None = None  # of the states found, while dynamic content is searched for
    inspection: Inspection = field(default_factory=Inspection)
    reporter: FactReporter = field(init=False)
    urls: UrlDiscovery = field(init=False)
    comparison: LookalikeComparison = field(init=False)
    _refusals: Refusals = field(init=False)
    _widgets: WidgetWatch = field(default_factory=WidgetWatch)
    _widget_warning: str = ""
    _hidden: set[str] = field(default_factory=set)  # events of controls that were noted as invisible

    def __post_init__(self) -> None:
        self.reporter = FactReporter(self.recorder, redactor_of(self.plan))
        sealer = sealer_of(self.plan)
        self.urls = UrlDiscovery(self.plan, self.reporter, self.evidence, self.politeness, sealer)
        self.comparison = LookalikeComparison(self.lookalikes, self.forms, self.rules)
        self._refusals = Refusals(self.plan.scope)
        self.recorder.warnings.update(dict.fromkeys(self.politeness.warnings))

    @property
    def first_state(self) -> str | None:
        """The state in which the application started last."""
        return self.urls.first_state

    @first_state.setter
    def first_state(self, state: str) -> None:
        self.urls.first_state = state

    async def record(
        self,
        page: Page,
        by: StateEvent | None = None,
        *,
        after: str | None = None,
        surprise: bool = False,
        trail: Trail | None = None,
    ) -> str:
        """Describe, store and report the state that a page is in; return its id.

        The page reached it by the event `by`, on its own from the state `after`, or else by a reset. With `surprise`,
        the event led elsewhere before, so the path cannot be repeated. The `trail` of the page tells how a new state
        was reached. Raises PageLost.
        """
        snapshot = await page.describe(lines=True)
        state, refused = snapshot.state, self._inspected(snapshot)
        if not self.recorder.wants(state):
            return state  # the page changed again before it was described
        picture = await _picture(page) if self.plan.screenshots else None
        is_first = by is None and after is None
        offers = await self.urls.offered_by(snapshot, is_first=is_first)
        path = self._path(by, self._refuse_reconsidered(), repeatable=after is None and not surprise)
        reasons = await self.urls.refusal_reasons(offers)
        if not self.recorder.wants(state):
            return state  # another page has recorded it meanwhile
        self._store(snapshot, picture, is_first=is_first)
        first = state if is_first else self.first_state
        opens = self.urls.new_events(offers, first)
        if not is_first and first is not None:
            # Before the state itself: a process that dies in between has not found the state.
            self.urls.add_events(opens)
            self.urls.refuse(first, opens, reasons)
        found = _state_found(snapshot, (*snapshot.events, *opens) if is_first else snapshot.events, trail)
        self.reporter.report(found, *refused)
        if trail is not None:
            trail.found(state)
        if is_first:
            self.urls.refuse(state, opens, reasons)
        self._remember(snapshot, path)
        return state

    async def inspect(self, page: Page) -> str:
        """Decide which events must not be fired in the state that a page is in; return its id. Raises PageLost."""
        snapshot = await page.describe()
        self.reporter.report(*self._inspected(snapshot))
        return snapshot.state

    async def inspect_by_name(self, pairs: Iterable[StateEvent]) -> None:
        """Decide which of these events must not be fired that no snapshot shows: they open a URL, or go back."""
        for state, event in pairs:
            reason = None
            if event == BACK:
                reason = self._refusals.reason(Control(kind=BACK), BACK)
            elif event.startswith((OPENS, TRIES, UNOPENED)) and self.inspection.refusal((state, event)) is None:
                reason = await self.urls.refusal_reason(event)
            if reason is not None:
                self.inspection.refuse([EventRefused(state=state, event=event, reason=reason)])
                self.urls.warn(reason)

    def warn_of_widget(self) -> None:
        """Warn the user if the crawl is stuck in one widget, and name the widget."""
        widget = self._widgets.stuck()
        if widget is not None:
            self.recorder.warnings.pop(self._widget_warning, None)  # its figures are out of date
            self._widget_warning = widget.sentence() if self.plan.fleet is None else widget.sentence(OF_ONE_NODE)
            self.recorder.warnings[self._widget_warning] = None

    def _path(self, by: StateEvent | None, refused: Collection[str], *, repeatable: bool) -> tuple[str, ...] | None:
        """The events that lead to a new state from the first one; None when they need not lead there again."""
        if not repeatable:
            return None
        if by is None:
            return ()
        known = None if self.forms is None else self.forms.paths.get(by[0])
        return None if known is None or by[1] in (BACK, *refused) else (*known, by[1])

    def _refuse_reconsidered(self) -> list[str]:
        """Refuse events for URLs that turned out to be dangerous, and use no path that needs them."""
        events = self.urls.refuse_reconsidered()
        if events and self.forms is not None:
            self.forms.avoid(events)
        if events and self.search is not None:
            self.search.avoid(events)
        return events

    def _store(self, snapshot: Snapshot, picture: bytes | None, *, is_first: bool) -> None:
        """Store the evidence of a new state, with notes of what is wrong with the page."""
        self.evidence.keep(snapshot, picture)
        self._widgets.add(snapshot.url, snapshot.normal)
        if self._widgets.is_due:
            self.warn_of_widget()
        self._note([Note(UNREVEALED, event) for event in self._newly_hidden(snapshot)], snapshot.state)
        notes = list(snapshot_notes(self.plan, snapshot)) if is_first else []
        if snapshot.cut:
            notes.append(Note(CUT, f"{snapshot.url} (state {snapshot.state})"))
        self.evidence.note(notes, snapshot.state, None)

    def _note(self, notes: Sequence[Note], state: str) -> None:
        if notes:
            self.evidence.note(notes, state, None)

    def _newly_hidden(self, snapshot: Snapshot) -> list[str]:
        """Controls that are in the page but invisible, each once: another state may show them."""
        fresh = [event for event in snapshot.hidden if event not in self._hidden]
        self._hidden.update(fresh)
        return fresh

    def _remember(self, snapshot: Snapshot, path: tuple[str, ...] | None) -> None:
        """Offer a new state to the searches for dynamic content and look-alikes."""
        state, normal = snapshot.state, snapshot.normal
        if self.forms is not None:
            self.forms.add(state, snapshot.url, normal)
        if self.search is not None and path is not None:
            if self.forms is not None:
                self.forms.paths[state] = path
            self.search.offer(state, normal, path)
        self.comparison.add(state, normal)

    def _inspected(self, snapshot: Snapshot) -> list[EventRefused]:
        """The events of a state that must not be fired; the state counts as inspected from now on."""
        refused = list(self._refusals.of(snapshot))
        self.inspection.judge(snapshot.state, refused)
        return refused


def _state_found(snapshot: Snapshot, events: tuple[str, ...], trail: Trail | None) -> StateFound:
    walk, after, steps = (trail and trail.witness) or (None, None, ())
    return StateFound(
        state=snapshot.state,
        events=events,
        url=snapshot.url,
        title=snapshot.title,
        at=round(time.time(), 3),
        links=snapshot.linked,
        forms=snapshot.submits,
        walk=walk,
        after=after,
        steps=steps,
        containers=snapshot.containers,
        regions=snapshot.regions,
    )


async def _picture(page: Page) -> bytes | None:
    """A screenshot, if the page can be drawn."""
    try:
        return await page.picture()
    except PageLost:
        return None
