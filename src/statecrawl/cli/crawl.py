"""`statecrawl crawl`: open a web application and build its model."""

import asyncio
import json
import signal
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from statecrawl.cli.application import at_address, kept
from statecrawl.cli.console import note, print_line
from statecrawl.cli.crawl_options import with_crawl_options
from statecrawl.cli.findings import Baseline, FailOn, findings_before, judge_findings
from statecrawl.cli.live_page import Live, LiveAt, shown_live
from statecrawl.cli.metrics import Metrics, looked_at
from statecrawl.cli.mpi import MPI, as_rank
from statecrawl.cli.progress import ProgressDisplay
from statecrawl.cli.shared_options import AsJson, Quiet
from statecrawl.cli.summary import as_object, judge, summary
from statecrawl.cli.url_printer import UrlPrinter
from statecrawl.cluster.mpi.mailbox import MpiMailbox
from statecrawl.cluster.redis.connection import is_redis_url, without_password
from statecrawl.config.fleet import PEER_TO_PEER, FleetSettings
from statecrawl.config.plan import CrawlPlan
from statecrawl.config.settings import crawl_name, crawl_plan, read_config, settings_of
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
MOST_NODES = 64
OTHER, OTHER_DISK = "another coordinator stands by", "peers need nobody; another disk for their evidence stands by"
Say = Callable[[str], None]
Done = tuple[Outcome, Graph]  # how it went, and the model


@with_crawl_options
def crawl(
    given: dict[str, Any],
    url: Annotated[
        str | None,
        typer.Argument(
            help="Where the application begins, as in http://localhost:8000/; or the name of a bundled one. May be left"
            " out where the configuration says it.",
            show_default=False,
        ),
    ] = None,
    nodes: Annotated[
        int | None, typer.Option(help="Crawl with this many processes, each with a browser of its own; default: one.")
    ] = None,
    engine: Annotated[
        str | None,
        typer.Option(
            envvar=ENGINE_VARIABLE,
            help="Keep the crawl in a Redis, as in redis://HOST:6379/0, which others can join; or mpi, under mpiexec.",
        ),
    ] = None,
    unsafe_persistence: Annotated[
        bool, typer.Option("--unsafe-persistence", help="Accept a Redis that forgets everything when it is killed.")
    ] = False,
    live: Live = False,
    live_at: LiveAt = None,
    metrics: Metrics = None,
    fail_on: FailOn = None,
    baseline: Baseline = None,
    config: Annotated[
        Path | None,
        typer.Option(
            help="TOML file with these options by their names, as in max-states = 500; statecrawl init writes one."
        ),
    ] = None,
    as_json: AsJson = False,
    urls_only: Annotated[
        bool,
        typer.Option(
            "--urls-only",
            help="Print every URL as soon as it is found, one per line, and all else on standard error; with --json,"
            " one object per line with where it was found. Not for --nodes.",
        ),
    ] = False,
    quiet: Quiet = False,
) -> None:
    """Open a web application in Chromium, fire every event in every state, and write its model.

    A folder holds what was found: the journal, the evidence of each state, and a report that opens in any browser. When
    the folder has a crawl already, the crawl goes on.

    Examples:
      # a bundled application: serve it, crawl it, compare with its true model
      statecrawl crawl test-ria
      # your own, for ten minutes, on a page that shows the graph as it grows
      statecrawl crawl http://localhost:8000/ --max-time 10m --live
      # behind a log-in; nothing is sent that changes data
      statecrawl crawl http://localhost:8000/ --login login.toml --read-only
      # a whole site, politely
      statecrawl crawl https://shop.test/ --site --max-urls 500 --delay 500ms
      # every address that it names, for pipes
      statecrawl crawl https://shop.test/ --site --urls-only | sort
      # three browsers on this machine
      statecrawl crawl http://localhost:8000/ --nodes 3
      # in a Redis, so that other machines join and any process may die
      statecrawl crawl http://shop.test/ --engine redis://192.0.2.7:6379/0
      # the same, by peers that need no coordinator
      statecrawl crawl http://shop.test/ --engine redis://192.0.2.7:6379/0 \\
        --architecture peer-to-peer
      # peers under MPI; when one dies all end, and the same command goes on
      mpiexec -n 8 statecrawl crawl http://shop.test/ --engine mpi
      # in a pipeline: fail on errors that the last crawl did not have
      statecrawl crawl http://localhost:8000/ --json --out tonight \\
        --fail-on new-error --baseline last-night

    Exit codes: 0 the crawl ended, complete or by a limit; 1 with --nodes, no node could go on; 2 the request cannot be
    done as asked; 3 the journal or the disk; 4 no browser; 5 the application cannot be loaded; 6 the Redis of
    --engine cannot be reached; 7 there is what --fail-on names; 130 interrupted. What was found is kept in every case,
    and the same command goes on with it. With --engine, SIGTERM ends this process and not the crawl: whoever stands by
    goes on.
    """
    url = asked_for(url, config)
    _check_alone(urls_only=urls_only, nodes=nodes, engine=engine)
    if engine == MPI:

        async def lead(post: MpiMailbox) -> tuple[CrawlPlan, Outcome, list[str]]:
            async with ProgressDisplay(quiet=quiet, as_json=as_json) as show, shown_live(show, live, live_at):
                return await served(url, given, config, lambda plan: _by_ranks(plan, nodes, post, show), PEER_TO_PEER)

        led = as_rank(lambda post: asyncio.run(lead(post)))
        if led is not None:
            finish(*led, as_json=as_json)
        return
    _check_engine(engine, nodes)

    if metrics is not None and engine is None:
        raise BadInput("--metrics is for crawls in a Redis, by --engine; statecrawl serve has /metrics of its own.")

    async def run(plan: CrawlPlan) -> Done:
        plan = plan if engine is None else for_fleet(plan)
        async with ProgressDisplay(quiet=quiet, as_json=as_json) as show, shown_live(show, live, live_at):
            if engine is not None:
                return await _in_engine(plan, RedisEngine(url=engine, unsafe=unsafe_persistence), nodes, show, metrics)
            return await crawled_here(plan, nodes, show, UrlPrinter(plan, as_json=as_json) if urls_only else None)

    before = findings_before(fail_on, baseline)
    plan, outcome, verdict = asyncio.run(served(url, given, config, run))
    finish(plan, outcome, verdict, as_json=as_json, say=note if urls_only else print_line)
    if fail_on:
        judge_findings(findings_in(plan.out)[1], fail_on, before)


