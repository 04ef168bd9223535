"""How well decisions about which states are the same agree with labels.

Of all pairs of states, some are labelled as different, and some are decided to be different. For *distinct* states, the
former should be found; for *near-duplicates*, the other pairs. Most pairs are different, so distinct ones say little.

FragGen has a third figure, about the states that a model is left with. If only the first of each class of states that
are decided to be the same is kept, the precision is the share of kept states that are not labelled like an earlier one,
and the recall is the share of labels that are kept.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """Pairs of states by what is right and what was decided, and states of the reduced model."""

    told_apart: int = 0  # different, and decided so
    split: int = 0  # the same, and decided to be different
    merged: int = 0  # different, and decided to be the same
    joined: int = 0  # the same, and decided so
    kept: int = 0  # states of the reduced model
    wanted: int = 0  # labels
    found: int = 0  # labels among the kept states

    @property
    def distinct(self) -> tuple[float, float]:
        """Precision and recall of different pairs."""
        return _share(self.told_apart, self.split), _share(self.told_apart, self.merged)

    @property
    def near_duplicates(self) -> tuple[float, float]:
        """Precision and recall of pairs that are the same."""
        return _share(self.joined, self.merged), _share(self.joined, self.split)

    @property
    def model(self) -> tuple[float, float]:
        """Precision and recall of the states of the reduced model."""
        return _share(self.found, self.kept - self.found), _share(self.found, self.wanted - self.found)


def agreement(labels: Sequence[str], decided: Sequence[Hashable]) -> Agreement:
    """Compare the labels of states, in the order in which they were found, with the classes decided for them."""
    pairs = Counter(
        (labels[one] == labels[other], decided[one] == decided[other])
        for one, other in combinations(range(len(labels)), 2)
    )
    first = dict(reversed(list(zip(decided, labels, strict=True))))
    return Agreement(
        told_apart=pairs[False, False],
        split=pairs[True, False],
        merged=pairs[False, True],
        joined=pairs[True, True],
        kept=len(first),
        wanted=len(set(labels)),
        found=len(set(first.values())),
    )


def total(parts: Iterable[Agreement]) -> Agreement:
    """Return the sum over several applications."""
    rows = list(parts)
    return Agreement(**{name: sum(getattr(row, name) for row in rows) for name in Agreement.__slots__})


def _share(right: int, wrong: int) -> float:
    return right / (right + wrong) if right + wrong else 1.0
