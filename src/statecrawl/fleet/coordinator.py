"""Who is in the middle of a crawl by several nodes, whatever the architecture, as those see it who start and watch it.

A coordinator (`fleet.task_coordinator`, `fleet.dist_ria_coordinator`), or whoever keeps or follows the log of peers
(`fleet.peer_log_coordinator`, `fleet.peer_observer`).
"""

from collections.abc import Sequence
from typing import Any, Protocol

from statecrawl.config.plan import CrawlPlan
from statecrawl.crawler.outcome import Outcome
from statecrawl.crawler.status import NodeStatus, PageHealth
from statecrawl.journal.fold import FoldedCrawl


class Coordinator(Protocol):
    """Who knows how a crawl by several nodes goes."""

    plan: CrawlPlan
    begun: float  # when it began to
    spent: float  # seconds for which others did, in this run

    @property
    def crawl(self) -> FoldedCrawl: ...
    @property
    def members(self) -> Sequence[Any]:
        """The nodes that were heard of lately."""

    @property
    def seconds(self) -> float:
        """For which this run has gone on, whoever was in the middle."""

    @property
    def repeated(self) -> int: ...
    @property
    def is_stopped(self) -> bool: ...
    @property
    def phase(self) -> str: ...
    async def begin(self, place: str = "") -> None: ...
    async def run(self) -> Outcome: ...
    def stop(self, reason: str) -> None: ...
    def hurry(self) -> None: ...
    def doing(self) -> str: ...
    def learning(self) -> str: ...
    def outcome(self) -> Outcome: ...
    def health(self) -> PageHealth | None: ...
    def node_statuses(self) -> list[NodeStatus]: ...
    def status(self) -> dict[str, Any]: ...