def _check_alone(*, urls_only: bool, nodes: int | None, engine: str | None) -> None:
    """Raises BadInput."""
    if urls_only and (nodes is not None or engine is not None):
        raise BadInput("--urls-only is for one process: crawl, then statecrawl export DIR --format urls.")


def _check_engine(engine: str | None, nodes: int | None) -> None:
    """Raises BadInput."""
    if engine is not None and not is_redis_url(engine):
        raise BadInput(f"--engine takes mpi, or a Redis as in redis://HOST:6379/0, not '{without_password(engine)}'.")
    check_nodes(nodes, least=int(engine is None))


def finish(plan: CrawlPlan, outcome: Outcome, verdict: list[str], *, as_json: bool, say: Say = print_line) -> None:
    """Say how a crawl went. Raises Interrupted when somebody ended it."""
    if not outcome.ended_because:
        raise Interrupted("made way: the crawl goes on as soon as somebody coordinates it; the same command does so.")
    report(outcome, plan, verdict, as_json=as_json, say=say)
    if outcome.ended_because == INTERRUPTED:
        found = f"what was found is in {plan.out}, and the same command goes on with it"
        raise Interrupted(f"interrupted: {found if outcome.states else 'nothing was found yet, begin again'}.")


def report(
    outcome: Outcome, plan: CrawlPlan, verdict: Sequence[str] = (), *, as_json: bool, say: Say = print_line
) -> None:
    """Say how a crawl went, for people or machines, and write its report, if that is wanted. Raises StoreError."""
    for line in [json.dumps(as_object(outcome))] if as_json else [*summary(outcome, plan), *verdict]:
        say(line)
    if plan.report and outcome.states:
        index = write_report(plan.out)
        if not as_json:
            say(f"the report is {printable(str(index))}")


def asked_for(url: str | None, config: Path | None) -> str:
    """What is to be crawled, by the command or by the configuration. Raises BadInput."""
    if url is not None:
        return url
    told = {} if config is None else read_config(config)
    if "url" not in told:
        raise BadInput("say what to crawl: an address as in http://localhost:8000/, or a bundled application.")
    return str(told["url"])


def for_nodes(plan: CrawlPlan) -> CrawlPlan:
    """The plan, if several nodes can follow it. Raises BadInput."""
    if plan.coverage:
        raise BadInput("--coverage counts in one process: leave it out where several nodes crawl.")
    if plan.limits.requests is not None:
        raise BadInput("--max-requests counts in one process: leave it out where several nodes crawl.")
    return plan


def for_fleet(plan: CrawlPlan) -> CrawlPlan:
    """The plan for several nodes, which says how they crawl together. Raises BadInput."""
    return replace(for_nodes(plan), fleet=plan.fleet or FleetSettings())


def check_nodes(nodes: int | None, least: int = 1) -> None:
    """Raises BadInput."""
    if nodes is not None and not least <= nodes <= MOST_NODES:
        hint = "; for more, use statecrawl serve" if nodes > MOST_NODES else ""
        raise BadInput(f"--nodes must be between 1 and {MOST_NODES}, not {nodes}{hint}.")


