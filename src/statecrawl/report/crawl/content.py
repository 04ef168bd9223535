"""Content of the report of a crawl, as plain values.

Facts and notes are read once, evidence state by state. Large parts (documents, links, forms) belong to a single state
and are passed on immediately, so the report of a large crawl needs no more memory than its graph.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from statecrawl.journal.facts import Fact, StateFound
from statecrawl.journal.fold import FoldedCrawl
from statecrawl.journal.qualifications import Qualification, completeness_of, is_complete, qualifications_of
from statecrawl.model.graph import Graph
from statecrawl.model.shortest_paths import ShortestPaths, shortest_paths_of
from statecrawl.report.crawl.coverage import ScriptFile, files_of
from statecrawl.report.crawl.discovery import Discovery, DiscoveryPoint, DiscoveryRun
from statecrawl.report.crawl.document import read_document
from statecrawl.report.crawl.endpoints import Endpoint
from statecrawl.report.crawl.event_text import in_words, kind_of
from statecrawl.report.crawl.parts import Part, PartReader
from statecrawl.report.crawl.problems import (
    Boundary,
    Diverged,
    Failed,
    Incident,
    boundaries,
    diverged,
    failed,
    incidents,
)
from statecrawl.report.crawl.screens import Screen, screens_of, skeleton_of
from statecrawl.report.crawl.state_evidence import CrawlEvidence, FormEvidence, NoteContent, StateContent, seen
from statecrawl.report.crawl.state_features import StateFeatures, features_of
from statecrawl.report.crawl.state_names import state_names
from statecrawl.report.crawl.thumbnails import Thumbnail, thumbnails_of
from statecrawl.report.crawl.unexplored import Unexplored, how_it_ended, remaining
from statecrawl.report.crawl.urls import UrlRow, shown
from statecrawl.strategies.component_frontier import ComponentFrontier
from statecrawl.strategies.component_summary import (
    NO_COMPONENTS,
    ComponentSummary,
    left_out,
    summary_of_frontier,
)
from statecrawl.urls.collection import UrlCollection

PICTURE, EVIDENCE = 1, 2  # bits: what is stored of a state
MOST_LINKS = 500  # per state
NO_URLS = UrlCollection(urls=[])


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """Figures of a crawl."""

    states: int
    transitions: int
    unexplored: int
    closed: int  # unexplored events that cannot or must not be fired
    logical_events: int
    events: int
    resets: int
    reset_cost: float
    cost: float
    diverged: int
    external: int
    rules: tuple[tuple[str, str], ...]
    seconds: float | None  # None: the journal records no times
    ended: str | None
    ending: str  # the same as a clause
    complete: bool  # every event was fired, and there are no qualifications
    completeness: str  # see `journal.qualifications.completeness_of`
    components: ComponentSummary
    qualifications: tuple[Qualification, ...]  # why it is not complete
    runs: tuple[DiscoveryRun, ...]
    configuration: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """The graph as columns, by the numbers of states and events."""

    ids: list[str]
    called: list[str]  # names for people, unique
    urls: list[str]
    url_of: list[int]
    titles: list[str]
    title_of: list[int]
    depths: list[int]
    before: list[int]
    by: list[int]
    kept: list[int]  # bits: what is stored of each state
    thumbnails: dict[int, Thumbnail]  # what is shown of the screenshot of a state
    names: list[str]  # of events
    words: list[str]
    kinds: list[str]
    enabled: list[tuple[int, ...]]  # state -> events
    targets: list[list[int]]  # state -> target of each event


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """Everything except the details of single states."""

    application: str
    summary: Summary
    remaining: list[Unexplored]
    curve: list[DiscoveryPoint]
    graph: Table
    screens: list[Screen]
    parts: list[Part]  # of the page; empty if the crawl did not go part by part
    parts_of_screens: list[list[tuple[int, int]]]  # screen -> its parts, each with the number of values on it
    diverged: list[Diverged]
    failed: list[Failed]
    boundaries: list[Boundary]
    external: list[tuple[int, int, int]]  # state, target, count
    incidents: list[Incident]
    endpoints: list[Endpoint]
    addresses: list[UrlRow]
    addresses_left_out: list[str]  # remarks on URLs that are left out
    coverage: list[ScriptFile]  # empty if it was not measured
    widget: str = ""  # clause about the widget in which most states differ, if there is one


@dataclass(frozen=True, slots=True, kw_only=True)
class Detail:
    """Details of one state."""

    state: int
    links: tuple[str, ...]
    more_links: int  # number of links left out
    forms: tuple[FormEvidence, ...]
    cut: bool
    dom: bytes | None  # compressed with gzip
    parts: list[tuple[int, int]] = field(default_factory=list)  # each with the number of the value that it shows
    left_out: list[tuple[int, int]] = field(default_factory=list)  # events, each with where an equal one was fired


@dataclass(slots=True)
class Reading:
    """A crawl as read from its journal."""

    crawl: FoldedCrawl = field(default_factory=FoldedCrawl)
    discovery: Discovery = field(default_factory=Discovery)
    found: dict[str, StateFound] = field(default_factory=dict)

    def extend(self, facts: Iterable[Fact]) -> "Reading":
        """Apply further facts. Raises DamagedJournal."""
        for fact in facts:
            self.crawl.apply(fact)
            self.discovery.apply(fact)
            if isinstance(fact, StateFound):
                self.found.setdefault(fact.state, fact)
        return self


class Composer:
    """Composes a report: first all `details`, then the `content`."""

    def __init__(
        self,
        reading: Reading,
        evidence: CrawlEvidence,
        notes: Sequence[NoteContent],
        requests: Sequence[Endpoint] = (),
        found: UrlCollection = NO_URLS,
        in_scope: Callable[[str], bool] = lambda _: True,
        *,
        widget: str = "",
        frontier: ComponentFrontier | None = None,
    ) -> None:
        """`requests` are those that the application made, and `found` are all URLs.

        `widget` is a clause about the widget in which the crawl was stuck; `frontier` is what is known about the parts
        of the page.
        """
        self._reading = reading
        self._crawl = reading.crawl
        self._graph: Graph = reading.crawl.graph
        self._evidence = evidence
        self._notes = notes
        self._requests = requests
        self._addresses = found
        self._widget = widget
        self._components = summary_of_frontier(frontier)
        self._parts = PartReader(frontier) if frontier is not None and frontier.is_active else None
        self._in_scope = in_scope
        self._kept: list[int] = []
        self._features: list[StateFeatures] = []
        self._skeletons: list[str] = []

    def details(self) -> Iterator[Detail]:
        """Yield the details of each state."""
        for number, state in enumerate(self._graph.ids):
            about = seen(self._evidence.about(state))
            dom = self._evidence.dom(state)
            known = about is not None or dom is not None
            self._kept.append(PICTURE * self._evidence.has_picture(state) + EVIDENCE * known)
            about = about or StateContent()
            self._compare(state, about)
            links = tuple(dict.fromkeys(about.links))
            yield Detail(
                state=number,
                links=links[:MOST_LINKS],
                more_links=max(len(links) - MOST_LINKS, 0),
                forms=about.forms,
                cut=about.cut,
                dom=dom,
                parts=[] if self._parts is None else self._parts.of_state(number),
                left_out=[] if self._parts is None else left_out(self._parts.frontier, number),
            )

    def content(self) -> Content:
        """Return the rest. Call this after all details were consumed."""
        crawl, graph, discovery = self._crawl, self._graph, self._reading.discovery
        addresses, left_out = shown(self._addresses, graph.numbers)
        summary = summary_of(crawl, discovery, self._notes, self._in_scope, self._components)
        screens = screens_of(zip((self._url(state) for state in graph.ids), self._skeletons, strict=True))
        return Content(
            application=crawl.started.application if crawl.started else "",
            summary=summary,
            remaining=remaining(crawl) if self._parts is None else remaining(crawl, self._parts.frontier.is_spare),
            curve=discovery.curve(),
            graph=self._table(shortest_paths_of(graph), screens),
            screens=screens,
            parts=[] if self._parts is None else self._parts.parts(self._components.cut),
            parts_of_screens=[] if self._parts is None else self._parts.of_screens(screens),
            diverged=diverged(crawl),
            failed=failed(crawl),
            boundaries=boundaries(crawl),
            external=[(state, target, count) for (state, target), count in sorted(crawl.external.items())],
            incidents=incidents(crawl, self._notes),
            endpoints=list(self._requests),
            addresses=addresses,
            addresses_left_out=left_out,
            coverage=files_of(self._evidence.coverage()),
            widget=self._widget,
        )

    def _url(self, state: str) -> str:
        return self._reading.found[state].url or ""

    def _compare(self, state: str, about: StateContent) -> None:
        """Read what screen a state is on, and what it can be named after."""
        document, fact = read_document(about.normal), self._reading.found[state]
        title = fact.title or about.title
        self._skeletons.append(skeleton_of(document) or f"title {title}")  # without evidence, the title has to do
        self._features.append(features_of(fact.url or about.url, title, document))
        if self._parts is not None:
            self._parts.add(len(self._features) - 1, document, about.boxes_of_units())

    def _names(self, screens: Sequence[Screen]) -> list[str]:
        screen_of = {state: number for number, screen in enumerate(screens) for state in screen.states}
        return state_names(self._features, [screen_of[state] for state in range(len(self._features))])

    def _table(self, ways: ShortestPaths, screens: Sequence[Screen]) -> Table:
        graph = self._graph
        facts = [self._reading.found[state] for state in graph.ids]
        urls, url_of = _numbered(fact.url or "" for fact in facts)
        titles, title_of = _numbered(fact.title or "" for fact in facts)
        names = [event.local for event in graph.vocabulary]
        return Table(
            ids=graph.ids,
            called=self._names(screens),
            urls=urls,
            url_of=url_of,
            titles=titles,
            title_of=title_of,
            depths=ways.depths,
            before=ways.before,
            by=ways.by,
            kept=self._kept,
            thumbnails=thumbnails_of(screens, lambda state: self._evidence.picture(graph.ids[state])),
            names=names,
            words=[in_words(name) for name in names],
            kinds=[kind_of(name) for name in names],
            enabled=graph.events,
            targets=[list(targets) for targets in graph.targets],
        )


def summary_of(
    crawl: FoldedCrawl,
    discovery: Discovery,
    notes: Iterable[NoteContent],
    in_scope: Callable[[str], bool],
    components: ComponentSummary = NO_COMPONENTS,
) -> Summary:
    """Return the figures of a crawl."""
    graph = crawl.graph.statistics()
    kinds = [(note.kind, note.what) for note in notes]
    qualifications = qualifications_of(crawl, ended=crawl.ended, in_scope=in_scope, notes=kinds, spare=components.spare)
    started, cost = crawl.started, crawl.reset_cost or 0.0
    return Summary(
        states=graph.states,
        transitions=graph.transitions,
        unexplored=graph.unexplored,
        closed=len(crawl.closed),
        logical_events=graph.logical_events,
        events=crawl.fired,
        resets=crawl.resets,
        reset_cost=cost,
        cost=crawl.fired + cost * crawl.resets,
        diverged=graph.diverged,
        external=sum(crawl.external.values()),
        rules=crawl.rules,
        seconds=discovery.seconds,
        ended=crawl.ended,
        ending=how_it_ended(crawl),
        complete=is_complete(crawl.ended, qualifications),
        completeness=completeness_of(crawl.ended, qualifications),
        components=components,
        qualifications=qualifications,
        runs=tuple(discovery.runs),
        configuration=tuple((name, _text_of(value)) for name, value in started.configuration.items())
        if started
        else (),
    )


def _text_of(value: Any) -> str:
    """Return the value of a setting as text."""
    match value:
        case bool():
            return "on" if value else "off"
        case list():
            return ", ".join(map(str, value)) or "none"
        case _:
            return str(value) or "none"


def _numbered(texts: Iterable[str]) -> tuple[list[str], list[int]]:
    """Return the distinct texts, and the number of the text at each place."""
    numbers: dict[str, int] = {}
    places = [numbers.setdefault(text, len(numbers)) for text in texts]
    return list(numbers), places
