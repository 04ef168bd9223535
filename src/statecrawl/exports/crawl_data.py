"""Data of a finished or running crawl, as input of exports."""

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
    """Data of a crawl. Each call of `traffic` reads it from the disk again."""

    crawl: FoldedCrawl
    found: Mapping[str, StateFound]  # state -> its fact, in the order of discovery
    links: Callable[[str], Sequence[str]]  # of a state
    traffic: Callable[[], Iterator[RecordedExchange]]
    about: Callable[[str], Mapping[str, Any]] = (
        lambda _: {}
    )  # stored evidence of a state, by the field names of Snapshot
    html: Callable[[str], str] = lambda _: ""  # its DOM
    holds: Callable[[str], bool] = lambda _: True  # whether a URL belongs to the application
    keeps_secrets: bool = False  # whether the stored data contains secrets

    @property
    def application(self) -> str:
        return self.crawl.started.application if self.crawl.started else ""

    def addresses(self) -> UrlCollection:
        """Every address that was found, and where. To look for them in all that was kept takes a while."""
        ways_out = [(seen.url, seen.state) for seen in self.crawl.boundaries.values()]
        return collected(self.shown(), self.traffic(), ways_out, self.holds, keep_secrets=self.keeps_secrets)

    def shown(self) -> Iterator[StateUrls]:
        """Yield the URLs that each state contains."""
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
        """Return a readable name of a state."""
        fact = self.found.get(state)
        return (fact.title or fact.url or state) if fact else state
