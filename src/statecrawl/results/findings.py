"""Judging an application by what a crawl has found in it."""

import json
from collections.abc import Container, Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from statecrawl.exports.finding_files import junit, sarif
from statecrawl.exports.findings import Key, findings_of
from statecrawl.fleet.invitation import VERSION
from statecrawl.model.finding import Finding
from statecrawl.ports.coordinator_link import NoteEvidence
from statecrawl.ports.page import Note
from statecrawl.results.export import opened
from statecrawl.stores.evidence import EvidenceReader
from statecrawl.stores.findings import read_findings

TEXT, JSON, SARIF, JUNIT = FORMATS = ("text", "json", "sarif", "junit")


class _Line(msgspec.Struct):
    kind: str
    what: Any
    state: str
    event: str | None


def findings_in(folder: Path) -> tuple[str, list[Finding]]:
    """The application whose crawl is in a folder, and what is wrong with it. Raises BadInput and StoreError."""
    crawled = opened(folder, "findings")
    return crawled.application, findings_of(crawled, _notes(EvidenceReader(folder)), read_findings(folder))


def written(
    findings: list[Finding], application: str, form: str, before: Container[Key] | None = None
) -> Iterator[bytes]:
    """Findings in a format for machines; SARIF also says which were there before, if that is known."""
    match form:
        case "sarif":
            return sarif(findings, application, VERSION, before)
        case "junit":
            return junit(findings, application)
        case _:
            told = json.dumps(msgspec.to_builtins(findings), separators=(",", ":"))  # in ASCII: it may go to a terminal
            return iter([told.encode() + b"\n"])


def _notes(evidence: EvidenceReader) -> Iterator[NoteEvidence]:
    for line in _lines(evidence.notes()):
        yield Note(line.kind, line.what), line.state, line.event


def _lines(lines: Iterable[bytes]) -> Iterator[_Line]:
    for line in lines:
        try:
            yield msgspec.json.decode(line, type=_Line)
        except msgspec.DecodeError:
            continue  # cut off by a crash
