"""`statecrawl coordinate`: standby coordinator for a crawl in Redis."""

import asyncio
import signal
from pathlib import Path
from typing import Annotated

import typer

from statecrawl.cli.console import note
from statecrawl.cli.crawl import report
from statecrawl.cli.live_page import Live, LiveAt, live_page_served
from statecrawl.cli.metrics import Metrics, metrics_served
from statecrawl.cli.progress import ProgressDisplay
from statecrawl.cli.shared_options import Quiet
from statecrawl.cluster.redis.connection import is_redis_url, without_password
from statecrawl.config.plan import CrawlPlan
from statecrawl.config.secrets import application_of
from statecrawl.crawler.outcome import Outcome
from statecrawl.errors import BadInput
from statecrawl.fleet.coordinator import Coordinator
from statecrawl.fleet.health import CoordinatorHealth
from statecrawl.fleet.standby import CoordinatorWatcher, RedisEngine, stand_by
from statecrawl.fleet.supervisor import JOIN_VARIABLE

EXAMPLE = "redis://HOST:6379/0"
UnsafePersistence = Annotated[
    bool, typer.Option("--unsafe-persistence", help="Accept a Redis that loses its data if it is killed.")
]


def coordinate(
    join: Annotated[
        str,
        typer.Option(
            envvar=JOIN_VARIABLE,
            help=f"URL of the Redis, such as {EXAMPLE}; if it stores several crawls, {EXAMPLE}#CRAWL.",
        ),
    ],
    out: Annotated[
        Path | None, typer.Option(help="Directory for evidence and a copy of the journal. Default: crawl-NAME.")
    ] = None,
    unsafe_persistence: UnsafePersistence = False,
    live: Live = False,
    live_at: LiveAt = None,
    metrics: Metrics = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the result as one JSON object on standard output.")
    ] = False,
    quiet: Quiet = False,
) -> None:
    """Stand by as coordinator of a crawl that [bold]statecrawl crawl URL --engine redis://…[/] started.

    The command waits while another coordinator runs, and takes over within seconds if that one fails. Ctrl-C or SIGTERM
    hands the crawl over to the next standby. A crawl by peers needs no coordinator: for peers, this command stores the
    evidence and enforces the limits.

    A browser is only needed for Dist-RIA and peers, if the first coordinator fails before any node has joined.

    Examples:
      # on any machine, as often as you like
      statecrawl coordinate --join redis://192.0.2.7:6379/0
      # the crawl named shop, if Redis stores several crawls
      statecrawl coordinate --join redis://192.0.2.7:6379/0#shop --out shop

    Exit codes: 0 the crawl has ended, or this coordinator was stopped; 2 there is no such crawl; 3 the journal
    cannot be used or the disk is full; 4 there is no working browser; 5 the application cannot be loaded; 6 Redis
    cannot be reached.
    """
    if not is_redis_url(join):
        raise BadInput(f"--join takes the URL of a Redis, such as {EXAMPLE}, not '{without_password(join)}'.")

    async def run() -> tuple[Outcome, CrawlPlan]:
        async with ProgressDisplay(quiet=quiet, as_json=as_json) as show, live_page_served(show, live, live_at):
            return await _stand_by(RedisEngine(url=join, unsafe=unsafe_persistence), out, metrics, show)

    outcome, plan = asyncio.run(run())
    if outcome.ended_because:
        report(outcome, plan, as_json=as_json, quiet=quiet)
    elif not quiet:
        note("stopped: the crawl continues as soon as another coordinator takes over")


async def _stand_by(
    engine: RedisEngine, out: Path | None, metrics: str | None, show: ProgressDisplay
) -> tuple[Outcome, CrawlPlan]:
    def started(coordinator: Coordinator) -> None:
        show.say(f"coordinating {application_of(coordinator.plan)}")

    watcher = CoordinatorWatcher(started, show.update, show.say, show.say)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, watcher.leave)
    async with metrics_served(metrics, CoordinatorHealth(watcher.leadership), show.say):
        return await stand_by(engine, out, watcher)
