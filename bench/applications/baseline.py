"""Baseline: cells that are committed, so that later versions are compared with the same figures.

`python -m bench.applications.baseline` adds what was measured here (bench/results/applications.jsonl). The default of
today is the variant `before` of tomorrow.
"""

from dataclasses import replace

from bench.applications.cells import BASELINE, RESULTS, read_cells, write_cells
from bench.applications.variants import BEFORE, DEFAULT


def main() -> None:
    """Add the results to the baseline. Cells that it has already stay as they are."""
    kept = {cell.key: cell for cell in read_cells(BASELINE)}
    for cell in read_cells(RESULTS):
        named = replace(cell, variant=BEFORE) if cell.variant == DEFAULT else cell
        kept.setdefault(named.key, named)
    write_cells((kept[key] for key in sorted(kept)), BASELINE)
    print(f"{BASELINE.name}: {len(kept)} cells")


if __name__ == "__main__":
    main()
