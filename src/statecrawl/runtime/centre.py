"""Who is in the middle of a crawl by several nodes, whatever the architecture, as those see it who start and watch it.

A coordinator (`runtime.coordinating`, `runtime.keeping_star`), or whoever keeps or follows the log of peers
(`runtime.keeping_log`, `runtime.following`).
"""

from collections.abc import Sequence
from typing import Any, Protocol

from statecrawl.journal.fold import Crawl
from statecrawl.runtime.outcome import Outcome
from statecrawl.runtime.plan import CrawlPlan
from statecrawl.runtime.status import Health, NodeStatus


class Centre(Protocol):
    """Who knows how a crawl by several nodes goes."""

    plan: CrawlPlan
    begun: float  # when it began to
    spent: float  # seconds for which others did, in this run

    @property
    def crawl(self) -> Crawl: ...
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
    def health(self) -> Health | None: ...
    def node_statuses(self) -> list[NodeStatus]: ...
    def status(self) -> dict[str, Any]: ...
