"""Frontier of a site crawl: pairs that wait until others are done, with every strategy.

Theory of operation
    A page that grows without end must not prevent the rest of its site from being explored. So a site crawl is
    breadth-first over URLs, and the strategy chooses only among *admitted* pairs:

    1. Events that open a URL come before everything else. The first URL of each URL pattern (`urls.url_patterns`) is
       opened before the second URL of any pattern, and so on, in the order in which the URLs were found. Guessed URLs
       (`TRIES`) come after those that the application offers.
    2. All other pairs wait in stages. The stage of a pair grows with the logarithm of the number of states found
       earlier at the same pattern: the first state is in stage 0, the second in stage 1, the next two in stage 2, the
       next four in stage 3. So no pattern gets more than about twice the attention of any other.
    3. Links with a URL and a listener come after all these, because their URL is opened anyway. Forms come last,
       because the server may store what they change.

    The next stage is admitted when no reachable pair is free. Admitted pairs stay admitted. Every process that applies
    the same facts computes the same stage for a pair.
"""

import heapq
from collections import Counter
from collections.abc import Collection

from statecrawl.model.event import TRIES, opened_url
from statecrawl.model.graph import Graph
from statecrawl.strategies.task import Pair
from statecrawl.urls.url_patterns import UrlPatterns

GUESSES = 1 << 30  # turns of guessed URLs, after all others
LINKS, FORMS = 1 << 10, 1 << 11  # stages of links with a URL and of forms, after all others


class SiteFrontier:
    """Pairs that are not admitted yet, and pairs that open URLs."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._patterns = UrlPatterns()
        self._admitted = 0  # the last admitted stage
        self._states: Counter[str] = Counter()  # URL pattern -> states found there
        self._urls: Counter[str] = Counter()  # URL pattern -> URLs to open
        self._stages: list[tuple[int, frozenset[int], frozenset[int]]] = []  # by state: stage, links, forms
        self._turns: dict[Pair, tuple[int, int]] = {}  # order of the pairs that open a URL
        self._waiting: dict[int, dict[Pair, None]] = {}  # stage -> pairs
        self._opens: dict[int, list[tuple[tuple[int, int], Pair]]] = {}  # state -> heap; may contain removed pairs
        self._unopened: set[Pair] = set()

    def found(self, state: int, url: str, links: Collection[int], forms: Collection[int]) -> None:
        """Add a state found at this URL. `links` and `forms` are positions of its events."""
        pattern = self._patterns.of(url)
        self._stages.append((self._states[pattern].bit_length(), frozenset(links), frozenset(forms)))
        self._states[pattern] += 1
        for position in range(len(self._graph.events[state])):
            self.event_added((state, position))

    def event_added(self, pair: Pair) -> None:
        """Add an event of a state."""
        name = self._graph.event(*pair).local
        url = opened_url(name)
        if url is not None:
            pattern = self._patterns.of(url)
            self._turns[pair] = (self._urls[pattern] + (GUESSES if name.startswith(TRIES) else 0), len(self._turns))
            self._urls[pattern] += 1

    def holds_back(self, pair: Pair) -> bool:
        """Hold a free pair back if the strategy must not choose it yet. Return whether it is held back."""
        turn = self._turns.get(pair)
        if turn is not None:
            if pair not in self._unopened:
                self._unopened.add(pair)
                heapq.heappush(self._opens.setdefault(pair[0], []), (turn, pair))
            return True
        stage = self._stage(pair)
        if stage > self._admitted:
            self._waiting.setdefault(stage, {})[pair] = None
        return stage > self._admitted

    def remove(self, pair: Pair) -> bool:
        """Remove a pair. Return whether it was held back."""
        if pair in self._unopened:
            self._unopened.remove(pair)
            return True
        waiting = self._waiting.get(self._stage(pair), {})
        return waiting.pop(pair, self) is None

    def opens(self) -> list[Pair]:
        """Return the next URL-opening pair of each state, the earliest turn first."""
        next_of_each = []
        for state, heap in list(self._opens.items()):
            while heap and heap[0][1] not in self._unopened:
                heapq.heappop(heap)
            if heap:
                next_of_each.append(heap[0])
            else:
                del self._opens[state]
        return [pair for _, pair in sorted(next_of_each)]

    def admit(self) -> list[Pair]:
        """Admit the next stage and return its pairs."""
        stage = min((stage for stage, pairs in self._waiting.items() if pairs), default=None)
        if stage is None:
            return []
        self._admitted = stage
        return [pair for earlier in sorted(self._waiting) if earlier <= stage for pair in self._waiting.pop(earlier)]

    def _stage(self, pair: Pair) -> int:
        stage, links, forms = self._stages[pair[0]]
        return stage + (FORMS if pair[1] in forms else LINKS if pair[1] in links else 0)
