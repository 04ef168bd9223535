"""A tab: whatever leads out of the application is reported and not followed."""

import asyncio
import gc

import pytest
from aiohttp import web

from statecrawl.browser.page import BrowserPage
from statecrawl.browser.traffic import TrafficIndex
from statecrawl.ports.page import Ending
from tests.browser.stage import Stage, noted

# -- the scope --

OUT = {
    "a link": "<a id=go href={0}>go</a>",
    "an address": "<p id=go onclick='location.href = \"{0}\"'>go</p>",
    "a form": "<form action={0}><button id=go>go</button></form>",
    "a form that posts": "<form action={0} method=post><button id=go>go</button></form>",
    "a link to the top": "<iframe srcdoc='<a id=go href={0} target=_top>go</a>'></iframe>",
    "a link in a frame": "<iframe srcdoc='<a id=go href={0}>go</a>'></iframe>",
    "a timer": "<p id=go onclick='setTimeout(() => {{ location = \"{0}\"; }}, 100)'>go</p>",
}


@pytest.mark.parametrize("way", OUT)
async def test_ways_out_of_the_scope_are_noted_and_not_taken(stage: Stage, way: str) -> None:
    out = f"{stage.stand.other}out"
    view = await stage.show(OUT[way].format(out))
    (event,) = await view.events("#go")
    walked = await view.fire(event)
    assert [url.partition("?")[0] for url in noted(walked, "boundary")] == [out]
    assert walked.landed == view.landing.state
    assert "/out" not in stage.stand.paths


async def test_addresses_that_are_denied_are_out_of_the_scope(stage: Stage) -> None:
    view = await stage.show("<a id=l href=/logout>l</a>", agent={"deny": ("/logout",)})
    walked = await view.fire("click a#l")
    assert noted(walked, "boundary") == [f"{stage.stand.url}logout"]
    assert "/logout" not in stage.stand.paths


async def test_a_server_that_hangs_up_strays(stage: Stage) -> None:
    async def hang_up(request: web.Request) -> web.Response:
        assert request.transport is not None
        request.transport.abort()
        return web.Response()

    stage.serve("/gone", hang_up)
    view = await stage.show_alone("<a id=l href=/gone>l</a>")
    walked = await view.walk("click a#l")
    assert walked.why is Ending.STRAYED
    assert (await view.reset()).state == view.landing.state


NOWHERE = {
    "mail": "mailto:ann@example.com",
    "telephone": "tel:123",
    "an application": "unheard-of:x",
    "nothing": "/nothing",
}


@pytest.mark.parametrize("what", NOWHERE)
async def test_links_that_lead_nowhere_leave_the_page_as_it_is(stage: Stage, what: str) -> None:
    async def nothing(_: web.Request) -> web.Response:
        return web.Response(status=204)

    stage.serve("/nothing", nothing)
    view = await stage.show(f"<a id=l href={NOWHERE[what]}>l</a><button id=b onclick='log(1)'>b</button>")
    walked = await view.fire("click a#l")
    assert (walked.landed, noted(walked, "capped")) == (view.landing.state, [])
    assert walked.seconds < 5
    assert await view.log("click button#b") == ["1"]


# -- windows and downloads --

WINDOWS = {
    "a link": "<a id=go href=/other target=_blank>go</a>",
    "a link to a name": "<a id=go href=/other target=somewhere>go</a>",
    "a base": "<base target=_blank><a id=go href=/other>go</a>",
    "a form": "<form action=/other target=_blank><button id=go>go</button></form>",
    "open": "<p id=go onclick='window.open(\"/other\")'>go</p>",
    "open without opener": '<p id=go onclick=\'window.open("/other", "_blank", "noopener")\'>go</p>',
    "open, then write": (
        '<p id=go onclick=\'const w = window.open("/other"); w.document.write(1); w.location = "/x"; w.focus();'
        " w.close()'>go</p>"
    ),
}


