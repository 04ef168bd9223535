"""A sample of the states of a crawl: spread over its course, and the same for the same seed."""

from collections.abc import Sequence
from itertools import pairwise
from random import Random

SEED = 20261119
SAMPLED = 36  # states of each application


def sample(states: Sequence[str], count: int = SAMPLED, seed: int = SEED) -> list[str]:
    """Return one random state of each of `count` equal parts of the crawl, in the order in which they were found."""
    random = Random(seed)
    count = min(count, len(states))
    edges = [len(states) * part // count for part in range(count + 1)]
    return [states[random.randrange(start, end)] for start, end in pairwise(edges)]
