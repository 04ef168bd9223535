"""`statecrawl crawl`: open a web application and build its model."""

import asyncio
import json
import signal
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from statecrawl.cli.console import output
from statecrawl.cli.crawl_options import with_crawl_options
from statecrawl.cli.outcomes import as_object, judge, summary
from statecrawl.cli.watching import Show
from statecrawl.config.crawl import crawl_plan
from statecrawl.errors import BadInput, Interrupted, UnknownName
from statecrawl.model.graph import Graph
from statecrawl.runtime.assemble import crawl as run_crawl
from statecrawl.runtime.crawling import Crawling
from statecrawl.runtime.fleet import Centre
from statecrawl.runtime.outcome import Outcome
from statecrawl.runtime.plan import CrawlPlan
from statecrawl.runtime.supervising import crawl_with_nodes
from statecrawl.runtime.team import Team
from statecrawl.testbed.catalogue import ENTRIES, application
from statecrawl.testbed.sites.registry import SITES, site_named
from statecrawl.testbed.sites.server import start

INTERRUPTED = "interrupted"
LOCAL = "localhost"
MOST_NODES = 64
Done = tuple[Outcome, Graph]  # how it went, and the model


@with_crawl_options
def crawl(
    given: dict[str, Any],
    url: Annotated[
        str,
        typer.Argument(
            help="Where the application begins, as in http://localhost:8000/; or the name of a bundled one."
        ),
    ],
    nodes: Annotated[
        int | None, typer.Option(help="Crawl with this many processes, each with a browser of its own; default: one.")
    ] = None,
    config: Annotated[
        Path | None, typer.Option(help="TOML file with the options below by their names, as in max-states = 500.")
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
    if nodes is not None and not 1 <= nodes <= MOST_NODES:
        raise BadInput(f"--nodes must be between 1 and {MOST_NODES}, not {nodes}; for more, use statecrawl serve.")

    async def run(plan: CrawlPlan) -> Done:
        if nodes is None and plan.team is not None:
            raise BadInput("how nodes crawl together means nothing to one process: say how many with --nodes.")
        with Show(quiet=quiet) as show:
            return await _alone(plan, show) if nodes is None else await _by_nodes(plan, nodes, show)

    finish(*asyncio.run(served(url, given, config, run)), as_json=as_json)


def finish(plan: CrawlPlan, outcome: Outcome, verdict: list[str], *, as_json: bool) -> None:
    """Say how a crawl went. Raises Interrupted when somebody ended it."""
    if as_json:
        output.print(json.dumps(as_object(outcome)), markup=False, soft_wrap=True)
    else:
        for line in [*summary(outcome, plan), *verdict]:
            output.print(line, markup=False, soft_wrap=True)
    if outcome.ended_because == INTERRUPTED:
        raise Interrupted(f"interrupted: what was found is in {plan.out}, and the same command goes on with it.")


async def served(
    url: str, given: dict[str, Any], config: Path | None, run: Callable[[CrawlPlan], Awaitable[Done]]
) -> tuple[CrawlPlan, Outcome, list[str]]:
    """Crawl an address, or a bundled application; last, what is to be said of its model."""
    name = url.partition(":")[0]
    if "/" in url or (name not in SITES and name not in ENTRIES):
        if url != LOCAL and not set(url) & set("./:"):
            raise BadInput(f"{UnknownName('application', url, SITES)} For an address, write http://{url}/.")
        plan = crawl_plan(url, given, config)
        return plan, (await run(plan))[0], []
    serving = await start(site_named(url))
    try:
        plan = crawl_plan(serving.url, given, config, url)
        outcome, found = await run(plan)
    finally:
        await serving.close()
    if name not in ENTRIES or not outcome.complete:
        return plan, outcome, []
    return plan, outcome, [judge(outcome, found, application(url).truth)]


def end_on_signals(stop: Callable[[str], None]) -> None:
    """Have Ctrl-C and kill end a crawl in good order."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop, INTERRUPTED)


async def _alone(plan: CrawlPlan, show: Show) -> Done:
    crawls: list[Crawling] = []

    def begun(crawling: Crawling) -> None:
        crawls.append(crawling)
        end_on_signals(crawling.stop)

    return await run_crawl(plan, begun, show.told), crawls[0].crawl.graph


async def _by_nodes(plan: CrawlPlan, nodes: int, show: Show) -> Done:
    def begun(centre: Centre) -> None:
        end_on_signals(centre.stop)

    plan = replace(plan, team=plan.team or Team())
    outcome, coordinating = await crawl_with_nodes(plan, nodes, begun, show.told)
    return outcome, coordinating.crawl.graph
