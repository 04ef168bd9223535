"""Addresses: all that were found, and a sitemap of those that belong to the application."""

import csv
import json
from io import StringIO
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from statecrawl.exports.crawl_data import CrawlData
from statecrawl.exports.urls import sitemap, urls, urls_json, urls_table
from statecrawl.journal.facts import BoundarySeen, Fact, StateFound
from tests.exports.made_up import HOME, answered, crawled

LINKS = ["http://host/b?x=1&y=<2>", "http://host/b?x=1&y=2", "http://elsewhere/", "mailto:a@b", "http://host/gone", "x"]


def lines(found: CrawlData) -> list[str]:
    return b"".join(urls(found)).decode().splitlines()


def parsed(found: CrawlData) -> ElementTree.Element:
    return ElementTree.fromstring(b"".join(sitemap(found)))  # noqa: S314 — our own


def test_found_everywhere_and_told_once() -> None:
    facts: list[Fact] = [
        StateFound(state=HOME, events=(), url="http://host/#/home"),
        BoundarySeen(state=HOME, event=None, what="scope", url="http://out/"),
    ]
    found = crawled(answered("http://host/api"), answered("http://host/api"), facts=facts, links=LINKS)
    assert lines(found) == [
        "http://elsewhere/",
        "http://host/#/home",
        "http://host/api",
        "http://host/b?x=1&y=%3C2%3E",
        "http://host/b?x=1&y=2",
        "http://host/gone",
        "http://out/",
    ]
    told = [json.loads(line) for line in b"".join(urls_json(found)).splitlines()]
    assert [each["url"] for each in told] == lines(found)
    assert {each["url"]: each["status"] for each in told if each["visited"]} == {
        "http://host/#/home": None,
        "http://host/api": 200,
    }
    assert told[-1]["found"] == [{"where": "way out", "state": HOME}]
    head, *rows = csv.reader(StringIO(b"".join(urls_table(found)).decode()))
    assert [row[0] for row in rows] == lines(found)
    assert dict(zip(head, rows[-1], strict=True))["found as"] == "way out"


def test_the_sitemap_is_of_this_server_and_has_no_broken_pages() -> None:
    gone = answered("http://host/gone", status=404)
    told = parsed(crawled(gone, links=LINKS))
    assert told.tag == "{http://www.sitemaps.org/schemas/sitemap/0.9}urlset"
    places = [url[0].text for url in told]
    assert places == ["http://host/", "http://host/away", "http://host/b?x=1&y=2"]


@given(st.lists(st.text(max_size=20).map("http://host/{}".format), max_size=5))
def test_whatever_a_page_links_to_makes_lines_and_xml(links: list[str]) -> None:
    found = crawled(links=links)
    assert all(line.startswith("http://") for line in lines(found))
    parsed(found)
