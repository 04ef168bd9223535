"""Files for crawlers are requested politely, each once, and a limited number of them."""

import asyncio
import gzip
from collections import Counter
from pathlib import Path

from aiohttp import web

from statecrawl.config.plan import CrawlPlan, Scope
from statecrawl.config.site import SiteSettings
from statecrawl.crawler.politeness import politeness_of
from statecrawl.crawler.site_files import MOST_DEPTH, MOST_MANIFESTS, MOST_SITEMAPS, SiteFiles
from statecrawl.ports.traffic import Exchange
from statecrawl.ports.url_sources import in_exchange


def index(*urls: str) -> str:
    return f"<sitemapindex>{''.join(f'<sitemap><loc>{url}</loc></sitemap>' for url in urls)}</sitemapindex>"


def listed(*urls: str) -> str:
    return f"<urlset>{''.join(f'<url><loc>{url}</loc></url>' for url in urls)}</urlset>"


def read(
    files: dict[str, str | bytes], page: str = "", *, times: int = 2, ignore_robots: bool = False
) -> tuple[list[Exchange], Counter[str]]:
    """What is read of a server that holds these files, in which {} is where it is; and what it was asked for."""
    asked: Counter[str] = Counter()

    async def run() -> list[Exchange]:
        async def answer(request: web.Request) -> web.Response:
            asked[request.path] += 1
            body = files.get(request.path)
            if body is None:
                raise web.HTTPNotFound
            return web.Response(body=body if isinstance(body, bytes) else body.replace("{}", home).encode())

        application = web.Application()
        application.router.add_get("/{path:.*}", answer)
        runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        home = f"http://127.0.0.1:{runner.addresses[0][1]}"
        plan = CrawlPlan(
            url=f"{home}/app/",
            out=Path("x"),
            site=SiteSettings(),
            scope=Scope(prefix="/app/"),
            ignore_robots=ignore_robots,
        )
        try:
            known = (await politeness_of(plan)).files
            assert isinstance(known, SiteFiles)
            if page:
                pages = [page.replace("{}", home).replace("[]", str(number)) for number in range(times)]
                return [each for text in pages async for each in known.of_page(text, f"{home}/app/")]
            first = [each async for each in known.for_crawlers()]
            return first + [each async for each in known.for_crawlers() if each.kind != "Robots"]
        finally:
            await runner.cleanup()

    return asyncio.run(run()), asked


def paths(exchanges: list[Exchange]) -> list[str]:
    return [each.url.split("/", 3)[3] for each in exchanges]


def test_sitemaps_are_read_where_robots_names_them_and_where_they_usually_are() -> None:
    exchanges, asked = read(
        {
            "/robots.txt": "User-agent: *\nDisallow: /hidden\nSitemap: {}/a.xml\nSitemap: {}/hidden/b.xml\n"
            "Sitemap: http://elsewhere.invalid/c.xml\n",
            "/a.xml": index("{}/packed.xml.gz", "{}/a.xml", "http://elsewhere.invalid/d.xml"),
            "/packed.xml.gz": gzip.compress(listed("http://h/app/one").encode()),
            "/sitemap.xml": listed("http://h/app/two"),
        }
    )
    assert paths(exchanges) == ["robots.txt", "a.xml", "sitemap.xml", "packed.xml.gz"]
    assert asked == dict.fromkeys(["/robots.txt", "/a.xml", "/sitemap.xml", "/packed.xml.gz"], 1)
    found = {each.url for exchange in exchanges for each in in_exchange(exchange) if each.where == "sitemap"}
    assert found >= {"http://h/app/one", "http://h/app/two"}


def test_what_robots_asks_for_may_be_ignored_on_ones_own_site() -> None:
    files: dict[str, str | bytes] = {"/robots.txt": "User-agent: *\nDisallow: /s\nSitemap: {}/s.xml\n", "/s.xml": "x"}
    assert "s.xml" in paths(read(files, ignore_robots=True)[0])
    assert "s.xml" not in paths(read(files | {"/robots.txt": "User-agent: *\nDisallow: /s\nSitemap: {}/s.xml"})[0])


def test_indexes_are_followed_only_so_deep_and_so_many_in_all() -> None:
    deep = {f"/{number}.xml": index(f"{{}}/{number + 1}.xml") for number in range(20)}
    _, asked = read({"/sitemap.xml": index("{}/0.xml"), **deep})
    assert len(asked) == 2 + MOST_DEPTH  # and robots.txt
    wide = index(*(f"{{}}/w{number}.xml" for number in range(3 * MOST_SITEMAPS)))
    _, asked = read({"/sitemap.xml": wide})
    assert len(asked) == 1 + MOST_SITEMAPS


def test_a_manifest_is_asked_for_once_and_only_of_the_application() -> None:
    page = "<link rel=manifest href='/m.webmanifest'><link rel=manifest href='http://elsewhere.invalid/m'>"
    exchanges, asked = read({"/m.webmanifest": '{"start_url": "/app/start"}'}, page)
    assert (paths(exchanges), asked["/m.webmanifest"]) == (["m.webmanifest"], 1)
    assert [each.where for each in in_exchange(exchanges[0])] == ["manifest"]


def test_a_manifest_that_every_page_names_counts_once() -> None:
    many = "<link rel=manifest href=/app/same><link rel=manifest href='/app/m[]'>"
    _, asked = read({}, many, times=3 * MOST_MANIFESTS)
    assert len(asked) == 1 + MOST_MANIFESTS  # and robots.txt
