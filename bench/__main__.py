"""`python -m bench [PART…]`: all measurements, or some; exit code 1 when a limit does not hold."""

import platform
import sys

from bench import (
    balances,
    browser,
    danger,
    fleet,
    growth,
    identity,
    journal,
    kills,
    memory,
    mpi,
    nodes,
    pages,
    resets,
    thinking,
    traffic,
    truth,
)
from bench.applications import comparison
from bench.labels import comparison as labels

PARTS = {
    "thinking": thinking.main,
    "growth": growth.main,
    "journal": journal.main,
    "browser": browser.main,
    "danger": danger.main,
    "pages": pages.main,
    "nodes": nodes.main,
    "fleet": fleet.main,
    "balances": balances.main,
    "kills": kills.main,
    "mpi": mpi.main,
    "resets": resets.main,
    "traffic": traffic.main,
    "truth": truth.main,
    "identity": identity.main,
    "memory": memory.main,
    "applications": comparison.main,
    "labels": labels.main,
}
ON_REQUEST = {"applications"}  # takes hours, and installs packages of third parties


def main(names: list[str]) -> int:
    unknown = [name for name in names if name not in PARTS]
    if unknown:
        print(f"unknown part {unknown[0]!r}: choose from {', '.join(PARTS)}", file=sys.stderr)
        return 2
    print(f"Python {platform.python_version()} on {platform.system()} {platform.machine()}")
    held = [PARTS[name]() for name in names or [name for name in PARTS if name not in ON_REQUEST]]
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
