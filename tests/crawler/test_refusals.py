"""Excluded events are refused with their own reasons, from a snapshot alone, and never fired."""

import asyncio
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from statecrawl.config.plan import CrawlPlan, Scope
from statecrawl.config.site import SiteSettings
from statecrawl.crawler.assembly import crawl
from statecrawl.crawler.loop import CrawlLoop
from statecrawl.crawler.outcome import Outcome
from statecrawl.crawler.refusals import Refusals, own_notes
from statecrawl.journal.facts import EventRefused
from statecrawl.model.event import UNOPENED
from statecrawl.politeness.control import Control
from statecrawl.ports.page import Note, Snapshot
from statecrawl.report.crawl.unexplored import remaining
from statecrawl.stores.evidence import JOURNAL_NAME
from statecrawl.stores.sqlite_journal import open_reader
from tests.browser.stage import Stage


def snapshot(*controls: Control, labels: tuple[str, ...] = (), names: tuple[str, ...] = ()) -> Snapshot:
    events = names or tuple(f"{control.kind} {control.tag} #{place}" for place, control in enumerate(controls))
    return Snapshot(
        state="s",
        events=events,
        labels=labels or tuple(" ".join(control.words) for control in controls),
        url="http://host/",
        title="",
        html="",
        normal="",
        links=(),
        forms=(),
        cut=False,
        controls=controls,
    )


SAVE, DELETE = Control(tag="button", words=("Save",)), Control(tag="button", words=("Delete",))
HOVER = Control(kind="hover", tag="div", matches=(".menu",))


def reasons(scope: Scope, seen: Snapshot) -> dict[str, str]:
    return {fact.event: fact.reason for fact in Refusals(scope).of(seen)}


class TestReasons:
    def test_dangers(self) -> None:
        seen = snapshot(SAVE, DELETE)
        assert reasons(Scope(), seen) == {"click button #1": "dangerous: it deletes data (it says 'delete')"}
        assert reasons(Scope(allow_dangerous=True), seen) == {}

    def test_what_the_user_excludes_is_not_called_dangerous(self) -> None:
        for allowed in (False, True):
            scope = Scope(deny_elements=("sav",), allow_dangerous=allowed)
            assert reasons(scope, snapshot(SAVE)) == {"click button #0": "excluded by --deny-element 'sav'"}

    def test_kinds_of_events(self) -> None:
        assert reasons(Scope(events=("click", "input")), snapshot(SAVE, HOVER)) == {
            "hover div #1": "excluded by --events click,input"
        }

    @pytest.mark.parametrize(
        ("rule", "refused"),
        [
            ("hover", ["hover div #1"]),
            ("hover .menu", ["hover div #1"]),
            ("hover .other", []),
            ("click .menu", []),
            ("* .menu", ["hover div #1"]),
            ("*", ["click button #0", "hover div #1"]),
        ],
    )
    def test_rules_by_kind_and_selector(self, rule: str, refused: list[str]) -> None:
        found = reasons(Scope(deny_events=(rule,)), snapshot(SAVE, HOVER))
        assert found == dict.fromkeys(refused, f"excluded by --deny-event '{rule}'")

    def test_evidence_of_an_older_release_has_no_controls(self) -> None:
        old = snapshot(
            names=("click button#go", 'click a "Help" /help', "back"), labels=("Log out go", "Help /help", "")
        )
        assert list(reasons(Scope(), old)) == ["click button#go"]

    def test_urls(self) -> None:
        refusals = Refusals(Scope(deny_elements=("secret",), deny_events=("* .ads",)))
        assert refusals.of_url("http://host/a", "How to delete a file") is None
        assert refusals.of_url("http://host/logout") == "dangerous: it ends the session (its URL says 'logout')"
        assert refusals.of_url("http://host/secret") == "excluded by --deny-element 'secret'"
        assert refusals.of_url("http://host/a", "A", (".ads",)) == "excluded by --deny-event '* .ads'"
        assert Refusals(Scope(events=("click",))).of_url("http://host/a") == "excluded by --events click"


