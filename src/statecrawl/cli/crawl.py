"""`statecrawl crawl`: open a web application and build its model."""

import asyncio
import json
import signal
import time
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.live import Live
from rich.text import Text

from statecrawl.cli.console import note, notes, output
from statecrawl.config.crawl import crawl_plan
from statecrawl.errors import BadInput, Interrupted, UnknownName, printable
from statecrawl.model.graph import Graph
from statecrawl.runtime.assemble import crawl as run_crawl
from statecrawl.runtime.crawling import Crawling
from statecrawl.runtime.meeting import DENIED
from statecrawl.runtime.outcome import Outcome
from statecrawl.runtime.plan import DEFAULT_STRATEGY, EQUIVALENCES, CrawlPlan
from statecrawl.strategies.registry import STRATEGIES
from statecrawl.testbed.catalogue import ENTRIES, application
from statecrawl.testbed.matching import mismatch
from statecrawl.testbed.sites.registry import SITES, site_named
from statecrawl.testbed.sites.server import start

INTERRUPTED = "interrupted"
LOCAL = "localhost"
MOST_REASONS = 6  # why events were not fired, in a summary
LIVE_SECONDS = 0.2  # between two looks at a crawl, in a terminal
LINE_SECONDS = 5.0  # and elsewhere


def crawl(
    url: Annotated[
        str,
        typer.Argument(
            help="Where the application begins, as in http://localhost:8000/; or the name of a bundled one."
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option(help="Folder for journal and evidence; default: crawl-HOST. A crawl that is there goes on."),
    ] = None,
    strategy: Annotated[
        str | None, typer.Option("--strategy", "-s", help=f"{', '.join(STRATEGIES)}; default: {DEFAULT_STRATEGY}.")
    ] = None,
    pages: Annotated[int | None, typer.Option(help="Pages that crawl side by side; default: 1.")] = None,
    equivalence: Annotated[
        str | None,
        typer.Option("--equivalence", "-e", help=f"What makes a state: {', '.join(EQUIVALENCES)}; default: content."),
    ] = None,
    max_states: Annotated[int | None, typer.Option(help="End after this many states.")] = None,
    max_events: Annotated[
        int | None, typer.Option(help="End after this many events, of all runs; learning what is volatile not counted.")
    ] = None,
    max_time: Annotated[str | None, typer.Option(help="End this run after this time: 90s, 10m, 2h.")] = None,
    max_depth: Annotated[
        int | None, typer.Option(help="Do not expand states this many events from the first page.")
    ] = None,
    scope: Annotated[
        str | None, typer.Option(help="Stay below this path, as in /app/; default: the whole origin.")
    ] = None,
    allow: Annotated[
        list[str] | None,
        typer.Option(
            help="Expression for addresses that belong to the application, instead of its origin; may be repeated."
        ),
    ] = None,
    deny: Annotated[
        list[str] | None, typer.Option(help="Expression for addresses that do not; may be repeated.")
    ] = None,
    deny_element: Annotated[
        list[str] | None, typer.Option(help="Expression for words of elements not to touch; may be repeated.")
    ] = None,
    allow_dangerous: Annotated[
        bool, typer.Option("--allow-dangerous", help="Also fire what says log out, delete, pay and the like.")
    ] = False,
    read_only: Annotated[
        bool, typer.Option("--read-only", help="Refuse every request of the page but GET, HEAD and OPTIONS.")
    ] = False,
    values: Annotated[Path | None, typer.Option(help="File with values for fields (TOML or JSON).")] = None,
    login: Annotated[Path | None, typer.Option(help="File with log-in steps, or a saved storage state.")] = None,
    reset_url: Annotated[
        str | None, typer.Option(help="Address that resets the server, asked for before each reset.")
    ] = None,
    reset_command: Annotated[
        str | None, typer.Option(help="Command that resets the server, run before each reset.")
    ] = None,
    reset_cost: Annotated[float | None, typer.Option(help="What a reset costs, in events; default: measured.")] = None,
    ignore: Annotated[
        list[str] | None, typer.Option(help="Selector of parts that make no states; may be repeated.")
    ] = None,
    ignore_attribute: Annotated[
        list[str] | None, typer.Option(help="Attribute that makes no states; may be repeated.")
    ] = None,
    ignore_text: Annotated[
        list[str] | None, typer.Option(help="Expression for text that makes no states; may be repeated.")
    ] = None,
    learn: Annotated[
        int | None,
        typer.Option(help="How many states are loaded again to learn what is volatile; default: 20, 0 is none."),
    ] = None,
    trusted_input: Annotated[
        bool,
        typer.Option(
            "--trusted-input", help="Fire events by real pointer and keyboard: slower, but trusted by the page."
        ),
    ] = False,
    no_screenshots: Annotated[bool, typer.Option("--no-screenshots", help="Take no pictures of states.")] = False,
    horizon: Annotated[
        str | None, typer.Option(help="How far the page's clock may run after an event; default: 10s.")
    ] = None,
    event_timeout: Annotated[
        str | None, typer.Option(help="How long an event may take to settle; default: 10s.")
    ] = None,
    load_timeout: Annotated[str | None, typer.Option(help="How long a page may take to load; default: 30s.")] = None,
    seed: Annotated[
        int | None, typer.Option(help="Fixes every random choice, the page's included; default: 0.")
    ] = None,
    browser: Annotated[
        str | None, typer.Option(help="Program of a Chrome or Chromium; default: the one installed.")
    ] = None,
    config: Annotated[
        Path | None, typer.Option(help="TOML file with the options above by their names, as in max-states = 500.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="End with one JSON object on standard output.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress.")] = False,
) -> None:
    """Open a web application in Chromium, fire every event in every state, and write its model.

    Example: [bold]statecrawl crawl test-ria[/] serves a bundled application, crawls it, and checks the model

    Example: [bold]statecrawl crawl http://localhost:8000/ --max-time 10m[/]

    Example: [bold]statecrawl crawl http://localhost:8000/ --pages 2 --read-only --deny /admin[/]

    Exit codes: 0 the crawl ended, complete or by a limit; 2 the request cannot be done as asked; 3 the journal or the
    disk; 4 no browser; 5 the application cannot be loaded; 130 interrupted. What was found is kept in every case, and
    the same command goes on with it.
    """
    given: dict[str, Any] = {
        "out": None if out is None else str(out),
        "strategy": strategy,
        "pages": pages,
        "equivalence": equivalence,
        "max-states": max_states,
        "max-events": max_events,
        "max-time": max_time,
        "max-depth": max_depth,
        "scope": scope,
        "allow": allow,
        "deny": deny,
        "deny-element": deny_element,
        "allow-dangerous": allow_dangerous,
        "read-only": read_only,
        "values": None if values is None else str(values),
        "login": None if login is None else str(login),
        "reset-url": reset_url,
        "reset-command": reset_command,
        "reset-cost": reset_cost,
        "ignore": ignore,
        "ignore-attribute": ignore_attribute,
        "ignore-text": ignore_text,
        "learn": learn,
        "trusted-input": trusted_input,
        "no-screenshots": no_screenshots,
        "horizon": horizon,
        "event-timeout": event_timeout,
        "load-timeout": load_timeout,
        "seed": seed,
        "browser": browser,
    }
    plan, outcome, verdict = asyncio.run(_served(url, given, config, quiet=quiet))
    if as_json:
        output.print(json.dumps(as_object(outcome)), markup=False, soft_wrap=True)
    else:
        for line in [*summary(outcome, plan), *verdict]:
            output.print(line, markup=False, soft_wrap=True)
    if outcome.ended_because == INTERRUPTED:
        raise Interrupted(f"interrupted: what was found is in {plan.out}, and the same command goes on with it.")


def as_object(outcome: Outcome) -> dict[str, Any]:
    """An outcome for machines."""
    told = asdict(outcome)
    for name in ("seconds", "events_per_second", "cost"):
        told[name] = round(told[name], 3)
    return told


def summary(outcome: Outcome, plan: CrawlPlan) -> list[str]:
    """An outcome for people."""
    left = f"{outcome.unexplored:,} events unexplored" if outcome.unexplored else "nothing left unexplored"
    if outcome.complete and outcome.unexplored:
        left = f"all explored but {outcome.unexplored:,} that cannot or must not be fired"
    speed = f"{outcome.events_per_second:.0f} events/s, a reset costs {outcome.reset_cost:g} events"
    found = f"{_counted(outcome.states, 'state')}, {_counted(outcome.transitions, 'transition')}"
    spent = f"{_counted(outcome.events, 'event')} and {_counted(outcome.resets, 'reset')} in all"
    lines = [
        f"{found}, {left} ({outcome.ended_because})",
        f"{spent}, {outcome.seconds:.1f} s now: {speed}",
    ]
    refusals = list(outcome.refusals.items())[:MOST_REASONS]
    lines += [f"{_counted(count, 'event')} not fired: {printable(why)}" for why, count in refusals]
    if any(why.startswith(DENIED) for why in outcome.refusals) and not plan.scope.allow_dangerous:
        lines.append("what looks dangerous is fired with --allow-dangerous")
    odd = {
        "hung": outcome.hung,
        "crashed": outcome.crashed,
        "diverged": outcome.diverged,
        "external": outcome.external,
    }
    if any(odd.values()):
        lines.append(", ".join(f"{count:,} {name}" for name, count in odd.items() if count))
    if outcome.rules:
        lines.append(f"{outcome.rules} rules for volatile parts were learnt")
    lines += [f"mind: {printable(warning)}" for warning in outcome.warnings]
    lines.append(f"journal and evidence are in {printable(str(plan.out))}/")
    return lines


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def judge(outcome: Outcome, found: Graph, truth: Graph) -> str:
    """What there is to say of a complete model, for people."""
    wrong = mismatch(found, truth)
    if wrong is None:
        return "the model found is exactly the true one"
    hint = "; what was refused is fired with --allow-dangerous" if outcome.refused else ""
    return f"the model found is not the true one: {wrong}{hint}"


async def _served(
    url: str, given: dict[str, Any], config: Path | None, *, quiet: bool
) -> tuple[CrawlPlan, Outcome, list[str]]:
    """Crawl an address, or a bundled application; last, what is to be said of its model."""
    name = url.partition(":")[0]
    if "/" in url or (name not in SITES and name not in ENTRIES):
        if url != LOCAL and not set(url) & set("./:"):
            raise BadInput(f"{UnknownName('application', url, SITES)} For an address, write http://{url}/.")
        plan = crawl_plan(url, given, config)
        return plan, (await _watched(plan, quiet=quiet))[0], []
    serving = await start(site_named(url))
    try:
        plan = crawl_plan(serving.url, given, config, url)
        outcome, crawling = await _watched(plan, quiet=quiet)
    finally:
        await serving.close()
    if name not in ENTRIES or not outcome.complete:
        return plan, outcome, []
    return plan, outcome, [judge(outcome, crawling.crawl.graph, application(url).truth)]


async def _watched(plan: CrawlPlan, *, quiet: bool) -> tuple[Outcome, Crawling]:
    """Run a crawl, show how far it is, and end it in good order on Ctrl-C."""
    loop = asyncio.get_running_loop()
    show = _Show(quiet=quiet)

    crawls: list[Crawling] = []

    def begun(crawling: Crawling) -> None:
        crawls.append(crawling)
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, crawling.stop, INTERRUPTED)

    with show:
        return await run_crawl(plan, begun, show.told), crawls[0]


class _Show:
    """How far a crawl is: one line that changes, or a line now and then where there is no terminal."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet
        self._live = Live(Text("starting the browser"), console=notes, transient=True, auto_refresh=False)
        self._is_live = notes.is_terminal and not quiet
        self._last = time.monotonic()

    def __enter__(self) -> "_Show":
        if self._is_live:
            self._live.start(refresh=True)
        return self

    def __exit__(self, *_: object) -> None:
        if self._is_live:
            self._live.stop()

    def told(self, crawling: Crawling) -> None:
        now = time.monotonic()
        if self._quiet or now - self._last < (LIVE_SECONDS if self._is_live else LINE_SECONDS):
            return
        self._last = now
        at = crawling.outcome()
        known = at.transitions + at.unexplored
        line = (
            f"{at.states:,} states, {at.transitions:,} of {known:,} transitions, {at.events:,} events,"
            f" {at.resets:,} resets, {at.events_per_second:.0f} events/s, {at.seconds:.0f} s"
        )
        if self._is_live:
            self._live.update(Text(line), refresh=True)
        else:
            note(line)
