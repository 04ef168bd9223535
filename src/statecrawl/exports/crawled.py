"""A crawl that is over, or goes on, as exports see it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from statecrawl.journal.facts import StateFound
from statecrawl.journal.fold import Crawl
from statecrawl.ports.traffic import Recorded


@dataclass(frozen=True, slots=True, kw_only=True)
class Crawled:
    """What there is. Traffic is read from the disk each time it is asked for."""

    crawl: Crawl
    found: Mapping[str, StateFound]  # state -> how it was found, in the order in which it was
    links: Callable[[str], Sequence[str]]  # of a state
    traffic: Callable[[], Iterator[Recorded]]
    about: Callable[[str], Mapping[str, Any]] = lambda _: {}  # what was kept of a state, by the names of a Snapshot
    html: Callable[[str], str] = lambda _: ""  # its DOM

    @property
    def application(self) -> str:
        return self.crawl.started.application if self.crawl.started else ""

    def title(self, state: str) -> str:
        """What a person would call a state."""
        fact = self.found.get(state)
        return (fact.title or fact.url or state) if fact else state
