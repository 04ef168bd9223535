"""The laboratory: many runs on all cores, with progress, and with whatever is known when it is interrupted.

Each run is a job for one of several processes. Processes ignore Ctrl-C themselves; the one that started them tells
them to stop by an event that every run looks at now and then, and waits for what they have. Progress comes back by a
queue.

What must never happen:
    a process that hears Ctrl-C    A terminal sends it to all of them, and one that is still importing has not asked to
                                   be spared: they are started while the signal is blocked, which they inherit.
    a wait for a solver            Bounds are found by solvers that look at nothing: they work in a thread that is left
                                   behind.
    a process that stays behind    Each one watches the one that started it, and ends with it, however that ended.
    a wait for a dead process      One that is killed may take the lock inside the event with it: after that nobody
                                   asks the event. The pool ends the other processes.
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
from typing import TYPE_CHECKING

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

POLL_SECONDS = 0.1  # how often progress is shown and Ctrl-C is noticed


@dataclass(frozen=True, slots=True)
class SimulationJob:
    """One run to be made."""

    app: str
    strategy: str
    rules: StrategySettings
    reset_cost: float | None = None  # None: the application's own

    def rules_for(self, app: Application) -> StrategySettings:
        """The rules with what a reset costs."""
        return self.rules.with_reset_cost(_or_own(self.reset_cost, app))


@dataclass(frozen=True, slots=True)
class OfflineBounds:
    """What no crawl of an application can beat."""

    app: str
    states: "OfflineBound"
    completion: float


@dataclass(frozen=True, slots=True)
class BoundsJob:
    """Bounds to be computed."""

    app: str
    reset_cost: float | None = None


AnyJob = SimulationJob | BoundsJob | ScaleSetting
Result = MeasuredRun | OfflineBounds | ScaleResult
Progress = Callable[[int, RunProgress], None]  # number of the job, how far it is

_stop: Event
_news: "Queue[tuple[int, RunProgress]]"


def run_all(jobs: Iterable[AnyJob], progress: Progress, done: Callable[[int, Result], None]) -> bool:
    """Do all jobs; False when Ctrl-C ended them early. `done` is told each result, partial ones included.

    Raises WorkerLost when a process died, after `done` was told the results of all jobs that had ended.
    """
    context = get_context("spawn")  # a forked process would inherit threads and open terminals
    stop, news = context.Event(), context.Queue()
    listed = list(jobs)
    workers = max(1, min(len(listed), os.cpu_count() or 1))
    futures: dict[Future[Result | None], int] = {}

    def end_early() -> None:
        stop.set()
        for future in futures:
            future.cancel()

    with interruptible(end_early), ProcessPoolExecutor(workers, context, _prepare, (stop, news)) as pool:
        try:
            with _sheltered():
                for number, job in enumerate(listed):
                    futures[pool.submit(_do, number, job)] = number
            for number, result in _finished(futures, news, progress):
                if result is not None:
                    done(number, result)
        except BrokenProcessPool as broken:
            raise WorkerLost(
                "a worker process died, killed by somebody or for want of memory, and only what had ended by then is"
                " known: run it again, with fewer strategies or a smaller application if memory is short."
            ) from broken
        except BaseException:
            end_early()  # nobody is left to be told the other results
            raise
    return not stop.is_set()


def _finished(
    futures: dict[Future[Result | None], int], news: "Queue[tuple[int, RunProgress]]", progress: Progress
) -> Iterator[tuple[int, Result | None]]:
    """Each job as it ends. Raises what a job raised; BrokenProcessPool only after every other result."""
    left, broken = set(futures), None
    while left:
        ended, left = wait(left, timeout=POLL_SECONDS, return_when="FIRST_COMPLETED")
        while True:
            try:
                number, glance = news.get_nowait()
            except Empty:
                break
            progress(number, glance)
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
    """Make the first Ctrl-C a request to finish early; the second one is as usual."""

    def interrupted(*_: object) -> None:
        end_early()
        signal.signal(signal.SIGINT, before)

    before = signal.signal(signal.SIGINT, interrupted)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _sheltered() -> Iterator[None]:
    """Start processes that never hear Ctrl-C; this one hears afterwards what came meanwhile."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _prepare(stop: Event, news: "Queue[tuple[int, RunProgress]]") -> None:
    global _stop, _news  # a process of the pool is handed these once, not with each job
    _stop, _news = stop, news
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _do(number: int, job: AnyJob) -> Result | None:
    if _stop.is_set():
        return None
    app = subject(job.app)
    if isinstance(job, BoundsJob):
        return _bounds(app, job.app, _or_own(job.reset_cost, app))

    def glance(at: RunProgress) -> bool:
        _news.put((number, at))
        return not _stop.is_set()

    if isinstance(job, ScaleSetting):
        return scale(app, job, glance)
    return measure(app, job.strategy, job.rules_for(app), glance=glance)


def _or_own(reset_cost: float | None, app: Application) -> float:
    return app.reset_cost if reset_cost is None else reset_cost


def _bounds(app: Application, name: str, reset_cost: float) -> OfflineBounds | None:
    """What no crawl can beat; None when told to stop before it was found."""
    from statecrawl.strategies.offline_bounds import all_states, completion  # noqa: PLC0415 — the solvers take longest to import

    found: Future[OfflineBounds] = Future()

    def solve() -> None:
        try:
            found.set_result(OfflineBounds(name, all_states(app.truth, reset_cost), completion(app.truth, reset_cost)))
        except Exception as error:
            found.set_exception(error)

    threading.Thread(target=solve, daemon=True).start()
    while not _stop.is_set():
        if found in wait([found], timeout=POLL_SECONDS).done:
            return found.result()
    atexit.register(os._exit, 0)  # the solver's own clean-up would wait for it to finish
    return None
