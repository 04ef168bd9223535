"""Feeds the growing graph of a crawl into a scene, step by step.

Theory of operation
    The graph knows how many events of each state are explored. The feed remembers how many of them it has passed on. It
    finds what is new by comparing these numbers for each state, and inspects the events of those states only whose
    numbers differ. One `follow` does a limited amount of work, resumes where the previous one stopped, and never waits.
    So the crawl pays a few milliseconds at a time, even if a viewer joins a crawl with a million transitions.

    A state is placed under the first state that is known to lead to it. A state may be known before any transition to
    it, and transitions are found in any order, so states that cannot be placed yet wait. A state that still cannot be
    placed after everything was passed on several times was reached in another way. It is placed under the first page.
"""

from array import array
from dataclasses import dataclass
from urllib.parse import urlsplit

from statecrawl.journal.fold import FoldedCrawl
from statecrawl.model.graph import INITIAL, UNEXPLORED, Graph
from statecrawl.report.crawl.event_text import in_words
from statecrawl.report.live.scene import Scene

MOST_LOOKS = 20_000  # inspected states and events per `follow`: a few milliseconds
MOST_NEWS = 2_000  # transitions passed on per `follow`: a few more
PATIENCE = 8  # times that everything was passed on before a state is placed under the first page
MOST_LABELS = 64  # labels that are remembered
LONGEST_LABEL = 80
LONGEST_ADDRESS = 200


@dataclass(slots=True)
class _FeedPosition:
    """What was passed on of a state."""

    targets: "array[int]"  # as they were at that time
    explored: int = 0


class GraphFeed:
    """Feeds a crawl into a scene."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self._graph: Graph | None = None
        self._begin()

    def _begin(self) -> None:
        self._positions: list[_FeedPosition] = []
        self._explored = 0  # transitions found so far
        self._enabled = 0  # events found so far
        self._at = 0  # the state to inspect next
        self._waiting: dict[
            int, list[tuple[int, int]]
        ] = {}  # state not placed yet -> its transitions (position, target)
        self._unplaced: dict[int, int] = {}  # states not placed yet -> how often everything was passed on since
        self.labels: dict[int, str] = {}  # of the states placed most recently

    def follow(self, crawl: FoldedCrawl) -> bool:
        """Pass on what is new. Return whether nothing is left."""
        graph = crawl.graph
        if graph is not self._graph:
            if self._graph is not None:
                self.scene.begin_again()
            self._graph = graph
            self._begin()
        for state in range(len(self._positions), min(len(graph), len(self._positions) + MOST_LOOKS)):
            self._positions.append(_FeedPosition(array("i")))
            self._unplaced[state] = 0
        if INITIAL in self._unplaced:
            self._place(crawl, INITIAL, INITIAL, "the first page")
        for state, position, target in self._news(graph):
            self._explore(crawl, state, position, target)
        is_all = len(self._positions) == len(graph) and self._explored == graph.explored
        if is_all and self._unplaced:
            self._place_unreached(crawl)
        return is_all

    def _news(self, graph: Graph) -> list[tuple[int, int, int]]:
        """Return some transitions (state, position, target) that were not passed on yet."""
        news: list[tuple[int, int, int]] = []
        size, looks = len(self._positions), 0
        for _ in range(size if self._explored < graph.explored or self._grown(graph) else 0):
            if looks >= MOST_LOOKS or len(news) >= MOST_NEWS:
                break
            state, self._at = self._at, (self._at + 1) % size
            known, targets = self._positions[state], graph.targets[state]
            looks += 1
            if len(targets) != len(known.targets) or len(targets) - graph.remaining[state] != known.explored:
                looks += len(targets)
                news += self._compare(state, known, targets)
        return news

    def _grown(self, graph: Graph) -> bool:
        """Whether there are more events than were passed on."""
        return self._enabled < graph.explored + graph.unexplored

    def _compare(self, state: int, known: _FeedPosition, targets: "array[int]") -> list[tuple[int, int, int]]:
        before, known.targets = known.targets, targets[:]
        more = len(targets) - len(before)
        self._enabled += more
        if more and state not in self._unplaced:
            self.scene.enable(state, more)
        before.extend([UNEXPLORED] * more)
        news = [
            (state, position, now)
            for position, (was, now) in enumerate(zip(before, targets, strict=True))
            if was != now
        ]
        known.explored += len(news)
        self._explored += len(news)
        return news

    def _explore(self, crawl: FoldedCrawl, state: int, position: int, target: int) -> None:
        """Pass on a transition and those that wait for it; or let it wait."""
        news = [(state, position, target)]
        while news:
            state, position, target = news.pop()
            if state in self._unplaced:
                self._waiting.setdefault(state, []).append((position, target))
                continue
            if target in self._unplaced:
                self._place(crawl, target, state, self._label(crawl, state, position, target))
                news += [(target, *each) for each in self._waiting.pop(target, ())]
            self.scene.explore(state, target)

    def _label(self, crawl: FoldedCrawl, state: int, position: int, target: int) -> str:
        """Name a state after its place, if its URL differs from where it was found, or else after what changed it."""
        before, after = (address_of(crawl.urls.get(each, "")) for each in (state, target))
        return after if after and after != before else in_words(crawl.graph.event(state, position).local)

    def _place_unreached(self, crawl: FoldedCrawl) -> None:
        """Place states that no transition leads to under the first page."""
        for state in self._unplaced:
            self._unplaced[state] += 1
        for state in [state for state, times in self._unplaced.items() if times > PATIENCE]:
            if state in self._unplaced:  # none of the others led to it
                self._place(crawl, state, INITIAL, address_of(crawl.urls.get(state, "")) or "no known path")
                for position, target in self._waiting.pop(state, ()):
                    self._explore(crawl, state, position, target)

    def _place(self, crawl: FoldedCrawl, state: int, parent: int, label: str) -> None:
        del self._unplaced[state]
        self.labels[state] = label = label[:LONGEST_LABEL]
        if len(self.labels) > MOST_LABELS:
            del self.labels[next(iter(self.labels))]
        address, enabled = address_of(crawl.urls.get(state, "")), len(self._positions[state].targets)
        self.scene.place(state, parent, address=address, label=label, enabled=enabled)


def address_of(url: str) -> str:
    """Return the path of a URL, with its route after # if there is one."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    route = f"#{parts.fragment}" if parts.fragment.startswith(("/", "!")) else ""
    return f"{parts.path}{route}"[:LONGEST_ADDRESS]
