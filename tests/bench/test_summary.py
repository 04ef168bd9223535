"""The tables show the medians of what was measured, and the verdict follows from them."""

from dataclasses import replace

import pytest

from bench.applications.cells import Cell
from bench.applications.summary import medians, print_summary
from tests.bench.test_cells import CELL

JKANBAN = replace(CELL, application="jkanban", variant="default", arguments=(), functions=100)


def against(variant: str, functions: int, screens: int = 2) -> Cell:
    return replace(JKANBAN, variant=variant, functions=functions, screens=tuple(map(str, range(screens))))


def test_the_median_of_the_runs_counts() -> None:
    runs = [replace(JKANBAN, run=run, functions=functions) for run, functions in enumerate((5, 90, 7), 1)]
    found = medians(runs)["jkanban", "default"]
    assert (found.functions, found.screens, found.runs) == (7, 2, 3)


@pytest.mark.parametrize(
    ("others", "holds"),
    [
        ([against("clicker", 100)], True),
        ([against("clicker", 102), against("menu", 80)], True),
        ([against("clicker", 106)], False),
        ([against("clicker", 50, screens=40)], True),  # only strategies are compared by screens
        ([against("menu", 50, screens=3)], False),
        ([], False),
    ],
)
def test_the_default_is_compared_with_every_alternative(
    others: list[Cell], holds: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    assert print_summary([JKANBAN, *others], 60.0) is holds
    assert "| jkanban |" in capsys.readouterr().out


def test_cells_of_another_duration_are_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    assert not print_summary([JKANBAN, replace(against("clicker", 1), seconds=5.0)], 60.0)
    assert "clicker" not in capsys.readouterr().out
