"""The Python API with a real Chromium."""

import asyncio
import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from types import ModuleType
from typing import Any

import pytest

import statecrawl
from statecrawl.errors import BadInput, UnknownName
from statecrawl.journal.facts import CrawlEnded, Fact, StateFound, TransitionExplored
from statecrawl.ports.page import Snapshot
from statecrawl.strategies.greedy import Greedy
from statecrawl.testbed.catalogue import application
from statecrawl.testbed.model_match import mismatch
from statecrawl.testbed.sites.office import CLERK, PASSWORD
from statecrawl.testbed.sites.registry import site_named
from statecrawl.testbed.sites.server import start

pytestmark = pytest.mark.product

EXAMPLES = Path(__file__).parent.parent / "examples"
QUICK: dict[str, Any] = {"learn": 0, "no_screenshots": True, "reset_cost": 3.0, "allow_dangerous": True}


@contextmanager
def served(app: str) -> Iterator[str]:
    """Serve an application in another thread; yield its URL."""
    loop = asyncio.new_event_loop()
    serving = loop.run_until_complete(start(site_named(app)))
    thread = Thread(target=loop.run_forever)
    thread.start()
    yield serving.url
    asyncio.run_coroutine_threadsafe(serving.close(), loop).result()
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with served("tiny") as found:
        yield found


def test_a_program_crawls_and_reads_the_result(url: str, tmp_path: Path) -> None:
    result = statecrawl.crawl(url, strategy="greedy", out=tmp_path / "crawl", **QUICK).run()
    assert result.outcome.complete
    assert mismatch(result.graph, application("tiny").truth) is None
    assert len(result.states) == result.outcome.states
    last = result.states[-1]
    assert last.url.startswith(url)
    assert "<html" in last.html
    assert last.about["state"] == last.id
    assert last.picture is None
    first = result.states[0]
    assert first.path == ()
    assert last.path[0] in first.events


def test_callbacks_receive_everything_during_the_crawl(url: str, tmp_path: Path) -> None:
    heard: list[str] = []

    async def reset() -> None:
        heard.append("reset")

    crawl = statecrawl.crawl(
        url,
        out=tmp_path / "crawl",
        before_reset=reset,
        on_state=lambda state: heard.append(state.state),
        on_transition=lambda transition: heard.append(transition.event),
        **QUICK,
    )

    async def run() -> statecrawl.Result:
        return await crawl

    result = asyncio.run(run())
    assert heard.count("reset") == result.outcome.resets
    assert [name for name in heard if name in result.graph.numbers] == result.graph.ids
    assert len(heard) == result.outcome.resets + result.outcome.states + result.outcome.transitions
    with pytest.raises(BadInput, match="run already"):
        crawl.run()


@pytest.fixture
def larger() -> Iterator[str]:
    with served("test-ria") as found:
        yield found


def test_iteration_over_facts_can_be_ended_early(larger: str, tmp_path: Path) -> None:
    url = larger
    crawl = statecrawl.crawl(url, out=tmp_path / "crawl", **QUICK)
    for fact in crawl:
        if isinstance(fact, TransitionExplored):
            break
    assert crawl.result is not None
    assert crawl.result.outcome.ended_because == "stopped"
    rest: list[Fact] = []

    async def go_on() -> None:
        rest.extend([fact async for fact in statecrawl.crawl(url, out=tmp_path / "crawl", **QUICK)])

    asyncio.run(go_on())
    assert isinstance(rest[-1], CrawlEnded)
    known = set(crawl.result.graph.ids)
    assert not {fact.state for fact in rest if isinstance(fact, StateFound)} & known


def test_a_program_passes_its_own_strategy_equivalence_and_checks(url: str, tmp_path: Path) -> None:
    asked: list[int] = []

    class Watched(Greedy):
        def _pick(self, positions: list[int], state: int) -> int:
            asked.append(state)
            return super()._pick(positions, state)

    def check(state: Snapshot) -> Iterator[statecrawl.Finding]:
        yield statecrawl.Finding(kind="seen", message=state.title, state=state.state)

    result = statecrawl.crawl(
        url,
        out=tmp_path / "crawl",
        strategy=Watched,
        equivalence="() => 'always the same'",
        checks=[check],
        **QUICK,
    ).run()
    assert asked
    told_apart = {tuple(state.events) for state in result.states}
    assert len(told_apart) == len(result.states) <= len(application("tiny").truth)
    assert [finding.state for finding in result.findings] == result.graph.ids


def test_a_failing_callback_ends_the_crawl_without_loss(url: str, tmp_path: Path) -> None:
    def fail(_: object) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        statecrawl.crawl(url, out=tmp_path / "crawl", on_transition=fail, **QUICK).run()
    assert statecrawl.crawl(url, out=tmp_path / "crawl", **QUICK).run().outcome.complete


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        ({"strategy": "gredy"}, UnknownName),
        ({"max_state": 3}, UnknownName),
        ({"max_states": 0}, BadInput),
        ({"max_states": "many"}, BadInput),
        ({"deny": "/admin"}, BadInput),
        ({"equivalence": "() => ("}, BadInput),
    ],
)
def test_invalid_settings_are_refused(wrong: dict[str, Any], error: type[Exception], url: str, tmp_path: Path) -> None:
    with pytest.raises(error):
        statecrawl.crawl(url, out=tmp_path / "crawl", **wrong).run()


def example(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(("name", "code"), [("broken_links", 0), ("forms_first", 0)])
def test_examples_run_as_they_are(
    name: str, code: int, url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert example(name).main(url, str(tmp_path / "crawl")) == code
    assert "states" in capsys.readouterr().out


def test_the_example_logs_in_with_credentials_from_the_environment(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OFFICE_USER", CLERK)
    monkeypatch.setenv("OFFICE_PASSWORD", PASSWORD)
    with served("office") as office:
        assert example("log_in").main(office, str(tmp_path)) == 0
    said = capsys.readouterr().out
    assert "4 states for a guest, 7 after login" in said
    assert 'Office: Order 17: click button "Orders" in span#menu → click button "Order 17" in main#main' in said
    assert "GET /api/orders/17" in said
    assert "News" not in said, "which a guest reads, too"
    kept = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert [path for path in kept if PASSWORD.encode() in path.read_bytes()] == []
