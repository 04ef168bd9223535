"""Explain why two states of a crawl are different, or what is ignored if they are the same."""

import difflib
from collections.abc import Collection, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from statecrawl.crawler.recorded_parts import names_of_parts
from statecrawl.errors import BadInput
from statecrawl.journal.fold import fold
from statecrawl.model.component_tasks import Unit
from statecrawl.ports.page import REJECTED, lines_of
from statecrawl.report.crawl.state_evidence import notes_of
from statecrawl.stores.evidence import EvidenceReader, journal_of
from statecrawl.stores.sqlite_journal import open_reader
from statecrawl.strategies.component_frontier import ComponentFrontier
from statecrawl.strategies.component_summary import folded_components, left_out

LEAST_PREFIX = 4  # characters of an id that identify it
REJECTED_FIELDS = 3  # place, what, reason
HIDDEN = "-"  # mark in a normal form: the element that starts before this line is not visible
FOREIGN_FRAME = "~"  # mark in a normal form: the frame that starts before this line shows a page of another origin
MARKS = (">", HIDDEN, FOREIGN_FRAME)  # lines without text
LONGEST_NUMBER = 12  # digits; anything longer is the prefix of an id

LeftOut = tuple[tuple[str, int], ...]  # events, each with the state in which an equal one of the same part was fired
TextLine = tuple[str, str]  # a place in the page, and its text


@dataclass(frozen=True, slots=True, kw_only=True)
class StateDifference:
    """One place where two states differ."""

    place: str
    one: tuple[str, ...]
    other: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """Comparison of two states."""

    one: str
    other: str
    urls: tuple[str, str]
    same: bool
    differences: tuple[StateDifference, ...]
    events_only_in_one: tuple[str, ...]
    events_only_in_other: tuple[str, ...]
    equivalence: str
    rules: tuple[tuple[str, str], ...]  # learned rules for dynamic content, which is ignored
    only_hidden: bool = False  # all differences are invisible in the page
    parts: tuple[str, ...] | None = None  # of the page, that differ; None if the crawl did not go part by part
    left_out: tuple[LeftOut, LeftOut] = ((), ())  # events of each state that were not fired
    rejected: tuple[tuple[str, str, str], ...] = ()  # place, what, and why it was not ignored as dynamic content


def explain(folder: Path, one: str, other: str) -> Explanation:
    """Compare two states of a crawl, given by number or by the beginning of their ids.

    Raises BadInput if there is no such state, no crawl or no evidence; StoreError for the journal.
    """
    with closing(open_reader(journal_of(folder))) as reader:
        facts = list(reader.read())
    crawl, frontier = fold(facts), folded_components(facts)
    ids = [state_named(folder, crawl.graph.ids, name) for name in (one, other)]
    evidence = EvidenceReader(folder)
    about = [evidence.about(state) for state in ids]
    lines = [[*text_lines(each["normal"])] for each in about]
    events: list[list[str]] = [each["events"] for each in about]
    known = [set(names) for names in events]
    started = crawl.started
    found = tuple(differences(*lines))
    first, second = (crawl.graph.numbers[state] for state in ids)
    by_parts = frontier if frontier is not None and frontier.is_active else None
    return Explanation(
        parts=None if by_parts is None else _differing_parts(by_parts, first, second, evidence),
        left_out=((), ()) if by_parts is None else (_left_out(by_parts, first), _left_out(by_parts, second)),
        one=ids[0],
        other=ids[1],
        urls=(str(about[0]["url"]), str(about[1]["url"])),
        same=ids[0] == ids[1],
        differences=found,
        events_only_in_one=tuple(event for event in events[0] if event not in known[1]),
        events_only_in_other=tuple(event for event in events[1] if event not in known[0]),
        equivalence=str(started.configuration.get("equivalence", "content")) if started else "content",
        rules=tuple(crawl.rules),
        only_hidden=bool(found) and events[0] == events[1] and _is_hidden(*(str(each["normal"]) for each in about)),
        rejected=_rejected(evidence, {difference.place for difference in found}, crawl.rules),
    )


