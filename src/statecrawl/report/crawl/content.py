"""What stands in the report of a crawl, before it has a form.

Facts and notes are read once, evidence state by state; what is large (documents, links, forms) belongs to its state
alone and is handed on at once, so a report of a large crawl needs no more memory than its graph.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from statecrawl.journal.facts import Fact, StateFound
from statecrawl.journal.fold import FoldedCrawl
from statecrawl.journal.qualifications import Qualification, is_complete, qualifications_of
from statecrawl.model.graph import Graph
from statecrawl.model.shortest_paths import ShortestPaths, shortest_paths_of
from statecrawl.report.crawl.coverage import ScriptFile, files_of
from statecrawl.report.crawl.discovery import Discovery, DiscoveryPoint, DiscoveryRun
from statecrawl.report.crawl.endpoints import Endpoint
from statecrawl.report.crawl.event_text import in_words, kind_of
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
from statecrawl.report.crawl.state_evidence import CrawlEvidence, FormEvidence, NoteContent, StateContent, seen
from statecrawl.report.crawl.unexplored import Unexplored, how_it_ended, remaining
from statecrawl.report.crawl.urls import UrlRow, shown
from statecrawl.urls.collection import UrlCollection

PICTURE, EVIDENCE = 1, 2  # bits of what there is of a state
MOST_LINKS = 500  # of one state
NO_URLS = UrlCollection(urls=[])


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """A crawl in figures."""

    states: int
    transitions: int
    unexplored: int
    closed: int  # of those: can not or must not be fired
    logical_events: int
    events: int
    resets: int
    reset_cost: float
    cost: float
    diverged: int
    external: int
    rules: tuple[tuple[str, str], ...]
    seconds: float | None  # None: the journal does not tell times
    ended: str | None
    ending: str  # the same in a sentence
    complete: bool  # every event was fired, and there is no qualification
    qualifications: tuple[Qualification, ...]  # why it is not complete
    runs: tuple[DiscoveryRun, ...]
    configuration: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """The graph, as columns: states by number, events by number."""

    ids: list[str]
    urls: list[str]
    url_of: list[int]
    titles: list[str]
    title_of: list[int]
    depths: list[int]
    before: list[int]
    by: list[int]
    kept: list[int]  # bits of what there is of it
    names: list[str]  # of events
    words: list[str]
    kinds: list[str]
    enabled: list[tuple[int, ...]]  # state -> events
    targets: list[list[int]]  # state -> where each leads


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """Everything but what belongs to single states."""

    application: str
    summary: Summary
    remaining: list[Unexplored]
    curve: list[DiscoveryPoint]
    graph: Table
    diverged: list[Diverged]
    failed: list[Failed]
    boundaries: list[Boundary]
    external: list[tuple[int, int, int]]  # state, target, how often
    incidents: list[Incident]
    endpoints: list[Endpoint]
    addresses: list[UrlRow]
    addresses_left_out: list[str]  # what to say of those that are not there
    coverage: list[ScriptFile]  # nothing where nobody has found out
    widget: str = ""  # a sentence about the one in which most states differ only


@dataclass(frozen=True, slots=True, kw_only=True)
class Detail:
    """What belongs to one state."""

    state: int
    links: tuple[str, ...]
    more_links: int  # that are left out
    forms: tuple[FormEvidence, ...]
    cut: bool
    dom: bytes | None  # compressed by gzip


@dataclass(slots=True)
class Reading:
    """A crawl that was read from its journal."""

    crawl: FoldedCrawl = field(default_factory=FoldedCrawl)
    discovery: Discovery = field(default_factory=Discovery)
    found: dict[str, StateFound] = field(default_factory=dict)

    def extend(self, facts: Iterable[Fact]) -> "Reading":
        """Raises DamagedJournal."""
        for fact in facts:
            self.crawl.apply(fact)
            self.discovery.told(fact)
            if isinstance(fact, StateFound):
                self.found.setdefault(fact.state, fact)
        return self


class Composer:
    """Puts a report together: first all `details`, then the `content`."""

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
    ) -> None:
        """`requests` are those that the application made, and `found` are the URLs in all of it; `widget` says in
        which the crawl was stuck.
        """
        self._reading = reading
        self._crawl = reading.crawl
        self._graph: Graph = reading.crawl.graph
        self._evidence = evidence
        self._notes = notes
        self._requests = requests
        self._addresses = found
        self._widget = widget
        self._in_scope = in_scope
        self._kept: list[int] = []

    def details(self) -> Iterator[Detail]:
        """State by state."""
        for number, state in enumerate(self._graph.ids):
            about = seen(self._evidence.about(state))
            dom = self._evidence.dom(state)
            known = about is not None or dom is not None
            self._kept.append(PICTURE * self._evidence.has_picture(state) + EVIDENCE * known)
            about = about or StateContent()
            links = tuple(dict.fromkeys(about.links))
            yield Detail(
                state=number,
                links=links[:MOST_LINKS],
                more_links=max(len(links) - MOST_LINKS, 0),
                forms=about.forms,
                cut=about.cut,
                dom=dom,
            )

    def content(self) -> Content:
        """The rest. Only after all details."""
        crawl, graph, discovery = self._crawl, self._graph, self._reading.discovery
        addresses, left_out = shown(self._addresses, graph.numbers)
        return Content(
            application=crawl.started.application if crawl.started else "",
            summary=summary_of(crawl, discovery, self._notes, self._in_scope),
            remaining=remaining(crawl),
            curve=discovery.curve(),
            graph=self._table(shortest_paths_of(graph)),
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

    def _table(self, ways: ShortestPaths) -> Table:
        graph = self._graph
        facts = [self._reading.found[state] for state in graph.ids]
        urls, url_of = _numbered(fact.url or "" for fact in facts)
        titles, title_of = _numbered(fact.title or "" for fact in facts)
        names = [event.local for event in graph.vocabulary]
        return Table(
            ids=graph.ids,
            urls=urls,
            url_of=url_of,
            titles=titles,
            title_of=title_of,
            depths=ways.depths,
            before=ways.before,
            by=ways.by,
            kept=self._kept,
            names=names,
            words=[in_words(name) for name in names],
            kinds=[kind_of(name) for name in names],
            enabled=graph.events,
            targets=[list(targets) for targets in graph.targets],
        )


def summary_of(
    crawl: FoldedCrawl, discovery: Discovery, notes: Iterable[NoteContent], in_scope: Callable[[str], bool]
) -> Summary:
    """A crawl in figures."""
    graph = crawl.graph.statistics()
    noted = [(note.kind, note.what) for note in notes]
    found = qualifications_of(crawl, ended=crawl.ended, in_scope=in_scope, notes=noted)
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
        complete=is_complete(crawl.ended, found),
        qualifications=found,
        runs=tuple(discovery.runs),
        configuration=tuple((name, _said(value)) for name, value in started.configuration.items()) if started else (),
    )


def _said(value: Any) -> str:
    """A setting as people would say it."""
    match value:
        case bool():
            return "on" if value else "off"
        case list():
            return ", ".join(map(str, value)) or "none"
        case _:
            return str(value) or "none"


def _numbered(texts: Iterable[str]) -> tuple[list[str], list[int]]:
    """Each text once, and which of them stands where."""
    numbers: dict[str, int] = {}
    places = [numbers.setdefault(text, len(numbers)) for text in texts]
    return list(numbers), places
