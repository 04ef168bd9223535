"""Findings as files for pipelines: SARIF 2.1.0, which code hosts display, and JUnit XML, which build servers read."""

import hashlib
import json
import re
from collections.abc import Container, Iterator, Sequence
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree

from statecrawl.errors import printable
from statecrawl.exports.findings import Key, key
from statecrawl.model.finding import KINDS, Finding

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_NO_XML = re.compile("[^\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # characters that XML does not allow


def sarif(
    findings: Sequence[Finding], application: str, version: str, before: Container[Key] | None = None
) -> Iterator[bytes]:
    """Yield a log of one run. With the keys of an earlier crawl, each result is marked as new or unchanged."""
    kinds = {**KINDS, **{finding.kind: finding.kind for finding in findings if finding.kind not in KINDS}}
    log = {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "statecrawl",
                        "version": version,
                        "rules": [{"id": kind, "shortDescription": {"text": text}} for kind, text in kinds.items()],
                    }
                },
                "results": [
                    _result(finding, list(kinds), application) | _since(finding, before) for finding in findings
                ],
            }
        ],
    }
    yield json.dumps(log, indent=1).encode() + b"\n"


def _result(finding: Finding, kinds: list[str], application: str) -> dict[str, Any]:
    fingerprint = hashlib.sha256("\0".join(key(finding)).encode(errors="replace")).hexdigest()
    where = [("state", finding.state), ("event", finding.event)]
    uri = quote(finding.url or application, safe="%/:=&?~#+!$,;'@()*[]")
    return {
        "ruleId": finding.kind,
        "ruleIndex": kinds.index(finding.kind),
        "level": finding.level,
        "message": {"text": finding.message or finding.kind},
        "locations": [
            {
                "physicalLocation": {"artifactLocation": {"uri": uri}},
                "logicalLocations": [{"kind": kind, "fullyQualifiedName": name} for kind, name in where if name],
            }
        ],
        "partialFingerprints": {"trouble/v1": fingerprint},
    }


def _since(finding: Finding, before: Container[Key] | None) -> dict[str, str]:
    return {} if before is None else {"baselineState": "unchanged" if key(finding) in before else "new"}


def junit(findings: Sequence[Finding], application: str) -> Iterator[bytes]:
    """Yield a test suite: one failed test for each finding, and one passed test for each kind without findings."""
    seen = {finding.kind for finding in findings}
    passed = [kind for kind in KINDS if kind not in seen]
    suite = ElementTree.Element(
        "testsuite",
        name=_plain(f"statecrawl {application}"),
        tests=str(len(findings) + len(passed)),
        failures=str(len(findings)),
        errors="0",
    )
    for kind in passed:
        ElementTree.SubElement(suite, "testcase", classname="statecrawl", name=kind)
    for finding in findings:
        case = ElementTree.SubElement(
            suite, "testcase", classname=f"statecrawl.{_plain(finding.kind)}", name=_plain(finding.message)
        )
        failure = ElementTree.SubElement(case, "failure", type=finding.level, message=_plain(finding.message))
        places = {"state": finding.state, "event": finding.event, "url": finding.url}
        failure.text = _plain("\n".join(f"{name}: {value}" for name, value in places.items() if value))
    yield ElementTree.tostring(suite, encoding="utf-8", xml_declaration=True) + b"\n"


def _plain(text: str) -> str:
    """Return text without characters that XML forbids or that control terminals."""
    return _NO_XML.sub("�", "\n".join(map(printable, text.split("\n"))))
