"""Simulation jobs on all cores, with progress, and with partial results after an interruption.

Each job runs in one of several worker processes. Workers ignore Ctrl-C; the parent stops them with an event that every
run checks now and then, and waits for their partial results. Progress is sent back through a queue.

What must never happen:
    a worker receives Ctrl-C       A terminal sends it to all processes, and one that is still importing cannot ignore
                                   it yet. Workers are started while the signal is blocked, and inherit that.
    waiting for a solver           The solvers that compute bounds cannot be interrupted. They run in a thread that is
                                   abandoned.
    a worker is left behind        Each worker watches its parent and exits with it, however the parent ended.
    waiting for a dead worker      A worker that is killed may leave the lock inside the event locked. After that, the
                                   event is not used any more. The pool stops the other workers.
"""

import atexit
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context, parent_process
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Event
from queue import Empty
from typing import TYPE_CHECKING, TypeAlias

from statecrawl.errors import WorkerLost
from statecrawl.lab.measurement import RunProgress, measure
from statecrawl.lab.scale_run import scale
from statecrawl.lab.subjects import subject
from statecrawl.ports.measurement import MeasuredRun
from statecrawl.ports.scale_run import ScaleResult, ScaleSetting
from statecrawl.strategies.settings import StrategySettings
from statecrawl.testbed.application import Application

if TYPE_CHECKING:
    from statecrawl.strategies.offline_bounds import OfflineBound

POLL_SECONDS = 0.1  # interval at which progress is shown and Ctrl-C is noticed


@dataclass(frozen=True, slots=True)
class SimulationJob:
    """One simulated run."""

    app: str
    strategy: str
    rules: StrategySettings
    reset_cost: float | None = None  # None: the application's own

    def rules_for(self, app: Application) -> StrategySettings:
        """Return the rules, with the reset cost."""
        return self.rules.with_reset_cost(_or_own(self.reset_cost, app))


@dataclass(frozen=True, slots=True)
class OfflineBounds:
    """Lower bounds of the cost of any crawl of an application."""

    app: str
    states: "OfflineBound"
    completion: float


@dataclass(frozen=True, slots=True)
class BoundsJob:
    """The computation of the bounds of one application."""

    app: str
    reset_cost: float | None = None


AnyJob = SimulationJob | BoundsJob | ScaleSetting
Result = MeasuredRun | OfflineBounds | ScaleResult
Progress = Callable[[int, RunProgress], None]  # called with the number of the job and its progress
ProgressQueue: TypeAlias = "Queue[tuple[int, RunProgress]]"

_stop: Event
_progress: ProgressQueue


def run_all(jobs: Iterable[AnyJob], progress: Progress, done: Callable[[int, Result], None]) -> bool:
    """Run all jobs; return False if Ctrl-C ended them early. `done` is called with each result, even a partial one.

    Raises WorkerLost if a worker died, after `done` was called with the results of all finished jobs.
    """
    context = get_context("spawn")  # a forked process would inherit threads and open terminals
    stop, reports = context.Event(), context.Queue()
    listed = list(jobs)
    workers = max(1, min(len(listed), os.cpu_count() or 1))
    futures: dict[Future[Result | None], int] = {}
    is_over = False  # nothing is left to stop

    def end_early() -> None:
        stop.set()
        for future in futures:
            future.cancel()

    with interruptible(end_early), ProcessPoolExecutor(workers, context, _prepare, (stop, reports)) as pool:
        try:
            with _sigint_blocked():
                for number, job in enumerate(listed):
                    futures[pool.submit(_run, number, job)] = number
            for number, result in _finished(futures, reports, progress):
                if result is not None:
                    done(number, result)
            is_over = True
        except BrokenProcessPool as broken:
            is_over = True
            raise WorkerLost(
                "a worker process died, because it was killed or out of memory, and the results are partial: run the"
                " command again, with fewer strategies or a smaller application if memory is short."
            ) from broken
        finally:
            if not is_over:
                end_early()  # after an error, the other results are not needed
    return not stop.is_set()


def _finished(
    futures: dict[Future[Result | None], int], reports: ProgressQueue, progress: Progress
) -> Iterator[tuple[int, Result | None]]:
    """Yield each job as it ends. Raises the error of a job; BrokenProcessPool only after all other results."""
    left, broken = set(futures), None
    while left:
        ended, left = wait(left, timeout=POLL_SECONDS, return_when="FIRST_COMPLETED")
        while True:
            try:
                number, at = reports.get_nowait()
            except Empty:
                break
            progress(number, at)
        for future in ended:
            if future.cancelled():
                continue
            if isinstance(error := future.exception(), BrokenProcessPool):
                broken = error
            else:
                yield futures[future], future.result()
    if broken is not None:
        raise broken


@contextmanager
def interruptible(end_early: Callable[[], None]) -> Iterator[None]:
    """Make the first Ctrl-C a request to finish early; the second one has its previous effect."""

    def interrupted(*_: object) -> None:
        end_early()
        signal.signal(signal.SIGINT, before)

    before = signal.signal(signal.SIGINT, interrupted)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _sigint_blocked() -> Iterator[None]:
    """Block SIGINT, also in processes that are started meanwhile; deliver it to this process afterwards."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _prepare(stop: Event, reports: ProgressQueue) -> None:
    global _stop, _progress  # passed to each worker once, not with every job
    _stop, _progress = stop, reports
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _run(number: int, job: AnyJob) -> Result | None:
    if _stop.is_set():
        return None
    app = subject(job.app)
    if isinstance(job, BoundsJob):
        return _bounds(app, job.app, _or_own(job.reset_cost, app))

    def on_progress(at: RunProgress) -> bool:
        _progress.put((number, at))
        return not _stop.is_set()

    if isinstance(job, ScaleSetting):
        return scale(app, job, on_progress)
    return measure(app, job.strategy, job.rules_for(app), on_progress=on_progress)


def _or_own(reset_cost: float | None, app: Application) -> float:
    return app.reset_cost if reset_cost is None else reset_cost


def _bounds(app: Application, name: str, reset_cost: float) -> OfflineBounds | None:
    """Compute the bounds of an application; return None if the job is stopped earlier."""
    from statecrawl.strategies.offline_bounds import all_states, completion  # noqa: PLC0415 — the solvers take longest to import

    bounds: Future[OfflineBounds] = Future()

    def solve() -> None:
        try:
            bounds.set_result(OfflineBounds(name, all_states(app.truth, reset_cost), completion(app.truth, reset_cost)))
        except Exception as error:  # of the solver's thread: the job raises it
            bounds.set_exception(error)

    threading.Thread(target=solve, daemon=True).start()
    while not _stop.is_set():
        if bounds in wait([bounds], timeout=POLL_SECONDS).done:
            return bounds.result()
    atexit.register(os._exit, 0)  # the solver's own clean-up would wait for it to finish
    return None
