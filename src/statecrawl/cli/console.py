"""The terminal: results go to standard output, progress and errors to standard error."""

import sys
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from statecrawl.runtime.measuring import Glance

PAGE_WIDTH = 116  # of what is piped somewhere instead of shown

output = Console(highlight=False, width=None if sys.stdout.isatty() else PAGE_WIDTH)
notes = Console(stderr=True, highlight=False)


class Board:
    """Progress of several jobs: live bars in a terminal, else one line per finished job."""

    def __init__(self, titles: list[str], *, quiet: bool = False) -> None:
        self._titles = titles
        self._plain = not notes.is_terminal
        self._quiet = quiet
        self._bars = Progress(
            TextColumn("{task.description}", justify="left"),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            TextColumn("[dim]{task.fields[news]}"),
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

    def progress(self, number: int, at: Glance) -> None:
        news = f"{self._titles[number]}: {at.states:,} states, {at.transitions:,} transitions, {at.events:,} events"
        self._bars.update(self._all, news=news)

    def done(self, number: int, said: str) -> None:
        self._bars.advance(self._all)
        if self._plain and not self._quiet:
            notes.print(f"{self._titles[number]}: {said}", markup=False, soft_wrap=True)
