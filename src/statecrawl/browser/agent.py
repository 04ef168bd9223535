"""Page agent: the script that joins the files of `agent/` and the settings of one page into one function."""

import json
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from secrets import token_hex
from typing import Any

from statecrawl.model.equivalence import is_function

FILES = (  # in this order
    *("natives", "hash", "kernel", "replace", "time", "chance", "kinds", "listeners", "network", "loaders", "sources"),
    *("frameworks", "delegation", "names", "census", "selectors", "purposes", "values", "rules", "attributes", "links"),
    *(
        "containers",
        "equivalence",
        "presses",
        "lists",
        "drags",
        "walk",
        "regions",
        "reach",
        "forms",
        "evidence",
        "sheets",
        "pointer",
        "capture",
        "reveal",
        "keyboard",
        "dragging",
        "fire",
        "guard",
    ),
    *("refresh", "settle", "runner", "describe", "places", "departure", "install"),
)
EPOCH = 1_700_000_000_000  # start of the page's clock: 14 November 2023, 22:13:20 UTC
STEP = 1_000  # milliseconds by which the page's clock advances at each event: longer than a double click takes
PATIENCE = 3_000  # milliseconds
SAVED_GLOBALS = (
    "Boolean",
    "Map",
    "Object",
    "RegExp",
    "Set",
    "String",
    "WeakMap",
)  # globals saved before the first script of the page


@dataclass(frozen=True, slots=True, kw_only=True)
class Ignore:
    """What the user excludes from states."""

    selectors: tuple[str, ...] = ()
    attributes: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    hidden: bool = False  # invisible elements


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentSettings:
    """Settings of the agent of a page. Times are in milliseconds."""

    name: str  # of the property that holds the agent
    secret: str = field(default_factory=token_hex)  # authenticates every call, because the page may find the agent
    seed: int = 0
    epoch: int = EPOCH
    step: int = STEP
    horizon: int = 10_000  # of page time
    stretch: float = 1.0  # factor by which timers run beyond the horizon
    patience: int = PATIENCE  # of real time, for one request
    equivalence: str = "content"  # or a JavaScript function whose result identifies a state
    rules: tuple[tuple[str, str], ...] = ()  # (place, what), learnt
    ignore: Ignore = field(default_factory=Ignore)
    values: tuple[tuple[str, tuple[str, ...]], ...] = ()  # (regular expression for the purpose of a field, values)
    allow: tuple[str, ...] = (".*",)  # regular expressions for URLs of the application
    deny: tuple[str, ...] = ()
    on_demand: bool = False  # frames are drawn only when the agent asks for them
    background: tuple[str, ...] = ()  # URLs that are not waited for
    session: str = ""  # selector of an element that shows that the user is logged in
    login: tuple[tuple[str, str], ...] = ()  # (verb, selector) of each login step that uses an element
    site: bool = False  # pages are opened by URL: plain links are no events, and the URL is part of the state
    held: bool = False  # other documents are not loaded yet
    touch: bool = False  # the device has a touch screen instead of a mouse
    options: int = 8  # options of a list that are tried
    denied: tuple[str, ...] = ()  # selectors of elements whose events are not fired
    declining: tuple[tuple[str, ...], ...] = ()  # groups of regular expressions for messages of dialogs to dismiss
    regions: bool = False  # descriptions tell the regions of the page
    boxes: bool = False  # and where they are, for pictures of them
    longest: int = 20_000_000  # characters of a page that are stored as evidence

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
            "regions": self.regions,
            "boxes": self.boxes,
            "longest": self.longest,
        }


@lru_cache(maxsize=1)
def _sources() -> str:
    folder = files("statecrawl.browser") / "agent"
    return "\n".join((folder / f"{name}.js").read_text(encoding="utf-8") for name in FILES)


def agent_script(settings: AgentSettings) -> str:
    """Return the script that runs at the start of every document."""
    values = json.dumps(settings.as_object())
    saved = f"const {{ {', '.join(SAVED_GLOBALS)} }} = window;"
    identity = settings.equivalence if is_function(settings.equivalence) else "null"
    constants = f"const SETTINGS = {values};\nconst IDENTITY = (\n{identity}\n);"
    return f"(() => {{ 'use strict'; {saved} {constants}\n{_sources()}\n}})()"


def worker_script(settings: AgentSettings) -> str:
    """Return the script that runs at the start of every worker."""
    source = (files("statecrawl.browser") / "agent" / "worker.js").read_text(encoding="utf-8")
    return f"(() => {{ 'use strict'; const SEED = {settings.seed}, EPOCH = {settings.epoch};\n{source}\n}})()"
