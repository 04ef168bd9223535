"""Meeting a state: it is looked at once, when it is first seen, and what was seen is kept and recorded.

While a learner is at work, the way to the state is gone again in other sessions first. When that shows that states have
to be told apart by other rules, everything found so far is void: `Revised` says so.
"""

import re
from dataclasses import dataclass, field

from statecrawl.browser.volatile import Rule
from statecrawl.errors import PageLost
from statecrawl.journal.fold import Crawl
from statecrawl.model.graph import INITIAL, Graph
from statecrawl.ports.page import Page, Snapshot
from statecrawl.runtime.learning import Learner
from statecrawl.runtime.observing import Observer
from statecrawl.runtime.plan import CrawlPlan
from statecrawl.stores.evidence import Evidence
from statecrawl.strategies.task import Pair

DENIED = "denied: "  # how a refusal begins that is for the sake of what an element says, and
BEYOND = "beyond "  # how a refusal begins that is for the sake of depth alone


class Revised(Exception):
    """States have to be told apart by these rules, too."""

    def __init__(self, rules: set[Rule]) -> None:
        super().__init__()
        self.rules = frozenset(rules)


@dataclass(slots=True)
class Meeting:
    """Meets the states of a crawl, as long as nothing changes what a state is."""

    plan: CrawlPlan
    observer: Observer
    evidence: Evidence
    learner: Learner | None  # None once it is known what is volatile
    known_rules: frozenset[Rule]
    beyond_depth: int = field(init=False)  # states that were not expanded
    _denied: list[re.Pattern[str]] = field(init=False)
    _depths: list[int] = field(init=False)  # state -> events from the first page, along the way it was found
    _ways: dict[int, tuple[str, ...]] = field(default_factory=dict)  # state -> those events, while somebody learns

    def __post_init__(self) -> None:
        self._denied = [re.compile(expression, re.IGNORECASE) for expression in self.plan.scope.refused()]
        self._depths = depths(self.observer.crawl.graph)
        self.beyond_depth = len(cut_off(self.observer.crawl))

    async def meet(self, page: Page, by: Pair | None = None, *, after: int | None = None) -> int:
        """The number of the state that a page is in: by this pair, or by itself after a state, or else by a reset.

        Raises PageLost and Revised.
        """
        snapshot = await page.describe(lines=True)
        graph = self.observer.crawl.graph
        known = graph.numbers.get(snapshot.state)
        if known is not None:
            return known  # it changed once more before it was looked at
        way = () if by is None else (*self._ways.get(by[0], ()), graph.event(*by).local)
        repeatable = after is None if by is None else by[0] in self._ways
        if repeatable:
            await self._learn(snapshot, way)
        picture = await _drawn(page) if self.plan.screenshots else None
        if snapshot.state in graph.numbers:
            return graph.numbers[snapshot.state]  # another page has met it meanwhile
        self.evidence.keep(snapshot, picture)
        number = self.observer.found(snapshot)
        if self.learner is not None and repeatable:
            self._ways[number] = way
        self._depths.append(self._depths[by[0]] + 1 if by is not None else 0 if after is None else self._depths[after])
        self._refuse(number, snapshot)
        return number

    async def _learn(self, snapshot: Snapshot, way: tuple[str, ...]) -> None:
        if self.learner is not None and not self.learner.is_done:
            rules = await self.learner.learn(snapshot, way, self.observer.tally) - self.known_rules
            if rules:
                raise Revised(rules)

    def _refuse(self, state: int, snapshot: Snapshot) -> None:
        """Close what must not be fired: everything beyond the greatest depth, and what says that it is dangerous."""
        depth = self.plan.limits.depth
        if depth is not None and self._depths[state] >= depth:
            self.beyond_depth += 1
            for position in range(len(snapshot.events)):
                self.observer.refused((state, position), f"{BEYOND}{depth} events from the first page")
            return
        for position, said in enumerate(snapshot.labels):
            danger = next((found for expression in self._denied if (found := expression.search(said))), None)
            if danger is not None:
                self.observer.refused((state, position), f"{DENIED}it says '{danger[0]}'")


def cut_off(crawl: Crawl) -> dict[int, int]:
    """The states that were not expanded, with the greatest depth at that time."""
    found = {}
    for (state, _), failures in crawl.failures.items():
        for failure in failures:
            if failure.reason.startswith(BEYOND):
                found[state] = int(failure.reason.removeprefix(BEYOND).split()[0])
    return found


def depths(graph: Graph) -> list[int]:
    """How many events each state is from the first page; 0 for those to which no way is known."""
    found = [0] * len(graph)
    reached = {INITIAL} if len(graph) else set()
    edge, depth = list(reached), 0
    while edge:
        depth += 1
        ahead = {target for state in edge for target in graph.targets[state] if target >= 0} - reached
        for state in ahead:
            found[state] = depth
        reached |= ahead
        edge = list(ahead)
    return found


async def _drawn(page: Page) -> bytes | None:
    """A picture, as far as the page lets itself be drawn."""
    try:
        return await page.picture()
    except PageLost:
        return None
