"""Diversity: states unlike any seen before come first (Dincturk et al. 2014, §8.3).

A list of a thousand items leads to a thousand pages that differ in little; exploring all of them before anything
else shows the same thing a thousand times. Here states are clustered by what they offer: a state whose set of
logical events is at least ALIKE of that of an earlier *leader* joins it; any other becomes a leader itself. Leaders
are in tier 0 and the rest in tier 1, and no strategy touches tier 1 while something in tier 0 can be reached.
Inside a state the logical events that were explored least often so far come first.

Milani Fard and Mesbah ("Feedback-directed exploration of web applications to derive test models", 2013) score
states by a weighted sum of coverage, path and structure diversity; the weights are not published in usable form,
and a score that changes with every state found cannot be indexed. Clustering by leader needs no weights and is
final when a state is found.

Candidates for a leader are looked up by min-wise hashing, so finding one costs the same however many leaders there
are.
"""

import zlib
from collections import Counter, defaultdict

from statecrawl.model.field import TIER
from statecrawl.model.graph import Graph

ALIKE = 0.8  # Jaccard similarity from which two states count as alike
BANDS = 32  # 32 bands of 2 rows miss a pair of similarity 0.8 about once in 10^14
ROWS = 2
PRIME = (1 << 61) - 1


class Diversity:
    """Ranks states when they are found, and counts how often each logical event was explored."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._ranks: list[int] = []
        self._leaders: dict[tuple[int, ...], list[frozenset[int]]] = defaultdict(list)
        self._fired: Counter[int] = Counter()

    def found(self, state: int) -> None:
        offered = frozenset(self._graph.logical_of[number] for number in self._graph.events[state])
        bands = self._bands(offered)
        like = any(_similarity(offered, leader) >= ALIKE for band in bands for leader in self._leaders[band])
        self._ranks.append(TIER if like else 0)
        if not like:
            for band in bands:
                self._leaders[band].append(offered)

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

    def _bands(self, offered: frozenset[int]) -> list[tuple[int, ...]]:
        tokens = [zlib.crc32(self._graph.logical_ids[logical].encode()) + 1 for logical in offered] or [0]
        bands = []
        for band in range(BANDS):
            rows = range(band * ROWS, (band + 1) * ROWS)
            bands.append((band, *(min(_mixed(token, row) for token in tokens) for row in rows)))
        return bands


def _mixed(token: int, row: int) -> int:
    """One of a family of hash functions, the same on every machine."""
    return ((token + row) * (0x9E3779B97F4A7C15 + 2 * row) ^ (token << 7)) * 0xBF58476D1CE4E5B9 % PRIME


def _similarity(one: frozenset[int], other: frozenset[int]) -> float:
    union = len(one | other)
    return len(one & other) / union if union else 1.0
