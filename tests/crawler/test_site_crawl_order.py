"""A whole site is crawled breadth-first over its URLs: every page is opened once, and none starves the others."""

import asyncio
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest
from aiohttp import web

from statecrawl.config.plan import CrawlLimits, CrawlPlan
from statecrawl.config.site import SiteSettings
from statecrawl.crawler.assembly import crawl
from statecrawl.crawler.outcome import Outcome
from statecrawl.journal.facts import Fact, StateFound, TransitionExplored
from statecrawl.stores.evidence import JOURNAL_NAME
from statecrawl.stores.sqlite_journal import open_reader
from statecrawl.stores.traffic import TrafficReader

pytestmark = pytest.mark.product
MENU = "<nav><a href=/>home</a> <a href=/growing>growing</a> <a href=/framed>framed</a> <a href=/plain>plain</a></nav>"
GROWING = "<ol></ol><button onclick=\"document.querySelector('ol').append(document.createElement('li'))\">more</button>"
SHADOWED = """<my-card></my-card><script>customElements.define('my-card', class extends HTMLElement {
  connectedCallback() {
    this.attachShadow({ mode: 'closed' }).innerHTML = `<a hidden href=${['/sha', 'dowed'].join('')}>s</a>`;
  }
});</script>"""
HIDDEN = "<p hidden><a href=/hidden>h</a></p><noscript><a href=/unscripted>u</a></noscript>"
PAGES = {
    "/": f"{MENU}{HIDDEN}<a href=/moved>m</a>{SHADOWED}",
    "/growing": f"{MENU}{GROWING}",
    "/framed": f"{MENU}<iframe src=/plain></iframe>",
    "/plain": f"{MENU}<button onclick=\"open(['', 'popped'].join('/'), 'w', 'width=300')\">pop</button>",
    "/frames": "<frameset cols='100,*'><frame src=/menu><frame name=main src=/welcome></frameset>",
    "/menu": "<base target=main><a href=/one>1</a> <a href=/two>2</a>",
}


def crawled(out: Path, first: str = "/", **limits: int) -> tuple[Outcome, list[Fact], Counter[str]]:
    """Serve the pages and crawl them; how it went, and which were asked for how often."""
    asked: Counter[str] = Counter()

    async def answer(request: web.Request) -> web.Response:
        asked[request.path] += 1
        if request.path in ("/robots.txt", "/sitemap.xml", "/favicon.ico"):
            raise web.HTTPNotFound
        if request.path == "/moved":
            return web.Response(
                status=302, headers={"Location": "/plain"}, text="<a href=/behind>", content_type="text/html"
            )
        body = PAGES.get(request.path, f"<h1>{request.path}</h1>")
        page = f"<!doctype html><html><head><title>{request.path}</title></head>{body}"
        return web.Response(text=page, content_type="text/html")

    async def run() -> Outcome:
        app = web.Application()
        app.router.add_get("/{tail:.*}", answer)
        runner = web.AppRunner(app)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        url = f"http://127.0.0.1:{runner.addresses[0][1]}{first}"
        plan = CrawlPlan(
            url=url,
            out=out,
            screenshots=False,
            learn_states=0,
            reset_cost=3.0,
            limits=CrawlLimits(**limits),
            site=SiteSettings(states_at_url=6),
        )
        try:
            return await crawl(plan, lambda _: None, lambda _: None)
        finally:
            await runner.cleanup()

    outcome = asyncio.run(run())
    with closing(open_reader(out / JOURNAL_NAME)) as journal:
        return outcome, list(journal.read()), asked


def where(facts: list[Fact]) -> Counter[str]:
    """Path -> how many states were found there."""
    return Counter("/" + (fact.url or "").split("/", 3)[3] for fact in facts if isinstance(fact, StateFound))


def test_every_page_is_opened_once_before_any_of_them_grows(tmp_path: Path) -> None:
    outcome, facts, _ = crawled(tmp_path / "crawl")
    pages = ["/", "/behind", "/framed", "/growing", "/hidden", "/plain", "/popped", "/shadowed", "/unscripted"]
    assert where(facts) == dict.fromkeys(pages, 1) | {"/growing": 7}  # the seventh state is seen and not expanded
    assert outcome.ended_because == "max-states-per-url"
    assert sum(outcome.refusals.values()) == 1
    fired = [fact.event for fact in facts if isinstance(fact, TransitionExplored)]
    first_click = next(place for place, event in enumerate(fired) if not event.startswith("open "))
    assert {event.rpartition("/")[2] for event in fired[:first_click]} == {
        *("growing", "framed", "plain", "hidden", "unscripted", "shadowed", "moved", "behind")
    }
    assert not [event for event in fired if event.startswith("click a")]
    kept = {
        recorded.exchange.url.split("/", 3)[3]: recorded.exchange
        for recorded in TrafficReader(tmp_path / "crawl").read()
    }
    moved = kept["moved"]
    assert (moved.status, moved.kind, moved.missing, moved.response_body) == (302, "Document", "", b"<a href=/behind>")


def test_pages_of_a_frameset_are_opened_by_the_links_in_its_frames(tmp_path: Path) -> None:
    outcome, facts, asked = crawled(tmp_path / "crawl", "/frames")
    assert outcome.complete
    assert where(facts) == {"/frames": 1, "/one": 1, "/two": 1}
    assert asked["/one"] == 1
