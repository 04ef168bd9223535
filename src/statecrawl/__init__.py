"""statecrawl crawls web applications state by state.

From a program: `statecrawl.crawl("http://localhost:8000/").run()`; see `statecrawl.api`.
"""

TYPE_CHECKING = False  # without loading `typing`: whoever presses Ctrl-C meanwhile would see where
if TYPE_CHECKING:
    from typing import Any

    from statecrawl.api import Crawl, Result, State, crawl
    from statecrawl.model.finding import Finding
    from statecrawl.strategies.strategy import Strategy
del TYPE_CHECKING

__all__ = ["Crawl", "Finding", "Result", "State", "Strategy", "crawl"]

_PLACES = {"Finding": "statecrawl.model.finding", "Strategy": "statecrawl.strategies.strategy"}


def __getattr__(name: str) -> "Any":
    """Found when it is asked for: the command begins sooner, and who wants one part does not load all of them."""
    if name not in __all__:
        raise AttributeError(f"module 'statecrawl' has no attribute '{name}'")
    from importlib import import_module  # noqa: PLC0415 — likewise

    return getattr(import_module(_PLACES.get(name, "statecrawl.api")), name)
