"""How long a large journal takes to write, open and fold: 10^6 facts shaped like a crawl, in one SQLite file.

Run with `python -m bench.journal`. The goal is to open and fold in less than 15 seconds on a small machine.
"""

import hashlib
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from random import Random

from bench.table import print_table
from statecrawl.journal.facts import CrawlEnded, CrawlStarted, Fact, StateFound, TransitionExplored
from statecrawl.journal.fold import fold
from statecrawl.stores.sqlite_journal import open_journal, open_reader

STATES = 12_500
EVENTS = 80  # per state
MOST_SECONDS = 15.0  # to open, check and fold
GROUP = 500  # facts per transaction; writing is bound by the disk's sync, once per group
PEAK_UNITS_PER_MEGABYTE = 1e6 if sys.platform == "darwin" else 1e3  # macOS counts bytes, Linux kilobytes


def crawl(states: int = STATES, events: int = EVENTS) -> Iterator[Fact]:
    """The facts of a made-up crawl: each state is found when it is first reached, and explored event by event."""
    chance = Random(1)
    ids = [hashlib.blake2b(b"%d" % number, digest_size=16).hexdigest() for number in range(states)]
    names = [f"click #menu-{number}" for number in range(events)]
    found = 1
    yield CrawlStarted(application="bench", configuration={"strategy": "greedy"}, reset_cost=2.0)
    yield StateFound(state=ids[0], events=tuple(names), url="http://localhost/", title="Bench")
    for number in range(states * events):
        state, event = divmod(number, events)
        target = chance.randrange(found)
        if found < states and (event == 0 or chance.random() < 2 / events):
            target, found = found, found + 1
            yield StateFound(state=ids[target], events=tuple(names), url="http://localhost/", title="Bench")
        yield TransitionExplored(
            state=ids[state], event=names[event], target=ids[target], fired=number + 1, resets=number // 50
        )
    yield CrawlEnded(reason="complete")


def main() -> bool:
    """Measure and print a table; True when the limit holds."""
    figures: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "crawl.journal"
        began = time.perf_counter()
        facts = crawl()
        with closing(open_journal(path)) as journal:
            while group := list(islice(facts, GROUP)):
                figures["facts"] = journal.append(group)
        figures["write, s"] = time.perf_counter() - began
        figures["file, MB"] = path.stat().st_size / 1e6
        before = _peak_megabytes()
        began = time.perf_counter()
        with closing(open_reader(path)) as reader:
            figures["open and check, s"] = time.perf_counter() - began
            crawled = fold(reader.read())
        figures["open, check and fold, s"] = time.perf_counter() - began
        figures["peak memory before opening, MB"] = before
        figures["peak memory, MB"] = _peak_megabytes()
        if not crawled.progress().complete:
            raise AssertionError("the folded crawl is not complete")
    print_table("A journal of 10^6 facts", ("figure", "measured"), [(name, f"{f:,.2f}") for name, f in figures.items()])
    return figures["open, check and fold, s"] < MOST_SECONDS


def _peak_megabytes() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / PEAK_UNITS_PER_MEGABYTE


if __name__ == "__main__":
    main()
