"""What every crawl of client and server must do, over HTTP and in Redis."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from statecrawl.config.plan import CrawlLimits, CrawlPlan
from statecrawl.coordination.client_node import ClientNode
from statecrawl.coordination.client_server_messages import LearnContent, RunTask, TaskRequest
from statecrawl.crawler.outcome import Outcome
from statecrawl.fleet.task_coordinator import TaskCoordinator
from statecrawl.journal.facts import CostMeasured, TransitionExplored
from statecrawl.ports.coordinator_link import CoordinatorLink
from statecrawl.ports.page import Note
from statecrawl.stores.evidence import EvidenceReader
from statecrawl.strategies.registry import STRATEGIES
from tests.cluster import redis_runs as redis
from tests.cluster.redis_server import redis_server
from tests.cluster.sleepers import Sleeper, in_hex
from tests.fleet import test_http_host as http
from tests.fleet.test_http_host import found, plan, truth


@dataclass
class Run:
    """A coordinator that runs, and a line to it."""

    coordinator: TaskCoordinator
    line: CoordinatorLink
    done: "asyncio.Task[tuple[Outcome, Any]]"


@asynccontextmanager
async def over_http(planned: CrawlPlan) -> AsyncIterator[Run]:
    async with http.running(planned) as run:
        line = run.line()
        try:
            yield Run(run.coordinator, line, run.done)
        finally:
            await line.close()


@asynccontextmanager
async def over_redis(planned: CrawlPlan) -> AsyncIterator[Run]:
    with redis_server(planned.out.parent / "redis") as server:
        async with redis.beginning(planned, server.url) as run, redis.line(server.url) as line:
            await run.coordinates.wait()
            assert isinstance(run.coordinator, TaskCoordinator)
            yield Run(run.coordinator, line, run.done)


Running = Callable[[CrawlPlan], AbstractAsyncContextManager[Run]]


@pytest.fixture(params=[over_http, over_redis])
def running(request: pytest.FixtureRequest) -> Running:
    chosen: Running = request.param
    return chosen


@pytest.mark.parametrize("strategy", STRATEGIES)
async def test_several_nodes_find_the_true_model(tmp_path: Path, running: Running, strategy: str) -> None:
    model = truth("test-ria")
    async with running(plan(tmp_path / "crawl", strategy=strategy)) as run:
        nodes = [Sleeper(f"n{number}", model, run.line) for number in range(4)]
        assert await asyncio.gather(*(node.run() for node in nodes)) == ["complete"] * 4
        outcome, _ = await run.done
    assert (outcome.complete, outcome.states) == (True, len(model))
    assert outcome.events == sum(node.events for node in nodes)
    assert run.coordinator.repeated == 0
    assert found(tmp_path / "crawl").same_as(model)
    assert EvidenceReader(tmp_path / "crawl").html(in_hex(model.ids[-1])) == f"<p>{model.ids[-1]}</p>"


async def test_one_node_learns_while_the_others_wait(tmp_path: Path, running: Running) -> None:
    model = truth("tiny")
    async with running(plan(tmp_path / "crawl", reset_cost=None, learn_states=5)) as run:
        nodes = [Sleeper(f"n{number}", model, run.line) for number in range(3)]
        await asyncio.gather(*(node.run() for node in nodes))
        outcome, _ = await run.done
    assert (outcome.complete, outcome.reset_cost) == (True, 3.0)
    assert (outcome.learning_events, outcome.learning_resets) == (7, 2)
    assert found(tmp_path / "crawl").same_as(model)


async def test_what_was_learnt_wrongly_is_learnt_again(tmp_path: Path, running: Running) -> None:
    model = truth("tiny")
    nonsense = (TransitionExplored(state="?", event="?", target="?"), CostMeasured(reset_cost=1.0))
    async with running(plan(tmp_path / "crawl", reset_cost=None, learn_states=5)) as run:
        assert isinstance(await run.line.ask(ClientNode("liar").next_request(None)), LearnContent)
        liar = asyncio.create_task(run.line.ask(TaskRequest("liar", 2, None, nonsense)))
        assert await Sleeper("n", model, run.line).run() == "complete"
        liar.cancel()
        await run.line.leave("liar")
        await run.done
    assert found(tmp_path / "crawl").same_as(model)


async def test_a_node_that_falls_silent_is_replaced(
    tmp_path: Path, running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("statecrawl.fleet.coordinator.TICK_SECONDS", 0.05)
    model = truth("test-ria")
    async with running(plan(tmp_path / "crawl")) as run:
        run.coordinator._lease = run.coordinator._machine._lease = 0.5
        dying = asyncio.create_task(Sleeper("dying", model, run.line, seconds=0.02).run())
        await asyncio.sleep(0.3)
        dying.cancel()
        assert await Sleeper("living", model, run.line).run() == "complete"
        assert (await run.done)[0].complete
    assert found(tmp_path / "crawl").same_as(model)


async def test_who_has_gone_is_not_waited_for(tmp_path: Path, running: Running) -> None:
    model = truth("tiny")
    async with running(plan(tmp_path / "crawl")) as run:
        assert isinstance(await run.line.ask(ClientNode("going").next_request(None)), RunTask)
        await run.line.leave("going")
        assert await Sleeper("n", model, run.line).run() == "complete"
        await asyncio.wait_for(run.done, 5.0)
    assert found(tmp_path / "crawl").same_as(model)


async def test_the_same_question_gets_the_same_answer(tmp_path: Path, running: Running) -> None:
    async with running(plan(tmp_path / "crawl")) as run:
        question = ClientNode("n").next_request(None)
        first = await run.line.ask(question)
        assert await run.line.ask(question) == first


async def test_evidence_is_kept_whatever_a_page_puts_into_it(tmp_path: Path, running: Running) -> None:
    async with running(plan(tmp_path / "crawl")) as run:
        told = [(Note("console", ["error", f"{number} \0 <b> \u2028"]), "ab", None) for number in range(100)]
        await run.line.send([], told)
        await Sleeper("n", truth("tiny"), run.line).run()
        await run.done
    assert len((tmp_path / "crawl" / "notes.jsonl").read_text().splitlines()) == 100


@pytest.mark.parametrize(
    ("limits", "why"),
    [
        (CrawlLimits(states=7), "max-states"),
        (CrawlLimits(events=30), "max-events"),
        (CrawlLimits(seconds=1), "max-time"),
    ],
)
async def test_limits_end_it_for_all(tmp_path: Path, running: Running, limits: CrawlLimits, why: str) -> None:
    model = truth("test-ria")
    async with running(plan(tmp_path / "crawl", limits=limits)) as run:
        nodes = [Sleeper(f"n{number}", model, run.line, seconds=0.01) for number in range(3)]
        assert await asyncio.gather(*(node.run() for node in nodes)) == [why] * 3
        outcome, _ = await run.done
    assert (outcome.ended_because, outcome.complete) == (why, False)


async def test_what_lies_too_deep_is_left_out(tmp_path: Path, running: Running) -> None:
    async with running(plan(tmp_path / "crawl", limits=CrawlLimits(depth=2))) as run:
        assert await Sleeper("n", truth("pager:6"), run.line).run() == "max-depth"
        assert (await run.done)[0].states == 3
