"""A task that receives from a local mailbox can be cancelled, whatever arrives at the same time."""

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
        mailbox: LocalMailbox[TaskRequest, TaskReply] = LocalMailbox(MemoryJournal(), EvidenceIntake(evidence))

        async def receive_for_ever() -> None:
            while True:
                await mailbox.receive(0.25)

        receiving = asyncio.create_task(receive_for_ever())
        await asyncio.sleep(0.01)
        mailbox.leave("node")
        for _ in range(turns):  # of the loop, between the message and the cancellation
            await asyncio.sleep(0)
        receiving.cancel()
        done, _ = await asyncio.wait({receiving}, timeout=0.5)
        receiving.cancel()
        return bool(done)

    evidence = EvidenceWriter(tmp_path / "crawl")
    try:
        assert asyncio.run(cancelled())
    finally:
        evidence.close()