def crawled(
    out: Path, pages: dict[str, str], scope: Scope | None = None, site: SiteSettings | None = None
) -> tuple[Outcome, CrawlLoop, list[EventRefused], list[tuple[str, str]]]:
    """Serve pages and crawl them; what was refused, and what the server was asked for."""
    begun: list[CrawlLoop] = []

    async def run() -> tuple[Outcome, list[tuple[str, str]]]:
        stage = Stage()
        await stage.stand.open()
        for path, html in pages.items():
            stage.serve(path, html)
        plan = CrawlPlan(
            url=stage.stand.url,
            out=out,
            scope=scope or Scope(),
            site=site,
            screenshots=False,
            learn_states=0,
            reset_cost=3,
        )
        note: Callable[[object], None] = lambda _: None  # noqa: E731
        try:
            outcome = await crawl(plan, begun.append, note)
            return outcome, [(asked.method, asked.path) for asked in stage.stand.asked]
        finally:
            await stage.close()

    outcome, asked = asyncio.run(run())
    with closing(open_reader(out / JOURNAL_NAME)) as journal:
        refused = [fact for fact in journal.read() if isinstance(fact, EventRefused)]
    return outcome, begun[0], refused, asked


PROFILE = """
    <form method=post action=/kaydet><h2>Parola</h2>
    <input type=password name=eski><input type=password name=yeni1><input type=password name=yeni2 onkeydown="x(event)">
    <button>Kaydet</button></form>
    <div><input type=password name=a><input type=password name=b>
    <button id=script onclick="fetch('/betik', {method: 'POST'})">Uygula</button></div>
    <form method=post action=/ara><input name=q><button>Ara</button></form>"""


@pytest.mark.browser
def test_no_password_is_changed_whatever_the_language(tmp_path: Path) -> None:
    outcome, _, refused, asked = crawled(tmp_path / "crawl", {"/": PROFILE, "/ara": "<p>found</p>"})
    assert {path for method, path in asked if method == "POST"} == {"/ara"}
    assert len({fact.event for fact in refused}) >= 3
    assert outcome.refused == sum(outcome.refusals.values())
    assert any("fields for a new password" in reason for reason in outcome.refusals)


SITE = {
    "/": """<a href=/how>How to delete a file</a> <a href=/delete-help.html>About deleting</a>
        <a href=/logout>Log out</a> <a href=/items/7/delete>×</a>
        <a href=/read class=ads>Offer</a> <a href=/secret>Secret</a>
        <a href=/old/1>Old</a>""",
    "/how": "<p>how</p>",
    "/delete-help.html": "<p>help</p>",
    "/read": "<p>read</p>",
}


@pytest.mark.browser
def test_urls_that_are_not_opened_are_counted_with_a_reason(tmp_path: Path) -> None:
    scope = Scope(deny_elements=("secret",), deny_events=("* .ads",), deny=("/old/",))
    outcome, crawling, refused, asked = crawled(tmp_path / "crawl", SITE, scope, SiteSettings())
    opened = {path for _, path in asked}
    assert opened >= {"/how", "/delete-help.html"}
    assert not opened & {"/logout", "/items/7/delete", "/read", "/secret", "/old/1"}
    assert all(fact.event.startswith(UNOPENED) for fact in refused)
    paths = {fact.event.rpartition("127.0.0.1")[2].partition("/")[2]: fact.reason for fact in refused}
    assert paths == {
        "logout": "dangerous: it ends the session (it says 'log out')",
        "items/7/delete": "dangerous: it deletes data (its URL says 'delete')",
        "secret": "excluded by --deny-element 'secret'",
        "read": "excluded by --deny-event '* .ads'",
        "old/1": "excluded by --deny '/old/'",
    }
    assert outcome.refused == len(refused) == outcome.unexplored
    told = {left.why: left.remedy for left in remaining(crawling.crawl)}
    assert told["looks dangerous: it deletes data (its URL says 'delete')"] == "use --allow-dangerous to fire it"
    assert told["excluded by --deny-element 'secret'"] == "crawl without that option to fire it"


@pytest.mark.browser
def test_only_the_kinds_that_are_asked_for_are_fired(tmp_path: Path) -> None:
    page = "<p onmouseover=\"fetch('/hovered')\">p</p><button onclick=\"fetch('/clicked')\">b</button>"
    page += "<div class=toolbar><button onclick=\"fetch('/denied')\">c</button></div>"
    scope = Scope(events=("click",), deny_events=("click .toolbar button",))
    outcome, _, _, asked = crawled(tmp_path / "crawl", {"/": page}, scope)
    assert {path for _, path in asked} & {"/hovered", "/clicked", "/denied"} == {"/clicked"}
    assert set(outcome.refusals) == {"excluded by --events click", "excluded by --deny-event 'click .toolbar button'"}


def test_a_page_is_not_blamed_for_what_read_only_blocked() -> None:
    blocked, own = Note("read-only", ["POST", "http://h/"]), Note("error", "TypeError: x is not a function")
    failed = Note("error", "unhandled rejection: TypeError: Failed to fetch")
    assert own_notes([blocked, failed, own]) == [blocked, own]
    assert own_notes([failed, own]) == [failed, own]
