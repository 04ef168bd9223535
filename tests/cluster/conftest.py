"""Fixtures for tests that are coroutines, and a real Redis server."""

import asyncio
import inspect
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cluster.redis_server import RedisServer, redis_server


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    given = {name: pyfuncitem.funcargs[name] for name in inspect.signature(pyfuncitem.obj).parameters}
    asyncio.run(pyfuncitem.obj(**given))
    return True


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[RedisServer]:
    """A server of its own; nodes in this process soon ask again what was lost with it."""
    monkeypatch.setattr("statecrawl.cluster.redis.link.REPEAT_SECONDS", 1.0)
    with redis_server(tmp_path / "redis") as running:
        yield running
