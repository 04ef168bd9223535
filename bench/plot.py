"""A small picture: lines over two logarithmic axes, as an SVG that reads well on light and dark pages."""

from math import ceil, floor, log10

WIDTH, HEIGHT, MARGIN = 640, 360, 56
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7")  # distinguishable with every kind of colour vision


def log_log(lines: dict[str, list[tuple[float, float]]], across: str, up: str) -> str:
    """The picture of these lines, each a list of (x, y)."""
    points = [point for line in lines.values() for point in line]
    left, right = (log10(pick(x for x, _ in points)) for pick in (min, max))
    low, high = floor(log10(min(y for _, y in points))), ceil(log10(max(y for _, y in points)))

    def place(x: float, y: float) -> tuple[float, float]:
        return (
            MARGIN + (log10(x) - left) / (right - left) * (WIDTH - 2.6 * MARGIN),
            HEIGHT - MARGIN - (log10(y) - low) / (high - low) * (HEIGHT - 1.6 * MARGIN),
        )

    drawn = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"',
        ' font-family="sans-serif" font-size="13">',
        f'<title>{up} against {across}</title><rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
    ]
    for exponent in range(low, high + 1):
        y = place(10**left, 10**exponent)[1]
        drawn.append(f'<path d="M{MARGIN} {y:.1f}H{WIDTH - 1.6 * MARGIN:.1f}" stroke="#ddd"/>')
        drawn.append(f'<text x="{MARGIN - 8}" y="{y + 4:.1f}" text-anchor="end">{10**exponent:,}</text>')
    drawn += [
        f'<text x="{place(x, 10**low)[0]:.1f}" y="{HEIGHT - MARGIN + 20}" text-anchor="middle">{x:,}</text>'
        for x in sorted({x for x, _ in points})
    ]
    for colour, (name, line) in zip(COLOURS, lines.items(), strict=False):
        path = " L".join(f"{x:.1f} {y:.1f}" for x, y in (place(*point) for point in line))
        drawn.append(f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2.5"/>')
        for point in line:
            x, y = place(*point)
            drawn.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colour}"/>')
        drawn.append(f'<text x="{x + 10:.1f}" y="{y + 4:.1f}" fill="{colour}">{name}</text>')
    drawn.append(f'<text x="{WIDTH / 2 - 30}" y="{HEIGHT - 8}" text-anchor="middle">{across}</text>')
    drawn.append(f'<text x="{MARGIN}" y="20">{up}</text></svg>')
    return "\n".join(drawn) + "\n"
