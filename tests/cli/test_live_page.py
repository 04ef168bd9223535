"""`--live`: where the page is, and who may see it."""

import asyncio
import re
import signal
import socket
from pathlib import Path

import aiohttp
import pytest

from statecrawl.cli import live_page
from statecrawl.cli.live_page import ServedLivePage, keep_live_page, live_page_served
from statecrawl.cli.progress import ProgressDisplay
from statecrawl.crawler.live_page import LivePage
from statecrawl.errors import BadInput
from tests.cli.command import ENVIRONMENT, TIMEOUT_SECONDS, arguments


def said(capfd: pytest.CaptureFixture[str], *, live: bool = False, at: str | None = None, status: int = 200) -> str:
    """What is said where the page is, which answers like this."""

    async def run() -> str:
        async with ProgressDisplay(quiet=True) as show, live_page_served(show, live, at):
            words = capfd.readouterr().err.strip()
            port = re.search(r":(\d+)/", words)
            assert port is not None
            async with aiohttp.ClientSession() as client, client.get(f"http://127.0.0.1:{port[1]}/") as answer:
                assert answer.status == status
            return words

    return asyncio.run(run())


def test_it_is_at_the_usual_port_or_at_another(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        monkeypatch.setattr(live_page, "PORT", port)
        assert said(capfd, live=True) != f"live: http://127.0.0.1:{port}/"
        with pytest.raises(BadInput, match="choose another with --live-at"):
            said(capfd, at=str(port))
    assert said(capfd, live=True) == f"live: http://127.0.0.1:{port}/"


def test_elsewhere_it_has_a_password(capfd: pytest.CaptureFixture[str]) -> None:
    words = said(capfd, at="0.0.0.0:0", status=401)
    assert re.fullmatch(r"live: http://0\.0\.0\.0:\d+/ \(any user; the password is \S{24}\)", words)


def test_what_is_no_port_is_said(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(BadInput, match="--live-at takes a port"):
        said(capfd, at="here")


@pytest.mark.browser
def test_it_is_kept_until_ctrl_c_where_the_crawl_showed_it(tmp_path: Path) -> None:
    async def run() -> None:
        options = ("--live-at", "0", "--live-keep", "--no-screenshots", "--quiet")
        command = arguments("crawl", "tiny", "--out", tmp_path / "crawl", *options)
        pipe = asyncio.subprocess.PIPE
        crawl = await asyncio.create_subprocess_exec(*command, stderr=pipe, stdout=pipe, env=ENVIRONMENT)
        assert crawl.stderr is not None
        lines = [(await asyncio.wait_for(crawl.stderr.readline(), TIMEOUT_SECONDS)).decode() for _ in range(2)]
        try:
            url = lines[0].removeprefix("live: ").strip()
            assert lines[1] == f"live: {url} stays until Ctrl-C\n"
            assert (tmp_path / "crawl" / "report" / "index.html").is_file(), "the results do not wait"
            async with aiohttp.ClientSession() as client, client.get(f"{url}live/events") as answer:
                assert '"ended":"complete"' in (await answer.content.readuntil(b"\n\n")).decode()
        finally:
            crawl.send_signal(signal.SIGINT)
            out, err = await crawl.communicate()
        assert (crawl.returncode, err) == (0, b"")
        assert b"4 states, 13 transitions: complete" in out

    asyncio.run(run())


def test_it_is_gone_if_another_program_took_its_port() -> None:
    said: list[str] = []
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        keep_live_page(ServedLivePage(page=LivePage(), host="127.0.0.1", port=port, token="", note=said.append))
    assert len(said) == 1
    assert said[0].startswith("the live page is gone: cannot listen on")
