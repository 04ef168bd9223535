"""`statecrawl crawl`: open a web application and build its model."""

import asyncio
import json
import signal
from collections.abc import Awaitable, Callable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from statecrawl.cli.application import application_at, run_and_save
from statecrawl.cli.console import note, noted_if_slow, print_line
from statecrawl.cli.crawl_signature import GivenOptions, declared, with_crawl_options
from statecrawl.cli.empty_crawl import check_not_empty
from statecrawl.cli.findings import Baseline, FailOn, check_recorded, findings_before, judge_findings
from statecrawl.cli.live_page import Live, LiveAt, LiveKeep, ServedLivePage, keep_live_page, live_page_served
from statecrawl.cli.metrics import Metrics, metrics_served
from statecrawl.cli.mpi import MPI, as_rank
from statecrawl.cli.progress import ProgressDisplay
from statecrawl.cli.summary import as_object, judge, summary
from statecrawl.cli.url_printer import UrlPrinter
from statecrawl.cluster.mpi.mailbox import MpiMailbox
from statecrawl.cluster.redis.connection import is_redis_url, without_password
from statecrawl.config.fleet import PEER_TO_PEER, FleetSettings
from statecrawl.config.plan import CrawlPlan
from statecrawl.config.plan_builder import crawl_name, plan_of
from statecrawl.config.settings import URL, read_config
from statecrawl.crawler.assembly import crawl as run_crawl
from statecrawl.crawler.loop import CrawlLoop
from statecrawl.crawler.outcome import Outcome
from statecrawl.errors import BadInput, Interrupted, printable
from statecrawl.fleet.coordinator import Coordinator
from statecrawl.fleet.health import CoordinatorHealth
from statecrawl.fleet.mpi import lead as lead_ranks
from statecrawl.fleet.mpi import with_browsers
from statecrawl.fleet.standby import CoordinatorWatcher, RedisEngine
from statecrawl.fleet.supervisor import ENGINE_VARIABLE, crawl_in_engine, crawl_with_nodes
from statecrawl.journal.end_reasons import COMPLETE
from statecrawl.journal.fold import fold
from statecrawl.model.graph import Graph
from statecrawl.results.findings import findings_in
from statecrawl.results.report import write_report
from statecrawl.testbed.catalogue import ENTRIES, application

INTERRUPTED = "interrupted"
MAX_NODES = 64
STANDBY = "start a standby coordinator"
PEER_STANDBY = "peers need no coordinator; to store their evidence on another disk, too, start one"
Say = Callable[[str], None]
Done = tuple[Outcome, Graph]  # the outcome, and the model that was found


@with_crawl_options
def crawl(
    given: GivenOptions,
    url: Annotated[
        str | None,
        typer.Argument(
            help="URL where the application starts, such as http://localhost:8000/, or the name of a bundled"
            " application; optional if the file of --config has it.",
            show_default=False,
        ),
    ] = None,
    nodes: Annotated[int | None, declared("nodes")] = None,
    engine: Annotated[str | None, declared("engine", envvar=ENGINE_VARIABLE)] = None,
    unsafe_persistence: Annotated[bool, declared("unsafe-persistence")] = False,
    live: Live = False,
    live_at: LiveAt = None,
    live_keep: LiveKeep = False,
    metrics: Metrics = None,
    fail_on: FailOn = None,
    baseline: Baseline = None,
    config: Annotated[Path | None, declared("config")] = None,
    as_json: Annotated[bool, declared("json")] = False,
    urls_only: Annotated[bool, declared("urls-only")] = False,
    quiet: Annotated[bool, declared("quiet")] = False,
) -> None:
    """Open a web application in Chromium, fire every event in every state, and write the model of the application.

    The results are stored in a directory: the journal, the evidence of each state, and a report that opens in any
    browser. If the directory already contains a crawl, that crawl is resumed.

    Examples:
      # a bundled application: serve it, crawl it, compare with its true model
      statecrawl crawl test-ria
      # your own, for ten minutes, with a live page that shows the graph grow
      statecrawl crawl http://localhost:8000/ --max-time 10m --live
      # behind a login, without sending anything that changes data
      statecrawl crawl http://localhost:8000/ --login login.toml --read-only
      # a whole site, politely
      statecrawl crawl https://shop.test/ --site --max-urls 500 --delay 500ms
      # all URLs of a site, for a pipe
      statecrawl crawl https://shop.test/ --site --urls-only | sort
      # three browsers on this machine
      statecrawl crawl http://localhost:8000/ --nodes 3
      # in a Redis, so that other machines can join and any process may die
      statecrawl crawl http://shop.test/ --engine redis://192.0.2.7:6379/0
      # the same with peers, which need no coordinator
      statecrawl crawl http://shop.test/ --engine redis://192.0.2.7:6379/0 \\
        --architecture peer-to-peer
      # peers under MPI; if one dies, all end, and the same command resumes
      mpiexec -n 8 statecrawl crawl http://shop.test/ --engine mpi
      # in a pipeline: fail on errors that the last crawl did not have
      statecrawl crawl http://localhost:8000/ --json --out tonight \\
        --fail-on new-error --baseline last-night

    Exit codes: 0 the crawl ended, complete or at a limit; 1 with --nodes, no node could continue; 2 the request is
    invalid; 3 the journal or the disk failed; 4 there is no working browser; 5 the application cannot be loaded, or its
    start page is an error page, empty or out of scope and nothing else was found; 6 the Redis of --engine cannot be
    reached; 7 there is a finding that --fail-on names; 130 interrupted. Results are stored in every case, and the same
    command resumes the crawl. With --engine, SIGTERM ends this process but not the crawl, which a standby coordinator
    continues.
    """
    url = start_url(url, given)
    if engine == MPI:

        async def lead(mailbox: MpiMailbox) -> tuple[CrawlPlan, Outcome, list[str]]:
            async with ProgressDisplay(quiet=quiet, as_json=as_json) as show, live_page_served(show, live, live_at):
                return await served(url, given, lambda plan: _by_ranks(plan, nodes, mailbox, show), PEER_TO_PEER)

        led = as_rank(lambda mailbox: asyncio.run(lead(mailbox)))
        if led is not None:
            finish(*led, as_json=as_json, quiet=quiet)
        return
    _check_engine(engine, nodes)

    pages: list[ServedLivePage | None] = []

    async def run(plan: CrawlPlan) -> Done:
        plan = plan if engine is None else for_fleet(plan)
        async with ProgressDisplay(quiet=quiet, as_json=as_json) as show, live_page_served(show, live, live_at) as page:
            pages.append(page)
            if engine is not None:
                return await _in_engine(plan, RedisEngine(url=engine, unsafe=unsafe_persistence), nodes, show, metrics)
            return await crawled_here(plan, nodes, show, UrlPrinter(plan, as_json=as_json) if urls_only else None)

    before = findings_before(fail_on, baseline)
    check_recorded(fail_on or (), given.settings())
    plan, outcome, verdict = asyncio.run(served(url, given, run))
    finish(plan, outcome, verdict, as_json=as_json, quiet=quiet, say=note if urls_only else print_line)
    if live_keep and pages[0] is not None:
        keep_live_page(pages[0])
    if fail_on:
        judge_findings(findings_in(plan.out)[1], fail_on, before)


