"""statecrawl crawls web applications state by state.

From a program: `statecrawl.crawl("http://localhost:8000/").run()`; see `statecrawl.api`.
"""

TYPE_CHECKING = False  # avoids importing `typing`: Ctrl-C during the import would print a traceback
if TYPE_CHECKING:
    from typing import Any

    from statecrawl.api import Crawl, Result, State, crawl
    from statecrawl.model.finding import Finding
    from statecrawl.strategies.strategy import Strategy
del TYPE_CHECKING

__all__ = ["Crawl", "Finding", "Result", "State", "Strategy", "crawl"]

_MODULES = {"Finding": "statecrawl.model.finding", "Strategy": "statecrawl.strategies.strategy"}


def __getattr__(name: str) -> "Any":
    """Import public names on first access, so that commands and partial imports start faster."""
    if name not in __all__:
        raise AttributeError(f"module 'statecrawl' has no attribute '{name}'")
    from importlib import import_module  # noqa: PLC0415 — for the same reason

    return getattr(import_module(_MODULES.get(name, "statecrawl.api")), name)
