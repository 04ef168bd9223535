"""Findings of a crawl, and their output formats."""

import json
from collections.abc import Container, Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from statecrawl.exports.finding_formats import junit, sarif
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
    """Return the application of the crawl in a directory, and its findings. Raises BadInput and StoreError."""
    crawled = opened(folder, "findings")
    return crawled.application, findings_of(crawled, _notes(EvidenceReader(folder)), read_findings(folder))


def written(
    findings: list[Finding], application: str, form: str, before: Container[Key] | None = None
) -> Iterator[bytes]:
    """Return findings in a format for programs; SARIF also marks which ones are new, if a baseline is given."""
    match form:
        case "sarif":
            return sarif(findings, application, VERSION, before)
        case "junit":
            return junit(findings, application)
        case _:
            text = json.dumps(msgspec.to_builtins(findings), separators=(",", ":"))  # ASCII, safe for a terminal
            return iter([text.encode() + b"\n"])


def _notes(evidence: EvidenceReader) -> Iterator[NoteEvidence]:
    for line in _lines(evidence.notes()):
        yield Note(line.kind, line.what), line.state, line.event


def _lines(lines: Iterable[bytes]) -> Iterator[_Line]:
    for line in lines:
        try:
            yield msgspec.json.decode(line, type=_Line)
        except msgspec.DecodeError:
            continue  # cut off by a crash
