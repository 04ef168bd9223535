"""What a tab asks for and what it is answered, as a real browser tells it."""

import asyncio

import pytest
from aiohttp import web

from statecrawl.browser import traffic
from statecrawl.browser.page import BrowserPage
from statecrawl.browser.traffic import TrafficIndex
from statecrawl.ports.traffic import KNOWN, LARGE, MOST_BODY, REDIRECT, UNFINISHED, Exchange
from tests.browser.stage import Stage

Told = dict[str, tuple[Exchange, str | None]]  # path -> what was said, and after which event


async def heard(stage: Stage, html: str, *events: str, index: TrafficIndex | None = None) -> Told:
    """Open a page, fire events, and leave it: all its traffic."""
    stage.serve("/", html)
    page = BrowserPage(stage.browsers, stage.settings(), index or TrafficIndex())
    try:
        landing = await page.reset()
        if events:
            await page.walk(landing.state, [(event, None) for event in events])
        seen = page.take_traffic()
    finally:
        await page.close()
    told = [*seen, *page.take_traffic()]
    assert page.take_traffic() == []
    return {f"/{exchange.url.split('/', 3)[3]}": (exchange, event) for exchange, _, event in told}


async def plain(_: web.Request) -> web.Response:
    return web.json_response({"a": 1}, headers={"Set-Cookie": "one=1", "X-Ours": "yes"})


async def test_a_request_belongs_to_the_event_after_which_it_was(stage: Stage) -> None:
    for path in ("/a", "/b", "/c.js"):
        stage.serve(path, plain)
    html = (
        "<script src=/c.js></script>"
        "<button id=a onclick=\"fetch('/a', {method: 'POST', body: 'hello'}).then((a) => a.text())\">a</button>"
        "<button id=b onclick=\"fetch('/b')\">b</button>"
    )
    told = await heard(stage, html, "click button#a", "click button#b")
    events = {path: event for path, (_, event) in told.items()}
    assert events == {"/": None, "/c.js": None, "/a": "click button#a", "/b": "click button#b"}
    posted, _ = told["/a"]
    assert (posted.method, posted.request_body, posted.status, posted.kind) == ("POST", b"hello", 200, "Fetch")
    assert posted.response_body == b'{"a": 1}'
    assert {("Set-Cookie", "one=1"), ("X-Ours", "yes")} <= set(posted.response_headers)
    assert posted.started > 1e9
    assert ("Cookie", "one=1") in told["/b"][0].request_headers, "what went over the wire is told"
    assert told["/b"][0].missing == UNFINISHED, "nobody has read it"


async def test_documents_that_follow_each_other(stage: Stage) -> None:
    async def elsewhere(_: web.Request) -> web.Response:
        raise web.HTTPFound("/next")

    stage.serve("/go", elsewhere)
    stage.serve("/next", "<p>next</p>")
    told = await heard(stage, "<a id=a href=/go>a</a>", "click a#a")
    assert (told["/go"][0].status, told["/go"][0].missing) == (302, REDIRECT)
    assert dict(told["/go"][0].response_headers)["Location"] == "/next"
    assert told["/next"][0].status == 200
    assert b"<p>next" in (told["/next"][0].response_body or b"")
    assert told["/next"][1] == "click a#a"


async def test_what_workers_and_frames_of_other_servers_ask_for(stage: Stage) -> None:
    stage.serve("/w.js", "fetch('/from-worker').then(() => postMessage(1))")
    stage.serve("/from-worker", plain)
    stage.serve("/frame", "<script>fetch('/from-frame')</script>")
    stage.serve("/from-frame", plain)
    html = f"<script>new Worker('/w.js').onmessage = () => log('done')</script><iframe src='{stage.stand.other}frame'>"
    told = await heard(stage, html)
    assert {"/w.js", "/from-worker", "/frame", "/from-frame"} <= told.keys()


async def test_what_fails_and_what_is_too_large(stage: Stage) -> None:
    async def drops(request: web.Request) -> web.Response:
        assert request.transport is not None
        request.transport.close()
        return web.Response()

    async def large(_: web.Request) -> web.Response:
        return web.Response(body=bytes(MOST_BODY + 1))

    stage.serve("/drops", drops)
    stage.serve("/large", large)
    told = await heard(
        stage,
        "<button id=a onclick=\"fetch('/drops').catch(() => log('no'))\">a</button>"
        "<button id=b onclick=\"fetch('/large').then((a) => a.arrayBuffer())\">b</button>",
        "click button#b",
        "click button#a",
    )
    failed, _ = told["/drops"]
    assert failed.status == 0
    assert "ERR_" in failed.failure
    assert (told["/large"][0].status, told["/large"][0].response_body) == (200, None)
    assert told["/large"][0].missing == LARGE


