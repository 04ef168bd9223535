"""One browser and one loop for all tests of a process. A test that is a coroutine runs in that loop."""

import asyncio
import inspect
from collections.abc import Iterator

import pytest

from tests.browser.stage import Stage


@pytest.fixture(scope="session", autouse=True)
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as running:
        yield running


@pytest.fixture(scope="session")
def the_stage(runner: asyncio.Runner) -> Iterator[Stage]:
    async def build() -> Stage:
        made = Stage()
        await made.stand.open()
        return made

    stage = runner.run(build())
    yield stage
    runner.run(stage.close())


@pytest.fixture
def stage(the_stage: Stage, runner: asyncio.Runner, request: pytest.FixtureRequest) -> Iterator[Stage]:
    assert request.node.get_closest_marker("browser"), "it starts a Chromium, so it belongs to the browser suite"
    yield the_stage
    runner.run(the_stage.clear())


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    given = {name: pyfuncitem.funcargs[name] for name in inspect.signature(pyfuncitem.obj).parameters}
    runner = pyfuncitem.funcargs["runner"]
    assert isinstance(runner, asyncio.Runner)
    runner.run(pyfuncitem.obj(**given))
    return True
