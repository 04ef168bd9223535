"""How much a second page brings on two cores: with the server on the same machine, and with one far away."""

from statistics import median

from bench.recorded import recorded, served
from bench.table import print_table

APP = "periodic-table"
FAR_MS = 50
LEAST = {0: 1.4, FAR_MS: 1.7}
EVENTS = {0: 3000, FAR_MS: 600}
ROUNDS = {0: 5, FAR_MS: 2}  # of one page, then two: the machine may change its mind, more so when it is busy


def main() -> bool:
    """True when both hold."""
    rows = []
    holds = True
    for latency, least in LEAST.items():
        rounds = [(_speed(1, latency), _speed(2, latency)) for _ in range(ROUNDS[latency])]
        ratio = median(two / one for one, two in rounds)
        holds = holds and ratio >= least
        one, two = (median(speeds) for speeds in zip(*rounds, strict=True))
        row = (f"{latency} ms", f"{one:.0f}", f"{two:.0f}", f"{ratio:.2f}×", "yes" if ratio >= least else "no")
        rows.append(row)
        print(f"{latency} ms, ratio by round: {', '.join(f'{two / one:.2f}' for one, two in rounds)}", flush=True)
    print_table(f"Two pages ({APP})", ("server's latency", "1 page, events/s", "2 pages", "ratio", "holds"), rows)
    return holds


def _speed(pages: int, latency: int) -> float:
    with served(APP, latency) as (url, server):
        crawl = recorded(url, strategy="greedy", pages=pages, max_events=EVENTS[latency], server=server)
    return crawl.outcome.events_per_second
