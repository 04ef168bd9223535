"""The option table: every option of the commands that start a crawl, defined once.

The command line and its help (`cli.crawl_signature`), settings files and the Python API (`config.settings`), the plan
(`config.plan_builder`), saved and recorded settings, `statecrawl init` and docs/options.md all derive from these rows.
To add an option, add a row here, and use the field of the plan where the option acts.

The order of the rows is the order in the help, and that of the panels is the order in which they first appear.
"""

from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from statecrawl.config.access import (
    headers_without_secrets,
    if_in_environment,
    proxy_without_secrets,
    read_basic_auth,
    read_certificate,
    read_headers,
    read_proxy,
    read_user_agent,
)
from statecrawl.config.fleet import ARCHITECTURES, ARCHITECTURES_WITH, BALANCES
from statecrawl.config.login_file import read_login
from statecrawl.config.option_row import Conflict, Option, PlanContext, Requirement
from statecrawl.config.site import EVERYWHERE
from statecrawl.config.value_types import FILE, FLAG, NUMBER, TEXT, TEXTS, TIME, WHOLE_NUMBER, WORDS
from statecrawl.config.values_file import fingerprint, read_values
from statecrawl.coordination.components import Responsibility
from statecrawl.coordination.partition import PartitionKey, PartitionRule
from statecrawl.coordination.shared_facts import SharingExtent
from statecrawl.model.equivalence import EQUIVALENCES
from statecrawl.model.event import KINDS as EVENT_KINDS
from statecrawl.model.finding import ANY, ERROR, KINDS
from statecrawl.ports.devices import DEVICES, device_named
from statecrawl.strategies.registry import STRATEGIES
from statecrawl.strategies.settings import ModelKind
from statecrawl.urls.sources import PLACES

RUN = ""  # options of the run itself, above all panels
NODES_JOIN = "Connections from nodes"
SCOPE = "What to crawl"
SITE = "Whole sites"
ACCESS = "Login and access"
LIMITS = "Limits"
STRATEGY = "Strategy"
STATES = "What makes a state"
BROWSER = "Browser, events and resets"
POLITENESS = "Politeness"
OUTPUT = "What is stored"
CI = "Continuous integration"
FLEET = "Several nodes"

NEEDS_SITE = Requirement(options=("site",))
NEEDS_NODES = Requirement(options=("nodes", "engine"), commands=("serve",))
BY_PARTS = Requirement(options=("model",), values=(ModelKind.AUTO, ModelKind.COMPONENTS))
ONE_PROCESS = Conflict(
    options=("nodes", "engine"),
    commands=("serve",),
    remedy="it counts in one process, so leave it out for several nodes",
)


def _negated(value: Any, _: PlanContext) -> bool:
    return not value


def _certificate(value: Any, context: PlanContext) -> str:
    return read_certificate(value, context.settings.get("client-key"))


def _nothing(_: Any, __: PlanContext) -> dict[str, Any]:
    return {}


def _architectures(name: str) -> Requirement:
    return Requirement(options=("architecture",), values=ARCHITECTURES_WITH[name])


