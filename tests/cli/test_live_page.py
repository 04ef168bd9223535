"""`--live`: where the page is, and who may see it."""

import asyncio
import re
import socket

import aiohttp
import pytest

from statecrawl.cli import live_page
from statecrawl.cli.live_page import live_page_served
from statecrawl.cli.progress import ProgressDisplay
from statecrawl.errors import BadInput


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
