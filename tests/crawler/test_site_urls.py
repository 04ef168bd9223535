"""A whole site: pages that are opened by URL, and states in each of them."""

import asyncio
from collections import Counter
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from aiohttp import web

from statecrawl.config.plan import CrawlPlan
from statecrawl.config.site import SiteSettings
from statecrawl.crawler.assembly import crawl, offers_of_earlier_runs
from statecrawl.crawler.loop import CrawlLoop
from statecrawl.crawler.outcome import Outcome
from statecrawl.crawler.url_discovery import site_urls_of
from statecrawl.errors import BadInput
from statecrawl.exports.findings import findings_of
from statecrawl.journal.facts import StateFound
from statecrawl.journal.fold import FoldedCrawl
from statecrawl.journal.refusal_reasons import NO_PAGE
from statecrawl.model.event import opened_url
from statecrawl.ports.traffic import Exchange
from statecrawl.results.export import opened
from statecrawl.stores.evidence import JOURNAL_NAME, EvidenceWriter
from statecrawl.stores.sqlite_journal import open_reader
from tests.crawler.written_page import snapshot

BUTTON = "<button onclick=\"document.getElementById('out').textContent = 'pressed'\">Press</button><p id=out></p>"
MENU = '<a href="/">Home</a> <a href="/about#top">About</a> <a href="/list">List</a> <a href="/logout">Log out</a>'
PAGES = {
    "/": f"<h1>Home</h1>{MENU}",
    "/about": f"<h1>About</h1>{MENU}{BUTTON}<a href='http://elsewhere.invalid/'>Elsewhere</a>",
    "/list": f"<h1>List</h1>{MENU}" + "".join(f'<a href="/item?id={number}">{number}</a>' for number in range(4)),
    "/item": f"<h1>Item</h1>{MENU}<a href='/paper.pdf'>Paper</a><!-- <a href='/secret'> -->",
    "/secret": f"<h1>Secret</h1>{MENU}",
    "/guessing": "<h1>Guessing</h1><a href=/dead>dead</a> <a href=/later>later</a><!-- see /ghost/page -->"
    "<script>var paths = ['/both/ways', '/secret/', '/api/none'];</script>",
    "/later": "<h1>Later</h1><a href=/both/ways>both</a>",
    "/doubtful": "<h1>Doubtful</h1><a href=/next>Next</a> <a href=/things/1>Thing 1</a>",
    "/next": "<h1>Next</h1><a href=/things/1>Delete thing 1</a>",
    "/secret/": "<h1>Found by its path</h1>",
    "/routed": "<h1>Routed</h1><a href='/about' onclick=\"this.textContent = 'no'; return false\">Routed</a>",
}