@pytest.mark.parametrize("way", WINDOWS)
async def test_new_windows_are_noted_and_not_opened(stage: Stage, way: str) -> None:
    view = await stage.show(WINDOWS[way])
    (event,) = await view.events("#go")
    walked = await view.fire(event)
    assert [url.partition("?")[0] for url in noted(walked, "window")] == [f"{stage.stand.url}other"]
    assert walked.landed == view.landing.state
    assert noted(walked, "error") == []


DOWNLOADS = {
    "an attribute": "<a id=go href=/file download>go</a>",
    "a header": "<a id=go href=/file>go</a>",
    "an address": "<p id=go onclick='location = \"/file\"'>go</p>",
    "a script": (
        '<p id=go onclick=\'const a = document.createElement("a"); a.href = "/file"; a.download = "f";'
        " a.click()'>go</p>"
    ),
}


@pytest.mark.parametrize("way", DOWNLOADS)
async def test_downloads_are_noted_and_not_kept(stage: Stage, way: str) -> None:
    async def file(_: web.Request) -> web.Response:
        headers = {"Content-Disposition": "attachment; filename=f.bin"}
        return web.Response(body=b"x" * 100, content_type="application/octet-stream", headers=headers)

    stage.serve("/file", file)
    view = await stage.show(DOWNLOADS[way])
    (event,) = await view.events("#go")
    walked = await view.fire(event)
    assert noted(walked, "download") == [f"{stage.stand.url}file"]
    assert (walked.landed, noted(walked, "capped")) == (view.landing.state, [])
    assert walked.seconds < 5


async def test_a_download_belongs_to_the_page_that_asked_for_it(stage: Stage) -> None:
    async def file(_: web.Request) -> web.Response:
        return web.Response(body=b"x", headers={"Content-Disposition": "attachment; filename=a.bin"})

    stage.serve("/file", file)
    html = "<a id=d href=/file>d</a><button id=a onclick='log(1)'>a</button>"
    one, two = await stage.show_alone(html), await stage.show_alone(html)
    told = [(await one.walk("click a#d")).notes, (await two.walk("click button#a")).notes]
    assert [[note.kind for note in notes].count("download") for notes in told] == [1, 0]


# -- read-only --


async def test_reading_only(stage: Stage) -> None:
    stage.serve("/data", "data")
    stage.serve("/next", "<p>next</p>")
    view = await stage.show_alone(
        "<button id=get onclick=\"fetch('/data').then(() => log('read'))\">get</button>"
        "<button id=post onclick=\"fetch('/data', { method: 'POST' }).then(() => log('written'), () =>"
        " log('refused'))\">post</button>"
        "<form action=/next method=post><button id=send>send</button></form><a id=next href=/next>next</a>",
        read_only=True,
    )
    assert await view.log("click button#get") == ["read"]
    walked = await view.fire("click button#post")
    assert noted(walked, "read-only") == [["POST", f"{stage.stand.url}data"]]
    assert await view.text() == "read refused"
    await view.fire("click a#next")
    await view.reset()
    walked = await view.walk("click button#send in form")
    assert noted(walked, "read-only") == [["POST", f"{stage.stand.url}next"]]
    assert (walked.why, walked.landed) == (Ending.END, view.landing.state)
    assert {asked.method for asked in stage.stand.asked} == {"GET"}


async def test_a_page_that_is_given_up_while_it_opens_leaves_no_call_behind(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python warns of calls that are made ready and never made, which the settings of these tests make an error."""
    begun = asyncio.Event()

    def watch(*_: object) -> asyncio.Future[None]:
        begun.set()
        return asyncio.get_running_loop().create_future()

    monkeypatch.setattr("statecrawl.browser.traffic.TabTraffic.watch", watch)
    page = BrowserPage(stage.browsers, stage.settings(), TrafficIndex())
    opening = asyncio.create_task(page.reset())
    await begun.wait()
    opening.cancel()
    await asyncio.wait({opening})
    await page.close()
    gc.collect()
