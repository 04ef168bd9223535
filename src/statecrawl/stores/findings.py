"""Findings of the user's own checks: findings.jsonl in the directory of a crawl, one JSON object per line."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import msgspec

from statecrawl.errors import StoreError
from statecrawl.model.finding import Finding
from statecrawl.privacy.redaction import Redactor

FINDINGS_NAME = "findings.jsonl"


def read_findings(folder: Path) -> list[Finding]:
    """Return the stored findings. Invalid lines are skipped."""
    try:
        lines = (folder / FINDINGS_NAME).read_bytes().splitlines()
    except OSError:
        return []
    found = []
    for line in lines:
        try:
            found.append(msgspec.json.decode(line, type=Finding))
        except (msgspec.DecodeError, ValueError):
            continue
    return found


def add_findings(folder: Path, findings: Iterable[Finding], redactor: Redactor | None = None) -> None:
    """Add findings to the stored ones, each once. Without a redactor, secrets are stored. Raises StoreError."""
    known = dict.fromkeys(read_findings(folder))
    known.update(dict.fromkeys(findings if redactor is None else (_redacted(each, redactor) for each in findings)))
    draft = folder / f".{FINDINGS_NAME}.tmp"
    try:
        draft.write_bytes(b"".join(msgspec.json.encode(finding) + b"\n" for finding in known))
        draft.replace(folder / FINDINGS_NAME)
    except OSError as error:
        raise StoreError(f"cannot write into {folder}: {error.strerror}; make room, then run it again.") from error


def _redacted(finding: Finding, redactor: Redactor) -> Finding:
    return replace(finding, message=redactor.text(finding.message), url=redactor.text(finding.url))
