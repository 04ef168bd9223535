"""What is going on in a crawl by several nodes: numbers for Prometheus."""

from collections.abc import Sequence
from typing import Any

METRICS = {
    "states": ("gauge", "States found."),
    "transitions": ("gauge", "Transitions explored."),
    "unexplored": ("gauge", "Events that were not explored yet."),
    "events": ("counter", "Events fired."),
    "resets": ("counter", "Resets made."),
    "repeated": ("counter", "Events fired though somebody else had."),
    "events_per_second": ("gauge", "Events a second since the beginning of this run."),
}
NODE_METRICS = {
    "tasks": ("counter", "Tasks given to a node."),
    "events": ("counter", "Events that a node fired."),
    "idle_seconds": ("counter", "Seconds that a node waited for something to do."),
    "silent": ("gauge", "Seconds since a node was last heard of."),
}
FLEET_METRICS = {
    "joined": ("gauge", "Whether this process works for a crawl."),
    "coordinator_silent_seconds": ("gauge", "Seconds since there was a word from a coordinator."),
    "browsers_started": ("counter", "Browsers that were started."),
    "browser_bytes": ("gauge", "Memory of the browser."),
    "leads": ("gauge", "Whether this process coordinates; it waits to do so otherwise."),
    "redis_silent_seconds": ("gauge", "Seconds since the Redis answered."),
}
PAGE_METRICS = {
    "tasks": ("counter", "Tasks done by a page of this process."),
    "events": ("counter", "Events fired for tasks."),
    "resets": ("counter", "Resets made for tasks."),
    "waited_seconds": ("counter", "Seconds waited for answers of the coordinator."),
    "works": ("gauge", "Whether the page works, and does not wait for an answer."),
}


def metrics_text(status: dict[str, Any]) -> str:
    """The text format of Prometheus."""
    lines = []
    for name, (kind, about) in METRICS.items():
        lines += [*_head(f"statecrawl_{name}", kind, about), f"statecrawl_{name} {status[name]}"]
    lines += [*_head("statecrawl_nodes", "gauge", "Nodes heard of lately."), f"statecrawl_nodes {len(status['nodes'])}"]
    return _text([*lines, *_by_name("statecrawl_node", NODE_METRICS, status["nodes"])])


def fleet_metrics(figures: dict[str, float]) -> str:
    """The same for one process of a fleet: some of FLEET_METRICS."""
    lines = []
    for name, figure in figures.items():
        lines += [*_head(f"statecrawl_{name}", *FLEET_METRICS[name]), f"statecrawl_{name} {figure}"]
    return _text(lines)


def page_metrics(pages: Sequence[dict[str, Any]]) -> str:
    """The same for the pages of a node, as the node counts: by `name`, all of PAGE_METRICS."""
    return _text(_by_name("statecrawl_page", PAGE_METRICS, pages))


def _by_name(prefix: str, metrics: dict[str, tuple[str, str]], rows: Sequence[dict[str, Any]]) -> list[str]:
    lines = []
    for name, (kind, about) in metrics.items():
        lines += _head(f"{prefix}_{name}", kind, about)
        lines += [f'{prefix}_{name}{{node="{_label(row["name"])}"}} {row[name]}' for row in rows]
    return lines


def _text(lines: Sequence[str]) -> str:
    return "\n".join(lines) + "\n"


def _head(name: str, kind: str, about: str) -> list[str]:
    return [f"# HELP {name} {about}", f"# TYPE {name} {kind}"]


def _label(text: str) -> str:
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
