"""A whole site: pages that are opened by their address, and states in each of them."""

import asyncio
from collections import Counter
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from aiohttp import web

from statecrawl.errors import BadInput
from statecrawl.journal.facts import StateFound
from statecrawl.journal.fold import Crawl
from statecrawl.model.event import OPENS
from statecrawl.runtime.assemble import crawl
from statecrawl.runtime.crawling import Crawling
from statecrawl.runtime.outcome import Outcome
from statecrawl.runtime.plan import CrawlPlan
from statecrawl.runtime.site import Site
from statecrawl.stores.evidence import JOURNAL_NAME
from statecrawl.stores.sqlite import open_reader

BUTTON = "<button onclick=\"document.getElementById('out').textContent = 'pressed'\">Press</button><p id=out></p>"
MENU = '<a href="/">Home</a> <a href="/about#top">About</a> <a href="/list">List</a> <a href="/logout">Log out</a>'
PAGES = {
    "/": f"<h1>Home</h1>{MENU}",
    "/about": f"<h1>About</h1>{MENU}{BUTTON}<a href='http://elsewhere.invalid/'>Elsewhere</a>",
    "/list": f"<h1>List</h1>{MENU}" + "".join(f'<a href="/item?id={number}">{number}</a>' for number in range(4)),
    "/item": f"<h1>Item</h1>{MENU}<a href='/paper.pdf'>Paper</a><!-- <a href='/secret'> -->",
    "/secret": f"<h1>Secret</h1>{MENU}",
    "/routed": "<h1>Routed</h1><a href='/about' onclick=\"this.textContent = 'no'; return false\">Routed</a>",
}


def crawled(out: Path, site: Site | None, first: str = "/") -> tuple[Outcome, Crawl, Counter[str], list[StateFound]]:
    """Serve the pages and crawl them; how it went, and which were asked for how often."""
    asked: Counter[str] = Counter()
    begun: list[Crawling] = []

    async def answer(request: web.Request) -> web.Response:
        asked[request.path_qs] += 1
        page = PAGES.get(request.path)
        shown = f"{page or 'nothing'} {request.query_string}"
        icon = '<link rel=icon href="data:,">'
        return web.Response(
            text=f"<!DOCTYPE html><title>{request.path}</title>{icon}{shown}",
            content_type="text/html",
            status=200 if page else 404,
        )

    async def run() -> Outcome:
        app = web.Application()
        app.router.add_route("*", "/{tail:.*}", answer)
        runner = web.AppRunner(app)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        plan = CrawlPlan(
            url=f"http://127.0.0.1:{runner.addresses[0][1]}{first}",
            out=out,
            screenshots=False,
            learn_states=0,
            reset_cost=3.0,
        )
        try:
            return await crawl(replace(plan, site=site), begun.append, lambda _: None)
        finally:
            await runner.cleanup()

    outcome = asyncio.run(run())
    with closing(open_reader(out / JOURNAL_NAME)) as journal:
        states = [fact for fact in journal.read() if isinstance(fact, StateFound)]
    return outcome, begun[0].crawl, asked, states


def paths(crawl: Crawl) -> list[str]:
    """What is opened by its address."""
    names = [event.local for event in crawl.graph.vocabulary if event.local.startswith(OPENS)]
    return sorted("/" + name.removeprefix(OPENS).split("/", 3)[3] for name in names)


@pytest.mark.product
def test_every_page_of_a_site_is_opened_once_and_its_events_are_fired(tmp_path: Path) -> None:
    outcome, crawl, asked, states = crawled(tmp_path / "crawl", Site())
    assert outcome.complete
    assert paths(crawl) == ["/about", *(f"/item?id={number}" for number in range(4)), "/list"]
    assert {count for path, count in asked.items() if path.startswith("/item")} == {1}
    assert asked["/logout"] == asked["/paper.pdf"] == asked["/secret"] == 0
    assert len(states) == len(crawl.graph) == 8  # home, about, about with the button pressed, list, four items
    assert sum("/about" in (state.url or "") for state in states) == 2


@pytest.mark.product
def test_a_link_to_which_somebody_listens_is_an_event(tmp_path: Path) -> None:
    _, crawl, asked, states = crawled(tmp_path / "crawl", Site(), "/routed")
    assert paths(crawl) == []
    assert len(states) == 2
    assert asked.keys() == {"/routed", "/robots.txt", "/sitemap.xml"}


@pytest.mark.product
def test_more_is_followed_where_that_is_asked_for(tmp_path: Path) -> None:
    _, crawl, _, _ = crawled(tmp_path / "crawl", Site(follow=("link", "comment")))
    assert "/secret" in paths(crawl)


@pytest.mark.parametrize("site", [{"follow": ("links",)}, {"urls": 0}, {"urls_alike": -1}])
def test_what_means_nothing_is_refused(site: dict[str, int]) -> None:
    with pytest.raises(BadInput):
        Site(**site)  # type: ignore[arg-type]
