"""Several nodes crawl part by part: every part is found, and no task is fired twice."""

import json
from contextlib import closing
from pathlib import Path

import pytest

from statecrawl.journal.facts import ComponentClaimed, MemberJoined
from statecrawl.stores.evidence import JOURNAL_NAME
from statecrawl.stores.sqlite_journal import open_reader
from tests.cli.command import Done, statecrawl
from tests.cluster.redis_server import RedisServer

QUIET = ("--no-report", "--no-screenshots", "--quiet", "--json")
AT_ONCE = ("--learn-states", "0", "--reset-cost", "2")  # the nodes find everything themselves
PLACES = 2  # widgets stand at two places by turns
TASKS = 4 * 4 * 3
MOVES = 24  # spare events fired on the way to tasks: a value may be left before all of its events were fired


@pytest.mark.parametrize(
    "fleet",
    [
        ("client-server",),
        ("dist-ria", "--components", "handlers"),
        ("dist-ria", "--components", "gate-keepers"),
        ("peer-to-peer", "--components", "handlers"),
        ("peer-to-peer", "--components", "gate-keepers"),
    ],
    ids=" ".join,
)
def test_two_nodes_find_all_component_states_and_claim_no_more(tmp_path: Path, fleet: tuple[str, ...]) -> None:
    options: tuple[str, ...] = ("--nodes", "2", "--architecture", *fleet, "--model", "components", *AT_ONCE, *QUIET)
    done = statecrawl("crawl", "widgets:4,4", "--out", tmp_path / "crawl", *options)
    check_outcome(done)
    if fleet[0] != "client-server":
        check_journal(tmp_path / "crawl", claims=PLACES if "gate-keepers" in fleet else 0)


@pytest.mark.parametrize("architecture", ["dist-ria", "peer-to-peer"])
def test_two_nodes_do_the_same_with_redis(tmp_path: Path, server: RedisServer, architecture: str) -> None:
    options = ("--nodes", "2", "--architecture", architecture, "--model", "components", *AT_ONCE, *QUIET)
    engine = ("--engine", f"{server.url}#widgets")
    done = statecrawl("crawl", "widgets:4,4", "--out", tmp_path / "crawl", *engine, *options)
    check_outcome(done)


def check_outcome(done: Done) -> None:
    """The crawl claims exactly what it has shown."""
    assert done.code == 0, done.err
    told = json.loads(done.out.splitlines()[-1])
    assert (told["completeness"], told["complete"]) == ("components", False)
    assert told["ended_because"] == "components"
    assert (told["components"], told["component_states"]) == (4, 16)
    assert told["independence_checked"] > 0
    assert told["independence_violated"] == 0
    assert told["spare"] > 0
    assert not any("stuck" in warning for warning in told["warnings"])
    assert told["transitions"] <= TASKS + 4 * told["independence_checked"] + MOVES


def check_journal(folder: Path, claims: int) -> None:
    """Both nodes were there, and each part was claimed once."""
    with closing(open_reader(folder / JOURNAL_NAME)) as reader:
        facts = list(reader.read())
    assert sum(isinstance(fact, MemberJoined) for fact in facts) >= 2
    places = [fact.place for fact in facts if isinstance(fact, ComponentClaimed)]
    assert len(places) == len(set(places)) == claims
