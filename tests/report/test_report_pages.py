"""The report of a crawl in a real Chromium: what pages said is shown, and nothing of it runs."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from aiohttp import web

from statecrawl.journal.facts import CrawlStarted, Fact, StateFound, TransitionExplored
from statecrawl.ports.page import Note, Snapshot
from statecrawl.results.report import write_report
from tests.report.crawl.documents import normal_of
from tests.report.crawl.pictures import picture
from tests.report.folders import FIRST, SECOND, facts_of, snapshot, with_section, write_crawl
from tests.report.looking import Looking, looking

pytestmark = pytest.mark.product

PAGES = (
    "#/",
    "#/screens",
    "#/parts",
    "#/parts/0",
    "#/graph",
    "#/states",
    "#/states/0",
    "#/state/0",
    "#/state/1",
    "#/problems",
    "#/urls",
    "#/coverage",
)


def hostile(told: str) -> str:
    """Everything that has ever run where text was meant; what runs tells `told`, an address, and shows a dialog."""
    act = f"(top.ran=1,new Image().src='{told}ran',alert(1))"
    return (
        f'\'"`--></style></title></textarea></script><script>{act}</script><img src=x onerror="{act}">'
        f"<svg onload={act}>"
        f'<a href="javascript:{act}" autofocus onfocus="{act}">x</a><iframe srcdoc="<script>{act}</script>"></iframe>'
        f"${{{act}}}{{{{constructor.constructor('{act}')()}}}}\u2028\u2029\x00\ud800 __proto__ javascript:{act}//"
    )


def reaching_out(told: str, text: str) -> str:
    """A document that loads whatever it can."""
    return (
        f"<!doctype html><html><head><meta http-equiv=refresh content='0;url={told}refresh'><base href='{told}'>"
        f"<link rel=stylesheet href='{told}css'><link rel=preload as=image href='{told}preload'>"
        f"<style>@import '{told}import'; body {{ background: url({told}background) }}</style></head>"
        f"<body onload=\"top.ran=1\">{text}<img src='{told}img' srcset='{told}srcset 2x'>"
        f"<iframe src='{told}frame'></iframe>"
        f"<object data='{told}object'></object><embed src='{told}embed'><video poster='{told}poster' src='{told}video'>"
        f"</video><svg><image href='{told}svg'/><use xlink:href='{told}use#a'/></svg><form action='{told}form'>"
        f"<button id=go>go</button></form><div style='background:url({told}style)'>x</div>"
        f"<math><mtext></table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=alert(1)&gt;'></math>"
    )


async def see_everything(look: Looking, index: Path) -> list[str]:
    """Go through all pages, press all buttons but those that lead away; the text of each page."""
    texts = []
    await look.open(index)
    for page in PAGES:
        await look.go(page)
        await look.tell("document.querySelectorAll('main button').forEach((button) => button.click())")
        await asyncio.sleep(0.15)
        texts.append(str(await look.tell("document.body.innerText")))
    return texts


def test_a_hostile_page_is_shown_and_does_not_run(tmp_path: Path) -> None:
    asked: list[str] = []

    async def answer(request: web.Request) -> web.Response:
        asked.append(request.path)
        return web.Response(text="top.ran = 1")

    async def run() -> None:
        application = web.Application()
        application.router.add_route("*", "/{path:.*}", answer)
        runner = web.AppRunner(application, access_log=None)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        told = f"http://127.0.0.1:{runner.addresses[0][1]}/"
        text = hostile(told)
        html = reaching_out(told, text)
        kinds = ("error", "console", "dialog", "window", "download", "capped")
        notes = [Note(kind, text) for kind in kinds] + [Note("request", [text, text, text]), Note(text, text)]
        notes += [Note("request", ["GET", f"javascript:{text}", "xhr"]), Note("failed", ["GET", f"data:{text}", text])]
        shown = [with_section(snapshot(each, ["click b"], text, html), text) for each in (FIRST, SECOND)]
        write_crawl(tmp_path / "crawl", facts_of(text), shown, notes)
        index = write_report(tmp_path / "crawl")
        async with looking() as look:
            texts = await see_everything(look, index)
            for page in ("#/state/0", "#/state/1"):
                await look.go(page)
                await look.until("[...document.querySelectorAll('button')].some((b) => b.textContent === 'Preview')")
                await look.tell(
                    "[...document.querySelectorAll('button')].find((b) => b.textContent === 'Preview').click()"
                )
                await look.until("document.querySelector('iframe.preview')")
                await asyncio.sleep(0.4)
            assert await look.tell("window.ran") is None
            assert await look.tell("document.querySelector('iframe.preview').sandbox.value") == ""
            protocols = "[...new Set([...document.querySelectorAll('a')].map((a) => a.protocol))]"
            assert set(await look.tell(protocols)) <= {"http:", "file:", ":"}, "the last is no address at all"
            assert look.dialogs == []
            assert look.exceptions == []
            assert {url.partition(":")[0] for url in look.asked.values()} <= {"file", "data", "about"}
        await runner.cleanup()
        assert all("</textarea></script>" in text for text in texts[:10]), "and it is there to be read"

    asyncio.run(run())
    assert asked == []


def test_pages_tell_of_a_crawl(tmp_path: Path) -> None:
    notes = [Note("error", "boom (app.js:1)"), Note("request", ["GET", "http://app.test/api?x=1", "xhr"])]
    write_crawl(tmp_path / "crawl", facts_of("hello"), [snapshot(FIRST, ["click b"], "hello")], notes)

    async def run() -> None:
        async with looking() as look:
            await look.open(write_report(tmp_path / "crawl"))
            told = "[...document.querySelectorAll('.tiles div')].map((tile) => tile.textContent)"
            figures = await look.tell(told)
            assert figures[:3] == ["states2on 2 screens", "transitions2of 4 known", "events fired21.0 per transition"]
            assert figures[5] == "time10 s0.2 events per second"
            await look.go("#/state/1")
            way = "[...document.querySelectorAll('.way li')].map((step) => step.firstChild.textContent)"
            assert await look.tell(way) == ["open the application ", "click a hello"]
            await look.go("#/state/0")
            await look.until("document.querySelector('.dom pre')")
            assert await look.tell("document.querySelector('.dom pre').textContent") == "<p>hello</p>"
            await look.go("#/graph")
            await look.until("document.querySelector('.summary').textContent !== ''")
            assert await look.tell("document.querySelector('.summary').textContent") == "2 states, 2 connections"
            await look.tell("document.querySelectorAll('.side button')[1].click()")
            await look.until("document.querySelector('.side .primary')")
            await look.tell("document.querySelector('.side .primary').click()")
            await look.until("location.hash === '#/state/1'")
            assert look.exceptions == []

    asyncio.run(run())


def test_the_pages_tell_of_parts(tmp_path: Path) -> None:
    shown = [with_section(snapshot(each, ["click b"], "hello"), "hello") for each in (FIRST, SECOND)]
    write_crawl(tmp_path / "crawl", facts_of("hello"), shown)

    async def run() -> None:
        async with looking() as look:
            await look.open(write_report(tmp_path / "crawl"))
            assert await look.tell("document.querySelector('.part-name').textContent") == "section “hello”"
            await look.go("#/parts/0")
            heads = (
                "[...document.querySelectorAll('.part h2, .part .place')].map((each) => each.firstChild.textContent)"
            )
            assert await look.tell(heads) == ["section “hello”", "#hello"]
            ways = "[...document.querySelectorAll('.ways')].map((each) => each.innerText)"
            assert await look.tell(ways) == ["click a hello", "click a hello"]
            await look.go("#/state/0")
            await look.until("document.querySelector('.parts-shown')")
            assert await look.tell("document.querySelector('.parts-shown a').textContent") == "section “hello”"
            await look.go("#/screens")
            assert await look.tell("document.querySelector('.fold summary').textContent") == "1 part with 1 state"
            assert await look.tell("document.querySelector('.card .refused').textContent") == "1 refused control"
            assert look.exceptions == []

    asyncio.run(run())


def orders(state: str, html: str) -> Snapshot:
    """A state of a page of orders."""
    form = normal_of(f"<h1>Orders</h1>{html}")
    return replace(snapshot(state, ["click a"], "Shop"), normal=form, url="http://app.test/orders")


def three_orders(folder: Path) -> Path:
    """A report of a page with two look-alikes and a dialog, all with a picture of some text in a corner."""
    states = {
        "00aa": "<ul><li>tea</li></ul>",
        "11bb": "<ul><li>tea</li><li>milk</li></ul>",
        "22cc": "<ul><li>tea</li></ul><dialog open>New</dialog>",
    }
    facts: list[Fact] = [CrawlStarted(application="shop", configuration={}, reset_cost=2.0)]
    facts += [
        StateFound(state=state, events=("click a",), url="http://app.test/orders", title="Shop") for state in states
    ]
    facts.append(TransitionExplored(state="00aa", event="click a", target="22cc"))
    facts.append(TransitionExplored(state="22cc", event="click a", target="11bb"))
    corner = picture(80, 50, patterned=[(column, row) for column in range(8) for row in range(4)])
    write_crawl(folder, facts, [orders(state, html) for state, html in states.items()], picture=corner)
    return write_report(folder)


def test_screens_fold_look_alikes_and_show_what_there_is_to_see(tmp_path: Path) -> None:
    async def run() -> None:
        async with looking() as look:
            await look.open(three_orders(tmp_path / "crawl"), "#/screens")
            names = "[...document.querySelectorAll('.card .name')].map((name) => name.textContent)"
            assert await look.tell(names) == ["Orders", "Orders - dialog 'New'"]
            await look.tell("document.querySelector('.fold summary').click()")
            await look.until("document.querySelector('.fold .state')")
            assert await look.tell("document.querySelector('.fold').textContent") == "1 look-alike1Orders - 'milk'"
            await look.until("document.querySelector('.card img').complete")
            frame = await look.tell("document.querySelector('.card .picture').offsetWidth")
            image = await look.tell("document.querySelector('.card img').offsetWidth")
            assert abs(image / frame - 1280 / 480) < 0.06, "the blank part is outside of the frame"
            await look.go("#/states/0")
            assert await look.tell(names) == ["0Orders", "1Orders - 'milk'"]
            assert look.exceptions == []

    asyncio.run(run())


def test_the_graph_shows_screens_and_all_states_one_click_away(tmp_path: Path) -> None:
    async def run() -> None:
        async with looking() as look:
            await look.open(three_orders(tmp_path / "crawl"), "#/graph")
            summary = "document.querySelector('.summary').textContent"
            await look.until(f"{summary} !== ''")
            assert await look.tell(summary) == "3 states on 2 screens, 2 connections"
            await look.tell("document.querySelectorAll('.switch button')[1].click()")
            await look.until(f"{summary} === '3 states, 2 connections'")
            assert look.exceptions == []

    asyncio.run(run())


CROSSED = """(() => {
  const named = document.querySelector('.canvas')._cyreg.cy.nodes().filter((node) => node.style('label'));
  const boxes = named.map((node) => node.renderedBoundingBox({ includeNodes: false, includeLabels: true }));
  const PAD = 4; // round the letters, in pixels
  const meet = (a, b) => a.x1 + PAD < b.x2 && b.x1 + PAD < a.x2 && a.y1 + PAD < b.y2 && b.y1 + PAD < a.y2;
  return [boxes.length, boxes.flatMap((a, i) => boxes.slice(i + 1).filter((b) => meet(a, b))).length];
})()"""


def test_names_in_the_graph_do_not_cross(tmp_path: Path) -> None:
    leaves = [f"{number:04x}" for number in range(256, 296)]
    events = [f"click Section {leaf}" for leaf in leaves]
    facts: list[Fact] = [
        CrawlStarted(application="star", configuration={}, reset_cost=2.0),
        StateFound(state=FIRST, events=tuple(events)),
    ]
    for fired, (event, leaf) in enumerate(zip(events, leaves, strict=True), 1):
        facts += [
            StateFound(state=leaf, events=()),
            TransitionExplored(state=FIRST, event=event, target=leaf, fired=fired, resets=fired),
        ]
    write_crawl(tmp_path / "crawl", facts)

    async def run() -> None:
        async with looking() as look:
            await look.open(write_report(tmp_path / "crawl"), "#/graph")
            await look.until("document.querySelector('.summary').textContent !== ''")
            named, crossed = await look.tell(CROSSED)
            assert named > len(leaves) / 2
            assert crossed == 0

    asyncio.run(run())
