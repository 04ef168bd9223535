"""A visit logs in, stays logged in, stays in the application, and counts what documents have run that are gone."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest

from bench.applications.application import Application
from bench.applications.servers import served
from bench.applications.visit import Visit, visiting
from tests.bench.own_application import install

pytestmark = pytest.mark.browser

PAGE = """<!doctype html><title>own</title><link rel=icon href="data:,"><body><script>
function first() { return 1; }
function second() { return 2; }
if (localStorage.user) document.body.insertAdjacentHTML('beforeend', '<p id=account>Hello</p>');
else document.body.insertAdjacentHTML('beforeend', '<input id=user><button id=enter>Enter</button>');
document.getElementById('enter')?.addEventListener('click', () => {
  localStorage.user = document.getElementById('user').value;
  location.reload();
});
if (location.hash === '#first') first();
if (location.search) second();
</script>"""
LOGIN = ({"fill": "#user", "value": "ann"}, {"click": "#enter"})


def visit(
    folder: Path, monkeypatch: pytest.MonkeyPatch, act: Callable[[Visit, str, Application], Awaitable[None]]
) -> None:
    application = replace(install(folder, PAGE, monkeypatch), login=LOGIN, session="#account")

    async def run(url: str) -> None:
        async with visiting() as visit:
            await visit.load(url, application)
            await act(visit, url, application)

    with served(application) as url:
        asyncio.run(run(url))


def test_it_stays_logged_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def act(visit: Visit, url: str, application: Application) -> None:
        assert await visit.evaluate("localStorage.user") == "ann"
        assert await visit.evaluate("document.getElementById('account').textContent") == "Hello"
        await visit.evaluate("localStorage.clear(), location.reload()")
        await visit.settle()
        assert await visit.evaluate("document.getElementById('account')") is None
        await visit.stay_logged_in(url, application)
        assert await visit.evaluate("document.getElementById('account').textContent") == "Hello"

    visit(tmp_path, monkeypatch, act)


def test_it_counts_what_has_run_in_documents_that_are_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def act(visit: Visit, url: str, _: Application) -> None:
        before = len(await visit.functions())
        await visit.evaluate("first(), void (location.search = 'a')")
        await visit.settle()
        assert len(await visit.functions()) == before + 2

    visit(tmp_path, monkeypatch, act)


def test_it_does_not_leave_the_application(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def act(visit: Visit, url: str, _: Application) -> None:
        await visit.evaluate("void (location.href = 'http://localhost:9/')")
        await visit.settle()
        assert await visit.evaluate("location.href") == url

    visit(tmp_path, monkeypatch, act)
