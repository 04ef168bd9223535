"""Logarithmic scales and their ticks."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil, floor, log10

MARGIN = 1.15  # factor between the outermost values and the edge
NARROWEST = 10.0  # a scale spans at least a decade, so that a single value has ticks around it
FEW_TICKS = 3

GAP = 40.0  # between two labels, because letters are larger on narrow screens

CLOCK_TICKS = (1.0, 60.0, 3600.0, 360_000.0, 0.001)  # 1 s, 1 min, 1 h, 100 h, 1 ms
FINER_TICKS = (10.0, 600.0, 36_000.0, 0.1, 0.01)  # if there is room

ROUND_TIMES = (*(step * unit for unit in (1.0, 60.0, 3600.0) for step in (1, 10)), 0.1, 0.01)
ROUNDER_TIMES = tuple(step * unit for unit in (1.0, 60.0, 3600.0) for step in (5, 30, 2, 20))


@dataclass(frozen=True, slots=True, kw_only=True)
class LogScale:
    """Maps quantities from `low` to `high` to pixels from `left` to `right`, and others to the edges."""

    low: float
    high: float
    left: float
    right: float

    def __call__(self, value: float) -> float:
        clamped = min(max(value, self.low), self.high)
        return self.left + (self.right - self.left) * log10(clamped / self.low) / log10(self.high / self.low)


def around(values: Iterable[float], *, left: float, right: float) -> LogScale:
    """Return a scale for all positive values."""
    positive = [value for value in values if value > 0] or [1.0]
    low = min(positive) / MARGIN
    return LogScale(low=low, high=max(max(positive) * MARGIN, low * NARROWEST), left=left, right=right)


def decimal_ticks(scale: LogScale) -> list[float]:
    """Return powers of ten, or 1-2-5 steps if there are too few powers of ten."""
    decades = _multiples(scale, (1,))
    return _spaced(scale, decades if len(decades) >= FEW_TICKS else _multiples(scale, (1, 2, 5)))


def minor_ticks(scale: LogScale) -> list[float]:
    return _multiples(scale, range(2, 10))


def clock_ticks(scale: LogScale) -> list[float]:
    """Return ticks at 1 s, 10 s, 1 min, 10 min, 1 h, ..."""
    fitting = [tick for tick in (*CLOCK_TICKS, *FINER_TICKS) if scale.low <= tick <= scale.high]
    return _spaced(scale, fitting) if len(fitting) > 1 else decimal_ticks(scale)


def round_times(scale: LogScale) -> list[float]:
    """Return ticks at 1 and 10 seconds, minutes or hours, and at others between them if there is room."""
    fitting = [tick for tick in (*ROUND_TIMES, *ROUNDER_TIMES) if scale.low <= tick <= scale.high]
    return _spaced(scale, fitting) if len(fitting) > 1 else decimal_ticks(scale)


def _spaced(scale: LogScale, ticks: Iterable[float]) -> list[float]:
    """Return the ticks that are far enough from all earlier ones."""
    spaced: list[float] = []
    for tick in ticks:
        if all(abs(scale(tick) - scale(other)) >= GAP for other in spaced):
            spaced.append(tick)
    return sorted(spaced)


def _multiples(scale: LogScale, steps: Iterable[int]) -> list[float]:
    powers = range(floor(log10(scale.low)), ceil(log10(scale.high)) + 1)
    ticks = (step * 10.0**power for power in powers for step in steps)
    return sorted(tick for tick in ticks if scale.low <= tick <= scale.high)
