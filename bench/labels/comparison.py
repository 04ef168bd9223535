"""`make bench PARTS=labels`: precision and recall of distinct states against labels that a person has given.

Everything is computed from what is committed, in seconds and without the applications.
"""

from collections.abc import Callable, Hashable, Sequence
from functools import cache

from bench.labels import labels, recording
from bench.labels.agreement import Agreement, agreement, total
from bench.labels.crawls import LABELLED
from bench.table import print_table
from statecrawl.model.components import Components

LEAST = 0.90  # precision and recall of distinct pairs
REDUCED = "parts of the page"


@cache
def decisions(name: str) -> dict[str, dict[str, Hashable]]:
    """Return, for each way to tell states apart, the class of each state of a recording."""
    facts = recording.read(recording.recording_of(name))
    ids, reduced = recording.folded(facts)
    _, unreduced = recording.folded(facts, reduces=False)
    return {
        "documents": {state: state for state in ids},
        "without rows and open ends": _classes(ids, unreduced),
        REDUCED: _classes(ids, reduced),
    }


def _classes(ids: Sequence[str], components: Components) -> dict[str, Hashable]:
    """Return what the parts of each state show, without those that change by themselves."""
    restless = components.restless()
    return {
        state: frozenset((unit, value) for unit, value in components.view(number).items() if unit not in restless)
        for number, state in enumerate(ids)
    }


def compare(name: str, way: str, reading: Callable[[str], str] = labels.plainly) -> Agreement:
    """Compare one way to tell the states of an application apart with their labels."""
    groups = labels.read(labels.labels_of(name))
    decided = decisions(name)[way]
    return agreement([reading(group) for group in groups.values()], [decided[state] for state in groups])


def main() -> bool:
    rows = {name: compare(name, REDUCED) for name in LABELLED}
    print_table("Distinct states, by application", HEADER, [_row(name, row) for name, row in _with_total(rows)])
    ways = {way: total(compare(name, way) for name in LABELLED) for way in decisions(LABELLED[0])}
    print_table("Ways to tell states apart", HEADER, [_row(way, row) for way, row in ways.items()])
    readings = {name: total(compare(app, REDUCED, reading) for app in LABELLED) for name, reading in READINGS}
    print_table("Readings of the labels", HEADER, [_row(name, row) for name, row in readings.items()])
    return all(share >= LEAST for share in total(rows.values()).distinct)


READINGS = labels.READINGS.items()
HEADER = (
    "",
    "labels",
    "found",
    "precision",
    "recall",
    "near-duplicates: precision",
    "recall",
    "model: precision",
    "recall",
    "split",
    "merged",
)


def _with_total(rows: dict[str, Agreement]) -> list[tuple[str, Agreement]]:
    return [*rows.items(), ("all", total(rows.values()))]


def _row(name: str, row: Agreement) -> list[object]:
    shares = [f"{share:.2f}" for both in (row.distinct, row.near_duplicates, row.model) for share in both]
    return [name, row.wanted, row.kept, *shares, row.split, row.merged]
