"""Crawls without faults must end: every architecture, sharing mode, balance and pace, with as many seeds as asked for.

python -m bench.endings [--seeds 0-100] [--processes 2]
"""

import argparse
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context

from bench.schedules import seeds_of
from statecrawl.lab.calm_trials import calm_trial, name_of, settings


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.endings")
    parser.add_argument("--seeds", type=seeds_of, default=range(100), help="as in 0-100; the last is not run")
    parser.add_argument("--processes", type=int, default=2)
    asked = parser.parse_args()
    failed = 0
    with ProcessPoolExecutor(asked.processes, get_context("spawn")) as pool:
        for setting in settings():
            begin = time.monotonic()
            runs = list(pool.map(calm_trial, [replace(setting, seed=seed) for seed in asked.seeds], chunksize=10))
            wrong = [(seed, told) for seed, (told, _) in zip(asked.seeds, runs, strict=True) if told is not None]
            failed += len(wrong)
            longest, lasted = max(seconds for _, seconds in runs), time.monotonic() - begin
            print(
                f"{name_of(setting)}: {len(runs)} seeds, {len(wrong)} failed, at most {longest:.1f} virtual seconds,"
                f" {lasted:.0f} s",
                *wrong[:5],
                flush=True,
            )
    return min(1, failed)


if __name__ == "__main__":
    sys.exit(main())
