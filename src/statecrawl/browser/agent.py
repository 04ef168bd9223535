"""The agent's script: the files of `agent/`, joined into one function, with the settings of this page."""

import json
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from secrets import token_hex
from typing import Any

FILES = (
    *("natives", "hash", "kernel", "replace", "time", "chance", "kinds", "listeners", "network", "sources"),
    *(
        "frameworks",
        "delegation",
        "names",
        "census",
        "selectors",
        "values",
        "rules",
        "attributes",
        "links",
        "containers",
        "walk",
        "evidence",
        "sheets",
        "pointer",
        "reveal",
        "keyboard",
        "fire",
        "guard",
        "refresh",
        "settle",
        "runner",
        "install",
    ),
)
EPOCH = 1_700_000_000_000  # what the page's clock says first: 14 November 2023, 22:13:20 UTC
STEP = 1_000  # milliseconds by which the page's clock advances at each event: longer than a double click takes
PATIENCE = 3_000  # milliseconds
KEPT = ("Boolean", "Map", "Object", "RegExp", "Set", "String", "WeakMap")  # globals as they are before the page begins


@dataclass(frozen=True, slots=True, kw_only=True)
class Ignore:
    """What the user said does not make a state."""

    selectors: tuple[str, ...] = ()
    attributes: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    hidden: bool = False  # what cannot be seen


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentSettings:
    """What the agent of a page must know before the page's first script runs. Times are in milliseconds."""

    name: str  # of the property that holds the agent
    secret: str = field(default_factory=token_hex)  # said with every question, so that the agent answers nobody else
    seed: int = 0
    epoch: int = EPOCH
    step: int = STEP
    horizon: int = 10_000  # of page time
    stretch: float = 1.0  # by this factor, timers run longer than until the horizon
    patience: int = PATIENCE  # of real time, for one request
    equivalence: str = "content"  # or a function in JavaScript, whose result makes a state
    rules: tuple[tuple[str, str], ...] = ()  # (place, what), learnt
    ignore: Ignore = field(default_factory=Ignore)
    values: tuple[tuple[str, tuple[str, ...]], ...] = ()  # (expression for the meaning of a field, values)
    allow: tuple[str, ...] = (".*",)  # expressions for addresses of the application
    deny: tuple[str, ...] = ()
    on_demand: bool = False  # frames are drawn when the agent asks for them, and not otherwise
    background: tuple[str, ...] = ()  # addresses that are not waited for
    session: str = ""  # a selector that is there as long as somebody is logged in
    login: tuple[tuple[str, str], ...] = ()  # (verb, selector) of each log-in step that uses an element
    site: bool = (
        False  # pages are opened by their address: plain links are no events, and where a page is makes a state
    )
    held: bool = False  # the page may load no other document yet
    touch: bool = False  # the device is touched, not pointed at
    options: int = 8  # of a list that are tried
    denied: tuple[str, ...] = ()  # selectors of elements whose events are to be left alone
    declining: tuple[tuple[str, ...], ...] = ()  # groups of expressions for messages of dialogs that are not accepted
    longest: int = 20_000_000  # characters of a page that are kept as evidence

    def as_object(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "secret": self.secret,
            "seed": self.seed,
            "epoch": self.epoch,
            "step": self.step,
            "horizon": self.horizon,
            "stretch": self.stretch,
            "patience": self.patience,
            "equivalence": self.equivalence,
            "rules": self.rules,
            "ignore": {
                "selectors": self.ignore.selectors,
                "attributes": self.ignore.attributes,
                "patterns": self.ignore.patterns,
                "hidden": self.ignore.hidden,
            },
            "values": self.values,
            "scope": {"allow": self.allow, "deny": self.deny},
            "onDemand": self.on_demand,
            "background": self.background,
            "session": self.session,
            "login": self.login,
            "site": self.site,
            "held": self.held,
            "touch": self.touch,
            "options": self.options,
            "denied": self.denied,
            "declining": self.declining,
            "longest": self.longest,
        }


def is_function(equivalence: str) -> bool:
    """Whether what makes a state is said by a function in JavaScript."""
    return "=>" in equivalence or equivalence.lstrip().startswith(("function", "async "))


@lru_cache(maxsize=1)
def _sources() -> str:
    folder = files("statecrawl.browser") / "agent"
    return "\n".join((folder / f"{name}.js").read_text(encoding="utf-8") for name in FILES)


def agent_script(settings: AgentSettings) -> str:
    """What is run at the start of every document."""
    given = json.dumps(settings.as_object())
    kept = f"const {{ {', '.join(KEPT)} }} = window;"
    identity = settings.equivalence if is_function(settings.equivalence) else "null"
    given = f"const SETTINGS = {given};\nconst IDENTITY = (\n{identity}\n);"
    return f"(() => {{ 'use strict'; {kept} {given}\n{_sources()}\n}})()"


def worker_script(settings: AgentSettings) -> str:
    """What is run at the start of every worker."""
    source = (files("statecrawl.browser") / "agent" / "worker.js").read_text(encoding="utf-8")
    return f"(() => {{ 'use strict'; const SEED = {settings.seed}, EPOCH = {settings.epoch};\n{source}\n}})()"
