"""How thinking and memory grow with the model: 10^4, 10^5 and 10^6 transitions. Draws docs/images/growth.svg."""

from pathlib import Path

from bench.plot import log_log
from bench.point import taken
from bench.table import print_table

SIZES = (10_000, 100_000, 1_000_000)
STRATEGIES = ("greedy", "menu", "probability")
MOST_PER_DECADE = 3.0
MOST_MIB = 1024
PICTURE = Path(__file__).parent.parent / "docs" / "images" / "growth.svg"


def main() -> bool:
    """True when every limit holds."""
    lines: dict[str, list[tuple[float, float]]] = {}
    rows = []
    holds = True
    for strategy in STRATEGIES:
        before: float | None = None
        for size in SIZES:
            point = taken(f"synthetic:{size}", strategy)
            growth = None if before is None else point.mean_us / before
            fits = (growth is None or growth < MOST_PER_DECADE) and point.peak_mib < MOST_MIB
            holds = holds and fits
            before = point.mean_us
            lines.setdefault(strategy, []).append((size, point.mean_us))
            grown = "" if growth is None else f"{growth:.2f}×"
            figures = (f"{point.mean_us:.1f}", f"{point.p999_us:.0f}", grown, f"{point.seconds:.1f}")
            rows.append((strategy, size, *figures, f"{point.peak_mib:.0f}", "yes" if fits else "no"))
    print_table(
        "Growth with the model (synthetic)",
        ("strategy", "transitions", "mean µs", "99.9 % µs", "per decade", "crawl s", "peak MiB", "holds"),
        rows,
    )
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_text(log_log(lines, "transitions of the model", "thinking per task, mean µs"), encoding="utf-8")
    return holds
