"""A coordinator over HTTP: real sockets, a real journal, nodes that act in a true model."""

import asyncio
import base64
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from statecrawl.cluster import messages
from statecrawl.cluster.http.link import HttpLink
from statecrawl.cluster.http.server import RunningServer
from statecrawl.config.plan import CrawlLimits, CrawlPlan, Resetting
from statecrawl.coordination.client_node import ClientNode
from statecrawl.coordination.client_server_messages import LearnContent
from statecrawl.crawler.live_page import LivePage
from statecrawl.crawler.live_view import ProgressMeter
from statecrawl.crawler.outcome import Outcome
from statecrawl.errors import BadInput, NodeRefused
from statecrawl.fleet.assembly import JoinedCrawl, work
from statecrawl.fleet.http_host import CoordinatorAddress, serve_coordinator
from statecrawl.fleet.invitation import VERSION
from statecrawl.fleet.task_coordinator import TaskCoordinator
from statecrawl.journal.facts import CostMeasured
from statecrawl.journal.fold import fold
from statecrawl.model.graph import Graph
from statecrawl.stores.evidence import JOURNAL_NAME
from statecrawl.stores.sqlite_journal import open_reader
from statecrawl.testbed.catalogue import application
from tests.cluster.sleepers import Sleeper

TOKEN = "a token of this crawl"  # noqa: S105


class Run:
    """A coordinator that runs, and what came of it."""

    def __init__(self, url: str, coordinator: TaskCoordinator, done: "asyncio.Task[tuple[Outcome, Any]]") -> None:
        self.url = url
        self.coordinator = coordinator
        self.done = done

    def line(self, token: str = TOKEN, patience: float = 5.0) -> HttpLink:
        return HttpLink(self.url, token, patience=patience)


def plan(out: Path, **changed: object) -> CrawlPlan:
    given = CrawlPlan(url="http://127.0.0.1/", out=out, strategy="greedy", learn_states=0, reset_cost=3.0)
    return replace(given, **changed)  # type: ignore[arg-type]


@asynccontextmanager
async def running(planned: CrawlPlan, port: int = 0) -> AsyncIterator[Run]:
    serving: asyncio.Future[tuple[TaskCoordinator, RunningServer]] = asyncio.get_running_loop().create_future()

    def on_start(coordinator: TaskCoordinator, served: RunningServer) -> None:
        serving.set_result((coordinator, served))

    live, meter = LivePage(), ProgressMeter()

    def on_progress(coordinator: TaskCoordinator) -> None:
        live.update(coordinator, meter.measure(coordinator))

    done = asyncio.create_task(
        serve_coordinator(planned, CoordinatorAddress(token=TOKEN, port=port), on_start, on_progress, live)
    )
    while not serving.done():
        await asyncio.sleep(0.01)
        if done.done():
            done.result()
    coordinator, served = serving.result()
    try:
        yield Run(f"http://{served.host}:{served.port}", coordinator, done)
    finally:
        done.cancel()
        await asyncio.gather(done, return_exceptions=True)


def truth(app: str) -> Graph:
    return application(app).truth


def found(out: Path) -> Graph:
    return fold(open_reader(out / JOURNAL_NAME).read()).graph


async def test_nodes_go_on_with_a_coordinator_that_was_restarted(tmp_path: Path) -> None:
    model = truth("test-ria")
    planned = plan(tmp_path / "crawl")
    async with running(planned) as first:
        port = int(first.url.rpartition(":")[2])
        line = first.line(patience=20.0)
        nodes = [asyncio.create_task(Sleeper(f"n{number}", model, line, seconds=0.005).run()) for number in range(3)]
        while first.coordinator.crawl.graph.explored < 20:
            await asyncio.sleep(0.02)
        assert not first.coordinator.crawl.progress().complete
    before = len(list(open_reader(tmp_path / "crawl" / JOURNAL_NAME).read()))
    assert before > 10
    async with running(planned, port) as second:
        assert await asyncio.gather(*nodes) == ["complete"] * 3
        outcome, _ = await second.done
        await line.close()
    assert outcome.complete
    assert found(tmp_path / "crawl").same_as(model)


async def test_a_crawl_that_is_complete_waits_for_nobody(tmp_path: Path) -> None:
    async with running(plan(tmp_path / "crawl")) as run:
        line = run.line()
        assert await Sleeper("n", truth("tiny"), line).run() == "complete"
        await run.done
        await line.close()
    async with running(plan(tmp_path / "crawl")) as run:
        line = run.line()
        assert await Sleeper("late", truth("tiny"), line).run() == "complete"  # who was on its way back is told
        outcome, _ = await asyncio.wait_for(run.done, 10)
        await line.close()
    assert (outcome.complete, outcome.ended_because) == (True, "complete")


