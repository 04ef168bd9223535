"""`statecrawl coordinate`: coordinate a crawl in a Redis, whenever nobody else does."""

import asyncio
import signal
from pathlib import Path
from typing import Annotated

import typer

from statecrawl.cli.console import note
from statecrawl.cli.crawl import report
from statecrawl.cli.live_page import Live, LiveAt, shown_live
from statecrawl.cli.metrics import Metrics, looked_at
from statecrawl.cli.progress import ProgressDisplay
from statecrawl.cluster.redis.connection import is_store, shown
from statecrawl.config.plan import CrawlPlan
from statecrawl.config.secrets import application_of
from statecrawl.crawler.outcome import Outcome
from statecrawl.errors import BadInput
from statecrawl.fleet.coordinator import Coordinator
from statecrawl.fleet.health import CoordinatorHealth
from statecrawl.fleet.standby import CoordinatorWatcher, RedisEngine, stand_by
from statecrawl.fleet.supervisor import JOIN_VARIABLE

EXAMPLE = "redis://HOST:6379/0"


def coordinate(
    join: Annotated[
        str,
        typer.Option(envvar=JOIN_VARIABLE, help=f"Where the crawl is, as in {EXAMPLE}; with several, {EXAMPLE}#CRAWL."),
    ],
    out: Annotated[
        Path | None, typer.Option(help="Folder for evidence and a copy of the journal; default: crawl-NAME.")
    ] = None,
    unsafe_persistence: Annotated[
        bool, typer.Option("--unsafe-persistence", help="Accept a Redis that forgets everything when it is killed.")
    ] = False,
    live: Live = False,
    live_at: LiveAt = None,
    metrics: Metrics = None,
    as_json: Annotated[bool, typer.Option("--json", help="End with one JSON object on standard output.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress.")] = False,
) -> None:
    """Stand by for a crawl that was begun with [bold]statecrawl crawl URL --engine redis://…[/].

    It waits while somebody else coordinates, and goes on with the crawl within seconds when that one is gone. It needs
    no browser, unless it is Dist-RIA or peers whose coordinator was gone before any node was let in. Told to end
    (Ctrl-C, SIGTERM), it makes way for the next; the crawl goes on. Peers need no coordinator: for them it takes the
    evidence, and looks at limits.

    Examples:
      # on any machine, as many as you like
      statecrawl coordinate --join redis://192.0.2.7:6379/0
      # the crawl called shop, of several in that Redis
      statecrawl coordinate --join redis://192.0.2.7:6379/0#shop --out shop

    Exit codes: 0 the crawl is over, or this one made way; 2 there is no such crawl; 3 the journal or the
    disk; 4 no browser; 5 the application cannot be loaded; 6 the Redis cannot be reached.
    """
    if not is_store(join):
        raise BadInput(f"--join takes the address of a Redis, as in {EXAMPLE}, not '{shown(join)}'.")

    async def run() -> tuple[Outcome, CrawlPlan]:
        async with ProgressDisplay(quiet=quiet, as_json=as_json) as show, shown_live(show, live, live_at):
            return await _standing_by(RedisEngine(url=join, unsafe=unsafe_persistence), out, metrics, show)

    outcome, plan = asyncio.run(run())
    if outcome.ended_because:
        report(outcome, plan, as_json=as_json)
    elif not quiet:
        note("made way: the crawl goes on as soon as somebody else coordinates it")


async def _standing_by(
    engine: RedisEngine, out: Path | None, metrics: str | None, show: ProgressDisplay
) -> tuple[Outcome, CrawlPlan]:
    def begun(coordinating: Coordinator) -> None:
        show.say(f"coordinating {application_of(coordinating.plan)}")

    watcher = CoordinatorWatcher(begun, show.told, show.say, show.say)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, watcher.leave)
    async with looked_at(metrics, CoordinatorHealth(watcher.leadership), show.say):
        return await stand_by(engine, out, watcher)
