"""The live page of a crawl: what it shows, and what of that is news to whoever looks.

Theory of operation
    The crawl is looked at a few times a second (`look`), in its own thread, for a few milliseconds at most. Whoever
    watches asks for what has changed since the version that it knows (`since`), as often as it can take it. So nothing
    is queued for anybody: one who is slow, or stuck, asks less often, misses what came and went meanwhile, and costs
    nothing. What is drawn is bounded (`report.live.scene`), and so is every answer.

    A version is only meant for the page that was drawn by this process, since its drawing was last made anew: it bears
    a name for both.
"""

import json
import secrets
from pathlib import Path
from typing import Any

from statecrawl.crawler.progress import CrawlProgress, WatchedCrawl
from statecrawl.report.crawl.event_text import in_words
from statecrawl.report.live.curve import Curve
from statecrawl.report.live.graph_feed import GraphFeed
from statecrawl.report.live.scene import Scene, Vertex
from statecrawl.stores.evidence import EvidenceReader

MOST_PICTURES = 8
PICTURE_SECONDS = 1.0  # between two changes of the pictures shown
MOST_NODES = 200  # that are told of


class LivePage:
    """The page of one crawl, or of one that is to begin."""

    def __init__(self) -> None:
        self._evidence: EvidenceReader | None = None
        self._report = ""  # where it will be
        self._name = secrets.token_hex(4)
        self._scene = Scene()
        self._follower = GraphFeed(self._scene)
        self._curve = Curve()
        self._version = 0  # that somebody may know
        self.has_told_all = False  # of the crawl as it was when it was looked at last
        self._progress: CrawlProgress | None = None
        self._pictures: list[tuple[str, int, str]] = []  # newest first: id, number, label
        self._pictured = (0, -PICTURE_SECONDS)  # in which version, and when they were changed

    def look(self, crawling: WatchedCrawl, at: CrawlProgress) -> None:
        """The crawl has gone on."""
        if self._evidence is None or self._evidence.folder != crawling.plan.out:
            self._evidence = EvidenceReader(crawling.plan.out)
            self._report = str(crawling.plan.out / "report" / "index.html") if crawling.plan.report else ""
        self.has_told_all = self._follower.follow(crawling.crawl)
        self._progress = at
        self._curve.add(self._scene.version, (round(at.seconds, 2), at.events, at.states, at.transitions))
        if at.ended or not 0 <= at.seconds - self._pictured[1] < PICTURE_SECONDS:
            self._choose_pictures(crawling, at)
        self._version = self._scene.version
        self._scene.tick()

    def since(self, last: str) -> tuple[str, str]:
        """What whoever heard `last` last does not know, as JSON, and what that is called."""
        name = f"{self._name}.{self._scene.epoch}"
        known, _, version = last.partition("-")
        is_new = known != name or not version.isdecimal()
        told = self._news(0 if is_new else int(version[:20]))
        return f"{name}-{self._version}", json.dumps({"reset": is_new, **told}, separators=(",", ":"))

    def picture(self, state: str) -> Path | None:
        """What a state looked like."""
        return None if self._evidence is None else self._evidence.picture(state)

    def _news(self, version: int) -> dict[str, Any]:
        if self._progress is None:
            return {"figures": None}
        change = self._scene.since(version)
        is_void, points = self._curve.since(version)
        told: dict[str, Any] = {
            "figures": self._progress.told() | {"nodes": self._nodes(self._progress), "more": self._more()},
            "level": self._scene.level,
            "report": self._report,
        }
        if change.vertices:
            told["vertices"] = [_vertex(vertex) for vertex in change.vertices]
        if change.edges:
            told["edges"] = change.edges
        if points or is_void:
            told["curve"] = {"reset": is_void or version == 0, "points": points}
        if self._pictured[0] > version and self._pictures:
            told["pictures"] = self._pictures
        return told

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

    def _choose_pictures(self, crawling: WatchedCrawl, at: CrawlProgress) -> None:
        """The newest states of which there is a picture."""
        ids, labels = crawling.crawl.graph.ids, self._follower.labels
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
