"""Failures of tasks that run side by side."""

import contextlib
from collections.abc import Iterator


@contextlib.contextmanager
def first_failure() -> Iterator[None]:
    """Raise the first exception of a task group by itself: the others follow from it, or are the same."""
    try:
        yield
    except ExceptionGroup as group:
        raise _first(group) from None


def _first(problem: Exception) -> Exception:
    while isinstance(problem, ExceptionGroup):
        problem = problem.exceptions[0]
    return problem
