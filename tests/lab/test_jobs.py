"""Many runs in many processes: all results and errors reach the parent."""

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from statecrawl.errors import BadInput, WorkerLost
from statecrawl.lab.jobs import AnyJob, BoundsJob, OfflineBounds, Result, SimulationJob, interruptible, run_all
from statecrawl.lab.measurement import RunProgress, measure
from statecrawl.lab.subjects import subject
from statecrawl.ports.measurement import MeasuredRun
from statecrawl.strategies.offline_bounds import all_states, completion
from statecrawl.strategies.settings import StrategySettings

UNGUARDED = """
from statecrawl.lab.jobs import SimulationJob, run_all
from statecrawl.strategies.settings import StrategySettings

if __name__ == "__main__":
    jobs = [SimulationJob("tiny", "menu", StrategySettings())]
    print(run_all(jobs, print, lambda number, run: print(number, run.cost)))
"""


def test_every_job_is_done_and_reports_progress() -> None:
    jobs: list[AnyJob] = [
        BoundsJob("tiny"),
        BoundsJob("tiny", 5.0),
        SimulationJob("hypercube:9", "greedy", StrategySettings()),
        SimulationJob("hypercube:4", "menu", StrategySettings(seed=4), 7.0),
    ]
    told: list[tuple[int, RunProgress]] = []
    results: dict[int, Result] = {}
    assert run_all(jobs, lambda number, at: told.append((number, at)), results.__setitem__)
    assert sorted(results) == [0, 1, 2, 3]
    truth = subject("tiny").truth
    for number, reset_cost in ((0, 2.0), (1, 5.0)):
        assert results[number] == OfflineBounds("tiny", all_states(truth, reset_cost), completion(truth, reset_cost))
    here = measure(subject("hypercube:4"), "menu", StrategySettings(seed=4, reset_cost=7.0))
    there = results[3]
    assert isinstance(there, MeasuredRun)
    assert (there.cost, there.discovery, there.reset_cost, there.seed) == (here.cost, here.discovery, 7.0, 4)
    assert isinstance(results[2], MeasuredRun)
    assert results[2].reset_cost == 3.0  # the application's own
    assert {number for number, _ in told} == {2}  # the others are too short to be looked at
    assert [at.states for _, at in told] == sorted(at.states for _, at in told)


def test_an_error_in_a_job_ends_them_all(tmp_path: Path) -> None:
    missing = tmp_path / "gone.json"
    jobs = [
        SimulationJob(str(missing), "greedy", StrategySettings()),
        *(SimulationJob("widgets:6,5", "greedy", StrategySettings()) for _ in range(20)),
    ]
    with pytest.raises(BadInput, match=r"cannot read .*gone\.json"):
        run_all(jobs, lambda *_: None, lambda *_: None)


def test_results_from_before_a_worker_died_are_returned() -> None:
    jobs = [
        SimulationJob("tiny", "menu", StrategySettings()),
        *(SimulationJob("widgets:5,5", "greedy", StrategySettings(seed=seed)) for seed in range(3)),
    ]
    results: dict[int, Result] = {}

    def kill(*_: object) -> None:
        if 0 in results:
            for worker in multiprocessing.active_children()[:1]:
                with suppress(ProcessLookupError):  # killed already, and buried a moment ago
                    os.kill(worker.pid or 0, signal.SIGKILL)

    with pytest.raises(WorkerLost, match="a worker process died, because it was killed or out of memory"):
        run_all(jobs, kill, results.__setitem__)
    assert set(results) == {0}


def test_ctrl_c_brings_partial_results_and_cancels_the_rest() -> None:
    jobs = [SimulationJob("widgets:5,5", "greedy", StrategySettings(seed=seed)) for seed in range(9)]
    results: dict[int, Result] = {}

    def press_ctrl_c(*_: object) -> None:
        if not pressed.is_set():
            pressed.set()
            os.kill(os.getpid(), signal.SIGINT)

    pressed = threading.Event()
    assert not run_all(jobs, press_ctrl_c, results.__setitem__)
    assert 1 <= len(results) < 9
    assert all(isinstance(run, MeasuredRun) and not run.complete for run in results.values())


def test_the_second_ctrl_c_has_its_previous_effect() -> None:
    asked: list[str] = []
    before = signal.getsignal(signal.SIGINT)
    with interruptible(lambda: asked.append("once")):
        os.kill(os.getpid(), signal.SIGINT)
        assert signal.getsignal(signal.SIGINT) is before
    assert asked == ["once"]
    with interruptible(lambda: None):
        pass
    assert signal.getsignal(signal.SIGINT) is before


def test_a_program_can_run_jobs(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(UNGUARDED)
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, check=True)
    assert done.stdout == "0 Cost(events=16, resets=2)\nTrue\n"
