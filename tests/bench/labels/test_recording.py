"""Recordings: small, without pages, and enough to compute the reductions again."""

from pathlib import Path

from bench.labels import recording
from statecrawl.journal.facts import CrawlStarted, EquivalenceRevised, Fact, StateFound, TransitionExplored
from statecrawl.model.regions import Region
from statecrawl.stores.evidence import JOURNAL_NAME
from statecrawl.stores.sqlite_journal import open_journal

LARGEST = 300_000  # bytes of all files that are committed


def state(name: str, *rows: str) -> StateFound:
    regions = [Region("ul", "list", "list", "list", (0,)), *(Region("ul>li", "row", "row", row) for row in rows)]
    return StateFound(state=name, events=("click add",), url="http://127.0.0.1/secret", regions=tuple(regions))


def add(before: str, after: str) -> TransitionExplored:
    return TransitionExplored(state=before, event="click add", target=after)


FACTS: list[Fact] = [
    CrawlStarted(application="http://127.0.0.1/secret", configuration={"url": "secret"}, reset_cost=1.0),
    state("a0", "x"),
    state("a1", "x", "y"),
    add("a0", "a1"),
    state("a2", "x", "y", "z"),
    add("a1", "a2"),
]


def recorded(folder: Path, facts: list[Fact]) -> Path:
    journal = open_journal(folder / JOURNAL_NAME)
    journal.append(facts)
    journal.close()
    recording.record(folder, folder / "recording")
    return folder / "recording"


def test_rows_are_found_again_without_the_pages(tmp_path: Path) -> None:
    facts = recording.read(recorded(tmp_path, FACTS))
    ids, components = recording.folded(facts)
    assert ids == ["a0", "a1", "a2"]
    assert components.rows() == {"ul>li"}
    assert components.view(1) == components.view(2) != components.view(0)
    assert "secret" not in repr(facts)


def test_without_reductions_all_rows_are_distinguished(tmp_path: Path) -> None:
    _, components = recording.folded(recording.read(recorded(tmp_path, FACTS)), reduces=False)
    assert components.view(1) != components.view(2)


def test_what_a_revision_has_voided_is_left_out(tmp_path: Path) -> None:
    revised = [*FACTS, EquivalenceRevised(revision=1, rules=()), state("b0", "x")]
    assert recording.folded(recording.read(recorded(tmp_path, revised)))[0] == ["b0"]


def test_a_second_target_of_an_event_teaches_nothing(tmp_path: Path) -> None:
    """As in the crawl, which counts it as a divergence."""
    facts: list[Fact] = [
        FACTS[0],
        state("a0", "x"),
        state("a1", "y"),
        add("a0", "a1"),
        state("a2", "x", "z"),
        add("a0", "a2"),
    ]
    assert not recording.folded(recording.read(recorded(tmp_path, facts)))[1].rows()


def test_committed_recordings_are_small() -> None:
    assert sum(path.stat().st_size for path in recording.DATA.iterdir()) < LARGEST
