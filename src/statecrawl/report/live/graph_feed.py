"""Following: a graph that grows is told to a scene, bit by bit, whoever makes it grow and however fast.

Theory of operation
    The graph says of each state how many of its events are explored. Whoever follows remembers how many it has told,
    and so finds what is new by a look at each state, and at the events of those only where something is. One `follow`
    does no more than so much of that, goes on where the last one ended, and never waits: a crawl that is followed pays
    a few milliseconds at a time, also when somebody begins to look at one of a million transitions.

    A state is placed under the first state that is known to lead to it. It may be known earlier than what leads to it,
    and transitions are found in any order, so what cannot be placed yet is kept. What still cannot be placed when
    everything was told some times over was reached in another way, and is placed under the first page.
"""

from array import array
from dataclasses import dataclass
from urllib.parse import urlsplit

from statecrawl.journal.fold import FoldedCrawl
from statecrawl.model.graph import INITIAL, UNEXPLORED, Graph
from statecrawl.report.crawl.event_text import in_words
from statecrawl.report.live.scene import Scene

MOST_LOOKS = 20_000  # at states and their events, by one `follow`: a few milliseconds
MOST_NEWS = 2_000  # transitions told by one `follow`: some more
PATIENCE = 8  # times that everything was told
MOST_LABELS = 64  # that are remembered
LONGEST_LABEL = 80
LONGEST_ADDRESS = 200


@dataclass(slots=True)
class _FeedPosition:
    """What was told of a state."""

    targets: "array[int]"  # as they were then
    explored: int = 0


class GraphFeed:
    """Tells a scene of a crawl."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self._graph: Graph | None = None
        self._begin()

    def _begin(self) -> None:
        self._told: list[_FeedPosition] = []
        self._explored = 0  # transitions found so far
        self._enabled = 0  # events found so far
        self._at = 0  # the state to be looked at next
        self._waiting: dict[int, list[tuple[int, int]]] = {}  # state that is not placed yet -> events, and where to
        self._homeless: dict[int, int] = {}  # states that are not placed yet -> how often everything was told since
        self.labels: dict[int, str] = {}  # of the states placed last

    def follow(self, crawl: FoldedCrawl) -> bool:
        """Tell what is new; whether that is everything."""
        graph = crawl.graph
        if graph is not self._graph:
            if self._graph is not None:
                self.scene.begin_again()
            self._graph = graph
            self._begin()
        for state in range(len(self._told), min(len(graph), len(self._told) + MOST_LOOKS)):
            self._told.append(_FeedPosition(array("i")))
            self._homeless[state] = 0
        if INITIAL in self._homeless:
            self._place(crawl, INITIAL, INITIAL, "the first page")
        for state, position, target in self._news(graph):
            self._explore(crawl, state, position, target)
        is_all = len(self._told) == len(graph) and self._explored == graph.explored
        if is_all and self._homeless:
            self._take_in(crawl)
        return is_all

    def _news(self, graph: Graph) -> list[tuple[int, int, int]]:
        """Transitions (state, position, target) that were not told yet: some."""
        news: list[tuple[int, int, int]] = []
        size, looks = len(self._told), 0
        for _ in range(size if self._explored < graph.explored or self._grown(graph) else 0):
            if looks >= MOST_LOOKS or len(news) >= MOST_NEWS:
                break
            state, self._at = self._at, (self._at + 1) % size
            told, targets = self._told[state], graph.targets[state]
            looks += 1
            if len(targets) != len(told.targets) or len(targets) - graph.remaining[state] != told.explored:
                looks += len(targets)
                news += self._compare(state, told, targets)
        return news

    def _grown(self, graph: Graph) -> bool:
        """Whether there are more events than were told."""
        return self._enabled < graph.explored + graph.unexplored

    def _compare(self, state: int, told: _FeedPosition, targets: "array[int]") -> list[tuple[int, int, int]]:
        before, told.targets = told.targets, targets[:]
        more = len(targets) - len(before)
        self._enabled += more
        if more and state not in self._homeless:
            self.scene.enable(state, more)
        before.extend([UNEXPLORED] * more)
        news = [
            (state, position, now)
            for position, (was, now) in enumerate(zip(before, targets, strict=True))
            if was != now
        ]
        told.explored += len(news)
        self._explored += len(news)
        return news

    def _explore(self, crawl: FoldedCrawl, state: int, position: int, target: int) -> None:
        """Tell of a transition, and of what waits for it; or have it wait."""
        news = [(state, position, target)]
        while news:
            state, position, target = news.pop()
            if state in self._homeless:
                self._waiting.setdefault(state, []).append((position, target))
                continue
            if target in self._homeless:
                self._place(crawl, target, state, in_words(crawl.graph.event(state, position).local))
                news += [(target, *each) for each in self._waiting.pop(target, ())]
            self.scene.explore(state, target)

    def _take_in(self, crawl: FoldedCrawl) -> None:
        """Nobody leads to these."""
        for state in self._homeless:
            self._homeless[state] += 1
        for state in [state for state, times in self._homeless.items() if times > PATIENCE]:
            if state in self._homeless:  # none of the others has led to it
                self._place(crawl, state, INITIAL, address_of(crawl.urls.get(state, "")) or "no way known")
                for position, target in self._waiting.pop(state, ()):
                    self._explore(crawl, state, position, target)

    def _place(self, crawl: FoldedCrawl, state: int, parent: int, label: str) -> None:
        del self._homeless[state]
        self.labels[state] = label = label[:LONGEST_LABEL]
        if len(self.labels) > MOST_LABELS:
            del self.labels[next(iter(self.labels))]
        address, enabled = address_of(crawl.urls.get(state, "")), len(self._told[state].targets)
        self.scene.place(state, parent, address=address, label=label, enabled=enabled)


def address_of(url: str) -> str:
    """Where in the application a page is: its path, and the route behind # if there is one."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    route = f"#{parts.fragment}" if parts.fragment.startswith(("/", "!")) else ""
    return f"{parts.path}{route}"[:LONGEST_ADDRESS]
