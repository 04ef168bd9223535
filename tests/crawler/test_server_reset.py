"""Reset of the server: the crawl continues after it, or ends with one sentence."""

import asyncio
import os
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from aiohttp import web

from statecrawl.config.plan import Resetting
from statecrawl.crawler import server_reset
from statecrawl.crawler.http_client import HttpClient
from statecrawl.crawler.server_reset import reset_server
from statecrawl.errors import SiteUnreachable

Answer = Callable[[web.Request], Awaitable[web.StreamResponse]]


def asked(answer: Answer, times: int = 1) -> None:
    """Reset a server that answers like this, on a free port of this machine."""

    async def run() -> None:
        application = web.Application()
        application.router.add_route("*", "/reset", answer)
        runner = web.AppRunner(application, shutdown_timeout=0.1)
        await runner.setup()
        try:
            await web.TCPSite(runner, "127.0.0.1", 0).start()
            for _ in range(times):
                await reset_server(Resetting(url=f"http://127.0.0.1:{runner.addresses[0][1]}/reset?all"), HttpClient())
        finally:
            await runner.cleanup()

    asyncio.run(run())


def ran(command: str, url: str | None = None) -> None:
    asyncio.run(reset_server(Resetting(url=url, command=command), HttpClient()))


class TestByAddress:
    def test_it_is_asked_for_each_time(self) -> None:
        heard = []

        async def answer(request: web.Request) -> web.Response:
            heard.append(f"{request.method} {request.path_qs}")
            return web.Response(status=204)

        asked(answer, times=3)
        assert heard == ["GET /reset?all"] * 3

    def test_its_whole_answer_is_waited_for(self) -> None:
        done = []

        async def answer(request: web.Request) -> web.StreamResponse:
            response = web.StreamResponse()
            await response.prepare(request)
            await response.write(b"working")
            await asyncio.sleep(0.2)
            done.append(True)
            await response.write(b"done")
            return response

        asked(answer)
        assert done

    @pytest.mark.parametrize("status", [400, 404, 500, 503])
    def test_a_refusal_ends_the_crawl(self, status: int) -> None:
        async def answer(_: web.Request) -> web.Response:
            return web.Response(status=status)

        with pytest.raises(
            SiteUnreachable, match=rf"could not be reset by http://\S+/reset\?all: it answered {status}\.$"
        ):
            asked(answer)

    def test_a_server_that_is_not_there(self) -> None:
        with pytest.raises(
            SiteUnreachable, match=r"^the server could not be reset by http://127\.0\.0\.1:9/: Cannot connect"
        ):
            asyncio.run(reset_server(Resetting(url="http://127.0.0.1:9/"), HttpClient()))

    def test_one_that_hangs_up_in_the_middle(self) -> None:
        async def answer(request: web.Request) -> web.StreamResponse:
            response = web.StreamResponse(headers={"Content-Length": "100"})
            await response.prepare(request)
            await response.write(b"working")
            assert request.transport is not None
            request.transport.close()
            return response

        with pytest.raises(SiteUnreachable, match="could not be reset by"):
            asked(answer)

    def test_one_that_never_answers(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(server_reset, "SECONDS", 0.2)

        async def answer(_: web.Request) -> web.Response:
            await asyncio.sleep(60)
            return web.Response()

        with pytest.raises(SiteUnreachable, match=r"could not be reset by .*: .+"):
            asked(answer)


class TestByCommand:
    def test_the_shell_runs_it_and_it_is_waited_for(self, tmp_path: Path) -> None:
        ran(f"sleep 0.1 && echo done > '{tmp_path}/a file'")
        assert (tmp_path / "a file").read_text() == "done\n"

    @pytest.mark.parametrize("command", ["exit 3", "true && false", "no-such-command-anywhere"])
    def test_its_failure_ends_the_crawl(self, command: str) -> None:
        code = {"exit 3": 3, "true && false": 1}.get(command, 127)
        with pytest.raises(SiteUnreachable, match=rf"'{command}' ended with exit code {code}\.$"):
            ran(command)

    def test_what_it_prints_is_not_our_output(self, capfd: pytest.CaptureFixture[str]) -> None:
        """Whoever reads the result of a crawl reads nothing else; complaints are for people and are seen."""
        ran("echo reset done; echo careful >&2")
        assert capfd.readouterr() == ("", "careful\n")

    def test_it_reads_nothing_from_us(self) -> None:
        ran("if read line; then exit 1; fi")

    def test_what_it_leaves_in_the_background_is_not_waited_for(self) -> None:
        begun = time.monotonic()
        ran("sleep 15 &")
        assert time.monotonic() - begun < 10

    def test_it_takes_too_long_and_is_ended_with_all_it_started(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(server_reset, "SECONDS", 0.5)
        numbers = tmp_path / "numbers"
        with pytest.raises(SiteUnreachable, match=r"took longer than 0\.5 s\.$"):
            ran(f"echo $$ > {numbers}; sleep 60 & echo $! >> {numbers}; wait")
        for number in numbers.read_text().split():
            assert not is_running(int(number))

    def test_ctrl_c_is_for_the_crawl_and_not_for_the_reset(self, tmp_path: Path) -> None:
        """A terminal sends it to a whole group of processes, so the command is in another one."""
        ran(f"ps -o pgid= -p $$ > {tmp_path}/group || cut -d' ' -f5 /proc/$$/stat > {tmp_path}/group")
        assert int((tmp_path / "group").read_text()) != os.getpgrp()


def test_the_address_comes_before_the_command(tmp_path: Path) -> None:
    with pytest.raises(SiteUnreachable, match="by http"):
        ran(f"touch {tmp_path}/done", url="http://127.0.0.1:9/")
    assert not (tmp_path / "done").exists()


def test_without_either_nothing_is_done() -> None:
    asyncio.run(reset_server(Resetting(), HttpClient()))


def is_running(number: int) -> bool:
    for _ in range(100):
        try:
            state = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return False
        if state == "Z":
            return False
        time.sleep(0.02)
    return True
