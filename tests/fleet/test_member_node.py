"""Dist-RIA and peers as processes with real browsers: whichever process is killed, the model is true."""

import os
import re
import signal
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from aiohttp import web

from statecrawl.config.fleet import ARCHITECTURES, DIST_RIA, PEER_TO_PEER, FleetSettings
from statecrawl.config.plan import CrawlLimits, CrawlPlan
from statecrawl.crawler.outcome import Outcome
from statecrawl.fleet.coordinator import Coordinator
from statecrawl.fleet.supervisor import crawl_with_nodes
from statecrawl.stores.evidence import EvidenceReader
from tests.browser.stage import Stand, document
from tests.fleet.test_supervisor import (
    APP,
    QUICK,
    application_served,
    assert_true,
    command,
    explored,
    known,
    nodes_of,
    process,
    wait_for,
)

pytestmark = pytest.mark.browser

TOKEN = {"STATECRAWL_TOKEN": "known to all of us"}
UNLEARNT = ("--no-screenshots", "--no-report", "--learn-states", "0", "--reset-cost", "3", "--quiet")
both = pytest.mark.parametrize("architecture", [DIST_RIA, PEER_TO_PEER])


@pytest.mark.parametrize(
    "asked",
    [
        (DIST_RIA, "--strategy", "greedy", "--partition", "stride"),
        (PEER_TO_PEER, "--strategy", "breadth-first", "--share", "states", "--share-interval", "200ms"),
    ],
    ids=lambda asked: asked[0],
)
def test_a_crawl_by_two_processes_is_true(tmp_path: Path, asked: tuple[str, ...]) -> None:
    out = tmp_path / "crawl"
    done = subprocess.run(
        command("crawl", APP, "--nodes", "2", "--architecture", *asked, "--out", str(out), *QUICK),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "the model equals the true model of the application" in done.stdout
    assert_true(out)
    crawl = known(out)
    assert crawl.started is not None
    assert crawl.started.configuration["architecture"] == asked[0]
    assert (crawl.epoch >= 2, crawl.is_cost_measured) == (True, True)
    assert len(list((out / "states").glob("*.html.gz"))) >= len(crawl.graph)


@pytest.mark.long
@both
def test_a_node_that_is_killed_is_missed_and_started_again(tmp_path: Path, architecture: str) -> None:
    out = tmp_path / "crawl"
    crawl_by_two = ("--nodes", "2", "--architecture", architecture, "--out", str(out), *UNLEARNT)
    with application_served() as url, process("crawl", url, *crawl_by_two) as crawl:
        wait_for(explored(out, 40))
        os.kill(nodes_of(crawl.pid)[0], signal.SIGKILL)
        _, said = crawl.communicate(timeout=120)
        assert (crawl.returncode, said) == (0, "")
    assert_true(out)
    assert known(out).epoch >= 4  # two came, one was missed, another came


@both
def test_whoever_keeps_the_journal_may_be_killed(tmp_path: Path, architecture: str) -> None:
    out = tmp_path / "crawl"
    with application_served() as url:
        serve = ("serve", url, "--port", "0", "--out", str(out), "--architecture", architecture, *UNLEARNT)
        with process(*serve, **TOKEN) as first:
            assert first.stderr is not None
            said = first.stderr.readline()
            port = re.search(r":(\d+) --token", said)
            assert port, said
            join = f"http://127.0.0.1:{port[1]}"
            with process("node", "--join", join, "--pages", "2", **TOKEN) as node:
                wait_for(explored(out, 40))
                first.kill()
                first.wait()
                before = known(out)
                with process(*serve[:3], port[1], *serve[4:], **TOKEN) as second:
                    second.communicate(timeout=120)
                    assert second.returncode == 0
                _, told = node.communicate(timeout=30)
                assert node.returncode == 0, told
                assert "the crawl has ended: complete" in told
    assert (before.ended, before.graph.explored >= 40) == (None, True)
    assert_true(out)


@pytest.mark.long
@both
def test_a_crawl_that_was_killed_with_its_nodes_goes_on(tmp_path: Path, architecture: str) -> None:
    out = tmp_path / "crawl"
    with application_served() as url:
        asked = ("crawl", url, "--nodes", "2", "--architecture", architecture, "--out", str(out), *UNLEARNT)
        with process(*asked) as crawl:
            wait_for(explored(out, 40))
            for victim in (*nodes_of(crawl.pid), crawl.pid):
                os.kill(victim, signal.SIGKILL)
        assert known(out).ended is None
        done = subprocess.run(command(*asked), capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
    assert_true(out)


@both
def test_a_node_that_is_told_to_end_leaves_at_once(tmp_path: Path, architecture: str) -> None:
    out = tmp_path / "crawl"
    crawl_by_two = ("--nodes", "2", "--architecture", architecture, "--out", str(out), *UNLEARNT)
    with application_served() as url, process("crawl", url, *crawl_by_two) as crawl:
        wait_for(explored(out, 1))
        wait_for(lambda: len(known(out).members) == 2)
        members = known(out).members
        os.kill(nodes_of(crawl.pid)[0], signal.SIGTERM)
        wait_for(lambda: not set(members) <= set(known(out).members), seconds=8.0)  # less than who is silent is given
        crawl.terminate()
        _, said = crawl.communicate(timeout=30)
        assert crawl.returncode == 130, said
    assert known(out).ended == "interrupted"


async def crawled(stand: Stand, out: Path, **changed: object) -> tuple[Outcome, Coordinator]:
    await stand.open()
    plan = CrawlPlan(url=stand.url, out=out, screenshots=False, learn_states=0, reset_cost=3.0, event_seconds=1.5)
    try:
        return await crawl_with_nodes(replace(plan, **changed), 2, lambda _: None, lambda _: None)  # type: ignore[arg-type]
    finally:
        await stand.close()


@pytest.mark.parametrize("architecture", ARCHITECTURES)
async def test_an_application_that_is_not_always_the_same_is_crawled(tmp_path: Path, architecture: str) -> None:
    thrown = 0

    async def dice(_: web.Request) -> web.StreamResponse:
        nonlocal thrown
        thrown += 1
        return web.Response(text=("one", "two", "three")[thrown % 3])

    stand = Stand()
    stand.routes["/dice"] = dice
    stand.routes["/"] = document(
        "<h1>start</h1><button id=dice>dice</button><button id=a>a</button><button id=b>b</button><script>"
        "const title = document.querySelector('h1');"
        "document.getElementById('dice').onclick = async () => {"
        " title.textContent = await (await fetch('/dice')).text(); };"
        "for (const name of 'ab') document.getElementById(name).onclick = () => { title.textContent = name; };"
        "</script>"
    )
    fleet = FleetSettings(architecture=architecture)
    outcome, _ = await crawled(stand, tmp_path / "crawl", fleet=fleet, limits=CrawlLimits(seconds=60))
    assert outcome.ended_because in ("complete", "unreachable")
    assert (outcome.states, outcome.transitions + outcome.unexplored) == (6, 6 * 3)
    crawl, shown = known(tmp_path / "crawl"), EvidenceReader(tmp_path / "crawl")
    titles = {re.search(r"<h1>(.*?)</h1>", shown.html(state))[1] for state in crawl.graph.ids}  # type: ignore[index]
    assert titles == {"start", "one", "two", "three", "a", "b"}
