"""The terminal: results go to standard output, progress and errors to standard error."""

import os
import sys
from types import TracebackType
from typing import NoReturn, Self

from rich.console import Console
from rich.measure import Measurement
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from statecrawl.errors import printable
from statecrawl.lab.measurement import RunProgress

PAGE_WIDTH = 116  # of what is piped somewhere instead of shown
UNLIMITED = 10_000  # columns; no table of ours is as wide


class Output(Console):
    """Standard output; who reads it may leave before the end, as `head` does, and nothing is wrong then."""

    def on_broken_pipe(self) -> NoReturn:
        drop_output()
        sys.exit(0)


output = Output(highlight=False, emoji=False, width=None if sys.stdout and sys.stdout.isatty() else PAGE_WIDTH)
notes = Console(stderr=True, highlight=False, emoji=False)


def note(text: str) -> None:
    """One line on standard error, whatever names it quotes: they are neither markup nor orders to the terminal."""
    notes.print(printable(text), markup=False, soft_wrap=True)


def print_line(text: str) -> None:
    """One line on standard output, as it is."""
    output.print(text, markup=False, soft_wrap=True)


def print_whole(table: Table) -> None:
    """At its full width, also where that is more than a line: a figure must not lose its digits."""
    needed = Measurement.get(output, output.options.update_width(UNLIMITED), table).maximum
    if needed > output.width:
        table.width = needed
    output.print(table, crop=False)


def print_bytes(content: bytes) -> None:
    """To standard output as they are, whatever encoding the terminal has."""
    try:
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        output.on_broken_pipe()


def drop_output() -> None:
    """Standard output cannot be written any more: let what is left in its buffer go nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class Board:
    """Progress of several jobs: live bars in a terminal, else one line per finished job."""

    def __init__(self, titles: list[str], *, quiet: bool = False) -> None:
        self._titles = [printable(title) for title in titles]
        self._plain = not notes.is_terminal
        self._quiet = quiet
        self._bars = Progress(
            TextColumn("{task.description}", justify="left"),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            TextColumn("{task.fields[news]}", style="dim", markup=False),  # names of files may look like markup
            TimeElapsedColumn(),
            console=notes,
            transient=True,
            disable=quiet or self._plain,
        )
        self._all = self._bars.add_task("runs", total=len(titles), news="")

    def __enter__(self) -> Self:
        self._bars.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bars.__exit__(kind, error, trace)

    def progress(self, number: int, at: RunProgress) -> None:
        news = f"{self._titles[number]}: {at.states:,} states, {at.transitions:,} transitions, {at.events:,} events"
        self._bars.update(self._all, news=news)

    def done(self, number: int, said: str) -> None:
        self._bars.advance(self._all)
        if self._plain and not self._quiet:
            note(f"{self._titles[number]}: {said}")
