"""Tables that can be pasted into docs/benchmarks.md as they are."""

from collections.abc import Iterable, Sequence


def print_table(title: str, header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a Markdown table; whole numbers get thousands separators."""
    print(f"\n### {title}\n")
    print(f"| {' | '.join(header)} |")
    print(f"|{'|'.join(['---', *['--:'] * (len(header) - 1)])}|")
    for row in rows:
        print(f"| {' | '.join(f'{cell:,}' if isinstance(cell, int) else str(cell) for cell in row)} |")
    print(flush=True)
