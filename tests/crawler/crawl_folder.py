"""Folders as crawls leave them, made without a browser, for tests of what reads them."""

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from statecrawl.journal.facts import CrawlStarted, EquivalenceRevised, Fact, StateFound
from statecrawl.ports.page import Snapshot
from statecrawl.stores.evidence import JOURNAL_NAME, EvidenceWriter
from statecrawl.stores.sqlite_journal import open_journal

ONE, TWO, THREE = "aaaa11112222333344445555", "aaaa99998888777766665555", "0f0f0f0f0f0f0f0f0f0f0f0f"

Line = tuple[Any, ...]


def element(place: str, tag: str, *inside: Line, event: str = "", **attributes: str) -> list[Line]:
    """The lines of an element, as the agent writes them."""
    return [
        (place, "<", tag, 1) if event else (place, "<", tag),
        *([("", "!", event)] if event else []),
        *((place, f"@{name}", value) for name, value in attributes.items()),
        *inside,
        (place, ">", tag),
    ]


def text(place: str, words: str) -> Line:
    return (place, '"', words)


def joined(lines: Sequence[Line]) -> str:
    """The normal form with these lines, as the agent writes it."""
    return "".join("\x1f".join(map(str, line)) + "\x1e" for line in lines)


def snapshot(state: str, lines: Sequence[Line], *events: str, url: str = "http://host/") -> Snapshot:
    return Snapshot(
        state=state,
        events=events,
        labels=events,
        url=url,
        title="",
        html="<html></html>",
        normal=joined(lines),
        links=(),
        forms=(),
        cut=False,
    )


SNAPSHOTS = (
    snapshot(
        ONE,
        [
            *element("#title", "h1", text("#title", "Cart")),
            *element("#total", "p", text("#total", "3 items"), style="color: red"),
            *element("#buy", "button", text("#buy", "Go"), event="click button#buy"),
        ],
        "click button#buy",
        url="http://host/cart",
    ),
    snapshot(
        TWO,
        [
            *element("#title", "h1", text("#title", "Cart")),
            *element("#total", "p", text("#total", "4 items"), style="color: green"),
            *element("#empty", "a", text("#empty", "Empty"), event="click a#empty"),
        ],
        "click a#empty",
        url="http://host/cart?n=4",
    ),
    snapshot(THREE, [*element("#title", "h1", text("#title", "[red]Shop[/] \x1b[31m"))]),
)


def crawl_folder(
    folder: Path,
    snapshots: Sequence[Snapshot] = SNAPSHOTS,
    rules: tuple[tuple[str, str], ...] = (),
    equivalence: str = "content",
) -> Path:
    """Write the folder, and return it."""
    configuration = {"equivalence": equivalence}
    facts: list[Fact] = [CrawlStarted(application="http://host/", configuration=configuration, reset_cost=2.0)]
    if rules:
        facts.append(EquivalenceRevised(revision=1, rules=rules))
    facts += [StateFound(state=seen.state, events=seen.events, url=seen.url) for seen in snapshots]
    with closing(EvidenceWriter(folder)) as evidence, closing(open_journal(folder / JOURNAL_NAME)) as journal:
        for seen in snapshots:
            evidence.keep(seen, None)
        journal.append(facts)
    return folder
