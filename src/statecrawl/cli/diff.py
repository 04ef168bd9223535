"""`statecrawl diff`: differences between two crawls."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from statecrawl.cli.console import note, output
from statecrawl.cli.output_files import check_writable, write
from statecrawl.cli.summary import counted
from statecrawl.errors import EXIT_DISAGREES, printable
from statecrawl.report.crawl.event_text import in_words
from statecrawl.report.difference.difference import ChangedState, ComparedState, ComparedTransition, CrawlDifference
from statecrawl.report.difference.page import difference_page
from statecrawl.results.diff import compare_crawls

MOST_SHOWN = 12  # of each kind
MOST_PLACES = 6  # of a changed state
STYLES = {"-": "red", "+": "green"}


def diff(
    old: Annotated[Path, typer.Argument(metavar="OLD", help="Directory of a crawl.")],
    new: Annotated[Path, typer.Argument(metavar="NEW", help="Directory of a later crawl.")],
    out: Annotated[Path | None, typer.Option(help="Also write an HTML page, such as diff.html.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Compare two crawls: list new, removed and changed states, events and transitions.

    States are matched by their content, then by the path to them, by URL and by similarity. A state whose text differs
    is listed as changed, with the differences. A warning is printed if one of the crawls is not complete.

    Examples:
      statecrawl diff monday tuesday
      # as an HTML page
      statecrawl diff monday tuesday --out diff.html
      # for a program
      statecrawl diff monday tuesday --json

    Exit codes: 0 no differences; 2 there is no such crawl, or the page cannot be written; 3 a journal is damaged; 7
    the crawls differ.
    """
    if out is not None:
        check_writable(out)
    changes = compare_crawls(old, new)
    if out is not None:
        write(out, difference_page(changes, str(old), str(new)))
        note(f"wrote {out}")
    if as_json:
        output.print(json.dumps({"same_model": changes.is_empty, **asdict(changes)}), markup=False, soft_wrap=True)
    else:
        for line in difference_lines(changes):
            output.print(Text(printable(line), style=STYLES.get(line.lstrip()[:1], "")), soft_wrap=True)
    if not changes.is_empty:
        raise typer.Exit(EXIT_DISAGREES)


def difference_lines(changes: CrawlDifference) -> Iterator[str]:
    """Return a difference as lines of text."""
    before, after = changes.states
    yield from (f"warning: {warning}" for warning in changes.warnings)
    yield f"{counted(before, 'state')} and {counted(changes.transitions[0], 'transition')} before,"
    yield f"{counted(after, 'state')} and {counted(changes.transitions[1], 'transition')} now: {_in_short(changes)}"
    yield from _block("changed states", [list(_changed(each)) for each in changes.states_changed])
    yield from _block("new states", [[f"+ {_state(each)}"] for each in changes.states_new])
    yield from _block("removed states", [[f"- {_state(each)}"] for each in changes.states_gone])
    yield from _block("transitions with another target", [[_transition(each)] for each in changes.transitions_changed])
    yield from _block("new transitions", [[f"+ {_transition(each)}"] for each in changes.transitions_new])
    yield from _block("removed transitions", [[f"- {_transition(each)}"] for each in changes.transitions_gone])
    yield from _block("new events", [[f"+ {name}"] for name in changes.events_new])
    yield from _block("removed events", [[f"- {name}"] for name in changes.events_gone])


def _in_short(changes: CrawlDifference) -> str:
    if changes.is_empty:
        return "no differences"
    kinds = {"changed": changes.states_changed, "new": changes.states_new, "removed": changes.states_gone}
    counts = [f"{changes.same:,} identical states", *(f"{len(each):,} {kind}" for kind, each in kinds.items())]
    return ", ".join(counts)


def _block(title: str, items: Sequence[Sequence[str]]) -> Iterator[str]:
    if items:
        yield f"{title}: {len(items):,}"
        for item in items[:MOST_SHOWN]:
            yield from (f"  {line}" for line in item)
    if len(items) > MOST_SHOWN:
        yield f"  … and {len(items) - MOST_SHOWN:,} more; --json lists them all"


def _state(state: ComparedState) -> str:
    return f"{state.number}: {', '.join(state.way) or 'no known path'}"


def _changed(changed: ChangedState) -> Iterator[str]:
    yield f"{changed.old.number} → {_state(changed.new)}"
    for place, before, after in changed.places[:MOST_PLACES]:
        yield f"  at {place}"
        yield from (f"    - {line}" for line in before)
        yield from (f"    + {line}" for line in after)
    if len(changed.places) > MOST_PLACES:
        yield f"  … and {len(changed.places) - MOST_PLACES:,} more places"


def _transition(transition: ComparedTransition) -> str:
    words, here = in_words(transition.event), transition.new if transition.new is not None else transition.old
    match transition.led, transition.leads:
        case None, leads:
            return f"in {here}: {words} leads to {leads}"
        case led, None:
            return f"in {here}: {words} led to {led}"
        case led, leads:
            return f"in {here}: {words} led to {led}, now leads to {leads}"
