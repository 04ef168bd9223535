"""`python -m bench.adversary [PAGE…]`: every hostile page crawled, also those that take time or memory.

The tests crawl the quick ones (`tests/browser/test_hostile_pages.py`) and hold them against the same table.
"""

import asyncio
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.table import print_table
from tests.browser.adversary import ATTACKS, attacked, troubles


def main(pages: Sequence[str] = ()) -> bool:
    """True when every attack cost one event and nothing else."""
    rows = []
    holds = True
    for page in pages or ATTACKS:
        with TemporaryDirectory() as folder:
            begun = time.perf_counter()
            found = asyncio.run(attacked(page, Path(folder) / "crawl"))
            wrong = troubles(page, found)
        holds = holds and not wrong
        outcome = found.outcome
        counts = (outcome.states, outcome.events, outcome.resets, outcome.hung, outcome.crashed, outcome.refused)
        seconds = f"{time.perf_counter() - begun:.1f}"
        rows.append((page, seconds, outcome.ended_because, *counts, "; ".join(wrong) or "yes"))
        print(*rows[-1], flush=True)
    print_table(
        "Hostile pages",
        ("page", "seconds", "ended because", "states", "events", "resets", "hung", "crashed", "refused", "holds"),
        rows,
    )
    return holds


if __name__ == "__main__":
    sys.exit(0 if main(sys.argv[1:]) else 1)
