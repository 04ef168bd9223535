"""Diversity: states unlike any seen before come first (Dincturk et al. 2014, §8.3).

A list of a thousand items leads to a thousand pages that differ in little; exploring all of them before anything
else shows the same thing a thousand times. Here states are clustered by what they offer: a state whose set of
logical events is at least ALIKE of that of an earlier *leader* joins it; any other becomes a leader itself. Leaders
are in tier 0 and the rest in tier 1, and no strategy touches tier 1 while something in tier 0 can be reached.
Inside a state the logical events that were explored least often so far come first.

Milani Fard and Mesbah ("Feedback-directed exploration of web applications to derive test models", 2013) score
states by a weighted sum of coverage, path and structure diversity; the weights are not published in usable form,
and a score that changes with every state found cannot be indexed. Clustering by leader needs no weights and is
final when a state is found; an event that it shows only later does not make it another.

Candidates for a leader are looked up by min-wise hashing: states share a band about as often as the fourth power of
their similarity, so unlike leaders are hardly ever compared, however many there are.
"""

import zlib
from collections import Counter, defaultdict

import numpy as np
from numpy.typing import NDArray

from statecrawl.model.distance_field import TIER
from statecrawl.model.graph import Graph

ALIKE = 0.8  # Jaccard similarity from which two states count as alike
BANDS = 24  # 24 bands of 4 rows miss a pair of similarity 0.8 three times in 10^6
ROWS = 4
HASHES = np.random.default_rng(1).integers(1, 1 << 63, size=BANDS * ROWS, dtype=np.uint64) | np.uint64(1)  # odd


class Diversity:
    """Ranks states when they are found, and counts how often each logical event was explored."""

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
        """Those positions whose logical events were explored least often."""
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
