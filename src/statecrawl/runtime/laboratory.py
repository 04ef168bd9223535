"""The laboratory: many runs on all cores, with progress, and with whatever is known when it is interrupted.

Each run is a job for one of several processes. Processes ignore Ctrl-C themselves; the one that started them tells
them to stop by an event that every run looks at now and then, and waits for what they have. Progress comes back by a
queue.
"""

import os
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Event
from queue import Empty

from statecrawl.ports.measured import Run
from statecrawl.runtime.measuring import Glance, measure
from statecrawl.runtime.subjects import subject
from statecrawl.strategies.bounds import Bound, all_states, completion
from statecrawl.strategies.rules import Rules

POLL_SECONDS = 0.1  # how often progress is shown and Ctrl-C is noticed


@dataclass(frozen=True, slots=True)
class Job:
    """One run to be made."""

    app: str
    strategy: str
    rules: Rules
    reset_cost: float | None = None  # None: the application's own


@dataclass(frozen=True, slots=True)
class Bounds:
    """What no crawl of an application can beat."""

    app: str
    states: Bound
    completion: float


@dataclass(frozen=True, slots=True)
class BoundsJob:
    """Bounds to be computed."""

    app: str
    reset_cost: float | None = None


AnyJob = Job | BoundsJob
Result = Run | Bounds
Progress = Callable[[int, Glance], None]  # number of the job, how far it is

_stop: Event
_news: "Queue[tuple[int, Glance]]"


def run_all(jobs: Iterable[AnyJob], progress: Progress, done: Callable[[int, Result], None]) -> bool:
    """Do all jobs; False when Ctrl-C ended them early. `done` is told each result, partial ones included."""
    context = get_context("spawn")  # a forked process would inherit threads and open terminals
    stop, news = context.Event(), context.Queue()
    listed = list(jobs)
    workers = max(1, min(len(listed), os.cpu_count() or 1))
    with ProcessPoolExecutor(workers, context, _prepare, (stop, news)) as pool:
        futures: dict[Future[Result | None], int] = {
            pool.submit(_do, number, job): number for number, job in enumerate(listed)
        }
        with _interruptible(stop, futures):
            for number, result in _finished(futures, news, progress):
                if result is not None:
                    done(number, result)
        return not stop.is_set()


def _finished(
    futures: dict[Future[Result | None], int], news: "Queue[tuple[int, Glance]]", progress: Progress
) -> Iterator[tuple[int, Result | None]]:
    left = set(futures)
    while left:
        ended, left = wait(left, timeout=POLL_SECONDS, return_when="FIRST_COMPLETED")
        while True:
            try:
                number, glance = news.get_nowait()
            except Empty:
                break
            progress(number, glance)
        for future in ended:
            if not future.cancelled():
                yield futures[future], future.result()


@contextmanager
def _interruptible(stop: Event, futures: Iterable[Future[Result | None]]) -> Iterator[None]:
    """Make the first Ctrl-C a request to finish early; the second one is as usual."""

    def interrupted(*_: object) -> None:
        stop.set()
        for future in futures:
            future.cancel()
        signal.signal(signal.SIGINT, before)

    before = signal.signal(signal.SIGINT, interrupted)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _prepare(stop: Event, news: "Queue[tuple[int, Glance]]") -> None:
    global _stop, _news  # a process of the pool is handed these once, not with each job
    _stop, _news = stop, news
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _do(number: int, job: AnyJob) -> Result | None:
    if _stop.is_set():
        return None
    app = subject(job.app)
    reset_cost = app.reset_cost if job.reset_cost is None else job.reset_cost
    if isinstance(job, BoundsJob):
        return Bounds(job.app, all_states(app.truth, reset_cost), completion(app.truth, reset_cost))

    def glance(at: Glance) -> bool:
        _news.put((number, at))
        return not _stop.is_set()

    return measure(app, job.strategy, job.rules.with_reset_cost(reset_cost), glance=glance)
