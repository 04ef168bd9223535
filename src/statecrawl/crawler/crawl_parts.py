"""The parts from which a crawl is assembled (`crawler.assembly`)."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from statecrawl.browser.dynamic_content import Rule
from statecrawl.crawler.hooks import StrategyMaker
from statecrawl.crawler.politeness import Politeness
from statecrawl.ports.journal_store import Journal
from statecrawl.ports.page import Page
from statecrawl.ports.recorder import EvidenceSink


@dataclass(slots=True)
class CrawlParts:
    """Adapters and callbacks of one crawl."""

    journal: Journal
    evidence: EvidenceSink
    make_page: Callable[[int, frozenset[Rule]], Awaitable[Page]]  # in the n-th world, under these rules
    before_reset: Callable[[], Awaitable[None]]  # resets the server
    browser_bytes: Callable[[], int]  # resident memory of the browser
    politeness: Politeness = field(default_factory=Politeness)
    browsers: Callable[[], int] = field(default=lambda: 0)  # how many were started so far
    on_progress: Callable[[], None] = field(default=lambda: None)  # called after every task
    make_strategy: StrategyMaker | None = None  # None: the strategy that the plan names
    resets_server: bool = False  # whether a reset of one page affects all others
    is_worn: Callable[[Page], bool] = field(default=lambda _: False)  # whether a reset would replace the page
