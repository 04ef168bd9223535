"""`python -m bench.labels.sheet [NAME…]`: sheets by which a person labels the sampled states of crawled applications.

A sheet is a page with the picture of each sampled state, its URL and title, and how its document differs from that of
the most similar state before it on the sheet. It says nothing about what our reductions do, so labels are independent
of them. A file of labels is begun beside the recording, unless there is one.
"""

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import unified_diff
from html import escape
from pathlib import Path
from typing import NamedTuple

from bench.labels import labels, recording
from bench.labels.crawls import LABELLED, RESULTS, crawl_folder
from bench.labels.sample import sample
from statecrawl.ports.page import lines_of
from statecrawl.stores.evidence import EvidenceReader

LEFT_OUT = {"!", ">", "-"}  # lines of events, of the ends of elements, and of what is hidden
MOST_LINES = 60  # of a difference
LONGEST = 160  # characters of a line
STYLE = (
    "body{font:12px monospace} section{border-top:2px solid;display:flex;gap:1em;padding:.5em 0} "
    "img{width:480px;align-self:flex-start} pre{margin:0;white-space:pre-wrap}"
)


class Sampled(NamedTuple):
    """A state as it is shown on a sheet."""

    state: str
    url: str
    title: str
    lines: list[str]  # what its document shows


def sheet(name: str) -> Path:
    """Write the sheet of a crawled application, record the crawl, and begin its labels."""
    reader = EvidenceReader(crawl_folder(name))
    recording.DATA.mkdir(exist_ok=True)
    recording.record(crawl_folder(name), recording.recording_of(name))
    ids, _ = recording.folded(recording.read(recording.recording_of(name)))
    states = sample(ids)
    if not labels.labels_of(name).exists():
        labels.labels_of(name).write_text(labels.template(states), encoding="utf-8")
    path = RESULTS / name / "sheet.html"
    path.write_text(_page(name, [_sampled(reader, state) for state in states]), encoding="utf-8")
    return path


def _sampled(reader: EvidenceReader, state: str) -> Sampled:
    about = reader.about(state)
    return Sampled(state, str(about["url"]), str(about["title"]), list(_shown(str(about["normal"]))))


def _shown(normal: str) -> Iterator[str]:
    """Yield a line for each element with its attributes, and one for each text."""
    for place, what, value, *_ in lines_of(normal):
        if what not in LEFT_OUT:
            yield f"{'/'.join(place.split('/')[-2:])} {what} {value}"[:LONGEST]


def differences(shown: Sequence[Sampled]) -> Iterator[tuple[int, list[str]]]:
    """Yield for each state the most similar one before it, and the difference of their documents; -1 for the first."""
    counted = [Counter(one.lines) for one in shown]
    for number, one in enumerate(shown):
        nearest = min(range(number), key=lambda other: _distance(counted[number], counted[other]), default=-1)
        before = shown[nearest].lines if nearest >= 0 else []
        yield nearest, list(unified_diff(before, one.lines, n=0, lineterm=""))[2:]


def _distance(one: Counter[str], other: Counter[str]) -> int:
    return (one - other).total() + (other - one).total()


def _page(name: str, shown: Sequence[Sampled]) -> str:
    sections = "".join(
        f'<section><img src="crawl/states/{one.state}.jpg"><pre><b>{number}</b> {escape(one.url)} {escape(one.title)}\n'
        f"against {nearest + 1}\n{escape(chr(10).join(lines[:MOST_LINES]))}</pre></section>"
        for number, (one, (nearest, lines)) in enumerate(zip(shown, differences(shown), strict=True), 1)
    )
    return f'<!doctype html><meta charset="utf-8"><title>{escape(name)}</title><style>{STYLE}</style>{sections}'


def main(names: Sequence[str]) -> None:
    for name in names or LABELLED:
        print(sheet(name))


if __name__ == "__main__":
    main(sys.argv[1:])
