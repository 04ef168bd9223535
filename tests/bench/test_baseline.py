"""The baseline keeps what was measured first, and today's default only where it was asked for."""

from dataclasses import replace

from bench.applications.baseline import merged
from bench.applications.variants import BEFORE, DEFAULT
from tests.bench.test_cells import CELL

OWN = replace(CELL, variant=DEFAULT)


def test_what_was_measured_first_stays() -> None:
    assert merged([CELL], [replace(CELL, functions=99), replace(CELL, run=2)], is_before=False) == [
        CELL,
        replace(CELL, run=2),
    ]


def test_the_default_becomes_what_was_before() -> None:
    assert merged([], [OWN, CELL], is_before=False) == [CELL]
    before = merged([], [OWN, CELL], is_before=True)
    assert before == [replace(OWN, variant=BEFORE), CELL]
    assert merged(before, [replace(OWN, functions=99)], is_before=True) == before
