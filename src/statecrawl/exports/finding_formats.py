"""Findings as files for pipelines: SARIF 2.1.0, which code hosts show, and JUnit, which every build server reads."""

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
_NO_XML = re.compile("[^\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # what XML cannot hold as it is


def sarif(
    findings: Sequence[Finding], application: str, version: str, before: Container[Key] | None = None
) -> Iterator[bytes]:
    """As a log of one run; each is new or not, if it is known what there was before."""
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
                        "rules": [{"id": kind, "shortDescription": {"text": said}} for kind, said in kinds.items()],
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
    trouble = hashlib.sha256("\0".join(key(finding)).encode(errors="replace")).hexdigest()
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
        "partialFingerprints": {"trouble/v1": trouble},
    }


def _since(finding: Finding, before: Container[Key] | None) -> dict[str, str]:
    return {} if before is None else {"baselineState": "unchanged" if key(finding) in before else "new"}


def junit(findings: Sequence[Finding], application: str) -> Iterator[bytes]:
    """As a suite of tests: one that fails for each finding, and one that passes for each kind without any."""
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
    """What XML can hold and no terminal obeys."""
    return _NO_XML.sub("�", "\n".join(map(printable, text.split("\n"))))
