"""One measurement in a process of its own: `python -m bench.point APP STRATEGY` prints one JSON object."""

import json
import resource
import subprocess
import sys
from dataclasses import dataclass

from statecrawl.lab.measurement import measure
from statecrawl.lab.subjects import subject
from statecrawl.strategies.settings import StrategySettings


@dataclass(frozen=True, slots=True)
class Point:
    """What one crawl in simulation took."""

    app: str
    strategy: str
    transitions: int
    events: int
    resets: int
    mean_us: float
    p999_us: float
    seconds: float
    model_mib: float  # resident before the crawl: Python and the true model
    peak_mib: float  # resident at most: the model the crawl built and the strategy's indexes are in the difference


def taken(app: str, strategy: str) -> Point:
    """Measure in a new process, so that memory and caches are its own."""
    done = subprocess.run(
        [sys.executable, "-m", "bench.point", app, strategy], check=True, capture_output=True, text=True
    )
    return Point(**json.loads(done.stdout))


def resident_mib() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main(app_name: str, strategy: str) -> None:
    app = subject(app_name)
    before = resident_mib()
    run = measure(app, strategy, StrategySettings(reset_cost=app.reset_cost))
    figures = {
        "app": app_name,
        "strategy": strategy,
        "transitions": run.transitions,
        "events": run.cost.events,
        "resets": run.cost.resets,
        "mean_us": run.next_task_mean_us,
        "p999_us": run.next_task_p999_us,
        "seconds": run.seconds,
        "model_mib": before,
        "peak_mib": resident_mib(),
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main(*sys.argv[1:])
