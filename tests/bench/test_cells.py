"""Cells are measured on a real application, and kept in files that a killed run may have cut off."""

from dataclasses import replace
from pathlib import Path

import pytest

from bench.applications import cells
from bench.applications.cells import Cell, keep, known_cells, measure, read_cells, write_cells
from bench.applications.variants import CLICKER
from tests.bench.own_application import install

CELL = Cell(
    application="own",
    variant="menu",
    arguments=("--strategy", "menu"),
    seconds=60.0,
    run=1,
    functions=7,
    functions_at_load=3,
    screens=("aa", "bb"),
    places=5,
    states=4,
    events=9,
    events_per_second=1.5,
    ended="complete",
    load=0.5,
    measured="2026-11-19T12:00:00Z",
    commit="1234567",
)
SECONDS = 5.0
PAGE = """<!doctype html><title>own</title><link rel=icon href="data:,"><button id=one>One</button><input id=field>
<a href="http://example.com/">Elsewhere</a><div id=more></div><script>
function loaded() { return 1; }
function clicked() { document.getElementById('more').innerHTML = '<h2>More</h2>'; }
function typed() { document.title = 'typed'; }
function never() { return 2; }
loaded();
document.getElementById('one').addEventListener('click', clicked);
document.getElementById('field').addEventListener('input', typed);
</script>"""


def test_cells_survive_a_run_that_was_killed(tmp_path: Path) -> None:
    path = tmp_path / "results" / "cells.jsonl"
    assert read_cells(path) == []
    keep(CELL, path)
    keep(replace(CELL, run=2), path)
    with path.open("a") as results:
        results.write('{"application": "own", "var')
    assert read_cells(path) == [CELL, replace(CELL, run=2)]
    write_cells([CELL], path)
    assert read_cells(path) == [CELL]


def test_a_cell_of_the_baseline_counts_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cells, "BASELINE", tmp_path / "baseline")
    monkeypatch.setattr(cells, "RESULTS", tmp_path / "results")
    write_cells([CELL], tmp_path / "baseline")
    write_cells([replace(CELL, functions=99), replace(CELL, run=2)], tmp_path / "results")
    assert {cell.key: cell for cell in known_cells()} == {CELL.key: CELL, (*CELL.key[:3], 2): replace(CELL, run=2)}
    assert len(known_cells()) == 2


@pytest.mark.browser
@pytest.mark.parametrize("variant", ["default", CLICKER])
def test_every_variant_is_measured_alike(variant: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    application = install(tmp_path, PAGE, monkeypatch)
    cell = measure(application, variant, SECONDS, 1)
    assert cell.functions == 2, "clicked and typed: one ran at load, one never runs"
    assert cell.functions_at_load == 1
    assert len(cell.screens) == 2, "with and without the heading"
    assert cell.states >= 2
    assert cell.events > 2
    assert cell.ended
