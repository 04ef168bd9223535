"""`statecrawl verify`: check that an application still agrees with the model of a crawl."""

import asyncio
import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Self

import typer
from rich.progress import Progress

from statecrawl.cli.console import note, notes, print_line
from statecrawl.cli.crawl_folders import BrowserPath, LoginFile, ValuesFile, overrides, reopened
from statecrawl.cli.progress import LINE_SECONDS, cancelled
from statecrawl.cli.shared_options import Quiet
from statecrawl.errors import BadInput, Disagreement, printable
from statecrawl.results.replay import Replay, Verification, read_model, replayer

MOST_SHOWN = 10  # states that were not reached


def verify(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Directory of a crawl.")],
    sample: Annotated[
        int | None, typer.Option(help="Number of states to check, chosen at random. Default: all.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the random choice.")] = 0,
    login: LoginFile = None,
    values: ValuesFile = None,
    browser: BrowserPath = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    quiet: Quiet = False,
) -> None:
    """Walk to the states of a crawl again, in fresh sessions, and check that they are still there.

    A walk also covers every state whose path is a prefix of it.

    Examples:
      # all states
      statecrawl verify crawl-test-ria
      # five states chosen at random
      statecrawl verify crawl-test-ria --sample 5

    Exit codes: 0 the application agrees with the model; 2 the request is invalid; 3 the journal cannot be used; 4
    there is no working browser; 5 the application cannot be loaded; 7 some states were not reached.
    """
    if sample is not None and sample < 1:
        raise BadInput("--sample must be 1 or more.")
    crawl = read_model(folder)
    given = overrides(login, values, browser)

    async def run() -> Verification:
        async with (
            _VerifyProgress(quiet=quiet) as shown,
            reopened(folder, crawl, given) as plan,
            replayer(plan, crawl) as walking,
        ):
            return await walking.verify(sample, seed, shown.update)

    verdict = asyncio.run(run())
    if as_json:
        print_line(json.dumps({**asdict(verdict), "agreement": verdict.agreement}))
    else:
        _print(verdict)
    if verdict.failed:
        lost = f"{len(verdict.failed):,} of {verdict.states:,} states"
        raise Disagreement(f"{lost} were not reached: crawl the application again.")


class _VerifyProgress:
    """Shows how many states were visited: a bar in a terminal, otherwise a line every ten seconds."""

    def __init__(self, *, quiet: bool) -> None:
        self._bar = Progress(console=notes, transient=True, disable=quiet or not notes.is_terminal)
        self._walks = self._bar.add_task("walking", total=None)
        self._has_lines = not quiet and not notes.is_terminal
        self._visited = ""

    async def __aenter__(self) -> Self:
        self._bar.start()
        self._lines = asyncio.create_task(self._print_lines())
        return self

    async def __aexit__(self, *_: object) -> None:
        await cancelled(self._lines)
        self._bar.stop()

    def update(self, done: int, of: int, _: Replay) -> None:
        self._bar.update(self._walks, completed=done, total=of)
        self._visited = f"{done:,} of {of:,} states visited"

    async def _print_lines(self) -> None:
        while self._has_lines:
            await asyncio.sleep(LINE_SECONDS)
            note(self._visited or "walking to the first state")


def _print(verdict: Verification) -> None:
    lines = [
        f"{verdict.arrived:,} of {verdict.states:,} states were reached ({verdict.agreement:.1%})",
        f"{verdict.agreed:,} of {verdict.transitions:,} transitions on the paths to them lead to the same states",
    ]
    if verdict.unreachable:
        lines.append(f"{verdict.unreachable:,} states were not tried, because no path to them is known")
    lines += [f"  {failed.state[:12]}: {printable(failed.problem)}" for failed in verdict.failed[:MOST_SHOWN]]
    if len(verdict.failed) > MOST_SHOWN:
        lines.append(f"  and {len(verdict.failed) - MOST_SHOWN:,} more; --json lists them all")
    for line in lines:
        print_line(line)
