"""The matrix of roles in a real Chromium: it can be searched, and nothing that pages said runs."""

import asyncio
from contextlib import closing
from pathlib import Path

import pytest

from statecrawl.ports.traffic import Exchange
from statecrawl.results.roles import compare_roles, write_roles
from statecrawl.stores.evidence import EvidenceWriter
from tests.report.folders import FIRST, SECOND, facts_of, snapshot, write_crawl
from tests.report.looking import looking
from tests.report.test_report_pages import hostile

pytestmark = pytest.mark.product

SHOWN = "[...document.querySelectorAll('tbody tr:not(.group)')].filter((row) => row.offsetParent).length"


def crawled(folder: Path, text: str, *statuses: int) -> Path:
    """A crawl whose pages say this, and whose requests were answered so."""
    write_crawl(folder, facts_of(text), [snapshot(FIRST, ["click b"], text), snapshot(SECOND, ["click b"], text)])
    with closing(EvidenceWriter(folder)) as evidence:
        for number, status in enumerate(statuses):
            to = (("Location", f"/{text}"),)
            url = f"http://app.test/{'ab'[number]}/{text}"
            exchange = Exchange(method="GET", url=url, status=status, kind="Document", response_headers=to)
            evidence.note([exchange], FIRST, None)
        evidence.flush()
    return folder


def test_a_hostile_application_is_shown_and_does_not_run(tmp_path: Path) -> None:
    text = hostile("http://127.0.0.1:9/")
    folders = {name: crawled(tmp_path / name, said, 302, 200) for name, said in (("one", text), ("other", text + "2"))}

    async def run() -> None:
        async with looking() as look:
            await look.open(write_roles(tmp_path / "matrix", compare_roles(folders)))
            await asyncio.sleep(0.3)
            assert await look.tell("window.ran") is None
            assert (look.dialogs, look.exceptions) == ([], [])
            assert {url.partition(":")[0] for url in look.asked.values()} <= {"file", "data", "about"}
            assert "constructor.constructor" in str(await look.tell("document.body.innerText"))
            protocols = "[...new Set([...document.querySelectorAll('a')].map((a) => a.protocol))]"
            assert await look.tell(protocols) == ["file:"]

    asyncio.run(run())


def test_rows_can_be_looked_for(tmp_path: Path) -> None:
    folders = {
        "one": crawled(tmp_path / "one", "hello", 200, 200),
        "other": crawled(tmp_path / "other", "hello", 200, 403),
    }

    async def run() -> None:
        async with looking() as look:
            await look.open(write_roles(tmp_path, compare_roles(folders)))
            assert await look.tell(SHOWN) == 4, "two endpoints and two states"
            await look.tell("document.getElementById('differ').click()")
            assert await look.tell(SHOWN) == 1
            assert await look.tell("document.getElementById('shown').textContent") == "1 of 4"
            await look.tell("document.getElementById('differ').click()")
            await look.tell("(document.getElementById('words').value = 'HELLO', 0)")
            await look.tell("document.getElementById('words').dispatchEvent(new Event('input'))")
            everything = await look.tell(SHOWN)
            await look.tell("(document.getElementById('words').value = '403', 0)")
            await look.tell("document.getElementById('words').dispatchEvent(new Event('input'))")
            assert (everything, await look.tell(SHOWN)) == (4, 1)
            assert look.exceptions == []

    asyncio.run(run())
