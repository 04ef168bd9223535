"""Outcomes of crawls whose pages have problems, in a real Chromium."""

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from statecrawl.config.plan import CrawlPlan, Scope
from statecrawl.crawler.assembly import crawl
from statecrawl.crawler.outcome import Outcome
from statecrawl.ports.access import Access
from statecrawl.report.crawl.files import INDEX
from statecrawl.results.report import write_report
from statecrawl.results.status import folder_status
from tests.cli.serving import serving

pytestmark = pytest.mark.browser

WELL = """<!doctype html><title>Well</title><link rel=icon href="data:,"><button onclick="this.textContent = 'on'">off
</button>"""
BROKEN = f"""{WELL}<script src=/missing.js></script><script>let = ;</script>
<script>setTimeout(() => {{ throw new Error('too late'); }})</script>
<button onclick="window.open('/help')">Help</button><button>Delete all</button>"""
PAGES: dict[str, tuple[str, str]] = {
    "/well": (WELL, "text/html"),
    "/broken": (BROKEN, "text/html"),
    "/empty": ("<!doctype html><title>Nothing</title><script>const x = 'nobody sees this';</script>", "text/html"),
    "/blank": ("", "text/html"),
    "/data": ('{"hello": "world"}', "application/json"),
    "/text": ("hello", "text/plain"),
    "/silent": ("<!doctype html><title>Silent</title><p>Only words.", "text/html"),
    "/form": (f"{WELL}<form method=post action=/save><button>Save</button></form>", "text/html"),
    "/enter": (f"{WELL}<input type=password>", "text/html"),
    "/post": (f"{WELL}<button onclick=\"fetch('/save', {{method: 'POST'}})\">Save</button>", "text/html"),
}


def application() -> web.Application:
    async def page(request: web.Request) -> web.StreamResponse:
        if request.path == "/away":
            raise web.HTTPFound(f"http://localhost:{request.url.port}/well")
        if request.path not in PAGES:
            raise web.HTTPNotFound(text=WELL, content_type="text/html")
        text, kind = PAGES[request.path]
        return web.Response(text=text, content_type=kind)

    found = web.Application()
    found.add_routes([web.get("/{name}", page)])
    return found


def crawled(path: str, out: Path, scope: Scope = Scope(), **changes: Any) -> Outcome:  # noqa: B008 — it is frozen
    with serving(application()) as port:
        plan = CrawlPlan(
            url=f"http://127.0.0.1:{port}{path}", out=out, scope=scope, screenshots=False, learn_states=0, reset_cost=2
        )
        plan = replace(plan, **changes)
        return asyncio.run(crawl(plan, lambda _: None, lambda _: None))


def kinds(outcome: Outcome) -> list[str]:
    return [each.kind for each in outcome.qualifications]


def test_a_page_that_is_well_is_complete(tmp_path: Path) -> None:
    outcome = crawled("/well", tmp_path)
    assert (outcome.complete, outcome.qualifications) == (True, ())


@pytest.mark.parametrize(
    ("path", "expected", "words"),
    [
        ("/empty", ["start", "no-events"], "is empty"),
        ("/blank", ["start", "no-events"], "is empty"),
        ("/data", ["start", "no-events"], "is not HTML but application/json"),
        ("/text", ["start", "no-events"], "is not HTML but text/plain"),
        ("/nowhere", ["start"], "answers with status 404"),
        ("/away", ["start"], "which is out of scope"),
        ("/silent", ["no-events"], "no state has an event"),
    ],
)
def test_a_start_page_that_cannot_be_meant(path: str, expected: list[str], words: str, tmp_path: Path) -> None:
    outcome = crawled(path, tmp_path)
    assert (outcome.complete, outcome.ended_because) == (False, "complete")
    assert kinds(outcome) == expected
    assert words in outcome.qualifications[0].text


def test_every_problem_is_reported_alike_everywhere(tmp_path: Path) -> None:
    outcome = crawled("/broken", tmp_path)
    assert kinds(outcome) == ["script", "error", "refused", "window"]
    script = outcome.qualifications[0]
    assert script.count == 2
    assert any(example.endswith("/missing.js (404)") for example in script.examples)
    told = folder_status(tmp_path)
    assert [each["kind"] for each in told["qualifications"]] == kinds(outcome)
    assert told["complete"] is False
    data = (write_report(tmp_path).parent / "data.js").read_text()
    summary = json.loads(json.loads(data[data.index("(JSON.parse(") + 12 : data.rindex("))")]))["summary"]
    assert [each["text"] for each in summary["qualifications"]] == [each.text for each in outcome.qualifications]
    assert (tmp_path / "report" / INDEX).is_file()


def test_what_read_only_kept_from_happening(tmp_path: Path) -> None:
    assert kinds(crawled("/post", tmp_path, Scope(read_only=True))) == ["read-only"]


def test_a_form_that_read_only_blocked_says_nothing_about_the_server(tmp_path: Path) -> None:
    outcome = crawled("/form", tmp_path, Scope(read_only=True))
    assert kinds(outcome) == ["read-only"]
    assert (outcome.states, outcome.refused) == (2, 0)
    assert outcome.resets <= 3


@pytest.mark.parametrize(
    ("access", "expected"),
    [
        (Access(), ["start"]),
        (Access(headers=(("X-User", "ann"),)), []),
        (Access(basic=("ann", "secret")), []),
    ],
    ids=["nobody", "header", "basic"],
)
def test_a_start_page_that_asks_who_you_are(access: Access, expected: list[str], tmp_path: Path) -> None:
    assert kinds(crawled("/enter", tmp_path, access=access)) == expected


def test_a_resumed_crawl_says_the_same(tmp_path: Path) -> None:
    with serving(application()) as port:
        plan = CrawlPlan(
            url=f"http://127.0.0.1:{port}/broken", out=tmp_path, screenshots=False, learn_states=0, reset_cost=2
        )
        first, second = (asyncio.run(crawl(plan, lambda _: None, lambda _: None)) for _ in range(2))
    assert first.qualifications == second.qualifications
