"""States behind something that the application remembers and does not show, in a real Chromium."""

import asyncio
from pathlib import Path

import pytest
from aiohttp import web

from statecrawl.config.plan import CrawlLimits, CrawlPlan
from statecrawl.crawler.assembly import crawl
from statecrawl.crawler.outcome import Outcome
from tests.browser.stage import Handler, Stand, document

pytestmark = pytest.mark.browser

# The key opens the room, but nothing shows that it was taken. Every door of the room leads to a dead end.
HOUSE = document("""<h1>hall</h1><button id=key>key</button><button id=go>go</button><script>
  let key = false;
  const show = (title, doors) => {
    document.body.replaceChildren(Object.assign(document.createElement('h1'), { textContent: title }));
    for (const door of doors) {
      const button = Object.assign(document.createElement('button'), { textContent: door });
      button.onclick = () => show('behind ' + door, []);
      document.body.append(button);
    }
  };
  const enter = (has) => show(has ? 'room' : 'wall', has ? ['red', 'green', 'blue'] : []);
  byId('key').onclick = () => { key = true; };
  byId('go').onclick = () => enter(key);
</script>""")


def crawled(tmp_path: Path, page: str, **routes: Handler) -> Outcome:
    async def run() -> Outcome:
        stand = Stand()
        stand.routes.update({"/": page, **{f"/{name}": handler for name, handler in routes.items()}})
        await stand.open()
        plan = CrawlPlan(
            url=stand.url, out=tmp_path / "crawl", strategy="greedy", learn_states=0, screenshots=False, reset_cost=5.0,
            limits=CrawlLimits(events=200),
        )  # fmt: skip
        try:
            return await crawl(plan, lambda _: None, lambda _: None)
        finally:
            await stand.close()

    return asyncio.run(run())


def test_the_path_on_which_a_state_was_found_is_walked_before_a_crawl_gives_up(tmp_path: Path) -> None:
    outcome = crawled(tmp_path, HOUSE)
    assert (outcome.states, outcome.unexplored, outcome.diverged) == (6, 0, 1)
    assert (outcome.ended_because, outcome.complete) == ("complete", False)


def test_a_path_that_leads_nowhere_any_more_is_walked_once(tmp_path: Path) -> None:
    asked = 0

    async def only_at_first(_: web.Request) -> web.StreamResponse:
        nonlocal asked
        asked += 1
        return web.Response(text="key" if asked == 1 else "")

    page = HOUSE.replace("() => enter(key)", "async () => enter(await (await fetch('/key')).text())")
    outcome = crawled(tmp_path, page, key=only_at_first)
    assert (outcome.ended_because, outcome.unexplored) == ("unreachable", 2)
    assert asked < 10
