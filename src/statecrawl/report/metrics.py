"""Metrics of crawls with several nodes, in the text format of Prometheus."""

from collections.abc import Sequence
from typing import Any

METRICS = {
    "states": ("gauge", "States found."),
    "transitions": ("gauge", "Transitions explored."),
    "unexplored": ("gauge", "Events not explored yet."),
    "events": ("counter", "Events fired."),
    "resets": ("counter", "Resets made."),
    "repeated": ("counter", "Events fired again although another node had already fired them."),
    "events_per_second": ("gauge", "Events per second since the start of this run."),
}
NODE_METRICS = {
    "tasks": ("counter", "Tasks assigned to the node."),
    "events": ("counter", "Events fired by the node."),
    "idle_seconds": ("counter", "Seconds that the node waited for tasks."),
    "silent": ("gauge", "Seconds since the last message of the node."),
}
FLEET_METRICS = {
    "joined": ("gauge", "Whether this process takes part in a crawl (1 or 0)."),
    "coordinator_silent_seconds": ("gauge", "Seconds since the last message of a coordinator."),
    "browsers_started": ("counter", "Browsers started."),
    "browser_bytes": ("gauge", "Memory of the browser in bytes."),
    "leads": ("gauge", "Whether this process is the coordinator (1) or a standby (0)."),
    "redis_silent_seconds": ("gauge", "Seconds since the last reply of Redis."),
}
PAGE_METRICS = {
    "tasks": ("counter", "Tasks done by the page."),
    "events": ("counter", "Events fired by the page."),
    "resets": ("counter", "Resets made by the page."),
    "waited_seconds": ("counter", "Seconds that the page waited for replies of the coordinator."),
    "works": ("gauge", "Whether the page is working (1) or waiting for a reply (0)."),
}


def metrics_text(status: dict[str, Any]) -> str:
    """Return the metrics of a crawl, given its status."""
    lines = []
    for name, (kind, about) in METRICS.items():
        lines += [*_head(f"statecrawl_{name}", kind, about), f"statecrawl_{name} {status[name]}"]
    lines += [
        *_head("statecrawl_nodes", "gauge", "Nodes that sent a message recently."),
        f"statecrawl_nodes {len(status['nodes'])}",
    ]
    return _text([*lines, *_by_name("statecrawl_node", NODE_METRICS, status["nodes"])])


def fleet_metrics(figures: dict[str, float]) -> str:
    """Return the metrics of one process of a fleet; `figures` has some of FLEET_METRICS."""
    lines = []
    for name, figure in figures.items():
        lines += [*_head(f"statecrawl_{name}", *FLEET_METRICS[name]), f"statecrawl_{name} {figure}"]
    return _text(lines)


def page_metrics(pages: Sequence[dict[str, Any]]) -> str:
    """Return the metrics of the pages of a node; each page has a `name` and all of PAGE_METRICS."""
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
