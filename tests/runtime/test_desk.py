"""A desk that is told to stop stops, whatever comes in at the same time."""

import asyncio
from pathlib import Path

import pytest

from statecrawl.coordination.questions import Ask, Reply
from statecrawl.journal.memory import MemoryJournal
from statecrawl.runtime.desk import Desk
from statecrawl.runtime.filing import Filing
from statecrawl.stores.evidence import Evidence


@pytest.mark.parametrize("turns", range(6))
def test_who_hears_can_be_cancelled_while_something_is_said(tmp_path: Path, turns: int) -> None:
    async def cancelled() -> bool:
        desk: Desk[Ask, Reply] = Desk(MemoryJournal(), Filing(evidence))

        async def hear_for_ever() -> None:
            while True:
                await desk.hear(0.25)

        hearing = asyncio.create_task(hear_for_ever())
        await asyncio.sleep(0.01)
        desk.leave("node")
        for _ in range(turns):  # of the loop, between what is said and the end
            await asyncio.sleep(0)
        hearing.cancel()
        done, _ = await asyncio.wait({hearing}, timeout=0.5)
        hearing.cancel()
        return bool(done)

    evidence = Evidence(tmp_path / "crawl")
    try:
        assert asyncio.run(cancelled())
    finally:
        evidence.close()
