"""Several nodes crawl part by part: every part is found, and few events are fired."""

import json
from pathlib import Path

import pytest

from statecrawl.config.fleet import ARCHITECTURES
from tests.cli.command import statecrawl

QUIET = ("--no-report", "--no-screenshots", "--quiet", "--json")
TASKS = 4 * 4 * 3


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_two_nodes_find_all_component_states_and_claim_no_more(tmp_path: Path, architecture: str) -> None:
    fleet = ("--nodes", "2", "--architecture", architecture, "--model", "components", "--out", tmp_path / "crawl")
    done = statecrawl("crawl", "widgets:4,4", *fleet, *QUIET)
    assert done.code == 0, done.err
    told = json.loads(done.out.splitlines()[-1])
    assert (told["completeness"], told["complete"]) == ("components", False)
    assert told["ended_because"] == "components"
    assert (told["components"], told["component_states"]) == (4, 16)
    assert told["independence_checked"] > 0
    assert told["independence_violated"] == 0
    assert told["spare"] > 0
    assert not any("stuck" in warning for warning in told["warnings"])
    assert told["transitions"] <= TASKS + 4 * told["independence_checked"] + 3
