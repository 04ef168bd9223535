"""What there is to say of the folder of a crawl, as JSON: from its journal and notes, also while it is crawled."""

from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Any

from statecrawl.report.crawl.content import summary_of
from statecrawl.report.crawl.files import INDEX
from statecrawl.report.crawl.remaining import remaining
from statecrawl.report.crawl.seen import notes_of
from statecrawl.report.crawl.traffic import endpoints
from statecrawl.report.crawl.troubles import failed, incidents
from statecrawl.runtime.reporting import FOLDER, read_crawl
from statecrawl.stores.evidence import EvidenceReader
from statecrawl.stores.traffic import TrafficReader

FIGURES = ("states", "transitions", "unexplored", "closed", "events", "resets", "reset_cost", "cost", "seconds")


def folder_status(folder: Path) -> dict[str, Any]:
    """All of it. Raises BadInput when there is no crawl, and what a journal raises."""
    reading = read_crawl(folder)
    crawl = reading.crawl
    summary = summary_of(crawl, reading.discovery)
    notes = list(notes_of(EvidenceReader(folder).notes()))
    requests = endpoints(notes, TrafficReader(folder).read(bodies=False))
    said = Counter(each.kind for each in incidents(crawl, notes))
    lost = Counter(each.kind for each in failed(crawl))
    started, index = crawl.started, folder / FOLDER / INDEX
    return {
        "folder": str(folder),
        "application": started.application if started else "",
        "strategy": str(started.configuration.get("strategy", "")) if started else "",
        **{name: getattr(summary, name) for name in FIGURES},
        "complete": summary.complete,
        "ended_because": summary.ended,
        "ending": summary.ending,
        "runs": [asdict(run) for run in summary.runs],
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
