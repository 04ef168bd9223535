"""Terminal output: results go to standard output, progress and errors to standard error."""

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer
from types import TracebackType
from typing import NoReturn, Self

from rich.console import Console
from rich.measure import Measurement
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from statecrawl.errors import printable
from statecrawl.lab.measurement import RunProgress

SLOW_SECONDS = 1.0  # after which a silent program looks stuck
PAGE_WIDTH = 116  # columns, if standard output is not a terminal
UNLIMITED = 10_000  # columns; wider than any table we print


class Output(Console):
    """Standard output. A reader that closes it early, such as `head`, is no error."""

    def on_broken_pipe(self) -> NoReturn:
        drop_output()
        sys.exit(0)


output = Output(highlight=False, emoji=False, width=None if sys.stdout and sys.stdout.isatty() else PAGE_WIDTH)
notes = Console(stderr=True, highlight=False, emoji=False)


def note(text: str) -> None:
    """Print one line to standard error. Names it quotes are neither markup nor terminal control sequences."""
    notes.print(printable(text), markup=False, soft_wrap=True)


@contextmanager
def noted_if_slow(text: str, *, as_json: bool = False) -> Iterator[None]:
    """Print one line to standard error if what follows takes longer than people expect."""
    shown = json.dumps({"kind": "note", "text": text}) if as_json and not notes.is_terminal else text
    timer = Timer(SLOW_SECONDS, note, [shown])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def print_line(text: str) -> None:
    """Print one line to standard output, without markup or wrapping."""
    output.print(text, markup=False, soft_wrap=True)


def print_whole(table: Table) -> None:
    """Print a table at its full width, even if that exceeds the terminal: figures must not be truncated."""
    needed = Measurement.get(output, output.options.update_width(UNLIMITED), table).maximum
    if needed > output.width:
        table.width = needed
    output.print(table, crop=False)


def print_bytes(content: bytes) -> None:
    """Write bytes to standard output, regardless of the terminal's encoding."""
    try:
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        output.on_broken_pipe()


def drop_output() -> None:
    """Discard what is left in the buffer of standard output, which can no longer be written."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class Board:
    """Progress of several jobs: live bars in a terminal, otherwise one line per finished job."""

    def __init__(self, titles: list[str], *, quiet: bool = False) -> None:
        self._titles = [printable(title) for title in titles]
        self._plain = not notes.is_terminal
        self._quiet = quiet
        self._bars = Progress(
            TextColumn("{task.description}", justify="left"),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            TextColumn("{task.fields[latest]}", style="dim", markup=False),  # file names may look like markup
            TimeElapsedColumn(),
            console=notes,
            transient=True,
            disable=quiet or self._plain,
        )
        self._all = self._bars.add_task("runs", total=len(titles), latest="")

    def __enter__(self) -> Self:
        self._bars.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bars.__exit__(kind, error, trace)

    def progress(self, number: int, at: RunProgress) -> None:
        latest = f"{self._titles[number]}: {at.states:,} states, {at.transitions:,} transitions, {at.events:,} events"
        self._bars.update(self._all, latest=latest)

    def done(self, number: int, result: str) -> None:
        self._bars.advance(self._all)
        if self._plain and not self._quiet:
            note(f"{self._titles[number]}: {result}")
