"""`statecrawl roles`: crawl as each of several users, and show what each of them can reach."""

import asyncio
import json
import os
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from statecrawl.cli.application import application_at, run_and_save
from statecrawl.cli.console import output, print_whole
from statecrawl.cli.crawl import INTERRUPTED, Done, check_nodes, crawled_here, forget_signals, start_url
from statecrawl.cli.crawl_signature import GivenOptions, declared, with_crawl_options
from statecrawl.cli.live_page import Live, LiveAt, live_page_served
from statecrawl.cli.progress import ProgressDisplay
from statecrawl.cli.role_tables import matrix_lines, matrix_tables
from statecrawl.cli.summary import counted
from statecrawl.config.plan import CrawlPlan, check_url
from statecrawl.config.plan_builder import default_folder, plan_of
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

ALLOWED = ("out", "json", "quiet", "what")  # to compare existing crawls


@with_crawl_options
def roles(
    given: GivenOptions,
    what: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="URL|DIR",
            help="URL where the application starts, or the name of a bundled application. Without --role: the directory"
            " of earlier crawls by role, or the directories of several crawls.",
            show_default=False,
        ),
    ] = None,
    role: Annotated[list[str] | None, declared("role")] = None,
    nodes: Annotated[int | None, declared("nodes")] = None,
    live: Live = False,
    live_at: LiveAt = None,
    config: Annotated[Path | None, declared("config")] = None,
    as_json: Annotated[bool, declared("json")] = False,
    quiet: Annotated[bool, declared("quiet")] = False,
) -> None:
    """Crawl as each of several users, and show which states and endpoints each role can reach.

    Each role is crawled into its own directory, OUT/NAME, with which report, diff, export and verify work as with any
    crawl. OUT/index.html is the access matrix, with a page for the differences between every two roles. The same
    command resumes unfinished crawls; another role is added to the existing ones. If every page shows the name of the
    user, leave that part out with --ignore.

    Examples:
      statecrawl roles http://shop.test/ --role admin=admin.toml \\
        --role clerk=clerk.toml --role guest
      # write the matrix again
      statecrawl roles roles-shop.test
      # compare existing crawls
      statecrawl roles crawl-admin/ crawl-clerk/ --out matrix/
      # show the differences between two roles
      statecrawl diff roles-shop.test/admin roles-shop.test/clerk

    Exit codes: 0 done, whether roles differ or not; 1 with --nodes, no node could continue; 2 the request is invalid; 3
    a journal or the disk failed; 4 there is no working browser; 5 the application cannot be loaded, or the login fails;
    130 interrupted. Results are stored in every case.
    """
    if role:
        check_nodes(nodes)
        logins = _logins(role)
        url = _application(what or [], given)

        async def run(plan: CrawlPlan) -> Done:
            async with ProgressDisplay(quiet=quiet, as_json=as_json) as show, live_page_served(show, live, live_at):
                show.say(f"as {plan.out.name}:")
                outcome, graph = await crawled_here(plan, nodes, show)
                found = f"{counted(outcome.states, 'state')}, {counted(outcome.transitions, 'transition')}"
                show.say(f"as {plan.out.name}: {found} ({outcome.ended_because})")
                return outcome, graph

        folder = asyncio.run(_crawl_all(url, logins, given, run))
        _show(compare_roles(roles_in(folder)), folder, as_json=as_json)
        return
    folders, out = _existing(what or [], given.values)
    _show(compare_roles(folders), out, as_json=as_json)


def _logins(roles: Sequence[str]) -> dict[str, str | None]:
    """Return the login file of each role; None for a guest. Raises BadInput."""
    logins: dict[str, str | None] = {}
    for text in roles:
        name, equals, file = text.partition("=")
        check_role_name(name)
        if equals and not file:
            raise BadInput(f"--role {text} names no file: write --role {name}=FILE, or --role {name} for a guest.")
        if name.casefold() in map(str.casefold, logins):  # the same directory on some machines
            raise BadInput(f"--role {name} is given twice: give each role a name of its own.")
        logins[name] = file or None
    return logins