def _check_engine(engine: str | None, nodes: int | None) -> None:
    """Raise BadInput if there is no such engine, or if it cannot have this number of nodes."""
    if engine is not None and not is_redis_url(engine):
        raise BadInput(f"--engine takes mpi, or a Redis as in redis://HOST:6379/0, not '{without_password(engine)}'.")
    check_nodes(nodes, least=int(engine is None))


def finish(
    plan: CrawlPlan,
    outcome: Outcome,
    verdict: list[str],
    *,
    as_json: bool,
    quiet: bool = False,
    say: Say = print_line,
) -> None:
    """Report the outcome of a crawl.

    Raises Interrupted if the user ended it or this process stepped down; SiteUnreachable if it saw nothing of the
    application.
    """
    if not outcome.ended_because:
        raise Interrupted(
            "stopped: the crawl continues as soon as another coordinator takes over; the same command starts one."
        )
    report(outcome, plan, verdict, as_json=as_json, quiet=quiet, say=say)
    if outcome.ended_because == INTERRUPTED:
        found = f"the results are in {plan.out}, and the same command resumes the crawl"
        raise Interrupted(f"interrupted: {found if outcome.states else 'nothing was found yet, start again'}.")
    check_not_empty(outcome, plan)


def report(
    outcome: Outcome,
    plan: CrawlPlan,
    verdict: Sequence[str] = (),
    *,
    as_json: bool,
    quiet: bool = False,
    say: Say = print_line,
) -> None:
    """Print the outcome of a crawl, as text or JSON, and write its report unless --no-report. Raises StoreError."""
    for line in [json.dumps(as_object(outcome))] if as_json else [*summary(outcome, plan), *verdict]:
        say(line)
    if plan.report and outcome.states:
        with nullcontext() if quiet else noted_if_slow("writing the report", as_json=as_json):
            index = write_report(plan.out)
        if not as_json:
            say(f"the report is {printable(str(index))}")


def start_url(url: str | None, given: GivenOptions) -> str:
    """Return the URL or bundled application to crawl, from the argument or from --config. Raises BadInput."""
    if url is not None:
        return url
    settings = {} if given.config is None else read_config(given.config)
    if URL not in settings:
        raise BadInput("name what to crawl: a URL such as http://localhost:8000/, or a bundled application.")
    return str(settings[URL])


def for_fleet(plan: CrawlPlan) -> CrawlPlan:
    """Return the plan for several nodes, with the default architecture if none is given."""
    return replace(plan, fleet=plan.fleet or FleetSettings())


def check_nodes(nodes: int | None, least: int = 1) -> None:
    """Raise BadInput unless this is a possible number of nodes on this machine."""
    if nodes is not None and not least <= nodes <= MAX_NODES:
        hint = "; for more, use statecrawl serve" if nodes > MAX_NODES else ""
        raise BadInput(f"--nodes must be between 1 and {MAX_NODES}, not {nodes}{hint}.")


