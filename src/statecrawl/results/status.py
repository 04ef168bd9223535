"""Status of the crawl in a directory, from its journal and page notes, also while the crawl runs."""

import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any

from statecrawl.crawler.outcome import named_cuts
from statecrawl.crawler.scope import scope_of
from statecrawl.journal.facts import CrawlStarted, Fact, StateFound, TransitionExplored
from statecrawl.report.crawl.content import Reading, summary_of
from statecrawl.report.crawl.endpoints import endpoints
from statecrawl.report.crawl.files import INDEX
from statecrawl.report.crawl.problems import failed, incidents
from statecrawl.report.crawl.state_evidence import notes_of
from statecrawl.report.crawl.unexplored import remaining
from statecrawl.results.report import FOLDER, components_of
from statecrawl.stores.evidence import JOURNAL_NAME, EvidenceReader, journal_of
from statecrawl.stores.sqlite_journal import open_reader
from statecrawl.stores.traffic import TrafficReader
from statecrawl.stores.writer_lock import last_written, writer

RUNNING = "it is still running"
KILLED = "it was killed, or runs on another machine; run the same command to resume it"
COMPONENT_FIGURES = (
    *("components", "component_states", "independence_checked", "independence_violated", "check_events"),
    *("switched_at", "spare", "far"),
)
FIGURES = ("states", "transitions", "unexplored", "closed", "events", "resets", "reset_cost", "cost")


def _timed(reading: Reading, until: float | None) -> tuple[list[dict[str, Any]], float | None]:
    """Return the runs and their total duration. A last run without an end lasts until `until`."""
    runs, seconds = [asdict(run) for run in reading.discovery.runs], reading.discovery.seconds
    if runs and until is not None and not runs[-1]["ended"] and runs[-1]["began"] is not None:
        longer = max(round(until - runs[-1]["began"], 3) - runs[-1]["seconds"], 0.0)
        runs[-1]["seconds"] += longer
        seconds = (seconds or 0.0) + longer
    return runs, seconds


class StrategyWatch:
    """The strategy of the last run that found anything: a run may find that nothing is left to do."""

    def __init__(self) -> None:
        self.name = ""
        self._of_run = ""

    def watch(self, facts: Iterable[Fact]) -> Iterator[Fact]:
        """Yield the facts of a journal, and note who explored."""
        for fact in facts:
            if isinstance(fact, CrawlStarted):
                self._of_run = str(fact.configuration.get("strategy", ""))
                self.name = self.name or self._of_run
            elif isinstance(fact, StateFound | TransitionExplored):
                self.name = self._of_run
            yield fact


def folder_status(folder: Path) -> dict[str, Any]:
    """Return the status as a JSON object. Raises BadInput if there is no crawl; StoreError for the journal."""
    strategy = StrategyWatch()
    with closing(open_reader(journal_of(folder))) as reader:
        reading = Reading().extend(strategy.watch(reader.read()))
    crawl = reading.crawl
    notes = list(notes_of(EvidenceReader(folder).notes()))
    summary = summary_of(crawl, reading.discovery, notes, scope_of(crawl), components_of(folder))
    requests = endpoints(notes, TrafficReader(folder).read(bodies=False))
    errors = Counter(each.kind for each in incidents(crawl, notes))
    failures = Counter(each.kind for each in failed(crawl))
    started, index = crawl.started, folder / FOLDER / INDEX
    writes = writer(folder / JOURNAL_NAME)
    runs, seconds = _timed(reading, time.time() if writes else last_written(folder / JOURNAL_NAME))
    return {
        "folder": str(folder),
        "application": started.application if started else "",
        "strategy": strategy.name,
        **{name: getattr(summary, name) for name in FIGURES},
        "seconds": seconds,
        "complete": summary.complete,
        "completeness": summary.completeness,
        **{name: getattr(summary.components, name) for name in COMPONENT_FIGURES},
        "cut": named_cuts(summary.components.cut, crawl, EvidenceReader(folder)),
        "qualifications": [asdict(each) for each in summary.qualifications],
        "writer": writes,
        "ended_because": summary.ended,
        "ending": summary.ending if summary.ended else RUNNING if writes else KILLED,
        "runs": runs,
        "remaining": [asdict(each) for each in remaining(crawl)],
        "problems": {
            "exceptions": errors["exception"],
            "console_errors": errors["console"],
            "failed_requests": sum(1 for each in requests if each.trouble),
            "nondeterministic": summary.diverged,
            **{kind: failures[kind] for kind in ("hung", "crashed", "refused")},
            "spontaneous_changes": summary.external,
        },
        "report": str(index) if index.is_file() else None,
    }
