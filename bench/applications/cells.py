"""Cells of the comparison: one application, one variant, one run. Measured once and kept.

    bench/results/applications.jsonl      what was measured here, one JSON object per line
    bench/applications/baseline.jsonl     what was measured once and is committed: see `baseline`

A cell that is in either file is not measured again. To measure cells again, remove their lines.
"""

import asyncio
import json
import os
import subprocess
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.applications.application import Application
from bench.applications.clicker import click
from bench.applications.crawls import crawl
from bench.applications.screens import seen_in
from bench.applications.servers import served
from bench.applications.variants import CLICKER, CRAWLERS

HERE = Path(__file__).parent
BASELINE = HERE / "baseline.jsonl"
SOURCE = HERE.parent.parent / "src"
RESULTS = HERE.parent / "results" / "applications.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """What one variant did with one application in one run."""

    application: str
    variant: str
    arguments: tuple[str, ...]
    seconds: float
    run: int  # from 1
    functions: int  # executed beyond page load
    functions_at_load: int
    screens: tuple[str, ...]  # hashes
    places: int
    states: int  # of the clicker: different documents
    events: int
    events_per_second: float
    ended: str
    load: float  # average of the machine, before the run
    measured: str  # when, in UTC
    commit: str

    @property
    def key(self) -> tuple[str, str, float, int]:
        return self.application, self.variant, self.seconds, self.run


def measure(application: Application, variant: str, seconds: float, run: int) -> Cell:
    """Measure one cell. Raises CrawlFailed, NotInstalled or NotStarted."""
    load, measured = os.getloadavg()[0], f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"
    arguments = () if variant == CLICKER else CRAWLERS[variant]
    with served(application) as url, TemporaryDirectory(prefix="statecrawl-bench-") as folder:
        if variant == CLICKER:
            clicked = asyncio.run(click(url, application, seconds=seconds, seed=run))
            functions, at_load, documents = clicked.functions, clicked.at_load, clicked.documents
            figures = (len(documents), clicked.events, clicked.events / clicked.seconds, clicked.ended)
        else:
            crawled = crawl(url, application, arguments, seconds, Path(folder))
            functions, at_load, documents = crawled.functions, crawled.at_load, crawled.documents
            told = crawled.outcome
            ended = str(told.get("completeness") or ("complete" if told["complete"] else told["ended_because"]))
            figures = (int(told["states"]), int(told["events"]), float(told["events_per_second"]), ended)
        seen = asyncio.run(seen_in(documents.kept()))
    states, events, speed, ended = figures
    return Cell(
        application=application.name,
        variant=variant,
        arguments=arguments,
        seconds=seconds,
        run=run,
        functions=len(functions - at_load),
        functions_at_load=len(at_load),
        screens=tuple(sorted(seen.screens)),
        places=len(seen.places),
        states=states,
        events=events,
        events_per_second=round(speed, 1),
        ended=ended,
        load=round(load, 2),
        measured=measured,
        commit=_commit(),
    )


def known_cells() -> list[Cell]:
    """Return all cells that have been measured. Where there are two, the one of the baseline counts."""
    return list({cell.key: cell for cell in (*read_cells(RESULTS), *read_cells(BASELINE))}.values())


def read_cells(path: Path) -> list[Cell]:
    """Return the cells of a file; none if it does not exist. A line that was cut off is skipped."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [_cell(line) for line in lines if line.endswith("}")]


def keep(cell: Cell, path: Path = RESULTS) -> None:
    """Append a cell to the results."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as results:
        results.write(line_of(cell))


def line_of(cell: Cell) -> str:
    return json.dumps(asdict(cell) | {"screens": " ".join(cell.screens)}) + "\n"


def write_cells(cells: Iterable[Cell], path: Path) -> None:
    path.write_text("".join(map(line_of, cells)), encoding="utf-8")


def _cell(line: str) -> Cell:
    read = json.loads(line)
    return Cell(**read | {"screens": tuple(read["screens"].split()), "arguments": tuple(read["arguments"])})


def _commit() -> str:
    """Return the commit that last changed statecrawl, marked if it has been changed since."""
    git = ["git", "-C", str(SOURCE)]
    last, changed = (
        subprocess.run([*git, *command, "--", "."], capture_output=True, text=True, check=False).stdout.strip()
        for command in (("log", "-1", "--format=%h", "--abbrev=7"), ("status", "--porcelain"))
    )
    return (last or "unknown") + ("+" if changed else "")
