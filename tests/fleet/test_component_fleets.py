"""Several nodes crawl part by part: the coordinator decides what is left out."""

import json
from pathlib import Path

import pytest

from tests.cli.command import statecrawl


def test_two_nodes_find_all_component_states_and_claim_no_more(tmp_path: Path) -> None:
    quiet = ("--no-report", "--no-screenshots", "--quiet", "--json")
    crawl = ("crawl", "widgets:4,4", "--nodes", "2", "--model", "components", "--out", tmp_path / "crawl")
    done = statecrawl(*crawl, *quiet)
    assert done.code == 0, done.err
    told = json.loads(done.out.splitlines()[-1])
    assert (told["completeness"], told["complete"]) == ("components", False)
    assert (told["components"], told["component_states"]) == (4, 16)
    assert told["independence_checked"] > 0
    assert told["independence_violated"] == 0
    assert told["spare"] > 0
    assert not any("stuck" in warning for warning in told["warnings"])


@pytest.mark.parametrize("architecture", ["dist-ria", "peer-to-peer"])
def test_nodes_that_decide_for_themselves_refuse(tmp_path: Path, architecture: str) -> None:
    arguments = ("--nodes", "2", "--architecture", architecture, "--model", "components", "--out", tmp_path / "crawl")
    done = statecrawl("crawl", "widgets:2,2", *arguments)
    assert done.code == 2
    assert "--model components needs --architecture client-server" in done.err
