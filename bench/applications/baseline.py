"""Baseline: cells that are committed, so that later versions are compared with the same figures.

`python -m bench.applications.baseline` adds what was measured here (bench/results/applications.jsonl), except for the
default. With `--before`, it adds the default, too, as the variant `before`: what the default was before a change.
"""

import sys
from collections.abc import Iterable
from dataclasses import replace

from bench.applications.cells import BASELINE, RESULTS, Cell, read_cells, write_cells
from bench.applications.variants import BEFORE, DEFAULT


def merged(baseline: Iterable[Cell], measured: Iterable[Cell], *, is_before: bool) -> list[Cell]:
    """Add cells to a baseline. Those that it has already stay as they are."""
    kept = {cell.key: cell for cell in baseline}
    for cell in measured:
        if cell.variant != DEFAULT:
            kept.setdefault(cell.key, cell)
        elif is_before:
            before = replace(cell, variant=BEFORE)
            kept.setdefault(before.key, before)
    return [kept[key] for key in sorted(kept)]


def main(arguments: list[str]) -> None:
    cells = merged(read_cells(BASELINE), read_cells(RESULTS), is_before="--before" in arguments)
    write_cells(cells, BASELINE)
    print(f"{BASELINE.name}: {len(cells)} cells")


if __name__ == "__main__":
    main(sys.argv[1:])
