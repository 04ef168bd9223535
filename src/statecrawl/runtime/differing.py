"""Differing: two folders of crawls are read and compared."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from statecrawl.errors import BadInput
from statecrawl.journal.qualifications import Qualification, in_short, qualifications_of
from statecrawl.model.redaction import without_hashes
from statecrawl.report.crawl.content import Reading
from statecrawl.report.crawl.seen import noted_in
from statecrawl.report.difference.difference import Difference, Place, difference_of
from statecrawl.report.difference.matching import Matching, Side, match
from statecrawl.runtime.explaining import Said, differences, said_lines
from statecrawl.runtime.reporting import read_crawl
from statecrawl.runtime.scope import scope_of
from statecrawl.stores.evidence import EvidenceReader

MOST_LINES = 4000  # of a state that are compared line by line: that takes time by their square


class Told:
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
class Opened:
    """A crawl that is compared with others."""

    reading: Reading
    told: Told
    side: Side
    qualifications: tuple[Qualification, ...]  # why it is not complete


def opened(folder: Path) -> Opened:
    """Raises BadInput when there is no crawl, and what a journal raises."""
    reading, told = read_crawl(folder), Told(folder)
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
    return Opened(reading, told, side, found)


def compare_crawls(old: Path, new: Path) -> Difference:
    """What is different in a new crawl. Raises what `opened` raises."""
    before, after = opened(old), opened(new)
    warnings = (*_warnings(old, before), *_warnings(new, after))
    return replace(difference_between(before, after, match(before.side, after.side)), warnings=warnings)


def _warnings(folder: Path, crawl: Opened) -> Iterator[str]:
    """Why a difference may come from the crawl in a folder, not from the application."""
    if crawl.qualifications:
        why = in_short(crawl.qualifications)
        yield f"{folder} is not complete ({why}): what differs may not have been crawled there"


def difference_between(before: Opened, after: Opened, matching: Matching) -> Difference:
    """The same for crawls whose states were matched already."""

    def places(one: str, other: str) -> tuple[Place, ...]:
        here, there = before.told.said(one) or [], after.told.said(other) or []
        found = differences(here[:MOST_LINES], there[:MOST_LINES])
        return tuple((each.place, each.one, each.other) for each in found)

    return difference_of(matching, places)
