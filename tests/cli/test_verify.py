"""The progress of `statecrawl verify`."""

import asyncio

import pytest

from statecrawl.cli import verify
from statecrawl.results.replay import Replay

SOME = Replay(state="a", path=(), fired=0, arrived=True, url="http://h/")


def test_progress_is_printed_regularly_without_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(verify, "LINE_SECONDS", 0.01)

    async def run() -> None:
        async with verify._VerifyProgress(quiet=False) as shown:
            await asyncio.sleep(0.1)
            shown.update(3, 1200, SOME)
            await asyncio.sleep(0.1)

    asyncio.run(run())
    told = capsys.readouterr().err
    assert told.startswith("walking to the first state\n")
    assert told.endswith("3 of 1,200 states visited\n")
