"""One row of the option table (`config.options`): everything there is to know about an option of a crawl."""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from typing import Any

from statecrawl.config.fleet import FleetSettings
from statecrawl.config.plan import CrawlLimits, CrawlPlan, Resetting, Scope
from statecrawl.config.site import SiteSettings
from statecrawl.config.value_types import FLAG, TEXTS, TIME, ValueType, time_text
from statecrawl.ports.access import Access

SECTIONS: dict[str, Any] = {  # parts of the plan, by the field of CrawlPlan
    "": CrawlPlan,
    "limits": CrawlLimits,
    "scope": Scope,
    "resetting": Resetting,
    "access": Access,
    "fleet": FleetSettings,
    "site": SiteSettings,
}
EVERY_FIELD = "*"  # the option fills several fields of the section


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanContext:
    """What the conversion of a value may need besides the value."""

    url: str
    settings: Mapping[str, Any]  # all typed settings, by option name


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirement:
    """An option needs one of these options, with one of these values if any are listed, or one of these commands."""

    options: tuple[str, ...]
    values: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()

    def __str__(self) -> str:
        flags = [f"--{name}" for name in self.options]
        if self.values:
            return f"{flags[0]} {' or '.join(self.values)}"
        choices = [*flags, *(f"statecrawl {name}" for name in self.commands)]
        return " or ".join(filter(None, [", ".join(choices[:-1]), choices[-1]]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """An option cannot be combined with any of these options, or used with any of these commands."""

    options: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    remedy: str  # what to do instead, after a colon
    only_typed: bool = False  # a settings file may still have the option; the commands ignore it


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """An option of the commands that start a crawl."""

    name: str  # flag without dashes, key in settings files, and keyword of the Python API with underscores
    type: ValueType
    panel: str  # heading in help, settings files and the reference
    help: str  # one sentence or two; default, choices and requirements are added
    example: Any = True  # value in a settings file; one that can be used as it is
    field: str = ""  # of the plan, as in "limits.states"; empty: no setting, only an option of `commands`
    read: Callable[[Any, PlanContext], Any] | None = None  # typed value -> value of the field, or of several fields
    default: str = ""  # text; empty: the default of the field
    unit: str = ""
    choices: tuple[str, ...] = ()
    short: str = ""  # as in "-s"
    aliases: tuple[str, ...] = ()  # former names, accepted everywhere and shown nowhere
    needs: Requirement | None = None
    conflicts: tuple[Conflict, ...] = ()
    commands: tuple[str, ...] = ()  # that take it; empty: all that start a crawl
    hidden_in: tuple[str, ...] = ()  # commands that rarely need it: they take it, and their help does not show it
    metavar: str = ""  # placeholder of the value in help
    recorded: bool | Callable[[CrawlPlan], Any] = False  # in the journal: a resumed crawl must have the same value
    is_local: bool = False  # means nothing on another machine, so it is not saved with the crawl
    without_secrets: Callable[[Any], Any] | None = None  # value that may be saved; None or [] if nothing is left

    @property
    def is_setting(self) -> bool:
        """Whether settings files and the Python API have it, too, and its value becomes part of the plan."""
        return bool(self.field)

    @property
    def default_text(self) -> str:
        """The default for help and reference; empty: none worth showing."""
        return self.default or ("" if self.read is not None else _written(self._field_default(), self.type))

    def described(self, *, needs: bool = True) -> str:
        """Return the help with choices and default, and with what the option needs."""
        parts = [self.help]
        if self.choices:
            parts.append(f"Values: {', '.join(self.choices)}.")
        if self.default_text:
            parts.append(f"Default: {self.default_text}.")
        if self.type is TEXTS:
            parts.append("Repeatable.")
        if needs and self.needs is not None:
            parts.append(f"Needs {self.needs}.")
        return " ".join(parts)

    def plan_fields(self, value: Any, context: PlanContext) -> tuple[str, dict[str, Any]]:
        """Return the section of the plan and the values of its fields that follow from a typed value."""
        section, _, name = self.field.rpartition(".")
        if self.read is not None:
            value = self.read(value, context)
        elif isinstance(value, list):
            value = tuple(value)
        return section, value if name == EVERY_FIELD else {name: value}

    def recorded_value(self, plan: CrawlPlan) -> Any:
        """Return the value that the journal records. Raises LookupError if the plan has no such section."""
        if callable(self.recorded):
            return self.recorded(plan)
        value: Any = plan
        for name in self.field.split("."):
            value = getattr(value, name)
            if value is None and name in SECTIONS:
                raise LookupError(name)
        return list(value) if isinstance(value, tuple) else value

    def _field_default(self) -> Any:
        section, _, name = self.field.rpartition(".")
        known = {each.name: each.default for each in fields(SECTIONS[section])} if self.field else {}
        return known.get(name)


def _written(value: Any, kind: ValueType) -> str:
    """Return a default as people write it."""
    if value is None or value is MISSING or value == () or value == "" or kind is FLAG:
        return ""
    if kind is TIME:
        return time_text(value) if value else ""
    return ", ".join(value) if isinstance(value, tuple) else str(value)


def plain(value: Any) -> Any:
    """Return a value of the Python API as a settings file would have it."""
    if isinstance(value, Path):
        return str(value)
    return list(value) if isinstance(value, tuple) else value
