"""Diversity: states unlike any seen before come first (Dincturk et al. 2014, §8.3).

A list of a thousand items leads to a thousand similar pages, and exploring all of them first shows the same thing a
thousand times. Here states are clustered by their events: a state whose set of logical events has a similarity of at
least ALIKE to that of an earlier *leader* joins that leader's cluster; any other state becomes a leader. Leaders are in
tier 0 and all other states in tier 1, and no strategy visits tier 1 while a state in tier 0 can be reached. Within a
state, the logical events that were explored least often come first.

Milani Fard and Mesbah ("Feedback-directed exploration of web applications to derive test models", 2013) score
states by a weighted sum of coverage, path and structure diversity. The weights are not published in usable form, and a
score that changes with every state found cannot be indexed. Clustering by leader needs no weights and is final when a
state is found; an event added later does not change its cluster.

Candidates for a leader are found by min-wise hashing. States share a band about as often as the fourth power of their
similarity, so dissimilar leaders are hardly ever compared, however many there are.
"""

import zlib
from collections import Counter, defaultdict

import numpy as np
from numpy.typing import NDArray

from statecrawl.model.distance_field import TIER
from statecrawl.model.graph import Graph

ALIKE = 0.8  # Jaccard similarity from which two states are similar
BANDS = 24  # 24 bands of 4 rows miss a pair of similarity 0.8 three times in 10^6
ROWS = 4
HASHES = np.random.default_rng(1).integers(1, 1 << 63, size=BANDS * ROWS, dtype=np.uint64) | np.uint64(1)  # odd


class Diversity:
    """Ranks states when they are found and counts the explorations of each logical event."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._ranks: list[int] = []
        self._leaders: list[frozenset[int]] = []
        self._banded: dict[tuple[int, bytes], list[int]] = defaultdict(list)  # band -> leaders in it
        self._tokens: list[int] = []  # logical number -> hash of its id, the same on every machine
        self._fired: Counter[int] = Counter()

    def found(self, state: int) -> None:
        offered = frozenset(self._graph.logical_of[number] for number in self._graph.events[state])
        bands = self._bands(offered)
        near = {leader for band in bands for leader in self._banded.get(band, ())}
        like = any(_similarity(offered, self._leaders[leader]) >= ALIKE for leader in near)
        self._ranks.append(TIER if like else 0)
        if not like:
            for band in bands:
                self._banded[band].append(len(self._leaders))
            self._leaders.append(offered)

    def explored(self, logical: int) -> None:
        self._fired[logical] += 1

    def rank(self, state: int) -> int:
        """0 for a leader, TIER for a state like an earlier one."""
        return self._ranks[state]

    def freshest(self, state: int, positions: list[int]) -> list[int]:
        """Return the positions whose logical events were explored least often."""
        fired = [self._fired[self._graph.logical(state, position)] for position in positions]
        least = min(fired)
        return [position for position, times in zip(positions, fired, strict=True) if times == least]

    def _bands(self, offered: frozenset[int]) -> list[tuple[int, bytes]]:
        for logical in range(len(self._tokens), len(self._graph.logical_ids)):
            self._tokens.append(zlib.crc32(self._graph.logical_ids[logical].encode(errors="surrogatepass")))
        tokens = np.array([self._tokens[logical] for logical in offered] or [0], dtype=np.uint64)
        mixed: NDArray[np.uint64] = (tokens[:, None] + np.uint64(1)) * HASHES[None, :]
        least = (mixed ^ mixed >> np.uint64(29)).min(axis=0).reshape(BANDS, ROWS)
        return [(band, rows.tobytes()) for band, rows in enumerate(least)]


def _similarity(one: frozenset[int], other: frozenset[int]) -> float:
    union = len(one | other)
    return len(one & other) / union if union else 1.0
