"""From settings to the plan of a crawl, section by section, from the option table."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from statecrawl.config.access import without_credentials
from statecrawl.config.conflicts import check_settings
from statecrawl.config.option_row import SECTIONS, PlanContext
from statecrawl.config.options import settings as options_by_name
from statecrawl.config.plan import CrawlPlan, check_url
from statecrawl.config.settings import settings_of

OPTIONAL_SECTIONS = ("fleet", "site")  # None in the plan unless an option asks for them


def crawl_plan(
    url: str, given: Mapping[str, Any], config: Path | None = None, name: str = "", architecture: str | None = None
) -> CrawlPlan:
    """Return the plan for these options, by name, and for those of a settings file. None means: not given.

    `name` is that of a bundled application, whatever its URL is today. `architecture` is the default for nodes.

    Raises BadInput or UnknownName with a message that says what is valid.
    """
    return plan_of(url, settings_of(given, config), name, architecture)


def plan_of(url: str, settings: Mapping[str, Any], name: str = "", architecture: str | None = None) -> CrawlPlan:
    """Return the plan for these typed settings; see `crawl_plan`."""
    fleet = {} if architecture is None else {"architecture": architecture}
    check_settings(fleet | dict(settings))
    url = url if "://" in url else f"http://{url}"
    check_url("", url)
    url, credentials = without_credentials(url)
    sections: dict[str, dict[str, Any]] = {section: {} for section in SECTIONS if section not in OPTIONAL_SECTIONS}
    if fleet:
        sections["fleet"] = dict(fleet)
    if credentials is not None:
        sections["access"]["basic"] = credentials
    context = PlanContext(url=url, settings=settings)
    for option_name, value in settings.items():
        if value is False:  # a flag that a file turns off: `site = false` must not ask for the section
            continue
        section, values = options_by_name()[option_name].plan_fields(value, context)
        sections.setdefault(section, {}).update(values)
    plan = {"out": Path(default_folder(url, name))} | sections.pop("")
    parts = {section: SECTIONS[section](**values) for section, values in sections.items()}
    return CrawlPlan(url=url, name=name, **plan, **parts)


def default_folder(url: str, name: str = "") -> str:
    """Return the folder of a crawl of this URL, unless an option names one."""
    host = name or urlsplit(url).netloc.rpartition("@")[2]  # the name of a folder must not contain a password
    safe = "".join(letter if letter.isalnum() or letter in ".-" else "-" for letter in host)
    return f"crawl-{safe or 'of-nothing'}"


def crawl_name(url: str, name: str = "") -> str:
    """Return the name of a crawl of this URL in a Redis that stores several."""
    folder = default_folder(url, name).removeprefix("crawl-")
    return "".join(letter if letter.isascii() else "-" for letter in folder)
