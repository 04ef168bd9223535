"""Explain why two states were called different, or what was left out when they were called the same."""

import difflib
from collections.abc import Collection, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from statecrawl.errors import BadInput
from statecrawl.journal.fold import fold
from statecrawl.ports.page import REJECTED, lines_of
from statecrawl.report.crawl.state_evidence import notes_of
from statecrawl.stores.evidence import EvidenceReader, journal_of
from statecrawl.stores.sqlite_journal import open_reader

LEAST_PREFIX = 4  # characters of an id that name it
REJECTED_FIELDS = 3  # place, what, reason
HIDDEN = "-"  # a line that says: the element that begins before it cannot be seen
FOREIGN_FRAME = "~"  # a line that says: the frame that begins before it shows a page of another origin
UNSAID = (">", HIDDEN, FOREIGN_FRAME)
LONGEST_NUMBER = 12  # digits; what is longer begins an id

Said = tuple[str, str]  # a place, and what stands there


@dataclass(frozen=True, slots=True, kw_only=True)
class StateDifference:
    """One place where two states differ."""

    place: str
    one: tuple[str, ...]
    other: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """What there is to say about two states."""

    one: str
    other: str
    urls: tuple[str, str]
    same: bool
    differences: tuple[StateDifference, ...]
    events_only_in_one: tuple[str, ...]
    events_only_in_other: tuple[str, ...]
    equivalence: str
    rules: tuple[tuple[str, str], ...]  # learnt: what is left out
    only_hidden: bool = False  # whether all that differs cannot be seen
    rejected: tuple[tuple[str, str, str], ...] = ()  # place, what, and why it was not taken for dynamic content


def explain(folder: Path, one: str, other: str) -> Explanation:
    """Compare two states of a crawl, named by number or by the beginning of their ids.

    Raises BadInput when there is no such state, no crawl or no evidence, and what a journal raises.
    """
    with closing(open_reader(journal_of(folder))) as reader:
        crawl = fold(reader.read())
    ids = [state_named(folder, crawl.graph.ids, name) for name in (one, other)]
    evidence = EvidenceReader(folder)
    about = [evidence.about(state) for state in ids]
    lines = [[*said_lines(told["normal"])] for told in about]
    events: list[list[str]] = [told["events"] for told in about]
    known = [set(names) for names in events]
    started = crawl.started
    found = tuple(differences(*lines))
    return Explanation(
        one=ids[0],
        other=ids[1],
        urls=(str(about[0]["url"]), str(about[1]["url"])),
        same=ids[0] == ids[1],
        differences=found,
        events_only_in_one=tuple(event for event in events[0] if event not in known[1]),
        events_only_in_other=tuple(event for event in events[1] if event not in known[0]),
        equivalence=str(started.configuration.get("equivalence", "content")) if started else "content",
        rules=tuple(crawl.rules),
        only_hidden=bool(found) and events[0] == events[1] and _is_hidden(*(str(told["normal"]) for told in about)),
        rejected=_rejected(evidence, {difference.place for difference in found}, crawl.rules),
    )


def _rejected(
    evidence: EvidenceReader, differing: set[str], rules: Collection[tuple[str, str]]
) -> tuple[tuple[str, str, str], ...]:
    """What differed between loads and was not taken for dynamic content; first where the two states differ."""
    told = (note.what for note in notes_of(evidence.notes()) if note.kind == REJECTED)
    shaped = (what for what in told if isinstance(what, list) and len(what) == REJECTED_FIELDS)
    found = {(str(place), str(what)): str(reason) for place, what, reason in shaped}
    left = [(*candidate, reason) for candidate, reason in found.items() if candidate not in rules]
    return tuple(sorted(left, key=lambda each: (each[0] not in differing, each)))


def state_named(folder: Path, ids: list[str], name: str) -> str:
    """The id of a state, by its number or by how its id begins. Raises BadInput."""
    if name.isascii() and name.isdigit() and len(name) < LONGEST_NUMBER and int(name) < len(ids):
        return ids[int(name)]
    meant = [state for state in ids if len(name) >= LEAST_PREFIX and state.startswith(name)]
    if len(meant) == 1:
        return meant[0]
    if meant:
        raise BadInput(f"'{name}' begins the ids of {len(meant)} states: write more of it.")
    if not ids:
        raise BadInput(f"the crawl in {folder} has not found a state yet.")
    raise BadInput(
        f"there is no state '{name}' in {folder}: name one by its number, 0 to {len(ids) - 1:,},"
        f" or by {LEAST_PREFIX} or more characters with which its id begins."
    )


def said_lines(normal: str) -> Iterator[Said]:
    """A normal form line by line: where, and what stands there, as one reads it."""
    return (_said(line) for line in lines_of(normal) if line[1] not in UNSAID)


def _is_hidden(one: str, other: str) -> bool:
    """Whether two normal forms that differ only do so inside elements that cannot be seen."""
    shown = [list(_shown(lines_of(normal))) for normal in (one, other)]
    return shown[0] == shown[1]


def _shown(lines: Iterable[tuple[Any, ...]]) -> Iterator[Said]:
    """What stands in a normal form outside of hidden elements, and the tags of these."""
    depth, hidden = 0, 0
    for line in lines:
        depth += (line[1] == "<") - (line[1] == ">")
        if line[1] == HIDDEN:
            hidden = hidden or depth
        elif not hidden and line[1] not in UNSAID:
            yield _said(line)
        if depth < hidden:
            hidden = 0


def _said(line: tuple[Any, ...]) -> Said:
    place, what, value = str(line[0]), str(line[1]), str(line[2])
    match what[:1]:
        case "<":
            return place, f"<{value}>"
        case "@":
            return place, f'{what[1:]}="{value}"'
        case "!":
            return "events", value
        case _:
            return place, f"text '{value}'"


def differences(one: list[Said], other: list[Said]) -> list[StateDifference]:
    """The places where two states differ, in the order in which they stand."""
    found: list[StateDifference] = []
    for verb, i, to_i, j, to_j in difflib.SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        if verb != "equal":
            found += _by_place(one[i:to_i], other[j:to_j])
    return found


def _by_place(one: list[Said], other: list[Said]) -> Iterator[StateDifference]:
    """Lines that stand together belong to several places where several neighbours differ."""
    places: dict[str, tuple[list[str], list[str]]] = {}
    for side, lines in enumerate((one, other)):
        for place, said in lines:
            places.setdefault(place, ([], []))[side].append(said)
    for place, (here, there) in places.items():
        yield StateDifference(place=place, one=tuple(here), other=tuple(there))