async def test_a_node_that_waits_long_is_told_that_it_is_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("statecrawl.fleet.coordinator.TICK_SECONDS", 0.1)
    monkeypatch.setattr("statecrawl.cluster.http.server.POLL_SECONDS", 0.7)
    async with running(plan(tmp_path / "crawl")) as run:
        run.coordinator._lease = run.coordinator._machine._lease = 0.5
        line = run.line(patience=3.0)
        slow = asyncio.create_task(Sleeper("slow", truth("pager:2"), line, seconds=1.0).run())
        await asyncio.sleep(0.2)
        waits = asyncio.create_task(Sleeper("waits", truth("pager:2"), line).run())
        assert [await slow, await waits] == ["complete"] * 2
        await run.done
        await line.close()


async def test_a_browser_can_look_and_not_be_made_to_do_anything(tmp_path: Path) -> None:
    """What a page of somebody else's might send with the password that the browser remembers."""
    password = base64.b64encode(f"anybody:{TOKEN}".encode()).decode()
    async with running(plan(tmp_path / "crawl")) as run:
        headers = {"Authorization": f"Basic {password}"}
        async with aiohttp.ClientSession(headers=headers) as client:
            async with client.get(f"{run.url}/status") as answer:
                assert answer.status == 200
            for verb in ("hello", "ask", "beat", "parcel", "leave"):
                async with client.post(f"{run.url}/v1/{verb}", data=b"{}") as answer:
                    assert answer.status == 401


async def test_a_node_runs_no_command_whatever_it_is_told(tmp_path: Path) -> None:
    async with running(plan(tmp_path / "crawl")) as run:
        told = replace(run.coordinator.plan, resetting=Resetting(command=f"touch {tmp_path}/run"))
        run.coordinator.plan = told
        with pytest.raises(NodeRefused, match="nodes run none"):
            await work(JoinedCrawl(url=run.url, token=TOKEN), lambda *_: None, lambda _: None)
    assert not (tmp_path / "run").exists()


async def test_it_is_told_what_goes_on_and_who_waits_for_how_long(tmp_path: Path) -> None:
    async with running(plan(tmp_path / "crawl", reset_cost=None, learn_states=5)) as run:
        coordinator = run.coordinator
        assert (coordinator.phase, coordinator.doing()) == ("waiting", "waiting for nodes")
        line = run.line()
        learner = ClientNode("learner")
        assert isinstance(await line.ask(learner.next_request(None)), LearnContent)
        assert coordinator.phase == "learning"
        assert coordinator.doing() == "learning dynamic content (node learner, 0 s)"
        waiting = asyncio.create_task(Sleeper("waits", truth("tiny"), line).run())
        idle: list[float] = []
        while len(idle) < 3:
            await asyncio.sleep(0.3)
            idle += [node["idle_seconds"] for node in coordinator.status()["nodes"] if node["name"] == "waits"]
        assert idle == sorted(set(idle)), "it grows while it waits"
        learner.revision = -1
        telling = asyncio.create_task(line.ask(learner.next_request(None, [CostMeasured(reset_cost=3.0)])))
        await telling
        assert (coordinator.phase, coordinator.doing()) == ("crawling", "")
        await line.leave("learner")
        assert await waiting == "complete"
        await run.done
        assert coordinator.phase == "ended"
        await line.close()


async def test_without_the_token_nothing_is_answered(tmp_path: Path) -> None:
    async with running(plan(tmp_path / "crawl")) as run, aiohttp.ClientSession() as client:
        for path in ("/", "/status", "/metrics"):
            async with client.get(run.url + path) as answer:
                assert answer.status == 401
        for verb in ("hello", "ask", "beat", "parcel", "leave"):
            async with client.post(f"{run.url}/v1/{verb}", data=b"{}") as answer:
                assert answer.status == 401
        line = run.line("another")
        with pytest.raises(NodeRefused, match="wrong token"):
            await line.hello(messages.NodeIntroduction(VERSION))
        await line.close()
        password = base64.b64encode(f"anybody:{TOKEN}".encode()).decode()  # as browsers send it
        async with client.get(f"{run.url}/status", headers={"Authorization": f"Basic {password}"}) as answer:
            assert (await answer.json())["states"] == 0


@pytest.mark.parametrize(
    ("hello", "why"),
    [
        (
            messages.NodeIntroduction("0.0.0-other"),
            f"this crawl uses statecrawl {VERSION}, and the node 0.0.0-other",
        ),
        (
            messages.NodeIntroduction(VERSION, "exact"),
            "this crawl uses the equivalence content, and the node exact",
        ),
    ],
)
async def test_a_node_that_does_not_fit_is_told_why(tmp_path: Path, hello: messages.NodeIntroduction, why: str) -> None:
    async with running(plan(tmp_path / "crawl")) as run:
        line = run.line()
        with pytest.raises(NodeRefused, match=why):
            await line.hello(hello)
        told = await line.hello(messages.NodeIntroduction(VERSION, "content"))
        assert messages.typed(told, CrawlPlan) == replace(run.coordinator.plan, out=Path())
        await line.close()