# fmt: off
OPTIONS: tuple[Option, ...] = (
    # -- the run itself --
    Option(name="out", type=FILE, panel=RUN, short="-o", aliases=("output",), field="out", is_local=True,
           read=lambda value, _: Path(value), default="crawl-HOST; for roles, roles-HOST", example="crawl-shop",
           help="Directory for the journal, the evidence and the report. If it already contains a crawl, that crawl is"
                " resumed."),
    Option(name="live", type=FLAG, panel=RUN, commands=("crawl", "roles"),
           help="Serve a live page of the crawl and print its URL."),
    Option(name="live-at", type=TEXT, panel=RUN, commands=("crawl", "roles"), metavar="[HOST:]PORT", example="8800",
           help="Serve the live page at this port. Without a host, only this machine can open it; with one, it is"
                " protected by a password, which is printed."),
    Option(name="live-keep", type=FLAG, panel=RUN, commands=("crawl",), needs=Requirement(options=("live", "live-at")),
           help="Keep serving the live page after the crawl, until Ctrl-C."),
    Option(name="config", type=FILE, panel=RUN, commands=("crawl", "serve", "roles"), example="crawl.toml",
           help="TOML file with these options by name, such as max-states = 500. statecrawl init writes one."),
    Option(name="urls-only", type=FLAG, panel=RUN, commands=("crawl",),
           conflicts=(Conflict(options=("nodes", "engine"),
                               remedy="crawl first, then run statecrawl export DIR --format urls"),),
           help="Print each URL on standard output as soon as it is found, one per line, and everything else on"
                " standard error. With --json, print one object per line that says where the URL was found."),
    Option(name="quiet", type=FLAG, panel=RUN, commands=("crawl", "serve", "roles"), short="-q",
           help="Show no progress."),
    Option(name="json", type=FLAG, panel=RUN, commands=("crawl", "serve", "roles"),
           help="Print one JSON object on standard output at the end, and progress as JSON lines on standard error."),
    Option(name="role", type=TEXTS, panel=RUN, commands=("roles",), metavar="NAME[=FILE]", example=["admin=admin.toml"],
           help="Role to crawl as, with its login file (docs/crawling.md). A role without a file is a guest."),

    Option(name="host", type=TEXT, panel=NODES_JOIN, commands=("serve",), default="127.0.0.1", example="0.0.0.0",  # noqa: S104
           help="Address on which to accept nodes; 0.0.0.0 stands for all addresses of this machine."),
    Option(name="port", type=WHOLE_NUMBER, panel=NODES_JOIN, commands=("serve",), default="8765", example=8765,
           help="Port on which to accept nodes."),
    Option(name="token", type=TEXT, panel=NODES_JOIN, commands=("serve",), default="generated and printed",
           example="a-long-secret",
           help="Secret that nodes must present."),
    Option(name="tls-cert", type=FILE, panel=NODES_JOIN, commands=("serve",), example="cert.pem",
           help="Certificate file. Nodes then join over HTTPS."),
    Option(name="tls-key", type=FILE, panel=NODES_JOIN, commands=("serve",), example="key.pem",
           help="File with the key of --tls-cert."),

    Option(name="scope", type=TEXT, panel=SCOPE, field="scope.prefix", default="the whole origin", example="/app/",
           recorded=True,
           help="Stay below this path."),
    Option(name="allow", type=TEXTS, panel=SCOPE, field="scope.allow", example=["^https://shop\\.test/"], recorded=True,
           help="Regular expression for URLs that belong to the application. Replaces the origin."),
    Option(name="deny", type=TEXTS, panel=SCOPE, field="scope.deny", example=["/admin"], recorded=True,
           help="Regular expression for URLs that do not belong to the application."),
    Option(name="deny-element", type=TEXTS, panel=SCOPE, field="scope.deny_elements", example=["(?i)newsletter"],
           recorded=True,
           help="Regular expression for the text of elements whose events are not fired."),
    Option(name="events", type=WORDS, panel=SCOPE, field="scope.events", example=["click", "input"], recorded=True,
           choices=tuple(EVENT_KINDS), default="all of them",
           help="Fire only these kinds of events, such as click,input."),
    Option(name="deny-event", type=TEXTS, panel=SCOPE, field="scope.deny_events", recorded=True,
           example=["hover", "click .toolbar button"],
           help="Kind of event not to fire, optionally with a CSS selector: hover, 'click .toolbar button', '* .ads'."),
    Option(name="container-probes", type=WHOLE_NUMBER, panel=SCOPE, field="container_probes", unit="events", example=10,
           recorded=True,
           help="Stop firing events on similar containers after this many had no effect; 0 fires all of them."),
    Option(name="read-only", type=FLAG, panel=SCOPE, field="scope.read_only", recorded=True,
           help="Block every request of the page except GET, HEAD and OPTIONS."),
    Option(name="allow-dangerous", type=FLAG, panel=SCOPE, field="scope.allow_dangerous", recorded=True,
           help="Also fire events that look dangerous: log out, delete, pay, send, change a password."),
    Option(name="values", type=FILE, panel=SCOPE, field="values", example="values.toml",
           read=lambda value, _: read_values(Path(value)), recorded=lambda plan: fingerprint(plan.values),
           help="File with values for form fields (TOML or JSON, see docs/crawling.md)."),

    Option(name="site", type=FLAG, panel=SITE, field="site.*", read=_nothing,
           recorded=lambda plan: plan.site is not None,
           help="Crawl a whole site, breadth-first: open every URL in scope that a page or a sitemap contains."),
    Option(name="follow", type=TEXTS, panel=SITE, field="site.follow", needs=NEEDS_SITE, choices=(*PLACES, EVERYWHERE),
           example=["link", "sitemap"], recorded=True,
           help="Where to look for URLs to open."),
    Option(name="max-urls", type=WHOLE_NUMBER, panel=SITE, field="site.urls", needs=NEEDS_SITE, unit="URLs",
           example=500, recorded=True,
           help="Open at most this many URLs."),
    Option(name="max-alike", type=WHOLE_NUMBER, panel=SITE, field="site.urls_alike", needs=NEEDS_SITE, unit="URLs",
           example=20, recorded=True,
           help="Open at most this many URLs with the same pattern, such as /item/1 and /item/2."),
    Option(name="max-states-per-url", type=WHOLE_NUMBER, panel=SITE, field="site.states_at_url", needs=NEEDS_SITE,
           unit="states", example=50, recorded=True,
           help="Fire events in at most this many states of one URL."),

    Option(name="login", type=FILE, panel=ACCESS, field="resetting.*", example="login.toml",
           read=lambda value, context: read_login(Path(value), context.url),
           recorded=lambda plan: plan.resetting.logs_in,
           conflicts=(Conflict(commands=("roles",), remedy="each role has its own login, --role NAME=FILE"),),
           help="File with login steps, or a saved session in Playwright's storageState format."),
    Option(name="basic-auth", type=TEXT, panel=ACCESS, short="-u", field="access.basic", example="env:SHOP_LOGIN",
           read=lambda value, _: read_basic_auth(value), without_secrets=if_in_environment,
           help="USER:PASSWORD for HTTP authentication, or env:NAME to read them from the environment."),
    Option(name="header", type=TEXTS, panel=ACCESS, short="-H", field="access.*",
           example=["X-Tenant: acme", "Authorization: env:SHOP_TOKEN"],
           read=lambda value, _: read_headers(value), without_secrets=headers_without_secrets,
           help="Header sent only to the application, such as 'X-Tenant: acme' or 'Authorization: env:NAME'."),
    Option(name="proxy", type=TEXT, panel=ACCESS, short="-x", field="access.proxy", example="http://localhost:3128",
           read=lambda value, _: read_proxy(value), without_secrets=proxy_without_secrets,
           help="Proxy for all requests, such as http://host:3128 or socks5://host:1080, or env:NAME."),
    Option(name="insecure", type=FLAG, panel=ACCESS, short="-k", field="access.insecure",
           help="Accept invalid TLS certificates, such as self-signed or expired ones."),
    Option(name="client-cert", type=FILE, panel=ACCESS, field="access.certificate", example="client.pem",
           read=_certificate, conflicts=(Conflict(options=("proxy",), remedy="let the proxy present the certificate"),),
           help="PEM file with the TLS client certificate for the application, and its key."),
    Option(name="client-key", type=FILE, panel=ACCESS, field="access.*", example="client.key", read=_nothing,
           needs=Requirement(options=("client-cert",)),
           help="PEM file with the key of the client certificate, if it has its own file."),

    Option(name="max-time", type=TIME, panel=LIMITS, field="limits.seconds", example="10m",
           help="End this run after this time, such as 90s, 10m or 2h."),
    Option(name="max-states", type=WHOLE_NUMBER, panel=LIMITS, field="limits.states", unit="states", example=500,
           help="End the crawl after this many states."),
    Option(name="max-events", type=WHOLE_NUMBER, panel=LIMITS, field="limits.events", unit="events", example=10_000,
           help="End the crawl after this many events, over all runs. Events fired to detect dynamic content do not"
                " count."),
    Option(name="max-depth", type=WHOLE_NUMBER, panel=LIMITS, field="limits.depth", unit="events", example=5,
           help="Do not expand states that are this many events away from the first page."),
    Option(name="max-requests", type=WHOLE_NUMBER, panel=LIMITS, field="limits.requests", unit="requests",
           example=10_000, conflicts=(ONE_PROCESS,),
           help="End this run after its pages have made this many requests."),

    Option(name="strategy", type=TEXT, panel=STRATEGY, short="-s", field="strategy", choices=tuple(STRATEGIES),
           example="probability",
           help="Exploration strategy (docs/strategies.md)."),
    Option(name="pages", type=WHOLE_NUMBER, panel=STRATEGY, field="pages", unit="tabs", example=2,
           conflicts=(Conflict(commands=("serve",), only_typed=True,
                               remedy="set it for each node, with statecrawl node --pages"),),
           help="Number of browser tabs that crawl in parallel."),
    Option(name="reset-cost", type=NUMBER, panel=STRATEGY, field="reset_cost", unit="events", default="measured",
           example=3.0,
           help="Cost of a reset, in events."),
    Option(name="seed", type=WHOLE_NUMBER, panel=STRATEGY, field="seed", example=7, recorded=True,
           help="Seed of every random choice, including those of the page."),

    Option(name="model", type=TEXT, panel=STATES, field="model", choices=tuple(ModelKind), example="auto",
           help="What is explored: every event of every state (states), every event of every part of the page"
                " (components), or states until they multiply, then components (auto)."),
    Option(name="exhaustive", type=FLAG, panel=STATES, field="exhaustive", needs=BY_PARTS,
           help="With components, also distinguish all rows of a list, and all values that an event keeps changing."),
    Option(name="confidence", type=NUMBER, panel=STATES, field="confidence", example=0.95, needs=BY_PARTS,
           help="With components, the confidence with which random checks have to show that fewer than 5 % of the"
                " events left out would do something else."),
    Option(name="equivalence", type=TEXT, panel=STATES, short="-e", field="equivalence", choices=EQUIVALENCES,
           example="content", recorded=True,
           help="What distinguishes states: a built-in rule, or a JavaScript function such as '() => document.title'."),
    Option(name="ignore", type=TEXTS, panel=STATES, field="ignore_selectors", example=["#clock"], recorded=True,
           help="CSS selector of elements to ignore when states are compared."),
    Option(name="ignore-attribute", type=TEXTS, panel=STATES, field="ignore_attributes", example=["data-time"],
           recorded=True,
           help="Attribute to ignore when states are compared."),
    Option(name="ignore-text", type=TEXTS, panel=STATES, field="ignore_patterns", example=["\\d+ visitors"],
           recorded=True,
           help="Regular expression for text to ignore when states are compared."),
    Option(name="ignore-hidden", type=FLAG, panel=STATES, field="ignore_hidden", recorded=True,
           help="Ignore hidden content, such as closed menus, when states are compared."),
    Option(name="learn-states", type=WHOLE_NUMBER, panel=STATES, aliases=("learn",), field="learn_states",
           unit="states", example=20,
           help="Number of states to load again in order to detect dynamic content; 0 detects none."),

    Option(name="device", type=TEXT, panel=BROWSER, field="access.device", example="pixel", choices=tuple(DEVICES),
           default="desktop", read=lambda value, _: device_named(value),
           help="Device to emulate, or a viewport size such as 1024x768."),
    Option(name="browser", type=TEXT, panel=BROWSER, field="browser", is_local=True, default="the installed one",
           example="/usr/bin/chromium", hidden_in=("serve",),
           help="Path of the Chrome or Chromium executable."),
    Option(name="trusted-input", type=FLAG, panel=BROWSER, field="trusted", recorded=True,
           help="Fire events by real mouse and keyboard input, which the page trusts. Slower."),
    Option(name="fast-forward", type=TIME, panel=BROWSER, aliases=("horizon",), field="horizon_seconds", example="10s",
           help="Fast-forward the page's timers by up to this time after each event."),
    Option(name="event-timeout", type=TIME, panel=BROWSER, field="event_seconds", example="10s",
           help="Time limit for the page to settle after an event."),
    Option(name="load-timeout", type=TIME, panel=BROWSER, field="load_seconds", example="30s",
           help="Time limit for a page to load."),
    Option(name="reset-url", type=TEXT, panel=BROWSER, field="resetting.url", example="/reset",
           read=lambda value, context: urljoin(context.url, value),
           help="URL that resets the server. It is requested before each reset."),
    Option(name="reset-command", type=TEXT, panel=BROWSER, field="resetting.command", example="./reset-database",
           conflicts=(Conflict(commands=("serve",), remedy="nodes run no commands, so use --reset-url"),),
           help="Command that resets the server. It is run before each reset."),

    Option(name="delay", type=TIME, panel=POLITENESS, field="delay_seconds", example="500ms",
           help="Average time between requests to the same host, such as 500ms or 2s. The crawl waits between events."),
    Option(name="max-concurrent", type=WHOLE_NUMBER, panel=POLITENESS, field="max_concurrent", unit="requests",
           example=2,
           help="Maximum number of concurrent requests to one host."),
    Option(name="ignore-robots", type=FLAG, panel=POLITENESS, field="ignore_robots", recorded=True,
           help="Ignore robots.txt. Use this for your own site."),
    Option(name="user-agent", type=TEXT, panel=POLITENESS, short="-A", field="access.user_agent",
           example="our-tests/1.0", default="the browser's own, with statecrawl/VERSION added",
           read=lambda value, _: read_user_agent(value),
           help="User agent to send."),

    Option(name="keep-secrets", type=FLAG, panel=OUTPUT, field="keep_secrets", recorded=True,
           help="Store passwords, cookies and tokens as they are, instead of REDACTED."),
    Option(name="no-screenshots", type=FLAG, panel=OUTPUT, field="screenshots", read=_negated,
           help="Do not take screenshots of states."),
    Option(name="no-traffic", type=FLAG, panel=OUTPUT, field="traffic", read=_negated,
           help="Do not store requests and responses."),
    Option(name="no-report", type=FLAG, panel=OUTPUT, field="report", read=_negated,
           help="Do not write a report at the end."),
    Option(name="coverage", type=FLAG, panel=OUTPUT, field="coverage", conflicts=(ONE_PROCESS,),
           help="Measure which parts of the application's scripts run. Takes time."),

    Option(name="fail-on", type=TEXTS, panel=CI, commands=("crawl",), example=["new-error"],
           choices=(*KINDS, ERROR, ANY),
           help="Exit with code 7 if there is a finding of this kind. With the prefix new-, only findings that"
                " --baseline does not have count."),
    Option(name="baseline", type=FILE, panel=CI, commands=("crawl",), example="last-night",
           help="Directory of an earlier crawl, to tell which findings are new."),
    Option(name="metrics", type=TEXT, panel=CI, commands=("crawl",), metavar="[HOST:]PORT", example="9464",
           needs=Requirement(options=("engine",)),
           help="Serve Prometheus metrics (/metrics) and a health check (/healthz) on this port. Without a host, only"
                " this machine can request them."),

    Option(name="nodes", type=WHOLE_NUMBER, panel=FLEET, commands=("crawl", "roles"), default="one process", example=3,
           help="Crawl with this many processes, each with its own browser."),
    Option(name="engine", type=TEXT, panel=FLEET, commands=("crawl",), example="redis://localhost:6379/0",
           help="Store the crawl in a Redis, such as redis://HOST:6379/0, which other machines can join; or mpi, under"
                " mpiexec."),
    Option(name="unsafe-persistence", type=FLAG, panel=FLEET, commands=("crawl",),
           help="Accept a Redis that loses all data when it is killed."),
    Option(name="architecture", type=TEXT, panel=FLEET, field="fleet.architecture", choices=ARCHITECTURES,
           example="client-server", needs=NEEDS_NODES,
           help="How nodes crawl together (docs/fleets.md)."),
    Option(name="partition", type=TEXT, panel=FLEET, field="fleet.partition", choices=tuple(PartitionRule),
           default="rendezvous", example="rendezvous", needs=_architectures("partition"),
           help="How events are assigned to nodes."),
    Option(name="partition-by", type=TEXT, panel=FLEET, field="fleet.partition_by", choices=tuple(PartitionKey),
           default="event", example="event", needs=_architectures("partition-by"),
           help="Which property of an event decides its assignment."),
    Option(name="balance", type=TEXT, panel=FLEET, field="fleet.balance", choices=BALANCES, default="static",
           example="static", needs=_architectures("balance"),
           help="How the events of a new state are distributed among the nodes."),
    Option(name="share", type=TEXT, panel=FLEET, field="fleet.share", choices=tuple(SharingExtent), default="all",
           example="all", needs=_architectures("share"),
           help="Which transitions peers share: those that first reach a state, also those that shorten a path to one,"
                " or all."),
    Option(name="share-every", type=WHOLE_NUMBER, panel=FLEET, field="fleet.share_every", unit="facts", default="1",
           example=100, needs=_architectures("share-every"),
           help="Share as soon as this many facts wait."),
    Option(name="share-interval", type=TIME, panel=FLEET, field="fleet.share_seconds", default="at once", example="2s",
           needs=_architectures("share-interval"),
           help="Share as soon as a fact has waited this long, such as 500ms or 2s."),
    Option(name="components", type=TEXT, panel=FLEET, field="fleet.components", choices=tuple(Responsibility),
           default="gate-keepers", example="gate-keepers", needs=_architectures("components"),
           help="With --model components, which node crawls a part of the page: the one that claims it first, or the"
                " one that a hash of its place chooses."),
)
# fmt: on


def option(name: str) -> Option:
    """Return the option of this name. Raises KeyError."""
    return next(row for row in OPTIONS if row.name == name)


def settings() -> dict[str, Option]:
    """Return the options that settings files and the Python API have, too, by name."""
    return {row.name: row for row in OPTIONS if row.is_setting}


def panels() -> list[str]:
    """Return the panels in the order of the help; the first one, without a name, has the options of the run."""
    return list(dict.fromkeys(row.panel for row in OPTIONS))
