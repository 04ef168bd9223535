"""What stands in a report."""

from dataclasses import replace
from typing import Any

from hypothesis import given

from statecrawl.journal.facts import CrawlEnded, EventHung, Fact, StateFound, TransitionExplored
from statecrawl.ports.coverage import Script
from statecrawl.ports.traffic import Exchange, RecordedExchange
from statecrawl.ports.url_sources import collected, urls_of_state
from statecrawl.report.crawl.content import EVIDENCE, Composer, Reading
from statecrawl.report.crawl.endpoints import endpoints
from statecrawl.report.crawl.state_evidence import NoteContent, notes_of, seen
from tests.report.crawl.crawls import crawls
from tests.report.crawl.documents import normal_of

ABOUT = {
    "url": "http://app.test/",
    "title": "t",
    "links": ["http://app.test/x", "http://app.test/x"],
    "forms": [{"action": "http://app.test/send", "method": "post", "fields": [["input", "text", "name"]]}],
    "normal": "",
    "cut": False,
    "events": ["whatever else was kept"],
}
TRAFFIC = [
    RecordedExchange(
        id="1",
        exchange=Exchange(
            method="GET",
            url="http://app.test/api?b=1",
            status=200,
            kind="Fetch",
            response_headers=(("content-type", "application/json"),),
            response_body=b'{"more": "/next"}',
        ),
        places=(("aa", None),),
    ),
    RecordedExchange(
        id="2", exchange=Exchange(method="GET", url="http://app.test/a.js", status=200, kind="Script"), places=()
    ),
]


class Kept:
    """Evidence in memory."""

    def __init__(self, about: Any = None) -> None:
        self._about = about

    def about(self, state: str) -> Any:
        return self._about

    def dom(self, state: str) -> bytes | None:
        return None

    def has_picture(self, state: str) -> bool:
        return False

    def picture(self, state: str) -> bytes | None:
        return None

    def coverage(self) -> list[Script]:
        return []


class KeptForms(Kept):
    """Evidence of some states."""

    def __init__(self, normal: dict[str, str]) -> None:
        super().__init__()
        self._normal = normal

    def about(self, state: str) -> Any:
        return {"normal": self._normal[state]} if state in self._normal else None


@given(crawls())
def test_nothing_is_lost_and_everything_unexplored_has_a_reason(facts: list[Fact]) -> None:
    composer = Composer(Reading().extend(facts), Kept(), [])
    details = list(composer.details())
    content = composer.content()
    table = content.graph
    assert [detail.state for detail in details] == list(range(len(table.ids)))
    assert sum(each.pairs for each in content.remaining) == content.summary.unexplored
    assert len(content.failed) == content.summary.closed
    explored = {(fact.state, fact.event): fact.target for fact in facts if isinstance(fact, TransitionExplored)}
    drawn = {
        (table.ids[state], table.names[event]): table.ids[target]
        for state, events in enumerate(table.enabled)
        for event, target in zip(events, table.targets[state], strict=True)
        if target >= 0
    }
    assert drawn == explored
    for fact in facts:
        if isinstance(fact, StateFound):
            number = table.ids.index(fact.state)
            assert (table.urls[table.url_of[number]], table.titles[table.title_of[number]]) == (fact.url, fact.title)


def test_evidence_and_notes_are_told() -> None:
    facts: list[Fact] = [StateFound(state="aa", events=("x",), url="http://app.test/"), CrawlEnded(reason="max-time")]
    notes = [
        NoteContent("request", ["get", "http://app.test/api?b=1", "fetch"], "aa", None),
        NoteContent("request", ["GET", "http://app.test/api?b=2", "xhr"], "aa", "x"),
        NoteContent("failed", ["GET", "http://app.test/gone", "503"], "aa", "x"),
        NoteContent("console", "no good", "aa", "x"),
        NoteContent("error", "boom", "void", None),
    ]
    found = collected([replace(urls_of_state(ABOUT), state="aa")], TRAFFIC, [], lambda _: True)
    composer = Composer(Reading().extend(facts), Kept(ABOUT), notes, endpoints(notes, TRAFFIC), found)
    (detail,) = composer.details()
    content = composer.content()
    assert detail.links == ("http://app.test/x",)
    assert detail.forms[0].fields == (("input", "text", "name"),)
    assert content.graph.kept == [EVIDENCE]
    api, gone = content.endpoints
    assert (api.method, api.url, api.by, api.queries) == (
        "GET",
        "http://app.test/api",
        ["fetch", "xhr"],
        ["b=1", "b=2"],
    )
    assert api.statuses == [200]
    assert gone.trouble == "503"
    assert [(each.kind, each.state) for each in content.incidents] == [("exception", -1), ("console", 0)]
    ways = {found.url: found.ways for found in content.addresses}
    assert ways["http://app.test/"] == ("page",)
    assert ways["http://app.test/send"] == ("form",)
    assert ways["http://app.test/api?b=1"] == ("request",)
    told = next(each for each in content.addresses if each.url == "http://app.test/next")
    assert (told.places, told.visited, told.status) == ((("data", 0, "http://app.test/api?b=1"),), False, None)
    (left,) = content.remaining
    assert (left.why, left.pairs, left.states) == ("--max-time stopped the crawl", 1, 1)


def test_states_are_named_after_what_is_on_them_and_grouped_by_screen() -> None:
    """Not after the events that led there, and also if a part of the evidence is missing."""
    facts: list[Fact] = [
        StateFound(state=state, events=("open http://app.test/b",), url=f"http://app.test/{state}", title="Shop")
        for state in ("1", "2", "aa", "bb")
    ]
    normal = {"1": normal_of("<h1>Orders</h1><p>x</p>"), "2": normal_of("<h1>Orders</h1><p>y</p><p>z</p>"), "aa": ""}
    composer = Composer(Reading().extend(facts), KeptForms(normal), [])
    list(composer.details())
    content = composer.content()
    assert content.graph.called == ["Orders", "Orders - /2", "Shop", "Shop - /bb"]
    assert [screen.states for screen in content.screens] == [(0, 1), (2,), (3,)]


def test_evidence_that_is_none_is_left_out() -> None:
    wrong: list[Any] = [None, [], {"forms": 7}, {"links": [1, {}]}, "text"]
    assert [seen(told) for told in wrong] == [None] * len(wrong)
    assert list(notes_of([b'{"kind": "a", "what": 1}', b'{"kind": "cut', b"[]", b""])) == [NoteContent("a", 1)]
    assert list(notes_of([b'{"kind": "a", "what": "\\ud800"}'])) == [NoteContent("a", "\ud800")]


def test_an_event_that_hung_and_was_explored_is_not_left() -> None:
    facts: list[Fact] = [
        StateFound(state="aa", events=("x",)),
        EventHung(state="aa", event="x", reason="slow"),
        TransitionExplored(state="aa", event="x", target="aa"),
    ]
    composer = Composer(Reading().extend(facts), Kept(), [])
    list(composer.details())
    content = composer.content()
    assert content.remaining == []
    assert [(each.kind, each.closed) for each in content.failed] == [("hung", False)]
