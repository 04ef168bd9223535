"""From arguments and files to the plan of a crawl.

A configuration file is TOML with the names of the flags: `max-states = 500`, `deny = ["/logout"]`. What is given on the
command line wins. Files for values and for logging in are described in docs/crawling.md.
"""

from collections.abc import Mapping
from dataclasses import fields
from math import isfinite
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

from statecrawl.config.access import TEXTS as ACCESS_TEXTS
from statecrawl.config.access import access_of, without_credentials
from statecrawl.config.fleet import CLIENT_SERVER, FleetSettings
from statecrawl.config.login_file import read_login
from statecrawl.config.plan import CrawlLimits, CrawlPlan, Resetting, Scope, check_address
from statecrawl.config.saved_settings import unsealed
from statecrawl.config.settings_file import place_of, read_table
from statecrawl.config.site import SiteSettings
from statecrawl.errors import BadInput, UnknownName

SITE_LIMITS = {"max-urls": "urls", "max-alike": "urls_alike", "max-states-per-url": "states_at_url"}
LISTS = frozenset({"allow", "deny", "deny-element", "events", "deny-event", "ignore", "ignore-attribute"}) | frozenset(
    {"ignore-text", "follow", "header"}
)
NUMBERS = frozenset(
    {"pages", "seed", "learn", "container-probes", "max-states", "max-events", "max-depth", "share-every"}
) | frozenset({"max-requests", "max-concurrent", *SITE_LIMITS})
TIMES = frozenset({"max-time", "horizon", "event-timeout", "load-timeout", "share-interval", "delay"})
FLAGS = frozenset({"allow-dangerous", "read-only", "trusted-input", "site", "keep-secrets", "coverage"}) | frozenset(
    {"no-screenshots", "no-report", "no-traffic", "insecure", "ignore-robots", "ignore-hidden"}
)
TEXTS = ACCESS_TEXTS | frozenset(
    {"strategy", "equivalence", "scope", "values", "login", "out", "browser", "reset-url", "reset-command"}
)
TEAM = frozenset({"architecture", "partition", "partition-by", "balance", "share"})
KNOWN = LISTS | NUMBERS | TIMES | FLAGS | TEXTS | TEAM | {"reset-cost"}
KINDS = {  # what the value of a setting is, for people
    LISTS: 'a list of texts, as in ["a", "b"]',
    NUMBERS: "a whole number",
    TIMES: 'a time, as in "90s", "10m" or "2h"',
    FLAGS: "true or false",
    TEXTS | TEAM | {"url"}: "a text in quotation marks",
    frozenset({"reset-cost"}): "a number",
}
UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}


def crawl_plan(
    url: str, given: Mapping[str, Any], config: Path | None = None, name: str = "", architecture: str | None = None
) -> CrawlPlan:
    """The plan for these arguments, by the names of their flags; None means not given.

    `name` is what a bundled application is called, whatever its address is today. `architecture` is how nodes crawl
    together when nobody says.

    Raises BadInput or UnknownName with a sentence that says what would be right.
    """
    known = settings_of(given, config)
    url = url if "://" in url else f"http://{url}"
    check_address("", url)
    url, credentials = without_credentials(url)
    login = read_login(Path(known["login"]), url) if "login" in known else {}
    reset_url = urljoin(url, known["reset-url"]) if "reset-url" in known else None
    plan = {
        "url": url,
        "out": Path(known.get("out", default_folder(url, name))),
        "name": name,
        "limits": CrawlLimits(
            states=known.get("max-states"),
            events=known.get("max-events"),
            requests=known.get("max-requests"),
            depth=known.get("max-depth"),
            seconds=None if "max-time" not in known else seconds("max-time", known["max-time"]),
        ),
        "scope": Scope(
            allow=tuple(known.get("allow", ())),
            deny=tuple(known.get("deny", ())),
            prefix=known.get("scope", ""),
            deny_elements=tuple(known.get("deny-element", ())),
            events=tuple(known.get("events", ())),
            deny_events=tuple(known.get("deny-event", ())),
            allow_dangerous=known.get("allow-dangerous", False),
            read_only=known.get("read-only", False),
        ),
        "resetting": Resetting(url=reset_url, command=known.get("reset-command"), **login),
        "values": _values(Path(known["values"])) if "values" in known else (),
        "ignore_selectors": tuple(known.get("ignore", ())),
        "ignore_attributes": tuple(known.get("ignore-attribute", ())),
        "ignore_patterns": tuple(known.get("ignore-text", ())),
        "screenshots": not known.get("no-screenshots", False),
        "report": not known.get("no-report", False),
        "coverage": known.get("coverage", False),
        "traffic": not known.get("no-traffic", False),
        "keep_secrets": known.get("keep-secrets", False),
        "trusted": known.get("trusted-input", False),
        "learn_states": known.get("learn"),
        "container_probes": known.get("container-probes"),
        "horizon_seconds": _optional_seconds("horizon", known),
        "event_seconds": _optional_seconds("event-timeout", known),
        "load_seconds": _optional_seconds("load-timeout", known),
        "reset_cost": known.get("reset-cost"),
        "access": access_of(known, credentials),
        "ignore_robots": known.get("ignore-robots", False),
        "ignore_hidden": known.get("ignore-hidden", False),
        "delay_seconds": _optional_seconds("delay", known),
        "most_concurrent": known.get("max-concurrent"),
        "fleet": _fleet(known, architecture),
        "site": _site(known),
    } | {name: known.get(name) for name in ("strategy", "pages", "equivalence", "seed", "browser")}
    names = {field.name for field in fields(CrawlPlan)}
    return CrawlPlan(**{name: value for name, value in plan.items() if value is not None and name in names})


