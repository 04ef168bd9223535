"""One rank of a crawl in a true model, without a browser: `mpiexec -n 3 python -m tests.cluster.rank OUT SHARE PAGES`.

Away are the application of that name, for all but rank 0, and seconds are those of an event.
"""

import asyncio
import sys
from pathlib import Path

from statecrawl.cli.mpi import as_rank
from statecrawl.cluster.mpi.mailbox import MpiMailbox
from statecrawl.config.fleet import PEER_TO_PEER, FleetSettings
from statecrawl.config.plan import CrawlPlan
from statecrawl.errors import SiteUnreachable
from statecrawl.fleet.member_assembly import PeerLink
from statecrawl.fleet.mpi import lead
from statecrawl.testbed.catalogue import application
from tests.cluster.members import MemberSleeper

APP = "menusite:5,3"


def main(out: str, share: str, pages: str, away: str = "", seconds: str = "0.001") -> None:
    plan = CrawlPlan(
        url="http://127.0.0.1/",
        name=away,
        out=Path(out),
        pages=int(pages),
        strategy="greedy",
        learn_states=0,
        reset_cost=3.0,
        fleet=FleetSettings(architecture=PEER_TO_PEER, share=share),
    )

    async def crew(line: PeerLink, plan: CrawlPlan, names: list[str]) -> None:
        if plan.name and names != ["rank-0"]:
            raise SiteUnreachable(f"{plan.name} is away.")
        async with asyncio.TaskGroup() as group:
            for name in names:
                group.create_task(MemberSleeper(name, application(APP).truth, line, plan, float(seconds)).run())

    async def run(post: MpiMailbox) -> str:
        outcome, log = await lead(post, plan, crew, lambda _: None, lambda _: None)
        return f"{outcome.ended_because} by {' '.join(sorted(log.nodes))}"

    if (said := as_rank(lambda post: asyncio.run(run(post)), crew)) is not None:
        sys.stdout.write(f"{said}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
