"""The live page of a crawl: what it shows, and what has changed since a viewer last asked.

Theory of operation
    The crawl updates the page a few times a second (`update`), in its own thread, for a few milliseconds at most. A
    viewer asks for the changes since the version that it knows (`since`), as often as it can handle them. So nothing is
    queued: a slow viewer asks less often, misses intermediate versions, and costs nothing. The drawing is bounded
    (`report.live.scene`), and so is every response.

    Versions are valid only for one drawing of one process. Both are part of the version's name.
"""

import json
import secrets
from pathlib import Path
from typing import Any

from statecrawl.crawler.live_view import CrawlProgress, WatchedCrawl
from statecrawl.report.crawl.event_text import in_words
from statecrawl.report.live.curve import Curve
from statecrawl.report.live.graph_feed import GraphFeed
from statecrawl.report.live.scene import Scene, Vertex
from statecrawl.stores.evidence import EvidenceReader

MOST_PICTURES = 8
PICTURE_SECONDS = 1.0  # between two changes of the pictures shown
MOST_NODES = 200  # that are listed


class LivePage:
    """The page of a crawl that runs, or will start."""

    def __init__(self) -> None:
        self._evidence: EvidenceReader | None = None
        self._report = ""  # path of the report to come
        self._name = secrets.token_hex(4)
        self._scene = Scene()
        self._graph_feed = GraphFeed(self._scene)
        self._curve = Curve()
        self._version = 0  # the newest that viewers can have
        self.is_complete = False  # whether the page shows everything known at the last update
        self._progress: CrawlProgress | None = None
        self._pictures: list[tuple[str, int, str]] = []  # newest first: id, number, label
        self._pictured = (0, -PICTURE_SECONDS)  # in which version, and when they were changed

    def update(self, watched: WatchedCrawl, at: CrawlProgress) -> None:
        """Show the present state of the crawl."""
        if self._evidence is None or self._evidence.folder != watched.plan.out:
            self._evidence = EvidenceReader(watched.plan.out)
            self._report = str(watched.plan.out / "report" / "index.html") if watched.plan.report else ""
        self.is_complete = self._graph_feed.follow(watched.crawl)
        self._progress = at
        self._curve.add(self._scene.version, (round(at.seconds, 2), at.events, at.states, at.transitions))
        if at.ended or not 0 <= at.seconds - self._pictured[1] < PICTURE_SECONDS:
            self._choose_pictures(watched, at)
        self._version = self._scene.version
        self._scene.tick()

    def since(self, last: str) -> tuple[str, str]:
        """Return the name of the present version, and what has changed since the version `last`, as JSON."""
        name = f"{self._name}.{self._scene.epoch}"
        known, _, version = last.partition("-")
        is_new = known != name or not version.isdecimal()
        changes = self._changes(0 if is_new else int(version[:20]))
        return f"{name}-{self._version}", json.dumps({"reset": is_new, **changes}, separators=(",", ":"))

    def picture(self, state: str) -> Path | None:
        """Path of the screenshot of a state, if there is one."""
        return None if self._evidence is None else self._evidence.picture(state)

    def _changes(self, version: int) -> dict[str, Any]:
        if self._progress is None:
            return {"figures": None}
        change = self._scene.since(version)
        is_void, points = self._curve.since(version)
        changes: dict[str, Any] = {
            "figures": self._progress.as_json() | {"nodes": self._nodes(self._progress), "more": self._more()},
            "level": self._scene.level,
            "report": self._report,
        }
        if change.vertices:
            changes["vertices"] = [_vertex(vertex) for vertex in change.vertices]
        if change.edges:
            changes["edges"] = change.edges
        if points or is_void:
            changes["curve"] = {"reset": is_void or version == 0, "points": points}
        if self._pictured[0] > version and self._pictures:
            changes["pictures"] = self._pictures
        return changes

    def _nodes(self, at: CrawlProgress) -> list[dict[str, Any]]:
        return [
            {
                "name": node.name,
                "speed": round(node.events_per_second, 1),
                "events": node.events,
                "tasks": node.tasks,
                "resets": node.resets,
                "idle": round(node.idle_share, 3),
                "idle_seconds": round(node.idle_seconds, 1),
                "silent": round(node.silent_seconds, 1),
                "at": in_words(node.at) if node.at else "",
            }
            for node in at.nodes[:MOST_NODES]
        ]

    def _more(self) -> int:
        return max(len(self._progress.nodes) - MOST_NODES, 0) if self._progress else 0

    def _choose_pictures(self, watched: WatchedCrawl, at: CrawlProgress) -> None:
        """Show the newest states that have a screenshot."""
        ids, labels = watched.crawl.graph.ids, self._graph_feed.labels
        newest = sorted(labels, reverse=True)[: 2 * MOST_PICTURES]
        pictures = [(ids[state], state, labels[state]) for state in newest if self.picture(ids[state]) is not None]
        if pictures and pictures[:MOST_PICTURES] != self._pictures:
            self._pictures, self._pictured = pictures[:MOST_PICTURES], (self._scene.version, at.seconds)


def _vertex(vertex: Vertex) -> tuple[int, int, str, int, int, int, int, int, str]:
    return (
        vertex.number,
        vertex.parent,
        vertex.label,
        vertex.states,
        vertex.enabled,
        vertex.explored,
        vertex.loops,
        vertex.top.depth,
        vertex.top.address,
    )
