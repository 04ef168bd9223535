"""`statecrawl crawl --urls-only`: print every URL as soon as it is found, one per line, for pipes.

If the reader closes the pipe early, as `head` does, the crawl stops in an orderly way. The pipe is checked whenever a
URL is written, and also a few times a second.
"""

import select
import sys
from collections.abc import Callable, Iterable

from statecrawl.cli.console import drop_output, note
from statecrawl.config.plan import CrawlPlan
from statecrawl.config.secrets import redactor_of
from statecrawl.crawler.hooks import Hooks
from statecrawl.exports.urls import json_line
from statecrawl.journal.facts import BoundarySeen, Fact
from statecrawl.ports.page import Snapshot
from statecrawl.ports.traffic import Exchange
from statecrawl.ports.url_sources import UrlSearch, urls_of_state
from statecrawl.privacy.redaction import without_hashes
from statecrawl.results.export import opened
from statecrawl.stores.evidence import JOURNAL_NAME
from statecrawl.urls.collection import CollectedUrl

STOPPED = "stopped"  # `ended_because` of a crawl whose reader closed the pipe


class UrlPrinter:
    """Prints the URLs that one crawl finds."""

    def __init__(self, plan: CrawlPlan, *, as_json: bool) -> None:
        redactor = redactor_of(plan)

        def clean(url: str) -> str:
            return url if redactor is None else without_hashes(redactor.text(url))

        self._search = UrlSearch(lambda url: plan.scope.contains(plan.url, url), clean)
        self._as_json = as_json
        self._is_closed = False  # the reader has closed the pipe
        self.stop: Callable[[str], None] = lambda _: None  # ends the crawl

    def before(self, plan: CrawlPlan) -> None:
        """Print the URLs that earlier runs found. Raises StoreError if the journal cannot be used."""
        if (plan.out / JOURNAL_NAME).is_file():
            crawled = opened(plan.out, "urls")
            for seen in crawled.shown():
                self._print(self._search.add_state(seen))
            for recorded in crawled.traffic():
                self._print(self._search.add_exchange(recorded.exchange))
            for way_out in crawled.crawl.boundaries.values():
                self._print(self._search.add_external(way_out.url, way_out.state))

    def hooks(self) -> Hooks:
        """Return the callbacks that pass the URLs of a crawl to this printer."""
        return Hooks(on_state=self._met, on_fact=self._recorded, on_request=self._heard)

    def check_pipe(self) -> None:
        """Check whether the reader has closed the pipe."""
        if self._is_closed or not hasattr(select, "poll"):
            return
        watch = select.poll()
        watch.register(sys.stdout.fileno(), 0)
        if any(events & select.POLLERR for _, events in watch.poll(0)):
            self._stop_crawl()

    def end(self) -> None:
        """Print notes about URLs that were left out, if any."""
        for line in self._search.all().left_out:
            note(line)

    def _met(self, snapshot: Snapshot) -> None:
        about = {"state": snapshot.state, "url": snapshot.url, "links": snapshot.links, "forms": snapshot.forms}
        self._print(self._search.add_state(urls_of_state(about, snapshot.html)))

    def _heard(self, exchange: Exchange, state: str, _: str | None) -> None:
        self._print(self._search.add_exchange(exchange, state))

    def _recorded(self, fact: Fact) -> None:
        if isinstance(fact, BoundarySeen):
            self._print(self._search.add_external(fact.url, fact.state))

    def _print(self, urls: Iterable[CollectedUrl]) -> None:
        lines = [json_line(each) if self._as_json else f"{each.url}\n".encode(errors="replace") for each in urls]
        if not lines or self._is_closed:
            return
        try:
            sys.stdout.buffer.write(b"".join(lines))
            sys.stdout.buffer.flush()
        except BrokenPipeError:
            self._stop_crawl()

    def _stop_crawl(self) -> None:
        self._is_closed = True
        drop_output()
        self.stop(STOPPED)
