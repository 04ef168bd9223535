"""What the rounds of one run share."""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from statecrawl.config.plan import CrawlPlan
from statecrawl.crawler.content_learner import ContentLearner
from statecrawl.crawler.crawl_end import CrawlEnd
from statecrawl.crawler.crawl_parts import CrawlParts
from statecrawl.crawler.durations import EventTimes
from statecrawl.crawler.failures import Failures
from statecrawl.crawler.learning_budget import LearningBudget
from statecrawl.crawler.recorder import CrawlRecorder
from statecrawl.crawler.reset_cost import ResetCost
from statecrawl.crawler.rule_search import RuleSearch
from statecrawl.crawler.state_rules import StateRules
from statecrawl.crawler.unreachable_states import UnreachableStates
from statecrawl.journal.facts import Fact
from statecrawl.ports.page import Page


@dataclass(slots=True, kw_only=True)
class CrawlRun:
    """State of one run; its rules, and with them the rounds, may change."""

    plan: CrawlPlan
    parts: CrawlParts
    recorder: CrawlRecorder
    restart: Callable[[Iterable[Fact]], None]  # makes a new strategy, which knows these facts of the journal
    end: CrawlEnd
    rules: StateRules
    times: EventTimes
    reset_cost: ResetCost
    budget: LearningBudget  # for learning dynamic content
    learner: ContentLearner
    failures: Failures
    changed: asyncio.Event  # set when a walker that waits for a task should ask again
    unreachable: UnreachableStates = field(default_factory=UnreachableStates)
    server_lock: asyncio.Lock | None = None  # where a reset of one page affects all others
    search: RuleSearch | None = None  # of the present round
    spare_page: Page | None = None  # that crawled until the rules were revised
    is_warming_up: bool = True  # only the first walker works, until the cost of a reset is known
    only_learns: bool = False  # a node of a fleet that learns before the others start
