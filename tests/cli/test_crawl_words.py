"""`statecrawl crawl` without a browser: refused requests, the help, and the summary."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from statecrawl.cli.main import main
from statecrawl.cli.summary import MOST_REASONS, as_object, judge, summary
from statecrawl.config.options import settings as options_by_name
from statecrawl.config.plan import CrawlPlan
from statecrawl.crawler.outcome import Outcome
from statecrawl.journal.qualifications import Qualification
from statecrawl.model.event import Event
from statecrawl.model.graph import Graph
from statecrawl.testbed.generated import tiny
from tests.cli.command import STYLED, Done

PLAN = CrawlPlan(url="http://host/", out=Path("crawl-host"))
OUTCOME = Outcome(
    url="http://host/",
    states=1234,
    transitions=5678,
    events=9012,
    resets=3,
    cost=9018.00049,
    reset_cost=2.0,
    diverged=0,
    hung=0,
    refused=0,
    crashed=0,
    external=0,
    unexplored=0,
    learning_events=0,
    learning_resets=0,
    rules=0,
    seconds=12.34567,
    events_per_second=729.98765,
    complete=True,
    completeness="exact",
    ended_because="complete",
)
REFUSED = [
    ("crawl ftp://host/", "'ftp://host/' is not the URL of a web application: write it as http://host:port/path."),
    ("crawl http://[::1", "is not the URL"),
    ("crawl http://host:99999/", "is not the URL"),
    ("crawl tiny -s gredy", "unknown strategy 'gredy': did you mean greedy?"),
    ("crawl tiny -e exakt", "did you mean exact?"),
    ("crawl tiny:3", "takes no parameters"),
    ("crawl synthetic:1000", "synthetic exists as a model only"),
    ("crawl hypercube:99", "between 1 and 16"),
    ("crawl tiny --max-time soon", "--max-time is a time, as in 90s, 10m or 2h, not 'soon'."),
    ("crawl tiny --max-states 0", "a limit must be more than 0: --max-states 0."),
    ("crawl tiny --pages 0", "--pages must be between 1 and 64, not 0."),
    ("crawl tiny --reset-cost nan", "--reset-cost must be between 0 and 1,000,000 events, not nan."),
    ("crawl tiny --deny (", "'(' is not a regular expression: "),
    ("crawl tiny --deny (?i)x", "JavaScript has no '(?i)'"),
    ("crawl tiny --fail-on broken-link --no-traffic", "--fail-on broken-link cannot be combined with --no-traffic: "),
    ("crawl tiny --config missing.toml", "cannot read missing.toml: No such file or directory."),
    ("crawl tiny --config wrong.toml", "unknown setting in wrong.toml, line 1 'max_states': did you mean max-states"),
    ("crawl tiny --values wrong.toml", "write a list of values"),
    ("verify nowhere", "there is no crawl in nowhere: name a directory that was written by statecrawl crawl."),
    (
        "explain 0 1 --in nowhere",
        "there is no crawl in nowhere: name a directory that was written by statecrawl crawl.",
    ),
    ("export nowhere", "there is no crawl directory, file or bundled application named nowhere."),
    ("export tiny --out tiny.foo", "cannot tell the format from the file name tiny.foo: add --format"),
    ("simulate http://host/", "http://host/ is a URL, but a model is needed: crawl it"),
    ("crawl tiny --login wrong.toml", "unknown setting in wrong.toml 'max_states'"),
]

Command = Callable[[str], Done]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Command:
    """The command, run in this process in an empty directory."""
    monkeypatch.chdir(tmp_path)
    for name in STYLED:
        monkeypatch.delenv(name, raising=False)

    def command(line: str) -> Done:
        monkeypatch.setattr("sys.argv", ["statecrawl", *line.split()])
        with pytest.raises(SystemExit) as ended:
            main()
        assert isinstance(ended.value.code, int)
        return Done(ended.value.code, *capfd.readouterr())

    return command


@pytest.mark.parametrize(("line", "words"), REFUSED, ids=[line for line, _ in REFUSED])
def test_a_wrong_request_is_refused_before_anything_is_made(
    line: str, words: str, here: Command, tmp_path: Path
) -> None:
    (tmp_path / "wrong.toml").write_text("max_states = 5\n")
    here(line).refused(2, words)
    assert [path.name for path in tmp_path.iterdir()] == ["wrong.toml"]


def test_a_missing_browser_is_reported(here: Command, tmp_path: Path) -> None:
    here("crawl tiny --browser /nonexistent").refused(4, "there is no program /nonexistent", "apt-get install chromium")
    assert list(tmp_path.iterdir()) == []


def test_every_setting_of_a_configuration_file_is_a_flag(here: Command) -> None:
    done = here("crawl --help").fine()
    words = " ".join(re.sub("[│╭╮╰╯─]", " ", done.out).split())
    missing = [name for name in options_by_name() if f"--{name} " not in words]
    assert missing == []


class TestSummary:
    def test_a_complete_crawl(self) -> None:
        assert summary(OUTCOME, PLAN) == [
            "1,234 states, 5,678 transitions: complete, every event was fired",
            "9,012 events and 3 resets in total; 12.3 s in this run, 730 events/s; a reset costs as much as 2 events",
            "journal and evidence: crawl-host/",
        ]

    def test_a_crawl_that_reached_a_limit(self) -> None:
        outcome = replace(OUTCOME, unexplored=1500, complete=False, ended_because="max-time")
        assert summary(outcome, PLAN)[0].endswith(": not complete (max-time), 1,500 events unexplored")

    def test_reasons_why_a_crawl_is_not_complete(self) -> None:
        reason = "dangerous: it deletes data (it says 'delete')"
        found = (
            Qualification(kind="script", count=5, text="5 scripts failed", examples=("/a.js", "/b.js")),
            Qualification(kind="refused", count=2, text=f"2 events were not fired: {reason}"),
        )
        why = {reason: 2}
        outcome = replace(OUTCOME, unexplored=2, refused=2, refusals=why, complete=False, qualifications=found)
        said = summary(outcome, PLAN)
        assert said[0].endswith(": explored, but not complete:")
        assert said[1:3] == [
            "  - 5 scripts failed (/a.js, /b.js, …)",
            f"  - 2 events were not fired: {reason}",
        ]
        assert "use --allow-dangerous to fire the events that look dangerous" in said
        assert as_object(outcome)["qualifications"][1]["count"] == 2

    def test_many_reasons_are_cut_short(self) -> None:
        found = tuple(Qualification(kind="refused", count=1, text=f"reason {number}") for number in range(20))
        said = summary(replace(OUTCOME, complete=False, qualifications=found), PLAN)
        assert said[MOST_REASONS + 1] == f"  - and {20 - MOST_REASONS} other reasons; --json lists all of them"

    def test_control_characters_of_a_page_are_escaped(self) -> None:
        found = (Qualification(kind="refused", count=1, text="1 event was not fired: it led to a\x1b[31m"),)
        said = summary(replace(OUTCOME, complete=False, qualifications=found, warnings=("b\x1b[31m",)), PLAN)
        assert "  - 1 event was not fired: it led to a\\x1b[31m" in said
        assert "warning: b\\x1b[31m" in said

    def test_warnings_are_listed(self) -> None:
        assert "warning: the first page answers with status 404" in summary(
            replace(OUTCOME, warnings=("the first page answers with status 404",)), PLAN
        )

    def test_spontaneous_changes_and_learned_rules(self) -> None:
        outcome = replace(OUTCOME, external=2, rules=4)
        said = summary(outcome, PLAN)
        assert "the page changed by itself 2 times" in said
        assert "learned 4 rules for dynamic content" in said

    def test_control_characters_of_a_directory_name_are_escaped(self) -> None:
        assert summary(OUTCOME, replace(PLAN, out=Path("a\x1b[31m")))[-1] == "journal and evidence: a\\x1b[31m/"

    def test_the_json_object(self) -> None:
        told = json.loads(json.dumps(as_object(OUTCOME)))
        assert (told["seconds"], told["events_per_second"], told["cost"]) == (12.346, 729.988, 9018.0)
        assert (told["states"], told["complete"], told["ended_because"]) == (1234, True, "complete")


class TestJudgement:
    def test_the_true_model_is_recognised(self) -> None:
        assert judge(OUTCOME, tiny().truth, tiny().truth) == "the model equals the true model of the application"

    def test_a_difference_from_the_true_model_is_described(self) -> None:
        found = Graph()
        found.add_state("H", [Event.named("a")])
        said = "the model differs from the true model of the application: H has 1 events and should have 3"
        assert judge(OUTCOME, found, tiny().truth) == said
        refused = judge(replace(OUTCOME, refusals={"dangerous: it deletes data": 2}), found, tiny().truth)
        assert refused == f"{said}; use --allow-dangerous to fire what was refused"
        excluded = judge(replace(OUTCOME, refusals={"excluded by --events click": 2}), found, tiny().truth)
        assert excluded == said

    def test_excluded_events_are_not_called_dangerous(self) -> None:
        why = {"excluded by --deny-element 'x'": 2}
        said = summary(replace(OUTCOME, unexplored=2, refused=2, refusals=why), PLAN)
        assert not any("dangerous" in line for line in said)
