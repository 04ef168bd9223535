"""Schedules of faults by the thousand: any architecture must end with the true model, neither early nor never.

    python -m bench.schedules [ARCHITECTURE]... [--components] [--seeds 0-20000] [--processes 2]

The tests run 300 schedules for each architecture; here are as many as there is patience for, part by part: the seeds
say which. A seed that fails is told with the command that shows it again. With `--components`, the crawls are those by
components, and all components have to be found.
"""

import argparse
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context

from statecrawl.lab.fault_trials import ARCHITECTURES, command, component_trial, trial
from statecrawl.simulation.faults import LEAST_EFFECTS

SEEDS = range(20_000)
CHUNK = 50  # seeds that a process is given at a time
TELL_EVERY = 1_000  # seeds


@dataclass(frozen=True, slots=True)
class Part:
    """How a few seeds went."""

    seeds: int
    effective: int  # schedules of which at least three faults took effect
    repeated: int  # events that were fired twice
    fired: int
    failed: tuple[tuple[int, str], ...]  # seed and verdict


def part(architecture: str, seeds: range, by_components: bool) -> Part:
    """Run the schedules of these seeds."""
    effective = repeated = fired = 0
    failed = []
    for seed in seeds:
        outcome = component_trial(architecture, seed) if by_components else trial(architecture, seed)
        effective += len(outcome.effects) >= LEAST_EFFECTS
        repeated += outcome.cluster.repeated
        fired += sum(node.events for node in outcome.cluster.nodes)
        if outcome.verdict is not None:
            failed.append((seed, outcome.verdict))
    return Part(len(seeds), effective, repeated, fired, tuple(failed))


def parts(architecture: str, seeds: range, processes: int, by_components: bool) -> Iterator[Part]:
    chunks = [seeds[begin : begin + CHUNK] for begin in range(0, len(seeds), CHUNK)]
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        yield from pool.map(part, [architecture] * len(chunks), chunks, [by_components] * len(chunks))


def soak(architecture: str, seeds: range, processes: int, by_components: bool = False) -> int:
    """Run them all, say how it goes, and return how many failed."""
    begin = time.monotonic()
    done = effective = repeated = fired = failed = 0
    for result in parts(architecture, seeds, processes, by_components):
        for seed, verdict in result.failed:
            again = command(architecture, seed, components=by_components)
            print(f"{architecture}, seed {seed}: {verdict}; to see it again: {again}", flush=True)
        told = done // TELL_EVERY
        done += result.seeds
        effective += result.effective
        repeated += result.repeated
        fired += result.fired
        failed += len(result.failed)
        if done // TELL_EVERY > told or done == len(seeds):
            print(
                f"{architecture}: seeds {seeds.start:,} to {seeds.start + done - 1:,}, {effective:,} with"
                f" {LEAST_EFFECTS} faults or more, {failed} failed, {repeated:,} of {fired:,} events twice,"
                f" {time.monotonic() - begin:.0f} s",
                flush=True,
            )
    return failed


def seeds_of(written: str) -> range:
    """The seeds that somebody asks for, as in 0-20000."""
    first, dash, last = written.partition("-")
    seeds = range(int(first), int(last)) if dash else range(int(first))
    if not seeds:
        raise ValueError(written)
    return seeds


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.schedules")
    parser.add_argument("architecture", nargs="*", metavar="ARCHITECTURE", help=f"of {', '.join(ARCHITECTURES)}")
    parser.add_argument("--seeds", type=seeds_of, default=SEEDS, help="as in 0-20000; the last is not run")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--components", action="store_true", help="crawl by components")
    asked = parser.parse_args()
    for name in asked.architecture:
        if name not in ARCHITECTURES:
            parser.error(f"{name} is none of {', '.join(ARCHITECTURES)}")
    chosen = asked.architecture or ARCHITECTURES
    return min(1, sum(soak(name, asked.seeds, asked.processes, asked.components) for name in chosen))


if __name__ == "__main__":
    sys.exit(main())
