"""A house of rooms, and the server behind it, to be crawled in Chromium by greedy."""

import asyncio
from dataclasses import dataclass, replace
from pathlib import Path

from aiohttp import web

from statecrawl.config.plan import CrawlPlan
from statecrawl.crawler.assembly import crawl
from statecrawl.crawler.loop import CrawlLoop
from statecrawl.crawler.outcome import Outcome
from statecrawl.journal.facts import Fact, TransitionExplored
from statecrawl.stores.evidence import JOURNAL_NAME
from statecrawl.stores.sqlite_journal import open_reader
from tests.browser.slow_server import never
from tests.browser.stage import Stand, document

ROOMS = 6
# Every room has a door to every room, and what is behind a door depends only on the door.
HOUSE = document("""<h1>room 0</h1><script>
  BEGUN
  let room = 0;
  for (let door = 0; door < ROOMS; door += 1) {
    const button = document.body.appendChild(document.createElement('button'));
    button.id = 'door' + 'abcdef'[door];
    button.textContent = 'to ' + door;
    button.onclick = () => {
      OTHERWISE
      room = door;
      document.querySelector('h1').textContent = 'room ' + room;
    };
  }
</script>""").replace("ROOMS", str(ROOMS))


@dataclass
class Crawled:
    """A crawl of a house by greedy."""

    outcome: Outcome
    facts: list[Fact]
    walks: int


def crawled(tmp_path: Path, otherwise: str = "", *, at_start: str = "", **changed: object) -> Crawled:
    walks = 0

    def told(_: CrawlLoop) -> None:
        nonlocal walks
        walks += 1

    async def run() -> Outcome:
        stand = Stand()
        stand.routes["/"] = HOUSE.replace("OTHERWISE", otherwise).replace("BEGUN", at_start)
        stand.routes["/poll"] = stand.routes["/events"] = stand.routes["/watch"] = never
        await stand.open()
        plan = CrawlPlan(
            url=stand.url, out=tmp_path / "crawl", strategy="greedy", screenshots=False, learn_states=0, reset_cost=5.0
        )
        try:
            return await crawl(replace(plan, **changed), lambda _: None, told)  # type: ignore[arg-type]
        finally:
            await stand.close()

    outcome = asyncio.run(run())
    return Crawled(outcome, list(open_reader(tmp_path / "crawl" / JOURNAL_NAME).read()), walks)


def explored(facts: list[Fact]) -> list[TransitionExplored]:
    return [fact for fact in facts if isinstance(fact, TransitionExplored)]


def room_state(found: Crawled, number: int) -> str:
    """The state of a room: where its door leads."""
    return next(fact.target for fact in explored(found.facts) if fact.event == f"click button#door{'abcdef'[number]}")


# Doors that ask the server what is behind them; nothing happens when it does not say.
ASKING = document("""<h1>room 0</h1><script>
  for (let door = 0; door < ROOMS; door += 1) {
    const button = document.body.appendChild(document.createElement('button'));
    button.id = 'door' + 'abcdef'[door];
    button.textContent = 'to ' + door;
    button.onclick = async () => {
      const answer = await fetch('/room/' + door).catch(() => null);
      if (answer && answer.ok) document.querySelector('h1').textContent = 'room ' + await answer.text();
    };
  }
</script><a id=hall href=/hall>hall</a>""").replace("ROOMS", str(ROOMS))
HALL = document("<h1>hall</h1><a id=back href=/>back</a>")


class HouseServer:
    """A server that goes down after so many requests, or for some of them."""

    def __init__(self, *, lasts: int = 10**9, walled: int | None = None, status: int = 0) -> None:
        self.stand = Stand()
        self.left = lasts
        self.walled = walled
        self.status = status  # with which it answers when it is down; 0: not at all
        self.page = ASKING
        self.stand.routes["/"] = self.answer
        self.stand.routes["/hall"] = self.answer
        for door in range(ROOMS):
            self.stand.routes[f"/room/{door}"] = self.answer

    async def answer(self, request: web.Request) -> web.StreamResponse:
        self.left -= 1
        if self.left < 0 or request.path == f"/room/{self.walled}":
            if self.status:
                return web.Response(status=self.status)
            assert request.transport is not None
            request.transport.abort()
            return web.Response()
        if "room" in request.path:
            return web.Response(text=request.path[-1])
        return web.Response(text=HALL if request.path == "/hall" else self.page, content_type="text/html")


def crawled_house(house: HouseServer, out: Path, **changed: object) -> CrawlLoop:
    begun: list[CrawlLoop] = []

    async def run() -> None:
        await house.stand.open()
        plan = CrawlPlan(
            url=house.stand.url, out=out, strategy="greedy", screenshots=False, learn_states=0, reset_cost=5.0
        )
        try:
            await crawl(replace(plan, **changed), begun.append, lambda _: None)  # type: ignore[arg-type]
        finally:
            await house.stand.close()

    asyncio.run(run())
    return begun[-1]
