"""Export of a crawl: its data, and every format that needs more than the model."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from statecrawl.crawler.scope import keeps_secrets, scope_of
from statecrawl.errors import BadInput
from statecrawl.exports import csv_tables, playwright_tests, urls
from statecrawl.exports.crawl_data import CrawlData
from statecrawl.exports.har import har
from statecrawl.exports.openapi import openapi
from statecrawl.exports.warc import warc
from statecrawl.journal.facts import EquivalenceRevised, Fact, StateFound
from statecrawl.journal.fold import fold
from statecrawl.stores.evidence import JOURNAL_NAME, EvidenceReader
from statecrawl.stores.sqlite_journal import open_reader
from statecrawl.stores.traffic import TrafficReader

Write = Callable[[CrawlData], Iterator[bytes]]


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlFormat:
    """An export format of a crawl."""

    title: str  # one-line description
    files: dict[str, Write]  # a single file under the name ""; or several files of a directory by their names
    suffixes: tuple[str, ...] = ()  # of file names
    needs_traffic: bool = False


CRAWL_FORMATS = {
    "urls": CrawlFormat(title="URLs found, one per line", files={"": urls.urls}),
    "urls-json": CrawlFormat(
        title="URLs found and their sources, as JSON lines", files={"": urls.urls_json}, suffixes=(".urls.jsonl",)
    ),
    "sitemap": CrawlFormat(title="for search engines", files={"": urls.sitemap}, suffixes=(".xml",)),
    "csv": CrawlFormat(
        title="states, transitions and URLs, for spreadsheets",
        files={"states.csv": csv_tables.states, "transitions.csv": csv_tables.transitions, "urls.csv": urls.urls_table},
    ),
    "pytest": CrawlFormat(
        title="tests that visit every state, for pytest and Playwright",
        files={
            "conftest.py": playwright_tests.conftest,
            "events.js": playwright_tests.events,
            "clock.js": playwright_tests.clock,
            "test_states.py": playwright_tests.tests,
        },
    ),
    "har": CrawlFormat(title="traffic, for browser tools", files={"": har}, suffixes=(".har",), needs_traffic=True),
    "warc": CrawlFormat(
        title="traffic, for web archives", files={"": warc}, suffixes=(".warc.gz", ".warc"), needs_traffic=True
    ),
    "openapi": CrawlFormat(
        title="the API that was called", files={"": openapi}, suffixes=(".openapi.json",), needs_traffic=True
    ),
}


def crawl_format_of_file(name: str) -> str | None:
    """Return the crawl format that a file name stands for, if any."""
    matches = (known for known, each in CRAWL_FORMATS.items() if each.suffixes and name.lower().endswith(each.suffixes))
    return next(matches, None)


def opened(folder: Path, chosen: str) -> CrawlData:
    """Open the data of a crawl. Raises BadInput if there is no crawl, or no traffic although the format needs it."""
    if not (folder / JOURNAL_NAME).is_file():
        what = f"--format {chosen}" if chosen in CRAWL_FORMATS else chosen
        raise BadInput(f"{what} needs the directory of a crawl, and {folder} is none.")
    traffic = TrafficReader(folder)
    if chosen in CRAWL_FORMATS and CRAWL_FORMATS[chosen].needs_traffic and not traffic.exists:
        raise BadInput(
            f"{chosen} needs the traffic, and {folder} contains none: crawl again without --no-traffic, into a new"
            " directory."
        )
    with closing(open_reader(folder / JOURNAL_NAME)) as reader:
        return _crawled(list(reader.read()), EvidenceReader(folder), traffic)


def _crawled(facts: Sequence[Fact], evidence: EvidenceReader, traffic: TrafficReader) -> CrawlData:
    found: dict[str, StateFound] = {}
    for fact in facts:
        if isinstance(fact, EquivalenceRevised):
            found = {}
        elif isinstance(fact, StateFound):
            found.setdefault(fact.state, fact)

    def about(state: str) -> Mapping[str, Any]:
        try:
            return evidence.about(state)
        except BadInput:
            return {}

    def html(state: str) -> str:
        try:
            return evidence.html(state)
        except BadInput:
            return ""

    @cache
    def links(state: str) -> Sequence[str]:
        return [str(link) for link in about(state).get("links", ())]

    crawl = fold(facts)
    return CrawlData(
        crawl=crawl,
        holds=scope_of(crawl),
        keeps_secrets=keeps_secrets(crawl),
        found=found,
        links=links,
        traffic=traffic.read,
        about=about,
        html=html,
    )