def _differing_parts(frontier: ComponentFrontier, one: int, other: int, evidence: EvidenceReader) -> tuple[str, ...]:
    """Return the names of the parts of the page that differ between two states. Equal ones are told together."""
    ids, places = frontier.graph.ids, dict[str, list[Unit]]()
    for unit in sorted(frontier.components.changed_units(one, other)):
        places.setdefault(unit[0], []).append(unit)
    names = names_of_parts(evidence, (ids[one], ids[other]), places)
    changing = frontier.components.changing()
    told = (
        names.of(place, several=True)
        if len(units) > 1
        else names.of_unit(units[0], is_alone=(place, 1) not in changing)
        for place, units in places.items()
    )
    return tuple(dict.fromkeys(told))


def _left_out(frontier: ComponentFrontier, state: int) -> LeftOut:
    graph = frontier.graph
    return tuple((graph.event(state, position).local, fired) for position, fired in left_out(frontier, state))


def _rejected(
    evidence: EvidenceReader, differing: set[str], rules: Collection[tuple[str, str]]
) -> tuple[tuple[str, str, str], ...]:
    """Return what differed between loads but is not ignored; places where the two states differ come first."""
    values = (note.what for note in notes_of(evidence.notes()) if note.kind == REJECTED)
    valid = (value for value in values if isinstance(value, list) and len(value) == REJECTED_FIELDS)
    reasons = {(str(place), str(what)): str(reason) for place, what, reason in valid}
    left = [(*candidate, reason) for candidate, reason in reasons.items() if candidate not in rules]
    return tuple(sorted(left, key=lambda each: (each[0] not in differing, each)))


def state_named(folder: Path, ids: list[str], name: str) -> str:
    """Return the id of a state, given by its number or by the beginning of its id. Raises BadInput."""
    if name.isascii() and name.isdigit() and len(name) < LONGEST_NUMBER and int(name) < len(ids):
        return ids[int(name)]
    matches = [state for state in ids if len(name) >= LEAST_PREFIX and state.startswith(name)]
    if len(matches) == 1:
        return matches[0]
    if matches:
        raise BadInput(f"the ids of {len(matches)} states start with '{name}': write more characters.")
    if not ids:
        raise BadInput(f"the crawl in {folder} has no states yet.")
    raise BadInput(
        f"there is no state '{name}' in {folder}: use a number from 0 to {len(ids) - 1:,},"
        f" or at least {LEAST_PREFIX} characters of the beginning of an id."
    )


def text_lines(normal: str) -> Iterator[TextLine]:
    """Yield the lines of a normal form in readable form, each with its place."""
    return (_text_line(line) for line in lines_of(normal) if line[1] not in MARKS)


def _is_hidden(one: str, other: str) -> bool:
    """Whether two normal forms differ only inside invisible elements."""
    visible = [list(_visible(lines_of(normal))) for normal in (one, other)]
    return visible[0] == visible[1]


def _visible(lines: Iterable[tuple[Any, ...]]) -> Iterator[TextLine]:
    """Yield the lines of a normal form outside of invisible elements, and the tags of these elements."""
    depth, hidden = 0, 0
    for line in lines:
        depth += (line[1] == "<") - (line[1] == ">")
        if line[1] == HIDDEN:
            hidden = hidden or depth
        elif not hidden and line[1] not in MARKS:
            yield _text_line(line)
        if depth < hidden:
            hidden = 0


def _text_line(line: tuple[Any, ...]) -> TextLine:
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


def differences(one: list[TextLine], other: list[TextLine]) -> list[StateDifference]:
    """Return the places where two states differ, in document order."""
    found: list[StateDifference] = []
    for verb, i, to_i, j, to_j in difflib.SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        if verb != "equal":
            found += _by_place(one[i:to_i], other[j:to_j])
    return found


def _by_place(one: list[TextLine], other: list[TextLine]) -> Iterator[StateDifference]:
    """Group consecutive differing lines by place: several neighbouring places may differ."""
    places: dict[str, tuple[list[str], list[str]]] = {}
    for side, lines in enumerate((one, other)):
        for place, text in lines:
            places.setdefault(place, ([], []))[side].append(text)
    for place, (here, there) in places.items():
        yield StateDifference(place=place, one=tuple(here), other=tuple(there))