async def test_what_the_browser_does_not_have_any_more(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(traffic, "BUFFERS", {"maxTotalBufferSize": 50, "maxResourceBufferSize": 50})
    stage.serve("/long", "long " * 100)
    told = await heard(stage, "<script>fetch('/long').then((a) => a.text())</script>")
    answered = told["/long"][0]
    if not answered.response_body:  # the page itself may still have it
        assert answered.missing.startswith("the browser says: No data found"), "in its own words"


async def test_bodies_of_pages_that_import_modules(stage: Stage) -> None:
    stage.serve("/m.js", "document.getElementById('log').textContent += 'module '")
    stage.serve("/data", plain)
    stage.serve("/next", "<p>next <script>fetch('/data').then((a) => a.text())</script>")
    told = await heard(stage, "<script>import('/m.js')</script><a id=a href=/next>a</a>", "click a#a")
    assert told.keys() == {"/", "/m.js", "/next", "/data"}
    assert [exchange.missing for exchange, _ in told.values()] == [""] * len(told)


async def test_bodies_of_documents_that_are_left_at_once(stage: Stage) -> None:
    stage.serve("/b", "<script>location.replace('/c')</script>")
    stage.serve("/c", f"<script>location.replace('{stage.stand.url}d')</script>")
    stage.serve("/d", "<p>here</p>")
    told = await heard(stage, "<a id=a href=/b>a</a>", "click a#a")
    assert [exchange.missing for exchange, _ in told.values()] == [""] * len(told)
    assert b"location.replace('/c')" in (told["/b"][0].response_body or b"")


async def test_bodies_of_a_page_that_leads_out_of_the_scope(stage: Stage) -> None:
    async def out(_: web.Request) -> web.Response:
        raise web.HTTPFound(f"{stage.stand.other}out")

    stage.serve("/go", out)
    stage.serve("/out", "<p>out</p>")
    told = await heard(stage, "<a id=a href=/go>a</a>", "click a#a")
    assert "/out" not in stage.stand.paths
    assert (told["/out"][0].missing, told["/"][0].missing) == ("net::ERR_ABORTED", "")


async def test_what_is_still_coming_when_the_page_is_left(stage: Stage) -> None:
    async def endless(request: web.Request) -> web.StreamResponse:
        answer = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await answer.prepare(request)
        await answer.write(b"data: 1\n\n")
        await asyncio.sleep(60)  # or until the page is gone
        return answer

    stage.serve("/stream", endless)
    told = await heard(stage, "<script>new EventSource('/stream').onmessage = () => log('one')</script>")
    assert (told["/stream"][0].status, told["/stream"][0].missing) == (200, UNFINISHED)


async def test_a_body_is_there_however_soon_it_is_taken(stage: Stage) -> None:
    """An answer from the browser counts as soon as it has come, also if nothing has run since."""
    for number in range(40):
        stage.serve(f"/{number}", plain)
    html = "<script>for (let i = 0; i < 40; i++) fetch(`/${i}`).then((a) => a.text())</script>"
    stage.serve("/", html)
    page = BrowserPage(stage.browsers, stage.settings(), TrafficIndex())
    told: list[Exchange] = []

    async def take_always() -> None:
        while True:
            told.extend(exchange for exchange, _, _ in page.take_traffic())
            await asyncio.sleep(0)

    taking = asyncio.create_task(take_always())
    try:
        await page.reset()
    finally:
        taking.cancel()
        await page.close()
    told += [exchange for exchange, _, _ in page.take_traffic()]
    assert len(told) >= 41, "the page and what it fetched; a browser may ask for more"
    assert [exchange.url for exchange in told if exchange.response_body is None and not exchange.missing] == []


async def test_recorded_exchanges_are_reported_in_short_once_for_each_place(stage: Stage) -> None:
    stage.serve("/a", plain)
    html = "<button id=a onclick=\"fetch('/a').then((a) => a.text())\">a</button>"
    index = TrafficIndex()
    first = await heard(stage, html, "click button#a", index=index)
    assert first["/a"][0].response_body is not None
    assert await heard(stage, html, "click button#a", "click button#a", index=index) == {}
    other = await heard(stage, html + "<p>another state", "click button#a", index=index)
    assert other["/a"][0].missing == KNOWN
    assert other["/a"][0].response_headers == ()
