"""What is wrong with an application, and when a pipeline should fail."""

import json
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecrawl.errors import BadInput
from statecrawl.exports.finding_formats import junit, sarif
from statecrawl.exports.findings import failing, findings_of, keys
from statecrawl.journal.facts import EventCrashed, EventHung, StateFound, TransitionDiverged, TransitionExplored
from statecrawl.model.finding import KINDS, Finding
from statecrawl.ports.page import Note
from statecrawl.ports.traffic import RecordedExchange
from statecrawl.results.findings import written
from statecrawl.stores.findings import add_findings, read_findings
from tests.exports.made_up import AWAY, HOME, answered, crawled

FACTS = (
    StateFound(state=HOME, events=("a", "b", "c"), url="http://host/"),
    StateFound(state=AWAY, events=()),
    TransitionExplored(state=HOME, event="a", target=AWAY),
    TransitionDiverged(state=HOME, event="a", expected=AWAY, landed=HOME, incident=1),
    EventHung(state=HOME, event="b", reason="no end"),
    EventCrashed(state=HOME, event="c", reason="gone"),
)
NOTES = (
    (Note("error", "x is undefined"), HOME, "a"),
    (Note("error", "x is undefined"), AWAY, None),
    (Note("console", "deprecated"), HOME, None),
    (Note("failed", ["GET", "http://host/api", "reset"]), HOME, None),
    (Note("dialog", ["alert", "hello", True]), HOME, None),
)
BROKEN = answered("http://host/gone", kind="Document", status=404, reason="Not Found")
FAILED = answered("http://host/api", kind="Fetch", status=500, reason="")
FINDINGS = st.lists(
    st.builds(
        Finding,
        kind=st.sampled_from([*KINDS, "my-own"]),
        message=st.text(max_size=20),
        level=st.sampled_from(["error", "warning", "note"]),
        state=st.text(max_size=5),
        event=st.text(max_size=5),
        url=st.text(max_size=20),
    ),
    max_size=5,
)


def kinds(found: list[Finding]) -> list[str]:
    return [finding.kind for finding in found]


def test_every_trouble_is_told_once_and_errors_first() -> None:
    own = Finding(kind="my-own", message="look")
    found = findings_of(crawled(BROKEN, FAILED, answered("http://host/"), facts=FACTS), NOTES, [own, own])
    assert kinds(found) == [
        *("broken-link", "javascript-error", "page-crash"),
        *("console-error", "failed-request", "hung-event", "my-own", "unsteady-event"),
    ]
    broken = found[0]
    assert (broken.level, broken.state, broken.url) == ("error", HOME, "http://host/gone")
    assert "404 Not Found" in broken.message


def test_what_is_wrong_with_a_url_that_was_opened_is_told_with_its_page() -> None:
    opens = "open http://host/gone"
    facts = (
        StateFound(state=HOME, events=("open http://host/away", opens), url="http://host/"),
        StateFound(state=AWAY, events=(), url="http://host/away"),
        TransitionExplored(state=HOME, event="open http://host/away", target=AWAY),
        TransitionExplored(state=HOME, event=opens, target=HOME),
        TransitionDiverged(state=HOME, event="open http://host/away", expected=AWAY, landed=HOME, incident=1),
    )
    made = crawled(facts=facts)
    recorded = RecordedExchange(id="1", exchange=BROKEN, places=((HOME, opens),))
    site = replace(
        made,
        links=lambda state: ["http://host/gone"] if state == AWAY else [],
        traffic=lambda: iter([recorded]),
    )
    broken, script, unsteady = findings_of(site, [(Note("error", "x is undefined"), HOME, "open http://host/away")])
    assert (broken.kind, broken.state, broken.event) == ("broken-link", AWAY, "")
    assert (script.kind, script.state, script.event) == ("javascript-error", AWAY, "")
    assert (unsteady.kind, unsteady.state, unsteady.event) == ("unsteady-event", HOME, "open http://host/away")


def test_without_traffic_the_notes_tell_of_requests() -> None:
    found = findings_of(crawled(), NOTES)
    assert "GET http://host/api: reset" in [finding.message for finding in found if finding.kind == "failed-request"]


@pytest.mark.parametrize(
    ("asked", "fails"),
    [
        (["broken-link"], 1),
        (["hung-event"], 0),
        (["error"], 2),
        (["any"], 3),
        (["new-any"], 2),
        (["new-broken-link", "console-error"], 1),
        ([], 0),
    ],
)
def test_pipelines_fail_on_what_they_ask_for(asked: list[str], fails: int) -> None:
    before = findings_of(crawled(BROKEN), ())
    now = findings_of(crawled(BROKEN), NOTES[:3])
    assert len(failing(now, asked, before)) == fails


@pytest.mark.parametrize(("asked", "before"), [("broken", []), ("new-error", None), ("new-", [])])
def test_what_pipelines_cannot_ask_for_is_said(asked: str, before: list[Finding] | None) -> None:
    with pytest.raises(BadInput, match="--fail-on"):
        failing([], [asked], before)


@given(FINDINGS)
def test_whatever_a_page_says_files_for_pipelines_stay_what_they_are(found: list[Finding]) -> None:
    log = json.loads(b"".join(sarif(found, "http://host/", "1.0")))
    (run,) = log["runs"]
    assert len(run["results"]) == len(found)
    for result in run["results"]:
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].isascii()
    suite = ElementTree.fromstring(b"".join(junit(found, "http://host/")))  # noqa: S314 — our own
    assert len(suite.findall("testcase/failure")) == len(found) == int(suite.attrib["failures"])
    assert len(suite.findall("testcase")) == int(suite.attrib["tests"])


def test_no_format_has_anything_that_a_terminal_obeys() -> None:
    found = [Finding(kind="error", message="a\x1b[31m\x9b2J\u202eb", url="http://host/\u2066\x85")]
    for form in ("json", "junit", "sarif"):
        text = b"".join(written(found, "http://host/", form)).decode()
        assert not set("\x1b\x9b\x85\u202e\u2066") & set(text), form


def test_findings_of_checks_are_kept_once(tmp_path: Path) -> None:
    one, other = Finding(kind="a", message="1"), Finding(kind="b", message="\u2028<")
    assert read_findings(tmp_path) == []
    add_findings(tmp_path, [one])
    add_findings(tmp_path, [other, one])
    assert read_findings(tmp_path) == [one, other]
    with (tmp_path / "findings.jsonl").open("a") as file:
        file.write('{"kind": "ha')
    assert read_findings(tmp_path) == [one, other]


def test_sarif_says_what_is_new() -> None:
    before, now = findings_of(crawled(BROKEN), ()), findings_of(crawled(BROKEN, FAILED), ())
    results = json.loads(b"".join(sarif(now, "http://host/", "1.0", keys(before))))["runs"][0]["results"]
    assert [(each["ruleId"], each["baselineState"]) for each in results] == [
        ("broken-link", "unchanged"),
        ("failed-request", "new"),
    ]
