"""Every URL of a site is found, printed once, and visited if requested."""

import asyncio
import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pytest

from tests.cli.command import ENVIRONMENT, Done, arguments, statecrawl
from tests.cli.every_place import EveryPlace

NAMED = {
    *("linked", "pinged", "formed", "formed-too", "small.png", "large.png", "in-data", "in-htmx", "in-template"),
    *("in-comment", "api/*/parts", "in-srcdoc", "in-meta", "style.css", "more.css", "in-css.png", "static/app.js"),
    *("in-script", "list.json?page=1", "in-json", "site.webmanifest", "installed", "robots.txt", "private"),
    *("index.xml", "packed.xml.gz", "in-sitemap", "in-header", "reports", ""),
}
QUICK = ("--learn-states", "0", "--no-screenshots", "--no-report", "--reset-cost", "3", "--quiet")


@contextmanager
def served() -> Iterator[EveryPlace]:
    site, loop = EveryPlace(), asyncio.new_event_loop()
    loop.run_until_complete(site.start())
    thread = Thread(target=loop.run_forever)
    thread.start()
    try:
        yield site
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.run_until_complete(site.close())
        loop.close()


def crawl(site: EveryPlace, out: Path, *more: str) -> Done:
    return statecrawl("crawl", site.url, "--site", "--out", out, *QUICK, *more).fine()


@pytest.mark.product
def test_every_place_is_searched_and_what_is_found_is_printed_once_and_visited(tmp_path: Path) -> None:
    out = tmp_path / "crawl"
    with served() as site:
        wanted = {site.url + path for path in NAMED} | {"http://elsewhere.invalid/x?token=REDACTED"}
        printed = crawl(site, out, "--follow", "all", "--urls-only").out.splitlines()
        assert len(printed) == len(set(printed))
        assert wanted - set(printed) == set()
        pages = ("linked", "in-comment", "in-script", "in-json", "installed", "in-sitemap", "in-header")
        assert {path: site.asked[f"/{path}"] for path in pages} == dict.fromkeys(pages, 1)
        assert site.asked["/private"] == 0
        asked = sum(site.asked.values())
        again = crawl(site, out, "--follow", "all", "--urls-only").out.splitlines()
        assert set(again) == set(printed), "also what earlier runs have found"
        assert sum(site.asked.values()) <= asked + 8, "and nothing is visited again but the first page"
    exported = statecrawl("export", out, "--format", "urls").fine().out.splitlines()
    assert set(exported) == set(printed)
    told = {each["url"]: each for each in statecrawl("export", out, "--format", "urls-json").fine().objects}
    where = {url.removeprefix(site.url): {place["where"] for place in each["found"]} for url, each in told.items()}
    assert {path: where[path] for path in ("in-json", "in-sitemap", "reports", "large.png", "more.css")} == {
        "in-json": {"data", "page", "request"},
        "in-sitemap": {"sitemap", "page", "request"},
        "reports": {"csp", "page", "request"},
        "large.png": {"srcset"},
        "more.css": {"css", "request"},
    }
    private = told[f"{site.url}private"]
    assert (private["visited"], private["status"], private["in_scope"]) == (False, None, True)
    assert told[f"{site.url}in-script"]["status"] == 200


@pytest.mark.product
def test_the_reader_may_close_the_pipe(tmp_path: Path) -> None:
    with served() as site:
        command = arguments("crawl", site.url, "--site", "--urls-only", "--json", "--out", tmp_path / "crawl", *QUICK)
        running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT, text=True)
        assert running.stdout is not None
        assert running.stderr is not None
        first = json.loads(running.stdout.readline())
        running.stdout.close()
        said = running.stderr.read()
        assert running.wait(60) == 0, said
        running.stderr.close()
        assert first["url"].startswith("http")
        assert "Traceback" not in said
        assert json.loads(said.splitlines()[-1])["ended_because"] == "stopped"
        assert site.url in statecrawl("export", tmp_path / "crawl", "--format", "urls").fine().out.splitlines()


def test_urls_only_is_refused_with_several_nodes(tmp_path: Path) -> None:
    statecrawl("crawl", "tiny", "--urls-only", "--nodes", "2", "--out", tmp_path / "x").refused(2, "--urls-only")
