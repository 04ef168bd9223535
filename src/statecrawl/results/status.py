"""What there is to say of the folder of a crawl, as JSON: from its journal and notes, also while it is crawled."""

import time
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Any

from statecrawl.crawler.scope import scope_of
from statecrawl.report.crawl.content import Reading, summary_of
from statecrawl.report.crawl.endpoints import endpoints
from statecrawl.report.crawl.files import INDEX
from statecrawl.report.crawl.problems import failed, incidents
from statecrawl.report.crawl.state_evidence import notes_of
from statecrawl.report.crawl.unexplored import remaining
from statecrawl.results.report import FOLDER, read_crawl
from statecrawl.stores.evidence import JOURNAL_NAME, EvidenceReader
from statecrawl.stores.traffic import TrafficReader
from statecrawl.stores.writer_lock import last_written, writer

GOES_ON = "it is still running"
KILLED = "it was killed, or runs elsewhere; the same command resumes it"
FIGURES = ("states", "transitions", "unexplored", "closed", "events", "resets", "reset_cost", "cost")


def _timed(reading: Reading, until: float | None) -> tuple[list[dict[str, Any]], float | None]:
    """The runs, and how long all of them took; one that did not end lasted until then."""
    runs, seconds = [asdict(run) for run in reading.discovery.runs], reading.discovery.seconds
    if runs and until is not None and not runs[-1]["ended"] and runs[-1]["began"] is not None:
        longer = max(round(until - runs[-1]["began"], 3) - runs[-1]["seconds"], 0.0)
        runs[-1]["seconds"] += longer
        seconds = (seconds or 0.0) + longer
    return runs, seconds


def folder_status(folder: Path) -> dict[str, Any]:
    """All of it. Raises BadInput when there is no crawl, and what a journal raises."""
    reading = read_crawl(folder)
    crawl = reading.crawl
    notes = list(notes_of(EvidenceReader(folder).notes()))
    summary = summary_of(crawl, reading.discovery, notes, scope_of(crawl))
    requests = endpoints(notes, TrafficReader(folder).read(bodies=False))
    said = Counter(each.kind for each in incidents(crawl, notes))
    lost = Counter(each.kind for each in failed(crawl))
    started, index = crawl.started, folder / FOLDER / INDEX
    writes = writer(folder / JOURNAL_NAME)
    runs, seconds = _timed(reading, time.time() if writes else last_written(folder / JOURNAL_NAME))
    return {
        "folder": str(folder),
        "application": started.application if started else "",
        "strategy": str(started.configuration.get("strategy", "")) if started else "",
        **{name: getattr(summary, name) for name in FIGURES},
        "seconds": seconds,
        "complete": summary.complete,
        "qualifications": [asdict(each) for each in summary.qualifications],
        "writer": writes,
        "ended_because": summary.ended,
        "ending": summary.ending if summary.ended else GOES_ON if writes else KILLED,
        "runs": runs,
        "remaining": [asdict(each) for each in remaining(crawl)],
        "trouble": {
            "exceptions": said["exception"],
            "console errors": said["console"],
            "failed requests": sum(1 for each in requests if each.trouble),
            "not deterministic": summary.diverged,
            **{kind: lost[kind] for kind in ("hung", "crashed", "refused")},
            "moved by itself": summary.external,
        },
        "report": str(index) if index.is_file() else None,
    }