async def served(
    url: str, given: GivenOptions, run: Callable[[CrawlPlan], Awaitable[Done]], architecture: str | None = None
) -> tuple[CrawlPlan, Outcome, list[str]]:
    """Crawl a URL, or serve a bundled application and crawl it. `architecture` is the default one.

    Returns the plan, the outcome, and for a complete crawl of a bundled application the comparison with its true model.
    """
    settings = given.settings()
    async with application_at(url) as (served_url, name):
        plan = plan_of(served_url, settings, name, architecture)
        outcome, found = await run_and_save(url, plan, settings, run)
    if name.partition(":")[0] not in ENTRIES or outcome.ended_because != COMPLETE:
        return plan, outcome, []
    return plan, outcome, [judge(outcome, found, application(url).truth)]


def end_on_signals(stop: Callable[[str], None]) -> None:
    """End a crawl in good order on Ctrl-C and SIGTERM."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop, INTERRUPTED)


def forget_signals() -> None:
    """Remove the signal handlers of a crawl that is over."""
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().remove_signal_handler(number)


def end_nodes_on_signals(
    coordinator: Coordinator, *, quiet: bool, on_signal: Callable[[], None] = lambda: None
) -> None:
    """End a crawl by several nodes on signals: the first one asks the nodes to end, the second one does not wait."""

    def end(reason: str) -> None:
        on_signal()
        if coordinator.is_stopped:
            coordinator.hurry()
            return
        coordinator.stop(reason)
        if not quiet:
            note("waiting for the nodes to end: press Ctrl-C again to end at once")

    end_on_signals(end)


async def crawled_here(
    plan: CrawlPlan, nodes: int | None, show: ProgressDisplay, printer: UrlPrinter | None = None
) -> Done:
    """Crawl with this process, or with several on this machine."""
    return await (_alone(plan, show, printer) if nodes is None else _by_nodes(for_fleet(plan), nodes, show))


async def _alone(plan: CrawlPlan, show: ProgressDisplay, printer: UrlPrinter | None) -> Done:
    crawls: list[CrawlLoop] = []

    def started(loop: CrawlLoop) -> None:
        crawls.append(loop)
        end_on_signals(loop.stop)
        if printer is not None:
            printer.stop = loop.stop
            printer.before(plan)
            show.observers.append(lambda *_: printer.check_pipe())

    outcome = await run_crawl(plan, started, show.update, None if printer is None else printer.hooks())
    if printer is not None:
        printer.end()
    return outcome, crawls[0].crawl.graph


async def _by_nodes(plan: CrawlPlan, nodes: int, show: ProgressDisplay) -> Done:
    def started(coordinator: Coordinator) -> None:
        end_nodes_on_signals(coordinator, quiet=show.quiet)

    outcome, coordinator = await crawl_with_nodes(plan, nodes, started, show.update)
    return outcome, coordinator.crawl.graph


async def _by_ranks(plan: CrawlPlan, nodes: int | None, mailbox: MpiMailbox, show: ProgressDisplay) -> Done:
    """Crawl as rank 0 of an MPI job. Raises BadInput."""
    if nodes is not None:
        raise BadInput("mpiexec determines the number of processes, as in mpiexec -n 8: leave out --nodes.")
    if plan.fleet is not None and plan.fleet.architecture != PEER_TO_PEER:
        raise BadInput(f"MPI ranks crawl as peers, not by {plan.fleet.architecture}: leave out --architecture.")
    if plan.name and not mailbox.is_one_machine:
        raise BadInput(
            f"{plan.name} would be served only to this machine, but some ranks run on others: serve it with statecrawl"
            " apps serve --host, and crawl its URL."
        )
    if mailbox.size == 1:
        show.say("crawling with one process: start more with mpiexec -n 8 statecrawl crawl …")
    outcome, log = await lead_ranks(
        mailbox, plan, with_browsers, lambda log: end_nodes_on_signals(log, quiet=show.quiet), show.update
    )
    return outcome, log.crawl.graph


async def _in_engine(
    plan: CrawlPlan, engine: RedisEngine, nodes: int | None, show: ProgressDisplay, metrics: str | None
) -> Done:
    name = engine.name or crawl_name(plan.url, plan.name)

    def started(coordinator: Coordinator) -> None:
        end_nodes_on_signals(coordinator, quiet=show.quiet, on_signal=watcher.hurry)
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, watcher.leave)  # ends this process, not the crawl
        where = f"{without_password(engine.url)}#{name}"
        show.say(f"nodes join with: statecrawl node --join {where}")
        peers = (plan.fleet or FleetSettings()).architecture == PEER_TO_PEER
        show.say(f"{PEER_STANDBY if peers else STANDBY} with: statecrawl coordinate --join {where}")

    def waiting(why: str) -> None:
        end_on_signals(lambda _: watcher.leave())
        show.say(why)

    watcher = CoordinatorWatcher(started, show.update, waiting, show.say)
    async with metrics_served(metrics, CoordinatorHealth(watcher.leadership), show.say):
        outcome, facts = await crawl_in_engine(plan, engine, name, 1 if nodes is None else nodes, watcher, show.say)
    return outcome, fold(facts).graph
