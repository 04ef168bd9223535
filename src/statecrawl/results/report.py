"""Report of a crawl, written from journal and evidence into the directory of the crawl."""

import shutil
import time
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from statecrawl.crawler.scope import keeps_secrets, scope_of
from statecrawl.crawler.widget import WidgetWatch
from statecrawl.errors import BadInput, StoreError
from statecrawl.fleet.invitation import VERSION
from statecrawl.journal.end_reasons import BOUNDED, COMPLETE, COMPONENTS
from statecrawl.ports.coverage import Script
from statecrawl.ports.traffic import RecordedExchange
from statecrawl.ports.url_sources import StateUrls, collected, urls_of_state
from statecrawl.report.crawl.content import Composer, Reading
from statecrawl.report.crawl.endpoints import Endpoint, Endpoints
from statecrawl.report.crawl.files import INDEX, assets, data_file, detail_file
from statecrawl.report.crawl.state_evidence import NoteContent, notes_of
from statecrawl.stores.evidence import STATE_ID, EvidenceReader, journal_of
from statecrawl.stores.sqlite_journal import open_reader
from statecrawl.stores.traffic import TrafficReader
from statecrawl.strategies.component_frontier import ComponentFrontier
from statecrawl.strategies.component_summary import ComponentSummary, folded_components, summary_of_frontier
from statecrawl.urls.collection import UrlCollection

FOLDER = "report"


class StoredEvidence:
    """The stored evidence of a crawl, for the report."""

    def __init__(self, folder: Path) -> None:
        self._reader = EvidenceReader(folder)

    def about(self, state: str) -> Any:
        with suppress(BadInput):
            return self._reader.about(state)
        return None

    def dom(self, state: str) -> bytes | None:
        return self._reader.compressed_html(state)

    def has_picture(self, state: str) -> bool:
        return self._reader.picture(state) is not None

    def picture(self, state: str) -> bytes | None:
        path = self._reader.picture(state)
        with suppress(OSError):
            return None if path is None else path.read_bytes()
        return None

    def coverage(self) -> list[Script]:
        return self._reader.coverage()


def read_crawl(folder: Path) -> Reading:
    """Read the journal in a directory. Raises BadInput if there is none; StoreError if it cannot be used."""
    with closing(open_reader(journal_of(folder))) as reader:
        return Reading().extend(reader.read())


def components_of(folder: Path) -> ComponentSummary:
    """Summarize the components of the crawl in a directory. Raises BadInput and StoreError like `read_crawl`."""
    return summary_of_frontier(_frontier_of(folder))


def _frontier_of(folder: Path) -> ComponentFrontier | None:
    with closing(open_reader(journal_of(folder))) as reader:
        return folded_components(reader.read())


def has_report(folder: Path) -> bool:
    """Whether the directory of a crawl contains a report."""
    return (folder / FOLDER / INDEX).is_file()


def write_report(folder: Path) -> Path:
    """Write the report of the crawl in a directory; return its first page. An existing report is replaced at the end.

    Raises BadInput if there is no crawl; StoreError if the journal cannot be used or the report cannot be written.
    """
    reading = read_crawl(folder)
    place, draft, old = (folder / name for name in (FOLDER, f".{FOLDER}.new", f".{FOLDER}.old"))
    try:
        for left in (draft, old):
            shutil.rmtree(left, ignore_errors=True)
        for name, content in _files(folder, reading):
            path = draft / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        if place.exists():
            place.rename(old)
        draft.rename(place)
        shutil.rmtree(old, ignore_errors=True)
    except OSError as error:
        shutil.rmtree(draft, ignore_errors=True)
        raise StoreError(
            f"cannot write the report to {folder}: {error.strerror}; free disk space, then run statecrawl report"
            f" {folder}."
        ) from error
    return place / INDEX


def _collect(folder: Path, reading: Reading, notes: Iterable[NoteContent]) -> tuple[list[Endpoint], UrlCollection, str]:
    """Collect requests and URLs in one pass over the evidence, and the widget in which the crawl was stuck, if any."""
    requests, evidence, crawl, widgets = Endpoints(), EvidenceReader(folder), reading.crawl, WidgetWatch()
    for note in notes:
        requests.add_note(note)

    def traffic() -> Iterator[RecordedExchange]:
        for recorded in TrafficReader(folder).read():
            requests.add_exchange(recorded)
            yield recorded

    def states() -> Iterator[StateUrls]:
        for state in crawl.graph.ids:
            url, seen = reading.found[state].url, StateUrls(state=state, url="")
            with suppress(BadInput):
                about = evidence.about(state)
                seen = urls_of_state(about, evidence.html(state))
                widgets.add(url or seen.url, str(about.get("normal") or ""))
            yield replace(seen, state=state, url=url or seen.url)

    ways_out = [(seen.url, seen.state) for seen in crawl.boundaries.values()]
    urls = collected(states(), traffic(), ways_out, scope_of(crawl), keep_secrets=keeps_secrets(crawl))
    widget = (
        None if crawl.ended in (COMPLETE, COMPONENTS, BOUNDED) else widgets.stuck()
    )  # a crawl that explored everything is not stuck
    return requests.all(), urls, "" if widget is None else widget.sentence()


def _files(folder: Path, reading: Reading) -> Iterator[tuple[str, bytes]]:
    yield from assets()
    notes = list(notes_of(EvidenceReader(folder).notes()))
    requests, urls, widget = _collect(folder, reading, notes)
    composer = Composer(
        reading,
        StoredEvidence(folder),
        notes,
        requests,
        urls,
        scope_of(reading.crawl),
        widget=widget,
        frontier=_frontier_of(folder),
    )
    ids = reading.crawl.graph.ids
    for detail in composer.details():
        if STATE_ID.fullmatch(ids[detail.state]):  # an id that is not a hash is not safe as a file name
            yield detail_file(ids[detail.state], detail)
    made = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime())
    yield data_file(composer.content(), made=made, program=f"statecrawl {VERSION}")
