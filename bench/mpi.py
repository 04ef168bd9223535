"""How long letters take between the ranks of an MPI job, beside what MPI itself takes."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

from bench.mpi_rank import BYTES
from bench.table import print_table

COUNTS = (2, 20)  # the papers broadcast to 19 others
SECONDS = 300.0
MOST_SECONDS = 369e-6  # of a letter of 256 bytes in Mirtaheri et al., "PDist-RIA Crawler", 2014, §4.1


def main() -> bool:
    """True when a question and its answer, which are two letters, are as fast as two letters of the papers."""
    rows, holds = [], True
    for count in COUNTS:
        told = _measured(count)
        if count == 2:
            holds = told["warm"] <= 2 * MOST_SECONDS
        rows.append(
            (
                count - 1,
                *(f"{told[name] * 1e6:,.0f} µs" for name in ("warm", "cold")),
                f"{told['bare'] * 1e6:,.0f} µs" if told["bare"] else "",
                f"{told['idle']:.1%}",
            )
        )
    header = ("others", "one after the other", "after a rest", "MPI alone", "CPU of a rank at rest")
    print_table(f"{BYTES} bytes to all other ranks, and {BYTES} back from each", header, rows)
    return holds


def _measured(ranks: int) -> dict[str, float]:
    mpiexec = shutil.which("mpiexec", path=str(Path(sys.executable).parent)) or "mpiexec"
    done = subprocess.run(
        [mpiexec, "-n", str(ranks), sys.executable, "-m", "bench.mpi_rank"],
        capture_output=True,
        text=True,
        check=True,
        timeout=SECONDS,
    )
    told: dict[str, float] = json.loads(done.stdout)
    return told
