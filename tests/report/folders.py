"""Folders of crawls, made by hand: facts and evidence as a crawl would have left them."""

from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from statecrawl.journal.facts import (
    BoundarySeen,
    CrawlEnded,
    CrawlStarted,
    EventHung,
    EventRefused,
    Fact,
    StateFound,
    TransitionDiverged,
    TransitionExplored,
)
from statecrawl.model.regions import Region
from statecrawl.ports.page import Note, Snapshot
from statecrawl.stores.evidence import JOURNAL_NAME, EvidenceWriter
from statecrawl.stores.sqlite_journal import open_journal

FIRST, SECOND, THIRD = "00aa", "11bb", "22cc"


def write_crawl(
    folder: Path,
    facts: Sequence[Fact],
    shown: Sequence[Snapshot] = (),
    notes: Sequence[Note] = (),
    picture: bytes | None = None,
) -> None:
    """A folder with a journal, evidence and notes; all states have the same picture, if there is one."""
    with closing(EvidenceWriter(folder)) as evidence, closing(open_journal(folder / JOURNAL_NAME)) as journal:
        for snapshot in shown:
            evidence.keep(snapshot, picture)
        evidence.note(notes, FIRST, "click b")
        evidence.flush()
        journal.append(facts)


def snapshot(state: str, events: Sequence[str], text: str = "", html: str = "<p>hello</p>") -> Snapshot:
    """A state that says something, and holds it everywhere where a page can."""
    return Snapshot(
        state=state,
        events=tuple(events),
        labels=tuple(events),
        url=f"http://app.test/{text}",
        title=text,
        html=html,
        normal=f'/p\x1f"\x1f{text}',
        links=(f"http://app.test/{text}", text),
        forms=({"action": text, "method": text, "fields": [[text, text, text]]},),
        cut=False,
    )


def with_section(shown: Snapshot, text: str) -> Snapshot:
    """The state with a section whose id, label and text say something, as `regions_of` tells."""
    lines = [("<", "section"), ("@aria-label", text), ("@id", text), ('"', text), (">", "")]
    return replace(shown, normal="\x1e".join(f"/p\x1f{what}\x1f{value}" for what, value in lines))


def regions_of(text: str, content: str) -> tuple[Region, ...]:
    """The page and one section, which has the first event."""
    return Region("", "page", "page", "page"), Region(f"#{text}", "shape", "look", content, (0,))


def facts_of(text: str) -> list[Fact]:
    """A crawl that has everything in it that a report tells of; whatever a page can choose says this text."""
    one, other, third = f"click a {text}", f"{text}", "click b"
    return [
        CrawlStarted(
            application=text,
            configuration={"strategy": "greedy", "model": "components", text: text},
            reset_cost=2.0,
            at=1000.0,
        ),
        StateFound(
            state=FIRST,
            events=(one, other, third),
            at=1001.0,
            url=f"http://app.test/{text}",
            title=text,
            regions=regions_of(text, "one"),
        ),
        StateFound(state=SECOND, events=(one,), at=1003.0, url=text, title=text, regions=regions_of(text, "another")),
        TransitionExplored(state=FIRST, event=one, target=SECOND, fired=1, resets=1),
        TransitionExplored(state=SECOND, event=one, target=FIRST, fired=2, resets=1),
        TransitionDiverged(state=FIRST, event=one, expected=SECOND, landed=FIRST, incident=1),
        EventHung(state=FIRST, event=other, reason=text),
        EventRefused(state=FIRST, event=third, reason=text),
        BoundarySeen(state=FIRST, event=one, what=text, url=text),
        BoundarySeen(state=FIRST, what="window", url=f"javascript:{text}"),
        CrawlEnded(reason=text, at=1010.0),
    ]
