"""No node fires what the plan or robots.txt denies, whatever the architecture and however little nodes share."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from aiohttp import web

from statecrawl.config.fleet import CLIENT_SERVER, DIST_RIA, PEER_TO_PEER, FleetSettings
from statecrawl.config.plan import CrawlLimits, CrawlPlan
from statecrawl.config.site import SiteSettings
from statecrawl.fleet.supervisor import crawl_with_nodes
from statecrawl.journal.facts import EventRefused
from statecrawl.journal.fold import FoldedCrawl
from statecrawl.model.event import OPENS, Event
from tests.browser.stage import Stand, document
from tests.fleet.test_supervisor import known

pytestmark = pytest.mark.browser

SHELVES = 4
HARMFUL = ("/delete", "/pay", "/private")
# Each shelf can be reached from each other one; on every shelf something can be deleted and something can be paid for.
SHOP = document("""<h1>shelf 0</h1><a href=/about>about</a> <a href=/private/cellar>cellar</a><script>
  const post = (path) => fetch(path, {method: 'POST'});
  const button = (id, words, act) => {
    const made = document.body.appendChild(document.createElement('button'));
    made.id = id;
    made.textContent = words;
    made.onclick = act;
    return made;
  };
  const erase = button('erase', '', () => post('/delete'));
  const settle = button('settle', '', () => post('/pay'));
  const show = (shelf) => {
    document.querySelector('h1').textContent = 'shelf ' + shelf;
    erase.textContent = 'Delete what is on shelf ' + shelf;
    settle.textContent = 'Pay for shelf ' + shelf;
  };
  for (let shelf = 0; shelf < SHELVES; shelf += 1) button('shelf' + 'abcd'[shelf], 'to ' + shelf, () => show(shelf));
  show(0);
</script>""").replace("SHELVES", str(SHELVES))
TEAMS = (
    FleetSettings(architecture=CLIENT_SERVER),
    FleetSettings(architecture=DIST_RIA),
    *(FleetSettings(architecture=PEER_TO_PEER, share=share) for share in ("states", "shorter", "all")),
)


class Shop(Stand):
    """Counts what must never be asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.harm: Counter[str] = Counter()
        self.routes |= {
            "/": SHOP,
            "/about": document("<p>a shop</p>"),
            "/private/cellar": self._harmed,
            "/delete": self._harmed,
            "/pay": self._harmed,
            "/robots.txt": self._robots,
        }

    async def _harmed(self, request: web.Request) -> web.StreamResponse:
        self.harm[request.path] += 1
        return web.Response(text="done")

    async def _robots(self, _: web.Request) -> web.StreamResponse:
        return web.Response(text="User-agent: *\nDisallow: /private\n")


def events_of(crawl: FoldedCrawl) -> Iterator[tuple[int, Event]]:
    graph = crawl.graph
    return ((state, graph.vocabulary[number]) for state, numbers in enumerate(graph.events) for number in numbers)


def is_harmful(event: str) -> bool:
    return any(word in event for word in ("#erase", "#settle", *HARMFUL))


def refused_in(crawl: FoldedCrawl) -> set[tuple[str, str]]:
    failures = [failure for failures in crawl.failures.values() for failure in failures]
    return {(failure.state, failure.event) for failure in failures if isinstance(failure, EventRefused)}


@pytest.mark.parametrize("fleet", TEAMS, ids=lambda fleet: f"{fleet.architecture} {fleet.share or ''}".strip())
async def test_no_node_fires_what_is_denied(tmp_path: Path, fleet: FleetSettings) -> None:
    shop = Shop()
    await shop.open()
    plan = CrawlPlan(url=shop.url, out=tmp_path / "crawl", screenshots=False, learn_states=0, reset_cost=3.0)
    plan = replace(plan, fleet=fleet, site=SiteSettings(), limits=CrawlLimits(seconds=60))
    try:
        outcome, _ = await crawl_with_nodes(plan, 2, lambda _: None, lambda _: None)
    finally:
        await shop.close()
    assert shop.harm == Counter()
    assert (outcome.ended_because, outcome.states) == ("complete", SHELVES + 1)
    crawl = known(plan.out)
    named = [(crawl.graph.ids[state], event.local) for state, event in events_of(crawl)]
    assert refused_in(crawl) == {pair for pair in named if is_harmful(pair[1])}
    assert sum("button" in event for _, event in refused_in(crawl)) == 2 * SHELVES
    opens = [pair for pair in named if pair[1].startswith(OPENS)]
    assert opens == [(crawl.graph.ids[0], f"{OPENS}{shop.url}{path}") for path in ("about", "private/cellar")]
