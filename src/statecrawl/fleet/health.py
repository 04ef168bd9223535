"""How a process of a fleet is, in numbers and in one sentence, for whoever watches machines.

A node is well while it works, however long that takes, and while somebody coordinates. A coordinator, or one who waits
to be it, is well while its Redis answers. Nothing of the application is told, only numbers and the names of nodes.
"""

import time
from dataclasses import dataclass, field

from statecrawl.fleet.assembly import FleetWorker
from statecrawl.fleet.standby import Leadership
from statecrawl.report.metrics import fleet_metrics, metrics_text, page_metrics

SILENT_SECONDS = 15.0  # three times what a change of coordinators takes


@dataclass(slots=True)
class NodeHealth:
    """Of a process with one or several nodes."""

    nodes: list[FleetWorker] = field(default_factory=list)  # once they have joined
    waits: bool = False  # for a crawl to begin, which is nobody's fault
    begun: float = field(default_factory=time.monotonic)

    def metrics(self) -> str:
        figures = [node.statistics() for node in self.nodes]
        ours = {"joined": int(bool(figures)), "coordinator_silent_seconds": round(self._silent(), 1)}
        if figures:
            ours |= {"browsers_started": figures[0].browsers, "browser_bytes": figures[0].browser_bytes}
        return fleet_metrics(ours) + page_metrics([figure.told() for figure in figures])

    def trouble(self) -> str:
        if self.waits or any(node.statistics().works for node in self.nodes) or self._silent() < SILENT_SECONDS:
            return ""
        return f"there was no word from a coordinator for {self._silent():.0f} s"

    def _silent(self) -> float:
        """Seconds since a coordinator was heard of, or since we have begun to look for one."""
        heard = [node.statistics().heard for node in self.nodes]
        return time.monotonic() - max([self.begun, *heard])


@dataclass(slots=True)
class CoordinatorHealth:
    """Of a process that coordinates a crawl in a Redis, or waits to."""

    standing: Leadership = field(default_factory=Leadership)
    begun: float = field(default_factory=time.monotonic)

    def metrics(self) -> str:
        leads = self.standing.coordinating
        ours = {"leads": int(leads is not None), "redis_silent_seconds": round(self._silent(), 1)}
        return fleet_metrics(ours) + ("" if leads is None else metrics_text(leads.status()))

    def trouble(self) -> str:
        return "" if self._silent() < SILENT_SECONDS else f"the Redis has not answered for {self._silent():.0f} s"

    def _silent(self) -> float:
        store = self.standing.store
        return time.monotonic() - (self.begun if store is None else max(self.begun, store.answered))
