"""A desk that is told to stop stops, whatever comes in at the same time."""

import asyncio
from pathlib import Path

import pytest

from statecrawl.coordination.client_server_messages import TaskReply, TaskRequest
from statecrawl.fleet.evidence_intake import EvidenceIntake
from statecrawl.fleet.local_mailbox import LocalMailbox
from statecrawl.journal.memory_journal import MemoryJournal
from statecrawl.stores.evidence import EvidenceWriter


@pytest.mark.parametrize("turns", range(6))
def test_who_hears_can_be_cancelled_while_something_is_said(tmp_path: Path, turns: int) -> None:
    async def cancelled() -> bool:
        desk: LocalMailbox[TaskRequest, TaskReply] = LocalMailbox(MemoryJournal(), EvidenceIntake(evidence))

        async def hear_for_ever() -> None:
            while True:
                await desk.receive(0.25)

        hearing = asyncio.create_task(hear_for_ever())
        await asyncio.sleep(0.01)
        desk.leave("node")
        for _ in range(turns):  # of the loop, between what is said and the end
            await asyncio.sleep(0)
        hearing.cancel()
        done, _ = await asyncio.wait({hearing}, timeout=0.5)
        hearing.cancel()
        return bool(done)

    evidence = EvidenceWriter(tmp_path / "crawl")
    try:
        assert asyncio.run(cancelled())
    finally:
        evidence.close()