def _application(what: Sequence[str], given: GivenOptions) -> str:
    """Return what to crawl. Raises BadInput."""
    if len(what) > 1:
        raise BadInput(f"--role crawls one application, and {', '.join(what)} are several: leave out all but one.")
    return start_url(what[0] if what else None, given)


async def _crawl_all(
    url: str,
    logins: Mapping[str, str | None],
    given: GivenOptions,
    run: Callable[[CrawlPlan], Awaitable[Done]],
) -> Path:
    """Crawl as each role, one after the other, and return their directory. Nothing starts unless all can be crawled.

    Raises the errors of a crawl, with the name of the role.
    """
    known = given.settings()
    if "login" in known:
        raise BadInput("each role has its own login: leave out login, and write --role NAME=FILE.")
    async with application_at(url) as (app_url, name):
        app_url = app_url if "://" in app_url else f"http://{app_url}"
        check_url("", app_url)
        out = Path(known.get("out", default_folder(app_url, name).replace("crawl-", "roles-", 1)))
        check_roles_folder(out, logins)
        plans = []
        for role, login in logins.items():
            settings = {**known, "out": str(out / role), **({} if login is None else {"login": login})}
            plans.append((plan_of(app_url, settings, name), settings))
        complete = {plan.out for plan, _ in plans if _is_complete(plan)}
        for plan, settings in plans:
            if plan.out not in complete:
                await _crawl(url, plan, settings, run)
            elif plan.report and not has_report(plan.out):  # the process was killed before it wrote the report
                write_report(plan.out)
    return out


def _is_complete(plan: CrawlPlan) -> bool:
    """Whether the crawl of a role is complete already. Raises BadInput if it was crawled with other settings."""
    if not (plan.out / JOURNAL_NAME).is_file():
        return False
    before = read_crawl(plan.out).crawl
    check_same(plan, before)
    return before.ended == COMPLETE


async def _crawl(
    url: str, plan: CrawlPlan, settings: dict[str, Any], run: Callable[[CrawlPlan], Awaitable[Done]]
) -> None:
    """Crawl as one role."""
    try:
        outcome, _ = await run_and_save(url, plan, settings, run)
        if plan.report and outcome.states:
            write_report(plan.out)
    except StatecrawlError as error:
        error.args = (f"as {plan.out.name}: {error}",)
        raise
    finally:
        forget_signals()
    if outcome.ended_because == INTERRUPTED:
        raise Interrupted(f"interrupted as {plan.out.name}: the same command resumes the crawls in {plan.out.parent}.")


def _existing(what: Sequence[str], given: Mapping[str, Any]) -> tuple[dict[str, Path], Path | None]:
    """Return existing crawls by role, and the directory for the matrix, if any. Raises BadInput."""
    if not what or "://" in what[0]:
        raise BadInput(
            "name what to crawl and the roles, as in statecrawl roles http://localhost:8000/ --role admin=admin.toml"
            " --role guest; or name the directory of earlier crawls by role."
        )
    for name in sorted(name for name, value in given.items() if value not in (None, False, []) and name not in ALLOWED):
        raise BadInput(f"--{name} is for new crawls, with --role: leave it out to compare existing crawls.")
    folders = [Path(each) for each in what]
    out = Path(given["out"]) if given.get("out") is not None else None
    if len(folders) == 1:
        return roles_in(folders[0]), out or folders[0]
    names = [Path(os.path.normpath(folder.absolute())).name for folder in folders]
    for name in names:
        if names.count(name) > 1:
            raise BadInput(
                f"two of these directories are called {name}, which becomes the name of the role: rename one."
            )
    return dict(zip(names, folders, strict=True)), out


def _show(compared: ComparedRoles, out: Path | None, *, as_json: bool) -> None:
    index = None if out is None else write_roles(out, compared)
    if as_json:
        found = {**as_object(compared.matrix), "page": None if index is None else str(index)}
        output.print(json.dumps(found), markup=False, soft_wrap=True)
        return
    for line in matrix_lines(compared.matrix):
        output.print(line, markup=False, soft_wrap=True)
    for table, left in matrix_tables(compared.matrix):
        if table.rows:
            print_whole(table)
        if left:
            output.print(left, markup=False, soft_wrap=True)
    if index is not None:
        output.print(f"the matrix is in {printable(str(index))}", markup=False, soft_wrap=True)
