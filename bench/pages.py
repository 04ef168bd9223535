"""How much a second page brings on two cores: with the server on the same machine, and with one far away."""

from bench.recorded import recorded, served
from bench.table import print_table

APP = "periodic-table"
EVENTS = 5000
FAR_EVENTS = 600
FAR_MS = 50
LEAST = {0: 1.4, FAR_MS: 1.7}


def main() -> bool:
    """True when both hold."""
    rows = []
    holds = True
    for latency, least in LEAST.items():
        events = FAR_EVENTS if latency else EVENTS
        speeds = []
        for pages in (1, 2, 1, 2):  # twice, in turns: the machine may change its mind
            with served(APP, latency) as (url, server):
                crawl = recorded(url, strategy="greedy", pages=pages, max_events=events, server=server)
            speeds.append(crawl.outcome.events_per_second)
        one, two = (speeds[0] + speeds[2]) / 2, (speeds[1] + speeds[3]) / 2
        holds = holds and two / one >= least
        rows.append(
            (f"{latency} ms", f"{one:.0f}", f"{two:.0f}", f"{two / one:.2f}×", "yes" if two / one >= least else "no")
        )
    print_table(f"Two pages ({APP})", ("server's latency", "1 page, events/s", "2 pages", "ratio", "holds"), rows)
    return holds