def crawled(
    out: Path, site: SiteSettings | None, first: str = "/"
) -> tuple[Outcome, FoldedCrawl, Counter[str], list[StateFound]]:
    """Serve the pages and crawl them; how it went, and which were asked for how often."""
    asked: Counter[str] = Counter()
    begun: list[CrawlLoop] = []

    async def answer(request: web.Request) -> web.Response:
        asked[request.path_qs] += 1
        page = PAGES.get(request.path)
        shown = f"{page or 'nothing'} {request.query_string}"
        icon = '<link rel=icon href="data:,">'
        return web.Response(
            text=f"<!DOCTYPE html><title>{request.path}</title>{icon}{shown}",
            content_type="text/html",
            headers={"Link": "</secret>; rel=help"},
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


def paths(crawl: FoldedCrawl) -> list[str]:
    """What is opened by its address."""
    urls = [url for event in crawl.graph.vocabulary if (url := opened_url(event.local)) is not None]
    return sorted("/" + url.split("/", 3)[3] for url in urls)


@pytest.mark.product
def test_every_page_of_a_site_is_opened_once_and_its_events_are_fired(tmp_path: Path) -> None:
    outcome, crawl, asked, states = crawled(tmp_path / "crawl", SiteSettings())
    assert outcome.ended_because == "complete"
    assert [each.kind for each in outcome.qualifications] == ["refused"], "logging out"
    assert paths(crawl) == ["/about", *(f"/item?id={number}" for number in range(4)), "/list", "/secret"]
    assert {count for path, count in asked.items() if path.startswith("/item")} == {1}
    assert asked["/logout"] == asked["/paper.pdf"] == 0
    assert asked["/"] < 4, "where a page leaves nothing in the session, the next URL is opened without a reset"
    assert len(states) == len(crawl.graph) == 9  # home, about, about with the button pressed, list, secret, four items
    assert sum("/about" in (state.url or "") for state in states) == 2


@pytest.mark.product
def test_a_link_with_a_listener_is_an_event_and_its_url_is_opened(tmp_path: Path) -> None:
    _, crawl, asked, states = crawled(tmp_path / "crawl", SiteSettings(urls=1), "/routed")
    assert paths(crawl)[0] == "/"
    assert asked["/about"] == 1
    routed = [state for state in states if "/routed" in (state.url or "")]
    assert len(routed) == 2
    assert routed[0].links == (0,)


@pytest.mark.product
def test_a_url_is_not_opened_once_any_link_to_it_says_that_it_is_dangerous(tmp_path: Path) -> None:
    outcome, _, asked, _ = crawled(tmp_path / "crawl", SiteSettings(), "/doubtful")
    assert (asked["/next"], asked["/things/1"]) == (1, 0)
    assert [each.kind for each in outcome.qualifications] == ["refused"]


@pytest.mark.product
def test_guessed_urls_are_states_only_where_there_is_a_page(tmp_path: Path) -> None:
    """A link that leads nowhere is what a person finds, too: its error page is a state, and a finding."""
    outcome, crawl, asked, states = crawled(tmp_path / "crawl", SiteSettings(), "/guessing")
    assert [f"/{(state.url or '').split('/', 3)[3]}" for state in states] == [
        "/guessing",
        *("/dead", "/later", "/both/ways", "/secret/"),
    ]
    failures = [failure for every in crawl.failures.values() for failure in every]
    refused = {failure.event.split("/", 3)[3]: failure.reason for failure in failures}
    assert refused == dict.fromkeys(("both/ways", "ghost/page", "api/none"), f"{NO_PAGE}404")
    assert asked["/ghost/page"] == 1
    assert outcome.complete, "a wrong guess says nothing about the application"
    reader = opened(tmp_path / "crawl", "urls")
    broken = [finding.url.split("/", 3)[3] for finding in findings_of(reader, ())]
    assert sorted(broken) == ["both/ways", "dead"]
    statuses = {address.url.split("/", 3)[3]: address.status for address in reader.addresses().urls}
    assert statuses["ghost/page"] == statuses["api/none"] == 404


@pytest.mark.product
def test_less_is_followed_where_that_is_asked_for(tmp_path: Path) -> None:
    _, crawl, _, _ = crawled(tmp_path / "crawl", SiteSettings(follow=("link",)))
    assert "/secret" not in paths(crawl)


@pytest.mark.product
def test_what_traffic_names_is_opened_also_when_the_crawl_was_ended_before(tmp_path: Path) -> None:
    """As if a crawl had been killed after it kept an answer, and before it said what that names."""
    site, out = SiteSettings(follow=("link", "header")), tmp_path / "crawl"
    _, crawl, _, _ = crawled(tmp_path / "undisturbed", site)
    assert "/secret" in paths(crawl)
    begun = CrawlPlan(url="http://127.0.0.1:1/", out=out, site=site)
    header = (("Link", "</secret>; rel=next"),)
    known = Exchange(method="GET", url="http://127.0.0.1:1/x", status=200, response_headers=header, response_body=b"")
    with closing(EvidenceWriter(out)) as evidence:
        evidence.note([known], "aa", None)
        evidence.flush()
    assert list(offers_of_earlier_runs(begun)) == [("http://127.0.0.1:1/secret", False)]


def test_what_answers_name_is_opened_where_that_is_asked_for() -> None:
    def heard(*follow: str, kind: str = "Script", url: str = "http://h/app/a.js") -> list[str]:
        media, text = {
            "Script": ("text/javascript", "fetch('/app/x'); load('/app/${id}'); y = '/app/y.png', z = '/logout'"),
            "Sitemap": ("text/xml", "<urlset><url><loc>http://h/app/s</loc></url><url><loc>http://o/</loc></url>"),
        }[kind]
        headers = (("content-type", media), ("link", "</app/next>; rel=next"))
        exchange = Exchange(method="GET", url=url, kind=kind, response_headers=headers, response_body=text.encode())
        plan = CrawlPlan(url="http://h/", out=Path("x"), site=SiteSettings(follow=follow))
        addresses = site_urls_of(plan)
        assert addresses is not None
        return addresses.new_events(addresses.from_exchange(exchange))

    assert heard("link", "sitemap") == []
    assert heard("script") == ["try http://h/app/x", "unopened http://h/logout"]
    assert heard("header") == ["try http://h/app/next"]
    assert heard("link", "sitemap", kind="Sitemap", url="http://h/sitemap.xml") == ["open http://h/app/s"]


def test_what_a_document_names_is_searched_for_once() -> None:
    """In the page that it became; those of frames are no pages of their own."""
    addresses = site_urls_of(CrawlPlan(url="http://h/", out=Path("x"), site=SiteSettings()))
    assert addresses is not None
    body = b"<noscript><a href=/inside>x</a></noscript><!-- /in/comment -->"
    answer = Exchange(
        method="GET",
        url="http://h/page",
        kind="Document",
        response_headers=(("content-type", "text/html"), ("refresh", "3; url=/next")),
        response_body=body,
    )
    in_body = {"http://h/inside": True, "http://h/in/comment": False}
    assert addresses.from_exchange(answer) == {"http://h/next": True, **in_body}
    page = snapshot(())
    assert addresses.from_snapshot(replace(page, url="http://h/page#part", html=body.decode())) == in_body
    assert addresses.from_exchange(answer) == {"http://h/next": True}


@pytest.mark.parametrize("site", [{"follow": ("links",)}, {"urls": 0}, {"urls_alike": -1}])
def test_what_means_nothing_is_refused(site: dict[str, int]) -> None:
    with pytest.raises(BadInput):
        SiteSettings(**site)  # type: ignore[arg-type]


def test_what_only_traffic_names_needs_it() -> None:
    with pytest.raises(BadInput, match="leave out --no-traffic"):
        CrawlPlan(url="http://h/", out=Path("x"), site=SiteSettings(follow=("header",)), traffic=False)
