"""Many crawls whose Python and Chromium are killed at random moments, each by its own seed: are all of them true?

`python -m bench.deaths [ROUNDS]` is part of `make soak`.
"""

import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from bench.table import print_table
from tests.cli.deaths import VICTIMS, killed_crawl

PAGES, KILLS, ROUNDS = 24, 12, 30
HEADER = ("seed", *VICTIMS, "commands", "events and loads", "not needed", "for each death", "model", "seconds")


def main(rounds: int = ROUNDS) -> bool:
    """True when every model is the true one."""
    rows = []
    with tempfile.TemporaryDirectory(prefix="statecrawl-bench-") as folder:
        calm = killed_crawl(PAGES, Path(folder) / "calm", seed=0, kills=0)
        for seed in range(1, rounds + 1):
            begun = time.monotonic()
            survived = killed_crawl(PAGES, Path(folder) / str(seed), seed, KILLS)
            kills, more = Counter(survived.kills), survived.asked - calm.asked
            wrong = survived.wrong or (str(survived.crawl.failures) if survived.crawl.failures else "")
            rows.append(
                (
                    seed,
                    *(kills[victim] for victim in VICTIMS),
                    survived.runs,
                    survived.asked,
                    more,
                    f"{more / max(len(survived.kills), 1):.1f}",
                    wrong or "exactly the true one",
                    f"{time.monotonic() - begun:.0f}",
                )
            )
    title = f"Killed at random moments (pager:{PAGES}; undisturbed: {calm.asked} events and loads)"
    print_table(title, HEADER, rows)
    return all(row[-2] == "exactly the true one" for row in rows)


if __name__ == "__main__":
    sys.exit(0 if main(*map(int, sys.argv[1:2])) else 1)
