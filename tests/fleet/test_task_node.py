"""Nodes handle surprising applications as well as a crawl by one process does."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from aiohttp import web

from statecrawl.config.plan import CrawlLimits, CrawlPlan
from statecrawl.crawler.outcome import Outcome
from statecrawl.errors import WorkerLost
from statecrawl.fleet.coordinator import Coordinator
from statecrawl.fleet.supervisor import crawl_with_nodes
from statecrawl.journal.witnesses import events_of
from statecrawl.stores.traffic import TrafficReader
from tests.browser.stage import Stand, document

pytestmark = pytest.mark.browser

HOUR = 3600.0  # seconds


async def crawled(stand: Stand, out: Path, **changed: object) -> tuple[Outcome, Coordinator]:
    await stand.open()
    plan = CrawlPlan(url=stand.url, out=out, screenshots=False, learn_states=0, reset_cost=3.0, event_seconds=1.5)
    try:
        return await crawl_with_nodes(replace(plan, **changed), 1, lambda _: None, lambda _: None)  # type: ignore[arg-type]
    finally:
        await stand.close()


async def test_an_event_that_hangs_is_closed(tmp_path: Path) -> None:
    async def never(_: web.Request) -> web.StreamResponse:
        await asyncio.sleep(30)
        return web.Response()

    stand = Stand()
    stand.routes["/never.mjs"] = never
    stand.routes["/"] = document(
        "<h1>one</h1><button id=safe>safe</button><button id=slow>slow</button><button id=loop>loop</button><script>"
        "const title = document.querySelector('h1');"
        "document.getElementById('safe').onclick = () => { title.textContent = 'two';"
        " document.getElementById('slow').remove(); document.getElementById('loop').remove(); };"
        "document.getElementById('slow').onclick = () => { title.textContent = 'three'; import('/never.mjs'); };"
        "document.getElementById('loop').onclick = () => { for (;;); };</script>"
    )
    outcome, coordinator = await crawled(stand, tmp_path / "crawl", event_seconds=0.3)
    assert outcome.ended_because == "complete"
    assert outcome.hung >= 2
    assert outcome.events >= outcome.transitions
    assert coordinator.repeated == 0


async def test_a_page_that_changes_by_itself_is_crawled(tmp_path: Path) -> None:
    stand = Stand()
    stand.routes["/tick.js"] = "setInterval(() => postMessage(1), 40)"
    stand.routes["/"] = document(
        "<h1>0</h1><p>nothing</p><button id=a>a</button><script>let count = 0;"
        "document.getElementById('a').onclick = () => { document.querySelector('p').textContent = 'clicked'; };"
        "new Worker('/tick.js').onmessage = () => { count = (count + 1) % 3;"
        " document.querySelector('h1').textContent = count; };</script>"
    )
    await stand.open()

    def on_progress(coordinator: Coordinator) -> None:
        outcome = coordinator.outcome()
        if outcome.states >= 2 and outcome.transitions + outcome.hung > 0:
            coordinator.stop("enough")

    plan = CrawlPlan(url=stand.url, out=tmp_path / "crawl", screenshots=False, learn_states=0, reset_cost=3.0)
    outcome, _ = await crawl_with_nodes(plan, 1, lambda _: None, on_progress)
    await stand.close()
    assert outcome.ended_because in ("enough", "complete")
    assert outcome.states >= 2


async def test_what_learning_took_is_counted_and_is_no_part_of_the_crawl(tmp_path: Path) -> None:
    stand = Stand()
    stand.routes["/"] = document(
        "<h1>one</h1><button id=a>a</button><script>document.getElementById('a').onclick = () => {"
        " document.querySelector('h1').outerHTML = '<h2>two</h2>'; };</script>"
    )
    outcome, _ = await crawled(stand, tmp_path / "crawl", learn_states=2)
    assert (outcome.states, outcome.learning_events, outcome.learning_resets) == (2, 2, 4)


async def test_a_node_that_has_learnt_still_has_the_patience_for_pauses(tmp_path: Path) -> None:
    stand = Stand()
    stand.routes["/part"] = "x"
    stand.routes["/"] = document(
        "<h1>0</h1><script>for (const id of ['a', 'b', 'c']) { const button = document.createElement('button');"
        "button.id = id; document.body.append(button); button.onclick = async () => { await fetch('/part');"
        " document.querySelector('h1').textContent = id; }; }</script>"
    )
    limits = CrawlLimits(seconds=20)
    outcome, _ = await crawled(stand, tmp_path / "crawl", learn_states=1, delay_seconds=0.15, limits=limits)
    assert (outcome.ended_because, outcome.states) == ("complete", 4)


async def test_a_node_that_learns_hears_that_the_crawl_is_over(tmp_path: Path) -> None:
    """What is loaded to learn from would come in an hour, and is not waited for."""
    loads = 0

    async def answer(_: web.Request) -> web.StreamResponse:
        nonlocal loads
        loads += 1
        if loads > 1:
            await asyncio.sleep(HOUR)
        return web.Response(text=document("<h1>0</h1><button id=a>a</button>"), content_type="text/html")

    def on_progress(coordinator: Coordinator) -> None:
        if loads > 1 and coordinator.phase == "learning":
            coordinator.stop("interrupted")

    stand = Stand()
    stand.routes["/"] = answer
    await stand.open()
    plan = CrawlPlan(url=stand.url, out=tmp_path / "crawl", screenshots=False, load_seconds=HOUR, event_seconds=HOUR)
    outcome, _ = await crawl_with_nodes(plan, 1, lambda _: None, on_progress)
    await stand.close()
    assert (outcome.ended_because, outcome.states) == ("interrupted", 0)
    assert "the crawl has ended: interrupted" in (tmp_path / "crawl" / "nodes" / "node-1.log").read_text()


async def test_what_nodes_note_qualifies_the_crawl(tmp_path: Path) -> None:
    async def missing(_: web.Request) -> web.StreamResponse:
        return web.Response(status=404, text="<h1>not here</h1>", content_type="text/html")

    stand = Stand()
    stand.routes["/"] = missing
    outcome, _ = await crawled(stand, tmp_path / "crawl")
    assert [each.text for each in outcome.qualifications if each.kind == "start"] == [
        "the start page answers with status 404"
    ]
    assert not outcome.complete


async def test_nodes_that_cannot_be_started_end_the_crawl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("statecrawl.fleet.supervisor.PAUSE_SECONDS", 0.01)
    monkeypatch.setattr("statecrawl.fleet.supervisor._command", lambda *_: ["/bin/sh", "-c", "kill -9 $$"])
    with pytest.raises(WorkerLost, match="killed by signal 9 again and again"):
        await crawled(Stand(), tmp_path / "crawl")


async def test_traffic_of_nodes_is_kept_without_secrets(tmp_path: Path) -> None:
    async def told(_: web.Request) -> web.StreamResponse:
        return web.json_response({"name": "chair", "token": "s3cr3t-of-the-server"})

    stand = Stand()
    stand.routes["/api"] = told
    stand.routes["/"] = document(
        "<h1>one</h1><button id=ask>ask</button><script>document.getElementById('ask').onclick = async () => {"
        " document.querySelector('h1').textContent = (await (await fetch('/api?sid=s3cr3t')).json()).name; };</script>"
    )
    out = tmp_path / "crawl"
    outcome, _ = await crawled(stand, out, limits=CrawlLimits(seconds=60))
    assert outcome.ended_because == "complete"
    kept = {recorded.exchange.url.split("/", 3)[3]: recorded for recorded in TrafficReader(out).read()}
    (name,) = (path for path in kept if path.startswith("api?sid=REDACTED-"))
    body = kept[name].exchange.response_body or b""
    assert body.startswith(b'{"name": "chair", "token": "REDACTED-')
    assert {event for _, event in kept[name].places} == {"click button#ask"}
    assert {event for _, event in kept[""].places} == {None}


async def test_a_state_tells_on_which_path_a_node_found_it(tmp_path: Path) -> None:
    """How often one button was pressed is not to be seen, and the other asks for it."""
    stand = Stand()
    stand.routes["/"] = document("""<button id=a>a</button><button id=b>b</button><p>start</p><script>
      let pressed = 0;
      byId('a').onclick = () => { pressed += 1; };
      byId('b').onclick = () => { document.querySelector('p').textContent = pressed < 2 ? 'shallow' : 'deep'; };
    </script>""")
    _, coordinator = await crawled(stand, tmp_path / "crawl", strategy="greedy")
    paths = [events_of(coordinator.crawl, state, 100) for state in range(len(coordinator.crawl.graph))]
    assert paths[0] == []
    assert None not in paths
