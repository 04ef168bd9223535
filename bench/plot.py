"""Small pictures: lines over two axes, as SVGs that read well on light and dark pages."""

from collections.abc import Callable
from math import ceil, floor, log10

Lines = dict[str, list[tuple[float, float]]]

WIDTH, HEIGHT, MARGIN = 640, 360, 56
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7")  # distinguishable with every kind of colour vision


def log_log(lines: Lines, across: str, up: str) -> str:
    """The picture of these lines, each a list of (x, y), over logarithmic axes."""
    points = [point for line in lines.values() for point in line]
    exponents = range(floor(log10(min(y for _, y in points))), ceil(log10(max(y for _, y in points))) + 1)
    return _drawn(lines, across, up, log10, [10**exponent for exponent in exponents], sorted({x for x, _ in points}))


def linear(lines: Lines, across: str, up: str) -> str:
    """The same over linear axes that begin at 0."""
    points = [point for line in lines.values() for point in line]
    return _drawn(
        lines, across, up, float, _round_steps(max(y for _, y in points)), _round_steps(max(x for x, _ in points))
    )


def _round_steps(most: float) -> list[float]:
    """0 and some four round numbers up to at least this."""
    step = 10 ** floor(log10(most))
    step = next(size for size in (step / 5, step / 2, step, 2 * step) if most / size <= 5)
    return [number * step for number in range(ceil(most / step) + 1)]


def _drawn(
    lines: Lines, across: str, up: str, scale: Callable[[float], float], rows: list[float], columns: list[float]
) -> str:
    left, right, low, high = scale(columns[0]), scale(columns[-1]), scale(rows[0]), scale(rows[-1])

    def place(x: float, y: float) -> tuple[float, float]:
        return (
            MARGIN + (scale(x) - left) / (right - left) * (WIDTH - 2.6 * MARGIN),
            HEIGHT - MARGIN - (scale(y) - low) / (high - low) * (HEIGHT - 1.6 * MARGIN),
        )

    drawn = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"',
        ' font-family="sans-serif" font-size="13">',
        f'<title>{up} against {across}</title><rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
    ]
    for row in rows:
        y = place(columns[0], row)[1]
        drawn.append(f'<path d="M{MARGIN} {y:.1f}H{WIDTH - 1.6 * MARGIN:.1f}" stroke="#ddd"/>')
        drawn.append(f'<text x="{MARGIN - 8}" y="{y + 4:.1f}" text-anchor="end">{row:,.10g}</text>')
    drawn += [
        f'<text x="{place(x, rows[0])[0]:.1f}" y="{HEIGHT - MARGIN + 20}" text-anchor="middle">{x:,.0f}</text>'
        for x in columns
    ]
    for colour, (name, line) in zip(COLOURS, lines.items(), strict=False):
        placed = [place(*point) for point in line]
        path = " L".join(f"{x:.1f} {y:.1f}" for x, y in placed)
        drawn.append(f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2.5"/>')
        drawn += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colour}"/>' for x, y in placed]
        x, y = placed[-1]
        drawn.append(f'<text x="{x + 10:.1f}" y="{y + 4:.1f}" fill="{colour}">{name}</text>')
    drawn.append(f'<text x="{WIDTH / 2 - 30}" y="{HEIGHT - 8}" text-anchor="middle">{across}</text>')
    drawn.append(f'<text x="{MARGIN}" y="20">{up}</text></svg>')
    return "\n".join(drawn) + "\n"
