"""`statecrawl roles`: crawl with each of several log-ins, and show who reaches what."""

import asyncio
import json
import os
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from statecrawl.cli.application import at_address, kept
from statecrawl.cli.console import output, print_whole
from statecrawl.cli.crawl import INTERRUPTED, Done, asked_for, check_nodes, crawled_here, forget_signals
from statecrawl.cli.crawl_options import with_crawl_options
from statecrawl.cli.live_page import Live, LiveAt, shown_live
from statecrawl.cli.progress import ProgressDisplay
from statecrawl.cli.role_tables import matrix_lines, matrix_tables
from statecrawl.cli.shared_options import AsJson, Quiet
from statecrawl.cli.summary import counted
from statecrawl.config.plan import CrawlPlan, check_address
from statecrawl.config.settings import crawl_plan, default_folder, settings_of
from statecrawl.crawler.resume import check_same
from statecrawl.errors import BadInput, Interrupted, StatecrawlError, printable
from statecrawl.journal.end_reasons import COMPLETE
from statecrawl.report.roles.matrix import as_object
from statecrawl.results.report import has_report, read_crawl, write_report
from statecrawl.results.roles import (
    ComparedRoles,
    check_role_name,
    check_roles_folder,
    compare_roles,
    roles_in,
    write_roles,
)
from statecrawl.stores.evidence import JOURNAL_NAME


