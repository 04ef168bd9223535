"""One rank of a crawl in a true model, without a browser: `mpiexec -n 3 python -m tests.cluster.rank OUT SHARE …`."""

import asyncio
import sys
from pathlib import Path
from typing import Any

from statecrawl.cluster.mpi_post import MpiPost, world
from statecrawl.errors import SiteUnreachable
from statecrawl.runtime.plan import CrawlPlan
from statecrawl.runtime.ranks import follow, lead
from statecrawl.runtime.team import PEER_TO_PEER, Team
from statecrawl.testbed.catalogue import application
from tests.cluster.members import MemberSleeper

APP = "test-ria"


def main(out: str, share: str, pages: str = "1", fails: str = "") -> None:
    post = MpiPost(world())
    truth = application(APP).truth

    async def crew(line: Any, plan: CrawlPlan, names: list[str]) -> None:
        if fails and post.rank:
            raise SiteUnreachable(f"the application is away, say {names[0]} and others.")
        async with asyncio.TaskGroup() as group:
            for name in names:
                group.create_task(MemberSleeper(name, truth, line, plan, seconds=0.001).run())

    if post.rank:
        asyncio.run(follow(post, None, crew))
        return
    plan = CrawlPlan(
        url="http://127.0.0.1/",
        out=Path(out),
        pages=int(pages),
        strategy="greedy",
        learn_states=0,
        reset_cost=3.0,
        team=Team(architecture=PEER_TO_PEER, share=share),
    )
    outcome, log = asyncio.run(lead(post, plan, crew, lambda _: None, lambda _: None))
    members = ",".join(sorted(log.nodes))
    print(outcome.ended_because, outcome.states, outcome.transitions, members)  # noqa: T201


if __name__ == "__main__":
    main(*sys.argv[1:])
