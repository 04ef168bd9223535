"""Health of the processes of a fleet, as numbers and as one sentence, for monitoring.

A node is healthy while it works, however long that takes, and while a coordinator answers. A coordinator, or a standby,
is healthy while its Redis answers. The health report contains only numbers and the names of nodes, nothing of the
application.
"""

import time
from dataclasses import dataclass, field

from statecrawl.fleet.standby import Leadership
from statecrawl.fleet.worker import FleetWorker
from statecrawl.report.metrics import fleet_metrics, metrics_text, page_metrics

SILENT_SECONDS = 15.0  # three times what a change of coordinators takes


@dataclass(slots=True)
class NodeHealth:
    """Health of a process with one or several nodes."""

    nodes: list[FleetWorker] = field(default_factory=list)  # once they have joined
    is_waiting: bool = False  # for a crawl to start, which is not a problem
    started_at: float = field(default_factory=time.monotonic)

    def metrics(self) -> str:
        """Return the figures in the text format of Prometheus."""
        statistics = [node.statistics() for node in self.nodes]
        process = {"joined": int(bool(statistics)), "coordinator_silent_seconds": round(self._silence(), 1)}
        if statistics:
            process |= {"browsers_started": statistics[0].browsers, "browser_bytes": statistics[0].browser_bytes}
        return fleet_metrics(process) + page_metrics([each.metrics() for each in statistics])

    def problem(self) -> str:
        """Describe the problem of this process; empty while it is healthy."""
        if self.is_waiting or any(node.statistics().works for node in self.nodes) or self._silence() < SILENT_SECONDS:
            return ""
        return f"no coordinator has answered for {self._silence():.0f} s"

    def _silence(self) -> float:
        """Return the seconds since a coordinator last answered, or since this process started."""
        seen = [node.statistics().coordinator_seen for node in self.nodes]
        return time.monotonic() - max([self.started_at, *seen])


@dataclass(slots=True)
class CoordinatorHealth:
    """Health of a process that coordinates a crawl in Redis, or stands by."""

    leadership: Leadership = field(default_factory=Leadership)
    started_at: float = field(default_factory=time.monotonic)

    def metrics(self) -> str:
        """Return the figures in the text format of Prometheus."""
        coordinator = self.leadership.coordinator
        process = {"leads": int(coordinator is not None), "redis_silent_seconds": round(self._silence(), 1)}
        return fleet_metrics(process) + ("" if coordinator is None else metrics_text(coordinator.status()))

    def problem(self) -> str:
        """Describe the problem of this process; empty while it is healthy."""
        silence = self._silence()
        return "" if silence < SILENT_SECONDS else f"Redis has not answered for {silence:.0f} s"

    def _silence(self) -> float:
        store = self.leadership.store
        return time.monotonic() - (self.started_at if store is None else max(self.started_at, store.answered))
