"""`statecrawl verify`: walk to the states of a crawl again, and say how far the application agrees."""

import asyncio
import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import Progress

from statecrawl.cli.console import notes, output
from statecrawl.cli.folders import reopened
from statecrawl.errors import BadInput, Disagreement, printable
from statecrawl.runtime.replaying import Replay, Verdict, read_model, replayer

MOST_SHOWN = 10  # states that were not arrived at


def verify(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder of a crawl.")],
    sample: Annotated[int | None, typer.Option(help="Walk to this many states, drawn by --seed; default: all.")] = None,
    seed: Annotated[int, typer.Option(help="Draws the sample.")] = 0,
    login: Annotated[Path | None, typer.Option(help="File with log-in steps, instead of the one of the crawl.")] = None,
    values: Annotated[Path | None, typer.Option(help="File with values for fields, likewise.")] = None,
    browser: Annotated[str | None, typer.Option(help="Program of a Chrome or Chromium.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="As one JSON object.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress.")] = False,
) -> None:
    """Walk to the states of a crawl again, each from a clean session, and say how far the application agrees.

    Examples:
      # every state
      statecrawl verify crawl-test-ria
      # some of them, chosen by chance
      statecrawl verify crawl-test-ria --sample 5

    Exit codes: 0 it agrees; 2 the request cannot be done as asked; 3 the journal cannot be used; 4 no browser; 5 the
    application cannot be loaded; 7 some state is not where it was.
    """
    if sample is not None and sample < 1:
        raise BadInput("--sample must be 1 or more.")
    crawl = read_model(folder)
    given = {
        "login": None if login is None else str(login),
        "values": None if values is None else str(values),
        "browser": browser,
    }

    async def run() -> Verdict:
        with Progress(console=notes, transient=True, disable=quiet or not notes.is_terminal) as progress:
            walks = progress.add_task("walking", total=None)

            def told(done: int, of: int, _: Replay) -> None:
                progress.update(walks, completed=done, total=of)

            async with reopened(folder, crawl, given) as plan, replayer(plan, crawl) as walking:
                return await walking.verify(sample, seed, told)

    verdict = asyncio.run(run())
    if as_json:
        output.print(json.dumps({**asdict(verdict), "agreement": verdict.agreement}), markup=False, soft_wrap=True)
    else:
        _print(verdict)
    if verdict.failed:
        lost = f"{len(verdict.failed):,} of {verdict.states:,} states"
        raise Disagreement(f"{lost} are not where they were: crawl again.")


def _print(verdict: Verdict) -> None:
    lines = [
        f"{verdict.arrived:,} of {verdict.states:,} states are where they were ({verdict.agreement:.1%})",
        f"{verdict.agreed:,} of {verdict.transitions:,} transitions on the ways to them lead where they led",
    ]
    if verdict.unreachable:
        lines.append(f"{verdict.unreachable:,} states were not tried: no way to them is known")
    lines += [f"  {failed.state[:12]}: {printable(failed.trouble)}" for failed in verdict.failed[:MOST_SHOWN]]
    if len(verdict.failed) > MOST_SHOWN:
        lines.append(f"  and {len(verdict.failed) - MOST_SHOWN:,} more; --json has them all")
    for line in lines:
        output.print(line, markup=False, soft_wrap=True)
