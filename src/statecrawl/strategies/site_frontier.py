"""The front of a site crawl: which pairs wait until others are done, whatever the strategy.

Theory of operation
    A page that grows without end must not keep the rest of its site from being seen. So the crawl of a site is
    breadth-first over URLs, and the strategy only picks among the pairs that have been *admitted*:

    1. Events that open a URL come before everything else. Of each URL template (`urls.url_patterns`) the first URL is
       opened before the second URL of any template, and so on, in the order in which they were found. URLs that are
       only guessed (`TRIES`) come behind those that the application offers.
    2. All other pairs wait in stages. The stage of a pair grows with the logarithm of the number of states that were
       found earlier at the same template: the first state is in stage 0, the second in stage 1, the next two in stage
       2, the next four in stage 3. So no template gets more than about twice the attention of any other.
    3. Links to which somebody listens and that name a URL come behind all these: that URL is opened anyway. Forms come
       last, because what they change may be kept by the server.

    The next stage is admitted when nothing that can be reached is free any more. What is admitted stays admitted.
    A pair has the same stage whoever works it out from the same facts.
"""

import heapq
from collections import Counter
from collections.abc import Collection

from statecrawl.model.event import TRIES, opened_url
from statecrawl.model.graph import Graph
from statecrawl.strategies.task import Pair
from statecrawl.urls.url_patterns import UrlPatterns

GUESSES = 1 << 30  # turns of guessed URLs, behind all others
LINKS, FORMS = 1 << 10, 1 << 11  # stages of links with a URL and of forms, behind all others


class SiteFrontier:
    """Holds the pairs that are not admitted yet, and those that open URLs."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._patterns = UrlPatterns()
        self._admitted = 0  # the last stage whose pairs are not held back
        self._states: Counter[str] = Counter()  # URL template -> states found there
        self._urls: Counter[str] = Counter()  # URL template -> URLs to open
        self._stages: list[tuple[int, frozenset[int], frozenset[int]]] = []  # of states; positions of links, of forms
        self._turns: dict[Pair, tuple[int, int]] = {}  # of pairs that open a URL
        self._waiting: dict[int, dict[Pair, None]] = {}  # stage -> pairs
        self._opens: dict[int, list[tuple[tuple[int, int], Pair]]] = {}  # state -> heap; may name pairs that are gone
        self._unopened: set[Pair] = set()

    def found(self, state: int, url: str, links: Collection[int], forms: Collection[int]) -> None:
        """A state was found at this URL; these of its positions are links that name a URL, and forms."""
        template = self._patterns.of(url)
        self._stages.append((self._states[template].bit_length(), frozenset(links), frozenset(forms)))
        self._states[template] += 1
        for position in range(len(self._graph.events[state])):
            self.event_added((state, position))

    def event_added(self, pair: Pair) -> None:
        """A state has one more event."""
        name = self._graph.event(*pair).local
        url = opened_url(name)
        if url is not None:
            template = self._patterns.of(url)
            self._turns[pair] = (self._urls[template] + (GUESSES if name.startswith(TRIES) else 0), len(self._turns))
            self._urls[template] += 1

    def holds_back(self, pair: Pair) -> bool:
        """Keep a pair that is free, if it is not the strategy's yet to choose; whether it is kept."""
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
        """A pair is not free any more; whether it was kept here."""
        if pair in self._unopened:
            self._unopened.remove(pair)
            return True
        waiting = self._waiting.get(self._stage(pair), {})
        return waiting.pop(pair, self) is None

    def opens(self) -> list[Pair]:
        """Of every state with events that open URLs, the one whose turn is next; the earliest turn first."""
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
        """The pairs of the next stage, from now on the strategy's to choose."""
        stage = min((stage for stage, pairs in self._waiting.items() if pairs), default=None)
        if stage is None:
            return []
        self._admitted = stage
        return [pair for earlier in sorted(self._waiting) if earlier <= stage for pair in self._waiting.pop(earlier)]

    def _stage(self, pair: Pair) -> int:
        stage, links, forms = self._stages[pair[0]]
        return stage + (FORMS if pair[1] in forms else LINKS if pair[1] in links else 0)
