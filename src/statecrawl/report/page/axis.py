"""From a quantity to a place on paper, and where the ticks stand."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil, floor, log10

MARGIN = 1.15  # the outermost values keep this factor from the edge
NARROWEST = 10.0  # a scale spans a decade at least, so that a single value has ticks around it
FEW_TICKS = 3

GAP = 40.0  # between two labels, as on narrow screens the letters are larger

CLOCK_TICKS = (1.0, 60.0, 3600.0, 360_000.0, 0.001)  # 1 s, 1 min, 1 h, 100 h, 1 ms
FINER_TICKS = (10.0, 600.0, 36_000.0, 0.1, 0.01)  # where there is room

ROUND_TIMES = (*(step * unit for unit in (1.0, 60.0, 3600.0) for step in (1, 10)), 0.1, 0.01)
ROUNDER_TIMES = tuple(step * unit for unit in (1.0, 60.0, 3600.0) for step in (5, 30, 2, 20))


@dataclass(frozen=True, slots=True, kw_only=True)
class LogScale:
    """Quantities from `low` to `high` onto pixels from `left` to `right`; what lies outside is held at the edge."""

    low: float
    high: float
    left: float
    right: float

    def __call__(self, value: float) -> float:
        held = min(max(value, self.low), self.high)
        return self.left + (self.right - self.left) * log10(held / self.low) / log10(self.high / self.low)


def around(values: Iterable[float], *, left: float, right: float) -> LogScale:
    """A scale that holds all the values; zero and less have no place on it."""
    positive = [value for value in values if value > 0] or [1.0]
    low = min(positive) / MARGIN
    return LogScale(low=low, high=max(max(positive) * MARGIN, low * NARROWEST), left=left, right=right)


def decimal_ticks(scale: LogScale) -> list[float]:
    """Powers of ten, or 1-2-5 where there would be too few of them."""
    decades = _multiples(scale, (1,))
    return _spaced(scale, decades if len(decades) >= FEW_TICKS else _multiples(scale, (1, 2, 5)))


def minor_ticks(scale: LogScale) -> list[float]:
    return _multiples(scale, range(2, 10))


def clock_ticks(scale: LogScale) -> list[float]:
    """1 s, 10 s, 1 min, 10 min, 1 h, ..."""
    fitting = [tick for tick in (*CLOCK_TICKS, *FINER_TICKS) if scale.low <= tick <= scale.high]
    return _spaced(scale, fitting) if len(fitting) > 1 else decimal_ticks(scale)


def round_times(scale: LogScale) -> list[float]:
    """1 and 10 of seconds, minutes or hours, and others between them where there is room."""
    fitting = [tick for tick in (*ROUND_TIMES, *ROUNDER_TIMES) if scale.low <= tick <= scale.high]
    return _spaced(scale, fitting) if len(fitting) > 1 else decimal_ticks(scale)


def _spaced(scale: LogScale, ticks: Iterable[float]) -> list[float]:
    """The ticks that keep apart; who comes first stays."""
    kept: list[float] = []
    for tick in ticks:
        if all(abs(scale(tick) - scale(other)) >= GAP for other in kept):
            kept.append(tick)
    return sorted(kept)


def _multiples(scale: LogScale, steps: Iterable[int]) -> list[float]:
    powers = range(floor(log10(scale.low)), ceil(log10(scale.high)) + 1)
    ticks = (step * 10.0**power for power in powers for step in steps)
    return sorted(tick for tick in ticks if scale.low <= tick <= scale.high)
