"""Formats of numbers for people: costs, multiples, shares and durations."""

from collections.abc import Callable
from math import floor

MINUTE = 60.0
HOUR = 3600.0


def count(value: float) -> str:
    """1,234,567, with a decimal only for small fractions."""
    return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:,.1f}"


def counted(value: float, noun: str) -> str:
    return f"{count(value)} {noun}" if value == 1 else f"{count(value)} {noun}s"


def short(value: float) -> str:
    """1.2k, 35k, 12.5M: three digits at most."""
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= size * 0.9995:
            return f"{_digits(value / size)}{letter}"
    return _digits(value)


def multiple(ratio: float) -> str:
    """×1.02, ×12.5, ×2,688: a fixed number of decimals for each magnitude, so that columns line up."""
    decimals = 2 if ratio < 9.995 else 1 if ratio < 99.95 else 0
    return f"×{ratio:,.{decimals}f}"


def percent(share: float) -> str:
    """Round down, so that 100 % means all."""
    return f"{floor(share * 100 + 1e-9)} %"


def duration(seconds: float) -> str:
    """Format a duration in one unit from µs (decisions) to h (the longest published crawl takes 97 h)."""
    if seconds < 0.000_999_5:
        return f"{_digits(seconds * 1e6)} µs"
    if seconds < 0.9995:
        return f"{_digits(seconds * 1000)} ms"
    if seconds < MINUTE:
        return f"{_digits(seconds)} s"
    if seconds < HOUR:
        return f"{_digits(seconds / MINUTE)} min"
    return f"{_digits(seconds / HOUR)} h"


def clock(seconds: float) -> str:
    """8:17:07, the format of the papers."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"


def bounds(lower: float, upper: float | None, text: Callable[[float], str]) -> str:
    """59, 59–74, ≥ 59; a dash if unknown."""
    if upper is None:
        return f"≥ {text(lower)}" if lower > 0 else "–"
    low, high = text(lower), text(upper)
    unit = f" {high.partition(' ')[2]}"
    return high if low == high else f"{low.removesuffix(unit)}–{high}"  # 2.7–3.8 min


def _digits(value: float) -> str:
    """Three significant digits, no exponent."""
    if value >= 99.95:
        return f"{value:,.0f}"
    return f"{value:.1f}".removesuffix(".0") if value >= 9.995 else f"{value:.2f}".rstrip("0").rstrip(".")