async def test_nonsense_is_refused_and_harms_nobody(tmp_path: Path) -> None:
    model = truth("tiny")
    async with running(plan(tmp_path / "crawl")) as run:
        headers = {"Authorization": f"Bearer {TOKEN}"}
        async with aiohttp.ClientSession(headers=headers) as client:
            for verb in ("hello", "ask", "beat", "parcel"):
                for body in (b"", b"{", b'{"type":"ask"}', b"\xff" * 100):
                    async with client.post(f"{run.url}/v1/{verb}", data=body) as answer:
                        assert answer.status == 400, (verb, body)
        line = run.line()
        assert await Sleeper("n", model, line).run() == "complete"
        await line.close()
    assert found(tmp_path / "crawl").same_as(model)


async def test_that_a_coordinator_is_away_and_back_is_said_once_each(tmp_path: Path) -> None:
    said: list[str] = []
    async with running(plan(tmp_path / "one")) as run:
        port = int(run.url.rpartition(":")[2])
        line = HttpLink(run.url, TOKEN, patience=20.0, on_message=said.append)
        await line.hello(messages.NodeIntroduction(VERSION))
    asking = asyncio.create_task(line.hello(messages.NodeIntroduction(VERSION)))
    await asyncio.sleep(2.0)
    async with running(plan(tmp_path / "another"), port) as run:
        await asking
        await line.close()
    assert said == [
        f"the coordinator at {run.url} cannot be reached: connection refused; retrying for 20 s",
        f"the coordinator at {run.url} is back",
    ]


async def test_another_crawl_is_not_gone_on_with(tmp_path: Path) -> None:
    async with running(plan(tmp_path / "crawl")) as run:
        line = run.line()
        await Sleeper("n", truth("tiny"), line).run()
        await line.close()
    with pytest.raises(BadInput, match="holds a crawl with equivalence content"):
        async with running(plan(tmp_path / "crawl", equivalence="exact")):
            pass


async def test_nodes_run_no_commands(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="nodes run no commands"):
        async with running(plan(tmp_path / "crawl", resetting=Resetting(command="true"))):
            pass


async def _figures_with_work(answer: aiohttp.ClientResponse) -> dict[str, Any]:
    """What is told of a crawl while a node holds something."""
    async with asyncio.timeout(10):
        async for line in answer.content:
            if line.startswith(b"data: "):
                figures: dict[str, Any] = json.loads(line.removeprefix(b"data: "))["figures"]
                if figures and any(node["at"] for node in figures["nodes"]):
                    return figures
    raise AssertionError("the events have ended")


async def test_the_live_page_and_the_metrics_show_what_goes_on(tmp_path: Path) -> None:
    model = truth("test-ria")
    headers = {"Authorization": f"Bearer {TOKEN}"}
    async with (
        running(plan(tmp_path / "crawl", name="<b>shop</b>")) as run,
        aiohttp.ClientSession(headers=headers) as client,
    ):
        line = run.line()
        working = asyncio.create_task(Sleeper('"><script>', model, line, seconds=0.02).run())
        await asyncio.sleep(0.4)
        async with client.get(f"{run.url}/") as answer:
            assert answer.url.path == "/live/"
            page = await answer.text()
        async with client.get(f"{run.url}/live/events") as answer:
            told = await _figures_with_work(answer)
        async with aiohttp.ClientSession() as nobody, nobody.get(f"{run.url}/live/events") as answer:
            assert answer.status == 401
        async with client.get(f"{run.url}/metrics") as answer:
            metrics = await answer.text()
        async with client.get(f"{run.url}/status") as answer:
            status = json.loads(await answer.text())
        working.cancel()
        await line.close()
    assert "shop" not in page
    assert told["application"] == "<b>shop</b>"
    assert told["states"] > 0
    assert [(node["name"], node["tasks"] > 0) for node in told["nodes"]] == [('"><script>', True)]
    assert 'statecrawl_node_tasks{node="\\"><script>"}' in metrics
    assert status["nodes"][0]["tasks"] > 0
    assert status["nodes"][0]["holds"] is not None
    assert status["states"] > 0


async def test_whoever_joins_is_told_how_much_time_is_left(tmp_path: Path) -> None:
    async with running(plan(tmp_path / "crawl", limits=CrawlLimits(seconds=600))) as run:
        line = run.line()
        run.coordinator.earlier_seconds = 400.0
        told: CrawlPlan = messages.typed(await line.hello(messages.NodeIntroduction(VERSION)), CrawlPlan)
        assert 100 < (told.limits.seconds or 0) < 200
        await line.close()
        run.coordinator.stop("enough")
        await run.done
