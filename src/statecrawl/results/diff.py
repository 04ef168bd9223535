"""Diff: read the directories of two crawls and compare them."""

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
from statecrawl.results.explanation import TextLine, differences, text_lines
from statecrawl.results.report import read_crawl
from statecrawl.stores.evidence import EvidenceReader

MOST_LINES = 4000  # lines of a state that are compared: the time grows with their square


class StateTexts:
    """The text of the states of a crawl, without hashes of secrets, which differ between crawls."""

    def __init__(self, folder: Path) -> None:
        self._reader = EvidenceReader(folder)

    def lines(self, state: str) -> list[TextLine] | None:
        with suppress(BadInput):
            return list(text_lines(without_hashes(str(self._reader.about(state)["normal"]))))
        return None

    def line_set(self, state: str) -> frozenset[str] | None:
        lines = self.lines(state)
        return None if lines is None else frozenset(f"{place}\x1f{text}" for place, text in lines)


@dataclass(frozen=True, slots=True)
class OpenedCrawl:
    """A crawl to compare with others."""

    reading: Reading
    texts: StateTexts
    side: Side
    qualifications: tuple[Qualification, ...]  # why it is not complete


def opened(folder: Path) -> OpenedCrawl:
    """Open the crawl in a directory. Raises BadInput if there is none; StoreError for the journal."""
    reading, texts = read_crawl(folder), StateTexts(folder)
    facts = [reading.found[state] for state in reading.crawl.graph.ids]
    side = Side(
        graph=reading.crawl.graph,
        urls=[fact.url or "" for fact in facts],
        titles=[fact.title or "" for fact in facts],
        said=texts.line_set,
    )
    notes = noted_in(EvidenceReader(folder).notes())
    crawl = reading.crawl
    qualifications = qualifications_of(crawl, ended=crawl.ended, in_scope=scope_of(crawl), notes=notes)
    return OpenedCrawl(reading, texts, side, qualifications)


def compare_crawls(old: Path, new: Path) -> CrawlDifference:
    """Compare the crawls in two directories. Raises the errors of `opened`."""
    before, after = opened(old), opened(new)
    warnings = (*_warnings(old, before), *_warnings(new, after))
    return replace(difference_between(before, after, match(before.side, after.side)), warnings=warnings)


def _warnings(folder: Path, crawl: OpenedCrawl) -> Iterator[str]:
    """Yield a warning if differences may come from an incomplete crawl instead of the application."""
    if crawl.qualifications:
        why = summary_of(crawl.qualifications)
        yield f"{folder} is not complete ({why}), so parts that seem to differ may not have been crawled there"


def difference_between(before: OpenedCrawl, after: OpenedCrawl, matching: StateMatch) -> CrawlDifference:
    """Compare two crawls whose states are already matched."""

    def places(one: str, other: str) -> tuple[Place, ...]:
        here, there = before.texts.lines(one) or [], after.texts.lines(other) or []
        changed = differences(here[:MOST_LINES], there[:MOST_LINES])
        return tuple((each.place, each.one, each.other) for each in changed)

    return difference_of(matching, places)
