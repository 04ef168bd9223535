"""Differing: two folders of crawls are read and compared."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from statecrawl.crawler.scope import scope_of
from statecrawl.errors import BadInput
from statecrawl.journal.qualifications import Qualification, qualifications_of, summary_of
from statecrawl.privacy.redaction import without_hashes
from statecrawl.report.crawl.content import Reading
from statecrawl.report.crawl.state_evidence import noted_in
from statecrawl.report.difference.difference import CrawlDifference, Place, difference_of
from statecrawl.report.difference.state_match import Side, StateMatch, match
from statecrawl.results.explanation import Said, differences, said_lines
from statecrawl.results.report import read_crawl
from statecrawl.stores.evidence import EvidenceReader

MOST_LINES = 4000  # of a state that are compared line by line: that takes time by their square


class StateTexts:
    """What the states of a crawl said. Every crawl has a key of its own, so secrets have to look the same."""

    def __init__(self, folder: Path) -> None:
        self._reader = EvidenceReader(folder)

    def said(self, state: str) -> list[Said] | None:
        with suppress(BadInput):
            return list(said_lines(without_hashes(str(self._reader.about(state)["normal"]))))
        return None

    def lines(self, state: str) -> frozenset[str] | None:
        said = self.said(state)
        return None if said is None else frozenset(f"{place}\x1f{what}" for place, what in said)


@dataclass(frozen=True, slots=True)
class OpenedCrawl:
    """A crawl that is compared with others."""

    reading: Reading
    told: StateTexts
    side: Side
    qualifications: tuple[Qualification, ...]  # why it is not complete


def opened(folder: Path) -> OpenedCrawl:
    """Raises BadInput when there is no crawl, and what a journal raises."""
    reading, told = read_crawl(folder), StateTexts(folder)
    facts = [reading.found[state] for state in reading.crawl.graph.ids]
    side = Side(
        graph=reading.crawl.graph,
        urls=[fact.url or "" for fact in facts],
        titles=[fact.title or "" for fact in facts],
        said=told.lines,
    )
    notes = noted_in(EvidenceReader(folder).notes())
    crawl = reading.crawl
    found = qualifications_of(crawl, ended=crawl.ended, in_scope=scope_of(crawl), notes=notes)
    return OpenedCrawl(reading, told, side, found)


def compare_crawls(old: Path, new: Path) -> CrawlDifference:
    """What is different in a new crawl. Raises what `opened` raises."""
    before, after = opened(old), opened(new)
    warnings = (*_warnings(old, before), *_warnings(new, after))
    return replace(difference_between(before, after, match(before.side, after.side)), warnings=warnings)


def _warnings(folder: Path, crawl: OpenedCrawl) -> Iterator[str]:
    """Why a difference may come from the crawl in a folder, not from the application."""
    if crawl.qualifications:
        why = summary_of(crawl.qualifications)
        yield f"{folder} is not complete ({why}): what differs may not have been crawled there"


def difference_between(before: OpenedCrawl, after: OpenedCrawl, matching: StateMatch) -> CrawlDifference:
    """The same for crawls whose states were matched already."""

    def places(one: str, other: str) -> tuple[Place, ...]:
        here, there = before.told.said(one) or [], after.told.said(other) or []
        found = differences(here[:MOST_LINES], there[:MOST_LINES])
        return tuple((each.place, each.one, each.other) for each in found)

    return difference_of(matching, places)
