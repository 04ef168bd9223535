"""What can be said about a crawl on the command line, for every command that begins one."""

import inspect
from collections.abc import Callable, Collection, Iterable
from copy import copy
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, get_args

import typer

from statecrawl.cli.help_panels import panel_of, rank
from statecrawl.config.fleet import ARCHITECTURES, BALANCES
from statecrawl.config.plan import DEFAULT_STRATEGY, EQUIVALENCES
from statecrawl.config.site import EVERYWHERE, SiteSettings
from statecrawl.coordination.partition import PartitionKey, PartitionRule
from statecrawl.coordination.shared_facts import SharingExtent
from statecrawl.journal.idle_containers import PROBES
from statecrawl.model.event import KINDS
from statecrawl.ports.devices import DEVICES
from statecrawl.strategies.registry import STRATEGIES
from statecrawl.urls.sources import PLACES


def options(
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
        typer.Option(
            "--equivalence",
            "-e",
            help=f"What makes a state: {', '.join(EQUIVALENCES)}, or a function as in '() => document.title';"
            " default: content.",
        ),
    ] = None,
    max_states: Annotated[int | None, typer.Option(help="End after this many states.")] = None,
    max_events: Annotated[
        int | None, typer.Option(help="End after this many events, of all runs; learning dynamic content not counted.")
    ] = None,
    max_time: Annotated[str | None, typer.Option(help="End this run after this time: 90s, 10m, 2h.")] = None,
    max_depth: Annotated[
        int | None, typer.Option(help="Do not expand states this many events from the first page.")
    ] = None,
    max_requests: Annotated[
        int | None,
        typer.Option(help="End this run after its pages have made this many requests; not for --nodes."),
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
        list[str] | None,
        typer.Option(help="Regular expression for the words of elements to leave alone; may be repeated."),
    ] = None,
    events: Annotated[
        str | None,
        typer.Option(help=f"Fire only these kinds of events, as in click,input: {', '.join(KINDS)}."),
    ] = None,
    deny_event: Annotated[
        list[str] | None,
        typer.Option(
            help="Kind of events not to fire, perhaps with a CSS selector: hover, 'click .toolbar button', '* .ads';"
            " may be repeated."
        ),
    ] = None,
    allow_dangerous: Annotated[
        bool,
        typer.Option(
            "--allow-dangerous", help="Also fire what looks dangerous: log out, delete, pay, send, change a password."
        ),
    ] = False,
    read_only: Annotated[
        bool, typer.Option("--read-only", help="Refuse every request of the page but GET, HEAD and OPTIONS.")
    ] = False,
    site: Annotated[
        bool,
        typer.Option(
            "--site",
            help="Crawl a whole site, breadth-first: open every URL in scope that a page or a sitemap names once.",
        ),
    ] = False,
    follow: Annotated[
        list[str] | None,
        typer.Option(
            help=f"With --site: where URLs to open are found, e.g. --follow link: {', '.join(PLACES)}, {EVERYWHERE};"
            f" default: {', '.join(SiteSettings().follow)}; may be repeated."
        ),
    ] = None,
    max_urls: Annotated[int | None, typer.Option(help="With --site: open at most this many URLs.")] = None,
    max_alike: Annotated[
        int | None,
        typer.Option(help="With --site: open at most this many that are alike, as /item/1 and /item/2; default: 20."),
    ] = None,
    max_states_per_url: Annotated[
        int | None, typer.Option(help="With --site: fire events in at most this many states of one URL; default: 50.")
    ] = None,
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
    ignore_hidden: Annotated[
        bool,
        typer.Option("--ignore-hidden", help="Let content that cannot be seen make no states: menus before they open."),
    ] = False,
    container_probes: Annotated[
        int | None,
        typer.Option(
            help="Leave out listeners on containers that had no effect this many times, e.g. --container-probes 10;"
            f" default: {PROBES}, 0 fires them everywhere."
        ),
    ] = None,
    learn: Annotated[
        int | None,
        typer.Option(help="How many states are loaded again to find dynamic content; default: 20, 0 is none."),
    ] = None,
    trusted_input: Annotated[
        bool,
        typer.Option(
            "--trusted-input", help="Fire events by real pointer and keyboard: slower, but trusted by the page."
        ),
    ] = False,
    no_screenshots: Annotated[bool, typer.Option("--no-screenshots", help="Take no pictures of states.")] = False,
    no_traffic: Annotated[bool, typer.Option("--no-traffic", help="Do not keep requests and answers.")] = False,
    keep_secrets: Annotated[
        bool,
        typer.Option("--keep-secrets", help="Keep passwords, cookies and tokens in what is written; else REDACTED."),
    ] = False,
    no_report: Annotated[bool, typer.Option("--no-report", help="Write no report at the end.")] = False,
    coverage: Annotated[
        bool,
        typer.Option(
            "--coverage", help="Find out which parts of the application's scripts run; not for --nodes. Takes time."
        ),
    ] = False,
    proxy: Annotated[
        str | None,
        typer.Option(help="Proxy for every request, as in http://host:3128 or socks5://host:1080; or env:NAME."),
    ] = None,
    header: Annotated[
        list[str] | None,
        typer.Option(
            help="Header for the application and nobody else, as in 'X-Tenant: acme' or 'Authorization: env:NAME';"
            " may be repeated."
        ),
    ] = None,
    basic_auth: Annotated[
        str | None, typer.Option(help="USER:PASSWORD where the server asks for it; better env:NAME, which holds that.")
    ] = None,
    insecure: Annotated[
        bool, typer.Option("--insecure", help="Accept certificates that nobody trusts, or that are out of date.")
    ] = False,
    client_cert: Annotated[
        str | None,
        typer.Option(help="Certificate to show where the application's server asks for one: a PEM file, with its key."),
    ] = None,
    client_key: Annotated[str | None, typer.Option(help="Its key, where that is in a file of its own.")] = None,
    device: Annotated[
        str | None, typer.Option(help=f"Be another device: {', '.join(DEVICES)}; or a size as in 1024x768.")
    ] = None,
    user_agent: Annotated[
        str | None, typer.Option(help="What the browser says it is; default: what it is, and statecrawl.")
    ] = None,
    ignore_robots: Annotated[
        bool, typer.Option("--ignore-robots", help="Open what robots.txt asks crawlers not to open: for your own site.")
    ] = False,
    delay: Annotated[
        str | None,
        typer.Option(help="Time that each host is given for each request of a page, kept between events: 500ms, 2s."),
    ] = None,
    max_concurrent: Annotated[
        int | None, typer.Option(help="Requests to one host that may be under way at a time.")
    ] = None,
    horizon: Annotated[
        str | None, typer.Option(help="How far the page's clock may run after an event; default: 10s.")
    ] = None,
    event_timeout: Annotated[
        str | None, typer.Option(help="How long an event may take to settle; default: 10s.")
    ] = None,
    load_timeout: Annotated[str | None, typer.Option(help="How long a page may take to load; default: 30s.")] = None,
    architecture: Annotated[
        str | None, typer.Option(help=f"How nodes crawl together: {', '.join(ARCHITECTURES)}; default: the first.")
    ] = None,
    partition: Annotated[
        str | None,
        typer.Option(
            help=f"Which node's an event is, where each decides: {', '.join(PartitionRule)}; default: rendezvous."
        ),
    ] = None,
    partition_by: Annotated[
        str | None, typer.Option(help=f"What an event is known by for that: {', '.join(PartitionKey)}; default: event.")
    ] = None,
    balance: Annotated[
        str | None,
        typer.Option(
            help=f"How much of a new state each node of dist-ria gets: {', '.join(BALANCES)}; default: static."
        ),
    ] = None,
    share: Annotated[
        str | None,
        typer.Option(help=f"What peers tell each other: {', '.join(SharingExtent)} of the transitions; default: all."),
    ] = None,
    share_every: Annotated[
        int | None, typer.Option(help="Peers tell as soon as this many facts wait; default: 1.")
    ] = None,
    share_interval: Annotated[
        str | None, typer.Option(help="Peers tell when a fact has waited this long: 500ms, 2s; default: at once.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="Fixes every random choice, the page's included; default: 0.")
    ] = None,
    browser: Annotated[
        str | None, typer.Option(help="Program of a Chrome or Chromium; default: the one installed.")
    ] = None,
) -> dict[str, Any]:
    """All of them, by the names of their flags; what was not given is None, False or nothing."""
    return {
        "out": None if out is None else str(out),
        "strategy": strategy,
        "pages": pages,
        "equivalence": equivalence,
        "max-states": max_states,
        "max-events": max_events,
        "max-time": max_time,
        "max-requests": max_requests,
        "max-depth": max_depth,
        "scope": scope,
        "allow": allow,
        "deny": deny,
        "deny-element": deny_element,
        "events": None if events is None else [kind.strip() for kind in events.split(",")],
        "deny-event": deny_event,
        "allow-dangerous": allow_dangerous,
        "read-only": read_only,
        "site": site,
        "follow": follow,
        "max-urls": max_urls,
        "max-alike": max_alike,
        "max-states-per-url": max_states_per_url,
        "values": None if values is None else str(values),
        "login": None if login is None else str(login),
        "reset-url": reset_url,
        "reset-command": reset_command,
        "reset-cost": reset_cost,
        "ignore": ignore,
        "ignore-attribute": ignore_attribute,
        "ignore-text": ignore_text,
        "container-probes": container_probes,
        "learn": learn,
        "trusted-input": trusted_input,
        "no-screenshots": no_screenshots,
        "no-traffic": no_traffic,
        "keep-secrets": keep_secrets,
        "no-report": no_report,
        "coverage": coverage,
        "proxy": proxy,
        "header": header,
        "basic-auth": basic_auth,
        "insecure": insecure,
        "client-cert": client_cert,
        "client-key": client_key,
        "device": device,
        "user-agent": user_agent,
        "ignore-robots": ignore_robots,
        "ignore-hidden": ignore_hidden,
        "delay": delay,
        "max-concurrent": max_concurrent,
        "horizon": horizon,
        "event-timeout": event_timeout,
        "load-timeout": load_timeout,
        "architecture": architecture,
        "partition": partition,
        "partition-by": partition_by,
        "balance": balance,
        "share": share,
        "share-every": share_every,
        "share-interval": share_interval,
        "seed": seed,
        "browser": browser,
    }