async def served(
    url: str,
    given: dict[str, Any],
    config: Path | None,
    run: Callable[[CrawlPlan], Awaitable[Done]],
    architecture: str | None = None,
) -> tuple[CrawlPlan, Outcome, list[str]]:
    """Crawl an address, or a bundled application; last, what is to be said of its model.

    `architecture` is the usual one.
    """
    async with at_address(url) as (address, name):
        plan = crawl_plan(address, given, config, name, architecture)
        outcome, found = await kept(url, plan, settings_of(given, config), run)
    if name.partition(":")[0] not in ENTRIES or outcome.ended_because != COMPLETE:
        return plan, outcome, []
    return plan, outcome, [judge(outcome, found, application(url).truth)]


def end_on_signals(stop: Callable[[str], None]) -> None:
    """Have Ctrl-C and kill end a crawl in good order."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop, INTERRUPTED)


def forget_signals() -> None:
    """The crawl that they would have ended is over."""
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().remove_signal_handler(number)


def end_nodes_on_signals(coordinating: Coordinator, *, quiet: bool, also: Callable[[], None] = lambda: None) -> None:
    """The same for a crawl by nodes, which have to be told; who says it twice does not want to wait for that.

    `also` is done each time.
    """

    def end(reason: str) -> None:
        also()
        if coordinating.is_stopped:
            coordinating.hurry()
            return
        coordinating.stop(reason)
        if not quiet:
            note("ending, as soon as the nodes know: press Ctrl-C once more not to wait for that")

    end_on_signals(end)


async def crawled_here(
    plan: CrawlPlan, nodes: int | None, show: ProgressDisplay, printer: UrlPrinter | None = None
) -> Done:
    """Crawl with this process, or with several on this machine. Raises BadInput."""
    if nodes is not None:
        return await _by_nodes(for_fleet(plan), nodes, show)
    if plan.fleet is not None:
        raise BadInput("how nodes crawl together means nothing to one process: say how many with --nodes.")
    return await _alone(plan, show, printer)


async def _alone(plan: CrawlPlan, show: ProgressDisplay, printer: UrlPrinter | None) -> Done:
    crawls: list[CrawlLoop] = []

    def begun(crawling: CrawlLoop) -> None:
        crawls.append(crawling)
        end_on_signals(crawling.stop)
        if printer is not None:
            printer.stop = crawling.stop
            printer.before(plan)
            show.looks.append(lambda *_: printer.look())

    outcome = await run_crawl(plan, begun, show.told, None if printer is None else printer.hooks())
    if printer is not None:
        printer.end()
    return outcome, crawls[0].crawl.graph


async def _by_nodes(plan: CrawlPlan, nodes: int, show: ProgressDisplay) -> Done:
    def begun(centre: Coordinator) -> None:
        end_nodes_on_signals(centre, quiet=show.quiet)

    outcome, coordinating = await crawl_with_nodes(plan, nodes, begun, show.told)
    return outcome, coordinating.crawl.graph


async def _by_ranks(plan: CrawlPlan, nodes: int | None, post: MpiMailbox, show: ProgressDisplay) -> Done:
    """As rank 0 of an MPI job."""
    plan = for_nodes(plan)
    if nodes is not None:
        raise BadInput("mpiexec says how many processes there are, as in mpiexec -n 8: leave out --nodes.")
    if plan.fleet is not None and plan.fleet.architecture != PEER_TO_PEER:
        raise BadInput(
            f"the ranks of MPI are peers, and do not run {plan.fleet.architecture}: leave out --architecture."
        )
    if plan.name and not post.is_one_machine:
        raise BadInput(
            f"{plan.name} would be served to this machine only, and some ranks run on others: serve it with statecrawl"
            " apps serve --host, and crawl its address."
        )
    if post.size == 1:
        show.say("one process crawls: start more with mpiexec -n 8 statecrawl crawl …")
    outcome, log = await lead_ranks(
        post, plan, with_browsers, lambda log: end_nodes_on_signals(log, quiet=show.quiet), show.told
    )
    return outcome, log.crawl.graph


async def _in_engine(
    plan: CrawlPlan, engine: RedisEngine, nodes: int | None, show: ProgressDisplay, metrics: str | None
) -> Done:
    name = engine.name or crawl_name(plan.url, plan.name)

    def begun(coordinating: Coordinator) -> None:
        end_nodes_on_signals(coordinating, quiet=show.quiet, also=watcher.hurry)
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, watcher.leave)  # ends us, not the crawl
        where = f"{without_password(engine.url)}#{name}"
        show.say(f"nodes join with: statecrawl node --join {where}")
        peers = (plan.fleet or FleetSettings()).architecture == PEER_TO_PEER
        show.say(f"{OTHER_DISK if peers else OTHER} with: statecrawl coordinate --join {where}")

    def waits(why: str) -> None:
        end_on_signals(lambda _: watcher.leave())
        show.say(why)

    watcher = CoordinatorWatcher(begun, show.told, waits, show.say)
    async with looked_at(metrics, CoordinatorHealth(watcher.leadership), show.say):
        outcome, facts = await crawl_in_engine(plan, engine, name, 1 if nodes is None else nodes, watcher, show.say)
    return outcome, fold(facts).graph
