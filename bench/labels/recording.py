"""What is committed of a crawl: the facts from which our reductions follow, without the pages.

Regions are digests. Beside them, a recording holds the names of events and the ids of states, which are hashes of whole
documents. So anybody can compute the reductions again, after a change to `model.components`, without the applications.
After a change to `browser/agent/regions.js`, `bench.labels.rereading` brings the recordings up to date.
"""

import lzma
from collections.abc import Iterable, Iterator
from pathlib import Path

from statecrawl.journal.encoding import decode, encode
from statecrawl.journal.facts import (
    CrawlStarted,
    EventAdded,
    Fact,
    StateFound,
    TransitionExplored,
)
from statecrawl.journal.fold import FoldedCrawl
from statecrawl.model.component_tasks import Pair
from statecrawl.model.components import Components
from statecrawl.model.graph import UNEXPLORED
from statecrawl.stores.evidence import JOURNAL_NAME
from statecrawl.stores.sqlite_journal import open_reader
from statecrawl.strategies.journal_feed import since_revision

DATA = Path(__file__).parent / "data"
FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME}]


def recording_of(name: str) -> Path:
    """Return the path of the recording of an application."""
    return DATA / f"{name}.jsonl.xz"


def record(crawl: Path, recording: Path) -> None:
    """Write the recording of a crawl."""
    reader = open_reader(crawl / JOURNAL_NAME)
    try:
        facts = since_revision(reader.read())
    finally:
        reader.close()
    write(_essential(facts), recording)


def write(facts: Iterable[Fact], recording: Path) -> None:
    """Write facts as a recording."""
    recording.write_bytes(lzma.compress(encode(facts), filters=FILTERS))


def read(recording: Path) -> list[Fact]:
    """Return the facts of a recording."""
    return decode(lzma.decompress(recording.read_bytes()))


def _essential(facts: Iterable[Fact]) -> Iterator[Fact]:
    """Yield what the reductions depend on, without URLs, titles and times."""
    yield CrawlStarted(application="", configuration={}, reset_cost=1.0)
    for fact in facts:
        match fact:
            case StateFound():
                yield StateFound(state=fact.state, events=fact.events, regions=fact.regions)
            case TransitionExplored():
                yield TransitionExplored(state=fact.state, event=fact.event, target=fact.target)
            case EventAdded():
                yield fact


def folded(facts: Iterable[Fact], *, reduces: bool = True) -> tuple[list[str], Components]:
    """Return the ids of all states in the order in which they were found, and what is known of their components.

    Without `reduces`, all rows and all values are distinguished.
    """
    crawl = FoldedCrawl()
    components = Components(crawl.graph, reduces=reduces)
    for fact in facts:
        before, pair = len(crawl.graph), _unexplored(crawl, fact)
        crawl.apply(fact)
        if isinstance(fact, StateFound) and len(crawl.graph) > before:
            components.found(before, fact.regions)
        if pair is not None:
            components.explored(*pair, crawl.graph.targets[pair[0]][pair[1]])
    return crawl.graph.ids, components


def _unexplored(crawl: FoldedCrawl, fact: Fact) -> Pair | None:
    """Return the pair that a fact explores; None if it was explored before."""
    if not isinstance(fact, TransitionExplored):
        return None
    state, position = crawl.pair(fact.state, fact.event)
    return (state, position) if crawl.graph.targets[state][position] == UNEXPLORED else None
