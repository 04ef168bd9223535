"""A crawl that is over, or goes on, as exports see it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from statecrawl.journal.facts import StateFound
from statecrawl.journal.fold import FoldedCrawl
from statecrawl.ports.traffic import RecordedExchange
from statecrawl.ports.url_sources import StateUrls, collected, urls_of_state
from statecrawl.urls.collection import UrlCollection


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlData:
    """What there is. Traffic is read from the disk each time it is asked for."""

    crawl: FoldedCrawl
    found: Mapping[str, StateFound]  # state -> how it was found, in the order in which it was
    links: Callable[[str], Sequence[str]]  # of a state
    traffic: Callable[[], Iterator[RecordedExchange]]
    about: Callable[[str], Mapping[str, Any]] = lambda _: {}  # what was kept of a state, by the names of a Snapshot
    html: Callable[[str], str] = lambda _: ""  # its DOM
    holds: Callable[[str], bool] = lambda _: True  # whether an address belongs to the application
    keeps_secrets: bool = False  # in what was written

    @property
    def application(self) -> str:
        return self.crawl.started.application if self.crawl.started else ""

    def addresses(self) -> UrlCollection:
        """Every address that was found, and where. To look for them in all that was kept takes a while."""
        ways_out = [(seen.url, seen.state) for seen in self.crawl.boundaries.values()]
        return collected(self.shown(), self.traffic(), ways_out, self.holds, keep_secrets=self.keeps_secrets)

    def shown(self) -> Iterator[StateUrls]:
        """What each state names."""
        return map(self._shown, self.found.values())

    def _shown(self, fact: StateFound) -> StateUrls:
        about = urls_of_state(self.about(fact.state))
        return StateUrls(
            state=fact.state,
            url=fact.url or about.url,
            html=self.html(fact.state),
            links=tuple(self.links(fact.state)),
            actions=about.actions,
            strings=about.strings,
        )

    def title(self, state: str) -> str:
        """What a person would call a state."""
        fact = self.found.get(state)
        return (fact.title or fact.url or state) if fact else state