def settings_of(given: Mapping[str, Any], config: Path | None = None) -> dict[str, Any]:
    """What is asked for, by the names of the flags: what is given, and what a file says besides. Raises BadInput."""
    known = {} if config is None else read_config(config)
    known.pop("url", None)
    return known | {
        name: value for name, value in given.items() if value is not None and value is not False and value != []
    }


def _site(known: Mapping[str, Any]) -> SiteSettings | None:
    """How far a whole site is crawled, if it is. Raises BadInput."""
    said = [f"--{name}" for name in ("follow", *SITE_LIMITS) if name in known]
    if not known.get("site"):
        if said:
            raise BadInput(f"{', '.join(said)} is about a whole site: say --site as well.")
        return None
    asked: dict[str, Any] = {field: known[name] for name, field in SITE_LIMITS.items() if name in known}
    if "follow" in known:
        asked["follow"] = tuple(known["follow"])
    return SiteSettings(**asked)


def _fleet(known: Mapping[str, Any], usual: str | None) -> FleetSettings | None:
    """How nodes crawl together, as far as anybody said."""
    if usual is None and not known.keys() & (TEAM | {"share-every", "share-interval"}):
        return None
    return FleetSettings(
        architecture=known.get("architecture", usual or CLIENT_SERVER),
        partition=known.get("partition"),
        partition_by=known.get("partition-by"),
        balance=known.get("balance"),
        share=known.get("share"),
        share_every=known.get("share-every"),
        share_seconds=_optional_seconds("share-interval", known),
    )


def default_folder(url: str, name: str = "") -> str:
    """Where a crawl of this address is kept when nobody says."""
    told = name or urlsplit(url).netloc.rpartition("@")[2]  # a password must not become the name of a folder
    host = "".join(letter if letter.isalnum() or letter in ".-" else "-" for letter in told)
    return f"crawl-{host or 'of-nothing'}"


def crawl_name(url: str, name: str = "") -> str:
    """What a crawl of this address is called where several are kept."""
    folder = default_folder(url, name).removeprefix("crawl-")
    return "".join(letter if letter.isascii() else "-" for letter in folder)


def seconds(name: str, value: Any) -> float:
    """A time as people write it: 90, "90s", "10m", "2h", "500ms". Raises BadInput."""
    text = str(value).strip().lower()
    unit = next((unit for unit in UNITS if text.endswith(unit)), "")
    try:
        found = float(text.removesuffix(unit)) * UNITS.get(unit, 1.0)
    except ValueError:
        found = float("nan")
    if not isfinite(found):
        raise BadInput(f"--{name} is a time, as in 90s, 10m or 2h, not '{value}'.")
    return found


def _optional_seconds(name: str, known: Mapping[str, Any]) -> float | None:
    return seconds(name, known[name]) if name in known else None


def read_config(path: Path) -> dict[str, Any]:
    """What a configuration file says; `url` is where the application begins. Raises BadInput and UnknownName."""
    told = read_table(path)
    for name, value in told.items():
        if name not in KNOWN | {"url"}:
            raise UnknownName(f"setting in {place_of(path, name)}", name, KNOWN | {"url"})
        try:
            check_kind(name, value)
        except BadInput as wrong:
            raise BadInput(f"{place_of(path, name)}: {wrong}") from None
    return {name: unsealed(path, value) for name, value in told.items()}


def check_kind(name: str, value: Any) -> None:
    """Raises BadInput when a value is not of the kind that its flag takes."""
    if not _is_right(name, value):
        kind = next(said for names, said in KINDS.items() if name in names)
        raise BadInput(f"'{name}' is {kind}, not {value!r}.")


def _is_right(name: str, value: Any) -> bool:
    """Whether a value is of the kind that its flag takes."""
    if name in LISTS:
        return isinstance(value, list) and all(isinstance(item, str) for item in value)
    if name in FLAGS:
        return isinstance(value, bool)
    if name in NUMBERS:
        return type(value) is int
    if name in TEXTS | TEAM | {"url"}:
        return isinstance(value, str)
    return type(value) in (int, float) or (name in TIMES and isinstance(value, str))


def _values(path: Path) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Expressions for what a field is called, each with the values to put into it."""
    values = []
    for expression, listed in read_table(path).items():
        if not isinstance(listed, list) or not listed or not all(type(value) in (str, int, float) for value in listed):
            raise BadInput(f'{path}: write a list of values for each field, as in city = ["Berlin", "Rome"].')
        values.append((expression, tuple(map(str, listed))))
    return tuple(values)
