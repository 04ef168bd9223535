"""`statecrawl explain`: why two states were called equal or different."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from statecrawl.cli.console import output
from statecrawl.errors import BadInput, printable
from statecrawl.results.explanation import Explanation
from statecrawl.results.explanation import explain as compare_states
from statecrawl.stores.evidence import JOURNAL_NAME

MOST_SHOWN = 12  # differences


def explain(
    one: Annotated[str, typer.Argument(metavar="STATE", help="Number of a state, or the beginning of its id.")],
    other: Annotated[str, typer.Argument(metavar="STATE", help="Another, or the same.")],
    crawl: Annotated[Path | None, typer.Option("--in", help="Folder of the crawl; default: the only one here.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="As one JSON object.")] = False,
) -> None:
    """Say why two states of a crawl were called different, or what does not count when they are the same.

    Examples:
      statecrawl explain 0 3 --in crawl-test-ria

    Exit codes: 0 said; 2 there is no such crawl or state; 3 the journal cannot be used.
    """
    told = compare_states(crawl or _only_crawl(), one, other)
    if as_json:
        output.print(json.dumps(asdict(told)), markup=False, soft_wrap=True)
        return
    _print(told)


def _print(told: Explanation) -> None:
    def say(text: str, style: str = "") -> None:
        output.print(Text(printable(text), style=style), soft_wrap=True)

    say(f"{told.one[:12]}  {told.urls[0]}")
    say(f"{told.other[:12]}  {told.urls[1]}")
    for text in _verdict(told):
        say(text)
    for difference in told.differences[:MOST_SHOWN]:
        say(f"at {difference.place}", "bold")
        for words in difference.one[:MOST_SHOWN]:
            say(f"  - {words}", "red")
        for words in difference.other[:MOST_SHOWN]:
            say(f"  + {words}", "green")
    if len(told.differences) > MOST_SHOWN:
        say(f"… and {len(told.differences) - MOST_SHOWN} more places; --json has them all.")
    for name, events in (("first", told.events_only_in_one), ("second", told.events_only_in_other)):
        if events:
            say(f"Events only in the {name}: {', '.join(events[:MOST_SHOWN])}")
    for text in _left_out(told):
        say(text)


def _verdict(told: Explanation) -> Iterator[str]:
    if told.same:
        yield "They are the same state: equal in everything that counts, and in their events."
        return
    places = "1 place differs" if len(told.differences) == 1 else f"{len(told.differences)} places differ"
    yield f"They are different: {places} under the equivalence '{told.equivalence}'."
    if told.only_hidden:
        yield "Only hidden content differs. --ignore-hidden leaves it out of the next crawl."


def _left_out(told: Explanation) -> Iterator[str]:
    """What does not count, and what might not have counted."""
    noted = [(place or "everywhere", what) for place, what in told.rules if what.startswith(".") or not place]
    dynamic = [(place, what) for place, what in told.rules if place and not what.startswith(".")]
    if dynamic:
        yield f"Left out as dynamic content, found by comparing loads: {_listed(dynamic)}"
    if noted:
        yield f"Left out as marks of pointer and focus, or as counters: {_listed(noted)}"
    if not told.rules:
        yield "No dynamic content was found, so nothing is left out."
    if told.rejected:
        yield "Differed between loads, and counts all the same (--ignore leaves it out):"
    yield from (f"  {place} ({what}): {reason}" for place, what, reason in told.rejected[:MOST_SHOWN])
    if len(told.rejected) > MOST_SHOWN:
        yield f"  … and {len(told.rejected) - MOST_SHOWN} more; --json has them all."


def _listed(rules: Iterable[tuple[str, str]]) -> str:
    return ", ".join(f"{place} ({what})" for place, what in rules)


def _only_crawl() -> Path:
    here = sorted(path.parent for path in Path().glob(f"*/{JOURNAL_NAME}"))
    if len(here) != 1:
        found = f"there are {len(here)} here" if here else "there is none here"
        raise BadInput(f"name the folder of a crawl with --in: {found}.")
    return here[0]
