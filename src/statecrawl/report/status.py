"""What is going on in a crawl by several nodes: a page for people, and numbers for Prometheus.

Everything that a node or an application said is escaped: it is data.
"""

from collections.abc import Sequence
from string import Template
from typing import Any

from statecrawl.report.page.markup import Markup, join, tag

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; color: #1b1f24; }
h1 { font-size: 1.4rem; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: repeat(4, 1fr); gap: 1rem; }
dl div { background: #f3f5f8; border-radius: .5rem; padding: .6rem .9rem; }
dt { color: #57606a; font-size: .8rem; }
dd { margin: 0; font-size: 1.3rem; font-variant-numeric: tabular-nums; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: right; padding: .35rem .6rem; border-bottom: 1px solid #d8dee4; }
th:first-child, td:first-child { text-align: left; white-space: nowrap; }
th:last-child, td:last-child { text-align: left; overflow-wrap: anywhere; width: 45%; }
progress { width: 100%; height: .8rem; }
@media (prefers-color-scheme: dark) {
  body { background: #16191d; color: #e6e9ed; } dl div { background: #22272e; } th, td { border-color: #373e47; }
  dt { color: #9aa4af; }
}
"""
PAGE = Template(
    '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    "$again$title<style>$style</style>$body</html>"
)
AGAIN = '<meta http-equiv="refresh" content="2">'
LONGEST = 120  # characters of what a node is at
FIGURES = {
    "states": "states",
    "transitions": "transitions",
    "unexplored": "left to explore",
    "events": "events fired",
    "resets": "resets",
    "repeated": "fired twice",
    "events_per_second": "events a second",
    "seconds": "seconds",
}
COLUMNS = {"tasks": "tasks", "events": "events", "resets": "resets", "idle_seconds": "idle, s", "silent": "silent, s"}
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


def status_page(status: dict[str, Any]) -> str:
    """A page that shows itself anew every other second."""
    known, ended = status["transitions"] + status["unexplored"], status["ended_because"]
    figures = (tag("div", tag("dt", title), tag("dd", f"{status[name]:,}")) for name, title in FIGURES.items())
    body = join(
        [
            tag("h1", status["application"]),
            tag("p", f"{status['strategy']}, {f'ended: {ended}' if ended else status['doing'] or 'crawling'}"),
            tag("progress", max=max(known, 1), value=status["transitions"]),
            tag("dl", *figures),
            _nodes(status["nodes"]) if status["nodes"] else tag("p", "No node is here yet."),
        ]
    )
    return PAGE.substitute(
        again="" if ended else AGAIN,
        title=tag("title", f"{status['application']} — statecrawl"),
        style=STYLE,
        body=body,
    )


def _nodes(nodes: list[dict[str, Any]]) -> Markup:
    head = tag("tr", tag("th", "node"), *(tag("th", title) for title in COLUMNS.values()), tag("th", "at"))
    rows = (
        tag(
            "tr",
            tag("td", node["name"]),
            *(tag("td", f"{node[name]:,}") for name in COLUMNS),
            tag("td", _at(node["holds"])),
        )
        for node in nodes
    )
    return tag("table", head, *rows)


def _at(holds: Sequence[str] | None) -> str:
    """A state, as short as people can tell them apart, and an event."""
    return f"{holds[0][:8]}: {holds[1][:LONGEST]}" if holds else ""


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