@partial(with_crawl_options, without={"login"})
def roles(
    given: dict[str, Any],
    what: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="URL|DIR",
            help="Where the application begins, or the name of a bundled one; without --role, a folder of such crawls,"
            " or the folders of several crawls.",
            show_default=False,
        ),
    ] = None,
    role: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME[=FILE]",
            help="A role, and the file by which it logs in (docs/crawling.md); without a file it is a guest. May be"
            " repeated.",
        ),
    ] = None,
    nodes: Annotated[
        int | None, typer.Option(help="Crawl with this many processes, each with a browser of its own; default: one.")
    ] = None,
    live: Live = False,
    live_at: LiveAt = None,
    config: Annotated[
        Path | None, typer.Option(help="TOML file with the options below by their names, as in max-states = 500.")
    ] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Crawl with each of several log-ins, and show who reaches which state and which endpoint.

    Each role is crawled into a folder of its own, OUT/NAME, which is one like any other: report, diff, export, verify
    work with it. OUT/index.html is the matrix, with a page for the difference between each two roles. The same command
    goes on with what is unfinished; a role more is added to those that are there. Where every page shows who is logged
    in, leave that part out with --ignore.

    Examples:
      statecrawl roles http://shop.test/ --role admin=admin.toml \\
        --role clerk=clerk.toml --role guest
      # the matrix anew
      statecrawl roles roles-shop.test
      # of crawls that are there
      statecrawl roles crawl-admin/ crawl-clerk/ --out matrix/
      # what two of them have different
      statecrawl diff roles-shop.test/admin roles-shop.test/clerk

    Exit codes: 0 done, whether roles differ or not; 1 with --nodes, no node could go on; 2 the request cannot be done
    as asked; 3 a journal or the disk; 4 no browser; 5 the application cannot be loaded, or logged in to; 130
    interrupted. What was found is kept in every case.
    """
    if role:
        check_nodes(nodes)
        asked = _asked(role)
        url = _application(what or [], config)

        async def run(plan: CrawlPlan) -> Done:
            async with ProgressDisplay(quiet=quiet, as_json=as_json) as show, shown_live(show, live, live_at):
                show.say(f"as {plan.out.name}:")
                outcome, graph = await crawled_here(plan, nodes, show)
                found = f"{counted(outcome.states, 'state')}, {counted(outcome.transitions, 'transition')}"
                show.say(f"as {plan.out.name}: {found} ({outcome.ended_because})")
                return outcome, graph

        made = asyncio.run(_crawl_all(url, asked, given, config, run))
        _show(compare_roles(roles_in(made)), made, as_json=as_json)
        return
    crawling = {"nodes": nodes, "live": live, "live-at": live_at, "config": config}
    folders, out = _there(what or [], settings_of({**given, **crawling}))
    _show(compare_roles(folders), out, as_json=as_json)


def _asked(given: Sequence[str]) -> dict[str, str | None]:
    """The roles to crawl, each with the file by which it logs in; None: a guest. Raises BadInput."""
    found: dict[str, str | None] = {}
    for text in given:
        name, equals, file = text.partition("=")
        check_role_name(name)
        if equals and not file:
            raise BadInput(f"--role {text} names no file: write --role {name}=FILE, or --role {name} for a guest.")
        if name.casefold() in map(str.casefold, found):  # which are one folder, on some machines
            raise BadInput(f"--role {name} is given twice: give each role a name of its own.")
        found[name] = file or None
    return found


def _application(what: Sequence[str], config: Path | None) -> str:
    """What is to be crawled. Raises BadInput."""
    if len(what) > 1:
        raise BadInput(f"--role is for one application, and {', '.join(what)} are several: leave out all but one.")
    return asked_for(what[0] if what else None, config)


async def _crawl_all(
    url: str,
    asked: Mapping[str, str | None],
    given: dict[str, Any],
    config: Path | None,
    run: Callable[[CrawlPlan], Awaitable[Done]],
) -> Path:
    """Crawl as each role, one after the other; where they are now. Nothing begins unless all can be as asked.

    Raises what a crawl raises, and says as whom.
    """
    known = settings_of(given, config)
    if "login" in known:
        raise BadInput("each role has a log-in of its own: leave out login, and write --role NAME=FILE.")
    async with at_address(url) as (address, name):
        address = address if "://" in address else f"http://{address}"
        check_address("", address)
        out = Path(known.get("out", default_folder(address, name).replace("crawl-", "roles-", 1)))
        check_roles_folder(out, asked)
        plans = []
        for role, login in asked.items():
            mine = {**given, "login": login, "out": str(out / role)}
            plans.append((crawl_plan(address, mine, config, name), settings_of(mine, config)))
        complete = {plan.out for plan, _ in plans if _is_complete(plan)}
        for plan, settings in plans:
            if plan.out not in complete:
                await _crawl(url, plan, settings, run)
            elif plan.report and not has_report(plan.out):  # somebody was killed who would have written it
                write_report(plan.out)
    return out


def _is_complete(plan: CrawlPlan) -> bool:
    """Whether the crawl of a role was completed before. Raises BadInput when it was another one than is planned."""
    if not (plan.out / JOURNAL_NAME).is_file():
        return False
    before = read_crawl(plan.out).crawl
    check_same(plan, before)
    return before.ended == COMPLETE


async def _crawl(
    url: str, plan: CrawlPlan, settings: dict[str, Any], run: Callable[[CrawlPlan], Awaitable[Done]]
) -> None:
    """As one role."""
    try:
        outcome, _ = await kept(url, plan, settings, run)
        if plan.report and outcome.states:
            write_report(plan.out)
    except StatecrawlError as error:
        error.args = (f"as {plan.out.name}: {error}",)
        raise
    finally:
        forget_signals()
    if outcome.ended_because == INTERRUPTED:
        raise Interrupted(
            f"interrupted as {plan.out.name}: the same command goes on with what is in {plan.out.parent}."
        )


def _there(what: Sequence[str], known: Mapping[str, Any]) -> tuple[dict[str, Path], Path | None]:
    """Crawls that are there, by the names of their roles, and where the page goes, if anywhere. Raises BadInput."""
    if not what or "://" in what[0]:
        raise BadInput(
            "say what to crawl and as whom, as in statecrawl roles http://localhost:8000/ --role admin=admin.toml"
            " --role guest; or name the folder of such crawls."
        )
    for name in known.keys() - {"out"}:
        raise BadInput(f"--{name} is for crawls that are to be made, by --role: leave it out for those that are there.")
    folders = [Path(each) for each in what]
    out = Path(known["out"]) if "out" in known else None
    if len(folders) == 1:
        return roles_in(folders[0]), out or folders[0]
    names = [Path(os.path.normpath(folder.absolute())).name for folder in folders]
    for name in names:
        if names.count(name) > 1:
            raise BadInput(
                f"two of these folders are called {name}, and that is what their roles are called: rename one."
            )
    return dict(zip(names, folders, strict=True)), out


def _show(compared: ComparedRoles, out: Path | None, *, as_json: bool) -> None:
    index = None if out is None else write_roles(out, compared)
    if as_json:
        told = {**as_object(compared.matrix), "page": None if index is None else str(index)}
        output.print(json.dumps(told), markup=False, soft_wrap=True)
        return
    for line in matrix_lines(compared.matrix):
        output.print(line, markup=False, soft_wrap=True)
    for table, left in matrix_tables(compared.matrix):
        if table.rows:
            print_whole(table)
        if left:
            output.print(left, markup=False, soft_wrap=True)
    if index is not None:
        output.print(f"the matrix is {printable(str(index))}", markup=False, soft_wrap=True)