def with_crawl_options(command: Callable[..., None], without: Collection[str] = ()) -> Callable[..., None]:
    """Have a command take all these options, too, which it is handed as one mapping called `given`.

    Those that it is `without` are not shown: the command says itself why it does not take them.
    """
    own = {name: parameter for name, parameter in inspect.signature(command).parameters.items() if name != "given"}
    shared = dict(inspect.signature(options).parameters)

    @wraps(command)
    def taking(**said: Any) -> None:
        mine = {name: value for name, value in said.items() if name in own}
        command(given=options(**{name: value for name, value in said.items() if name in shared}), **mine)

    every = in_panels([*own.values(), *shared.values()], without)
    taking.__signature__ = inspect.Signature(every)  # type: ignore[attr-defined]
    taking.__annotations__ = {each.name: each.annotation for each in every}
    del taking.__wrapped__
    return taking


def in_panels(parameters: Iterable[inspect.Parameter], hidden: Collection[str] = ()) -> list[inspect.Parameter]:
    """In the order of the help, each under its heading, all by name only; some are not shown."""
    keyword = inspect.Parameter.KEYWORD_ONLY
    placed = [_placed(each, hidden).replace(kind=keyword) for each in parameters]
    return sorted(placed, key=lambda each: (each.default is not inspect.Parameter.empty, rank(flag(each))))


def flag(parameter: inspect.Parameter) -> str:
    """What an option is called, without the dashes before it."""
    return parameter.name.removeprefix("as_").replace("_", "-")


def _placed(parameter: inspect.Parameter, hidden: Collection[str]) -> inspect.Parameter:
    kind, option = get_args(parameter.annotation)
    option = copy(option)
    option.rich_help_panel, option.hidden = panel_of(flag(parameter)), flag(parameter) in hidden
    return parameter.replace(annotation=Annotated[kind, option])
