"""Dist-RIA and peers over HTTP: real sockets, a real journal, nodes that act in a true model."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from statecrawl.cluster.http.link import HttpLink
from statecrawl.cluster.http.server import RunningServer
from statecrawl.config.fleet import DIST_RIA, PEER_TO_PEER, FleetSettings
from statecrawl.config.plan import CrawlPlan
from statecrawl.coordination.peer_to_peer import LogRequest
from statecrawl.errors import BadInput
from statecrawl.fleet.http_host import CoordinatorAddress, serve_coordinator
from statecrawl.journal.facts import EquivalenceRevised, StateFound, TransitionExplored
from statecrawl.journal.fold import FoldedCrawl, fold
from statecrawl.model.graph import Graph
from statecrawl.stores.evidence import JOURNAL_NAME
from statecrawl.stores.sqlite_journal import open_reader
from statecrawl.testbed.catalogue import application
from tests.cluster.members import MemberSleeper

TOKEN = "a token of this crawl"  # noqa: S105
STAR, PEERS = FleetSettings(architecture=DIST_RIA), FleetSettings(architecture=PEER_TO_PEER)
both = pytest.mark.parametrize("fleet", [STAR, PEERS], ids=lambda fleet: fleet.architecture)


def plan(out: Path, fleet: FleetSettings, **changed: Any) -> CrawlPlan:
    given = CrawlPlan(url="http://127.0.0.1/", out=out, strategy="greedy", learn_states=0, reset_cost=3.0, fleet=fleet)
    return replace(given, **changed)


class Run:
    """Whoever keeps the journal, while it runs."""

    def __init__(self, planned: CrawlPlan, coordinator: Any, serving: RunningServer, done: "asyncio.Task[Any]") -> None:
        self.plan = planned
        self.coordinator = coordinator
        self.port = serving.port
        self.url = f"http://{serving.host}:{serving.port}"
        self.done = done
        self.lines: list[HttpLink] = []

    def line(self, patience: float = 20.0) -> HttpLink:
        self.lines.append(HttpLink(self.url, TOKEN, patience=patience))
        return self.lines[-1]

    def node(self, name: str, truth: Graph, seconds: float = 0.0, patience: float = 10.0) -> MemberSleeper:
        return MemberSleeper(name, truth, self.line(), self.plan, seconds, patience)


@asynccontextmanager
async def running(planned: CrawlPlan, port: int = 0) -> AsyncIterator[Run]:
    serving: asyncio.Future[tuple[Any, RunningServer]] = asyncio.get_running_loop().create_future()
    address = CoordinatorAddress(token=TOKEN, port=port)
    done = asyncio.create_task(
        serve_coordinator(
            planned, address, lambda coordinator, served: serving.set_result((coordinator, served)), lambda _: None
        )
    )
    either: set[asyncio.Future[Any]] = {done, serving}
    await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
    if done.done():
        done.result()
    run = Run(planned, *serving.result(), done)
    try:
        yield run
    finally:
        for line in run.lines:
            await line.close()
        done.cancel()
        await asyncio.gather(done, return_exceptions=True)


def truth(app: str = "test-ria") -> Graph:
    return application(app).truth


def found(out: Path) -> FoldedCrawl:
    return fold(open_reader(out / JOURNAL_NAME).read())


@both
async def test_nodes_go_on_when_the_journal_is_kept_by_another_process(tmp_path: Path, fleet: FleetSettings) -> None:
    model, out = truth(), tmp_path / "crawl"
    async with running(plan(out, fleet)) as first:
        nodes = [first.node(f"n{number}", model, 0.02) for number in range(3)]
        tasks = [asyncio.create_task(node.run()) for node in nodes]
        while first.coordinator.crawl.graph.explored < 30:
            await asyncio.sleep(0.02)
        lines, first.lines = first.lines, []
    before = found(out)
    assert before.ended is None
    assert before.graph.explored >= 30
    async with running(plan(out, fleet), first.port) as second:
        assert await asyncio.gather(*tasks) == ["complete"] * 3
        second.lines += lines
        outcome, _ = await second.done
    assert outcome.complete
    crawl = found(out)
    assert crawl.graph.same_as(model)
    assert crawl.started is not None
    assert crawl.started.run == 2


@both
async def test_who_looks_sees_what_nodes_do(tmp_path: Path, fleet: FleetSettings) -> None:
    async with running(plan(tmp_path / "crawl", fleet)) as run:
        node = asyncio.create_task(run.node("n", truth(), 0.002).run())
        async with aiohttp.ClientSession(headers={"Authorization": f"Bearer {TOKEN}"}) as client:
            while run.coordinator.crawl.graph.explored < 50:
                await asyncio.sleep(0.02)
            async with client.get(f"{run.url}/status") as answer:
                status = await answer.json()
            async with client.get(f"{run.url}/metrics") as answer:
                assert 'statecrawl_node_events{node="n"}' in await answer.text()
        assert (await node, status["nodes"][0]["name"]) == ("complete", "n")
        assert status["nodes"][0]["events"] > 0 < status["transitions"]


@both
async def test_a_crawl_that_is_complete_waits_for_nobody(tmp_path: Path, fleet: FleetSettings) -> None:
    async with running(plan(tmp_path / "crawl", fleet)) as run:
        assert await run.node("n", truth(), 0.0).run() == "complete"
        await run.done
    async with running(plan(tmp_path / "crawl", fleet)) as run:
        outcome = (await asyncio.wait_for(run.done, 10))[0]
    assert (outcome.complete, outcome.ended_because) == (True, "complete")


@both
async def test_a_crawl_that_never_saw_anything_leaves_nothing_behind(tmp_path: Path, fleet: FleetSettings) -> None:
    async with running(plan(tmp_path / "crawl", fleet)) as run:
        run.coordinator.stop("interrupted")
        assert (await run.done)[0].ended_because == "interrupted"
    assert list(open_reader(tmp_path / "crawl" / JOURNAL_NAME).read()) == []


async def test_another_architecture_does_not_go_on_with_it(tmp_path: Path) -> None:
    async with running(plan(tmp_path / "crawl", STAR)) as run:
        assert await run.node("n", truth("tiny")).run() == "complete"
        await run.done
    with pytest.raises(BadInput, match="holds a crawl with architecture dist-ria, not peer-to-peer"):
        async with running(plan(tmp_path / "crawl", PEERS)):
            pass


# -- what is said over HTTP --


async def posted(run: Run, verb: str, body: bytes, token: str = TOKEN) -> tuple[int, str]:
    async with (
        aiohttp.ClientSession(headers={"Authorization": f"Bearer {token}"}) as client,
        client.post(f"{run.url}/v1/{verb}", data=body) as answer,
    ):
        return answer.status, await answer.text()


@pytest.mark.parametrize(
    ("fleet", "verb"),
    [(STAR, "report"), (PEERS, "exchange"), (PEERS, "listen"), (PEERS, "token")],
    ids=lambda given: given if isinstance(given, str) else given.architecture,
)
async def test_what_is_no_message_is_refused(tmp_path: Path, fleet: FleetSettings, verb: str) -> None:
    async with running(plan(tmp_path / "crawl", fleet)) as run:
        for nonsense in (b"", b"{}", b"[1]", b'{"type":"ask"}', b"\xff"):
            status, said = await posted(run, verb, nonsense)
            assert (status, said.startswith("invalid ")) == (400, True)
        assert (await posted(run, verb, b"{}", "another token"))[0] == 401


@both
async def test_what_belongs_to_another_architecture_is_not_there(tmp_path: Path, fleet: FleetSettings) -> None:
    async with running(plan(tmp_path / "crawl", fleet)) as run:
        for verb in ("ask", "beat", "exchange" if fleet is STAR else "report"):
            assert (await posted(run, verb, b"{}"))[0] == 404


HOME = StateFound(state="aa", events=("go",))


async def test_a_request_that_comes_again_is_answered_again_and_written_once(tmp_path: Path) -> None:
    async with running(plan(tmp_path / "crawl", PEERS)) as run:
        line = run.line()
        heard = await line.exchange(LogRequest("me", 1, -1, 0))
        assert (heard.appended, len(heard.facts)) == (False, 1)
        request = LogRequest("me", 2, heard.incarnation, 1, (HOME,), events=3, resets=1)
        first, second = await line.exchange(request), await line.exchange(request)
        assert (first.facts, first.appended) == (second.facts, second.appended) == ((HOME,), True)
        assert run.coordinator.outcome().events == 3
        late = asyncio.create_task(line.exchange(LogRequest("me", 1, -1, 0)))  # nobody answers what is old
        assert (await line.exchange(LogRequest("you", 1, heard.incarnation, 1))).facts == (HOME,)
        late.cancel()
    assert [*open_reader(tmp_path / "crawl" / JOURNAL_NAME).read()][1:] == [HOME]


@pytest.mark.parametrize(
    ("fact", "why"),
    [
        (TransitionExplored(state="aa", event="go", target="bb"), "me reports an impossible fact"),
        (EquivalenceRevised(revision=9, rules=()), "me reports a fact about the crawl as a whole"),
    ],
)
async def test_what_can_not_be_is_not_written(
    tmp_path: Path, fact: TransitionExplored | EquivalenceRevised, why: str
) -> None:
    async with running(plan(tmp_path / "crawl", PEERS)) as run:
        line = run.line()
        heard = await line.exchange(LogRequest("me", 1, -1, 0))
        with pytest.raises(BadInput, match=why):
            await line.exchange(LogRequest("me", 2, heard.incarnation, 1, (HOME, fact)))
    assert [*open_reader(tmp_path / "crawl" / JOURNAL_NAME).read()][1:] == [HOME]
