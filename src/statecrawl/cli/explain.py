"""`statecrawl explain`: why a crawl considers two states equal or different."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from statecrawl.cli.console import output
from statecrawl.cli.summary import counted
from statecrawl.errors import BadInput, printable
from statecrawl.report.crawl.event_text import in_words
from statecrawl.results.explanation import Explanation, LeftOut
from statecrawl.results.explanation import explain as compare_states
from statecrawl.stores.evidence import JOURNAL_NAME

MOST_SHOWN = 12  # differences
MOST_LEFT_OUT = 4  # events of one state


def explain(
    one: Annotated[str, typer.Argument(metavar="STATE", help="Number of a state, or the beginning of its id.")],
    other: Annotated[str, typer.Argument(metavar="STATE", help="Another state, or the same.")],
    crawl: Annotated[
        Path | None, typer.Option("--in", help="Directory of the crawl. Default: the only one here.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Explain why two states of a crawl are different, or what is ignored if they are the same.

    Examples:
      statecrawl explain 0 3 --in crawl-test-ria

    Exit codes: 0 done; 2 there is no such crawl or state; 3 the journal cannot be used.
    """
    explanation = compare_states(crawl or _only_crawl(), one, other)
    if as_json:
        output.print(json.dumps(asdict(explanation)), markup=False, soft_wrap=True)
        return
    _print(explanation)


def _print(explanation: Explanation) -> None:
    def line(text: str, style: str = "") -> None:
        output.print(Text(printable(text), style=style), soft_wrap=True)

    line(f"{explanation.one[:12]}  {explanation.urls[0]}")
    line(f"{explanation.other[:12]}  {explanation.urls[1]}")
    for text in _verdict(explanation):
        line(text)
    for difference in explanation.differences[:MOST_SHOWN]:
        line(f"at {difference.place}", "bold")
        for words in difference.one[:MOST_SHOWN]:
            line(f"  - {words}", "red")
        for words in difference.other[:MOST_SHOWN]:
            line(f"  + {words}", "green")
    if len(explanation.differences) > MOST_SHOWN:
        line(f"… and {len(explanation.differences) - MOST_SHOWN} more places; --json lists them all.")
    only = {"first": explanation.events_only_in_one, "second": explanation.events_only_in_other}
    for name, events in only.items():
        if events:
            line(f"Events only in the {name}: {', '.join(events[:MOST_SHOWN])}")
    for text in _ignored(explanation):
        line(text)


def _verdict(explanation: Explanation) -> Iterator[str]:
    if explanation.same:
        yield "They are the same state: equal in everything that counts, and in their events."
        yield from _left_out("It", explanation.left_out[0])
        return
    count = len(explanation.differences)
    places = "1 place differs" if count == 1 else f"{count} places differ"
    yield f"They are different: {places} under the equivalence '{explanation.equivalence}'."
    if explanation.parts:
        yield f"The crawl went part by part. Parts of the page that differ: {', '.join(explanation.parts)}."
    elif explanation.parts is not None:
        yield "The crawl went part by part. All parts count as equal: only rows or values that were cut differ."
    for name, events in zip(("The first", "The second"), explanation.left_out, strict=True):
        yield from _left_out(name, events)
    if explanation.only_hidden:
        yield "Only hidden content differs. Use --ignore-hidden to ignore it in the next crawl."


def _left_out(name: str, events: LeftOut) -> Iterator[str]:
    """Return lines about events that were not fired in a state, because equal ones had been fired elsewhere."""
    if events:
        yield f"{name} has {counted(len(events), 'event')} that equal parts of the page had fired in other states:"
    for event, state in events[:MOST_LEFT_OUT]:
        yield f"  {in_words(event)}: fired in state {state}"
    if len(events) > MOST_LEFT_OUT:
        yield f"  … and {len(events) - MOST_LEFT_OUT} more; --json lists them all."


def _ignored(explanation: Explanation) -> Iterator[str]:
    """Return lines about what the crawl ignored, and about dynamic content that it did not ignore."""
    noted = [(place or "everywhere", what) for place, what in explanation.rules if what.startswith(".") or not place]
    dynamic = [(place, what) for place, what in explanation.rules if place and not what.startswith(".")]
    if dynamic:
        yield f"Ignored as dynamic content, because it differs between loads: {_listed(dynamic)}"
    if noted:
        yield f"Ignored as marks of pointer and focus, or as counters: {_listed(noted)}"
    if not explanation.rules:
        yield "No dynamic content was found, so nothing is ignored."
    if explanation.rejected:
        yield "Differs between loads, but was not ignored (use --ignore to ignore it):"
    yield from (f"  {place} ({what}): {reason}" for place, what, reason in explanation.rejected[:MOST_SHOWN])
    if len(explanation.rejected) > MOST_SHOWN:
        yield f"  … and {len(explanation.rejected) - MOST_SHOWN} more; --json lists them all."


def _listed(rules: Iterable[tuple[str, str]]) -> str:
    return ", ".join(f"{place} ({what})" for place, what in rules)


def _only_crawl() -> Path:
    here = sorted(path.parent for path in Path().glob(f"*/{JOURNAL_NAME}"))
    if len(here) != 1:
        found = f"there are {len(here)} crawls in this directory" if here else "there is no crawl in this directory"
        raise BadInput(f"{found}: choose the directory of a crawl with --in.")
    return here[0]
