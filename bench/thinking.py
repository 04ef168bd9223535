"""How long strategies think, and how long complete simulated crawls take, on the largest published application."""

from bench.point import Point, taken
from bench.table import print_table

APP = "bebop"
STRATEGIES = ("greedy", "breadth-first", "hypercube", "menu", "probability", "probability-ratio", "depth-first")
LIMITS_US = {"greedy": 100, "menu": 500, "probability": 500}  # mean per task
GREEDY_P999_US = 10_000
CRAWL_SECONDS = 120  # for every strategy but depth-first


def main() -> bool:
    """True when every limit holds."""
    points = [taken(APP, strategy) for strategy in STRATEGIES]
    print_table(
        f"Thinking per task on {APP}",
        ("strategy", "events", "resets", "mean µs", "99.9 % µs", "crawl s", "holds"),
        [
            (p.strategy, p.events, p.resets, f"{p.mean_us:.1f}", f"{p.p999_us:.0f}", f"{p.seconds:.1f}", _verdict(p))
            for p in points
        ],
    )
    return all(_verdict(point) != "no" for point in points)


def _verdict(point: Point) -> str:
    if point.strategy == "depth-first":
        return "no limit"
    quick = point.mean_us <= LIMITS_US.get(point.strategy, float("inf")) and point.seconds <= CRAWL_SECONDS
    steady = point.strategy != "greedy" or point.p999_us <= GREEDY_P999_US
    return "yes" if quick and steady else "no"
