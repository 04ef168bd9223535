"""The page: sessions that begin anew, and walks that say where they led."""

import asyncio
import time

import pytest
from aiohttp import web

from statecrawl.errors import PageLost, SiteUnreachable
from statecrawl.ports.page import Ending, lines_of
from tests.browser.stage import Stage, View, document, said

# -- a reset begins a new session --

# Each tells whether anything is left of an earlier visit, and leaves something itself.
REMEMBERING = {
    "cookies": (
        "log(document.cookie || 'new'); document.cookie = 'a=1; max-age=9999'; document.cookie = 'b=2; path=/deep'"
    ),
    "local storage": "log(localStorage.a || 'new'); localStorage.a = 'old'",
    "session storage": "log(sessionStorage.a || 'new'); sessionStorage.a = 'old'",
    "the name of the window": "log(window.name || 'new'); window.name = 'old'",
    "history": (
        "log(history.length, history.state || 'new'); history.replaceState('old', '');"
        " history.pushState('old', '', '?2')"
    ),
    "databases": (
        "const r = indexedDB.open('d'); r.onupgradeneeded = (e) => log(e.oldVersion || 'new');"
        " r.onsuccess = () => log('open')"
    ),
    "caches": (
        "caches.has('c').then(async (has) => { log(has ? 'old' : 'new');"
        " await (await caches.open('c')).put('/x', new Response('x')); })"
    ),
    "files": (
        "navigator.storage.getDirectory().then(async (d) => { log(await d.getFileHandle('f').then(() =>"
        " 'old', () => 'new'));"
        "await d.getFileHandle('f', { create: true }); })"
    ),
    "storage, when left": (
        "log(localStorage.a || sessionStorage.a || document.cookie || 'new');"
        " for (const type of ['beforeunload', 'pagehide', 'unload', 'visibilitychange'])"
        " addEventListener(type, () => { localStorage.a = 'old'; sessionStorage.a = 'old';"
        " document.cookie = 'a=1'; }, true)"
    ),
    "storage of a frame": (
        "const f = document.createElement('iframe'); f.src = '/frame'; document.body.append(f); f.onload = () => {"
        "const s = f.contentWindow.sessionStorage; log(s.b || 'new'); s.b = 'old';"
        " f.contentWindow.addEventListener('pagehide', () => { s.b = 'old'; }); }"
    ),
    "scrolling": (
        "log(scrollY || 'new'); history.scrollRestoration = 'auto'; document.body.style.height = '5000px';"
        " scrollTo(0, 1000)"
    ),
    "the focus": "log(document.activeElement === document.body ? 'new' : 'old'); byId('f').focus()",
    "listeners for messages": (
        "let n = 0; const c = new BroadcastChannel('c'); c.onmessage = () => log('old'); c.postMessage(1);"
        " setTimeout(() => log('new'), 100)"
    ),
}


@pytest.mark.parametrize("what", REMEMBERING)
async def test_nothing_is_left_of_an_earlier_visit(stage: Stage, what: str) -> None:
    stage.serve("/frame", "<p>frame</p>")
    view = await stage.show(f"<input id=f hidden><script>{REMEMBERING[what]}</script>")
    first, told = view.landing, await view.text()
    assert "new" in told
    for _ in range(2):
        again = await view.reset()
        assert (await view.text(), again.state, again.url) == (told, first.state, first.url)


async def test_cookies_that_no_script_can_see_are_gone_too(stage: Stage) -> None:
    async def greet(request: web.Request) -> web.Response:
        response = web.Response(
            text=document(f"<p>{request.headers.get('Cookie', 'new')}</p>"), content_type="text/html"
        )
        response.set_cookie("secret", "1", httponly=True, samesite="Strict", max_age=9999)
        return response

    view = await stage.show("")
    stage.serve("/", greet)
    first = await view.reset()
    assert (await view.reset()).state == first.state
    assert "<p>new</p>" in (await view.look()).html


async def test_a_service_worker_is_gone(stage: Stage) -> None:
    worker = "onfetch = (e) => { if (e.request.url.endsWith('/data')) e.respondWith(new Response('worker')); };"
    stage.serve("/worker.js", worker + "onactivate = (e) => e.waitUntil(clients.claim());")
    stage.serve_late("/data", "server", 0)
    html = (
        "<button id=b onclick=\"fetch('/data').then((r) => r.text()).then(log)\">b</button><script>"
        "const w = navigator.serviceWorker; log(w.controller ? 'old' : 'new'); w.oncontrollerchange = () =>"
        " log('taken');</script>"
    )
    view = await stage.show(html + "<script>w.register('/worker.js')</script>")
    for _ in range(100):
        await asyncio.sleep(0.02)
        if await view.text() == "new taken":
            break
    assert await view.log("click button#b") == ["worker"]
    stage.serve("/", html)
    await view.reset()
    assert await view.text() == "new"
    assert await view.log("click button#b") == ["server"]


async def test_what_is_under_way_does_not_reach_into_the_next_session(stage: Stage) -> None:
    stage.serve_late("/late", "late", 0.3)
    view = await stage.show(
        (
            "<script>localStorage.n = 'new'; fetch('/late', { keepalive: true }).then(() => { localStorage.n = 'old';"
            " })</script>"
        ),
        agent={"patience": 50},
    )
    stage.serve("/", "<script>log(localStorage.n || 'new')</script>")
    await view.reset()
    await asyncio.sleep(0.4)
    await view.reset()
    assert await view.text() == "new"


async def test_a_page_that_does_not_want_to_be_left(stage: Stage) -> None:
    stage.serve("/next", "<p>next</p>")
    view = await stage.show(
        "<a id=l href=/next>next</a><script>onbeforeunload = (e) => { e.preventDefault(); e.returnValue = 'stay';"
        " return 'stay'; }</script>"
    )
    walked = await view.fire("click a#l")
    assert "<p>next</p>" in (await view.look()).html
    assert walked.landed != view.landing.state
    assert (await view.reset()).state == view.landing.state


async def test_a_page_is_replaced_after_enough_events(stage: Stage) -> None:
    view = await stage.show_alone("<button id=b>b</button>", recycle_events=3)
    await view.fire("click button#b", "click button#b")
    await view.reset()
    assert view.page.fired == 2
    await view.fire("click button#b", "click button#b")
    first = view.landing.state
    assert (await view.reset()).state == first
    assert view.page.fired == 0


async def test_a_site_that_cannot_be_reached(stage: Stage) -> None:
    page = stage.page(url="http://127.0.0.1:1/")
    with pytest.raises(
        SiteUnreachable, match=r"http://127\.0\.0\.1:1/ could not be loaded .*check that the server runs"
    ):
        await page.reset()


async def test_a_page_that_is_closed_says_so(stage: Stage) -> None:
    view = await stage.show_alone("<button id=b>b</button>")
    await view.page.close()
    with pytest.raises(PageLost):
        await view.look()
    with pytest.raises(PageLost):
        await view.page.picture()
    assert (await view.walk("click button#b")).why is Ending.CRASHED
    assert (await view.reset()).state == view.landing.state  # and can be opened again


async def test_pictures(stage: Stage) -> None:
    view = await stage.show("<p>picture</p>")
    picture = await view.page.picture()
    assert picture[:3] == b"\xff\xd8\xff"
    assert len(picture) > 1000


async def test_the_name_of_the_browser(stage: Stage) -> None:
    await stage.show_alone("", user_agent="someone/1.0")
    assert stage.stand.asked[-1].headers["User-Agent"] == "someone/1.0"


# -- walks --

COUNTER = (
    "<button id=b onclick='n.textContent = +n.textContent + 1'>b</button><p id=n>0</p><script>"
    "const n = byId('n')</script>"
)


async def states_of_counter(view: View, count: int) -> list[str]:
    """The state of the counter at 0, 1, 2..."""
    return [view.landing.state, *(await view.fire(*["click button#b"] * count)).states]


async def test_a_walk_says_where_each_step_led(stage: Stage) -> None:
    view = await stage.show(COUNTER)
    states = await states_of_counter(view, 3)
    assert len(set(states)) == 4
    await view.reset()
    walked = await view.page.walk(states[0], [("click button#b", state) for state in states[1:]])
    assert (walked.why, list(walked.states), walked.landed, walked.done) == (Ending.END, states[1:], states[3], 3)


async def test_a_walk_stops_at_the_first_surprise(stage: Stage) -> None:
    view = await stage.show(COUNTER)
    states = await states_of_counter(view, 3)
    await view.reset()
    steps = [("click button#b", states[1]), ("click button#b", states[0]), ("click button#b", states[3])]
    walked = await view.page.walk(states[0], steps)
    assert (walked.why, list(walked.states), walked.landed) == (Ending.SURPRISE, states[1:3], states[2])
    assert await view.text("#n") == "2"  # the third step was not taken


async def test_a_walk_does_not_start_from_another_state(stage: Stage) -> None:
    view = await stage.show(COUNTER)
    states = await states_of_counter(view, 1)
    walked = await view.page.walk(states[0], [("click button#b", None)])
    assert (walked.why, walked.states, walked.landed) == (Ending.MOVED, (), states[1])


async def test_a_walk_ends_where_the_event_is_missing(stage: Stage) -> None:
    view = await stage.show(COUNTER)
    walked = await view.walk("click button#b", "click button#none", "click button#b")
    assert (walked.why, walked.done) == (Ending.GONE, 1)
    assert await view.text("#n") == "1"


async def test_a_walk_without_steps_tells_where_we_are(stage: Stage) -> None:
    view = await stage.show(COUNTER)
    walked = await view.page.walk(view.landing.state, [])
    assert (walked.why, walked.landed) == (Ending.END, view.landing.state)


async def test_a_change_from_outside_is_noticed(stage: Stage) -> None:
    sockets: list[web.WebSocketResponse] = []

    async def socket(request: web.Request) -> web.WebSocketResponse:
        response = web.WebSocketResponse()
        await response.prepare(request)
        sockets.append(response)
        async for _ in response:
            pass
        return response

    stage.serve("/socket", socket)
    view = await stage.show(
        "<button id=b onclick='log(1)'>b</button><script>"
        "const s = new WebSocket(location.origin.replace('http', 'ws') + '/socket');"
        "s.onmessage = (e) => log(e.data)</script>"
    )
    await sockets[0].send_str("pushed")
    await asyncio.sleep(0.1)
    walked = await view.page.walk(view.landing.state, [("click button#b", None)])
    assert (walked.why, walked.done) == (Ending.MOVED, 0)
    assert walked.landed != view.landing.state
    assert await view.text() == "pushed"
    assert (await view.page.walk(walked.landed, [("click button#b", None)])).why is Ending.END


async def test_an_endless_loop_costs_the_page_and_nothing_else(stage: Stage) -> None:
    view = await stage.show_alone("<button id=b onclick='for (;;);'>b</button>", event_seconds=0.2)
    begun = time.perf_counter()
    walked = await view.walk("click button#b")
    assert (walked.why, walked.done, walked.landed) == (Ending.HUNG, 0, None)
    assert "no answer within" in walked.reason
    assert time.perf_counter() - begun < 8
    assert (await view.reset()).state == view.landing.state


# -- from document to document --


async def test_a_path_over_several_documents(stage: Stage) -> None:
    for number in range(1, 4):
        stage.serve(
            f"/{number}", f"<a id=next href=/{number + 1}>next</a><button id=b onclick='log({number})'>b</button>"
        )
    view = await stage.show("<a id=next href=/1>next</a><script>log(performance.now())</script>")
    path = ["click a#next", "click button#b", "click a#next", "click a#next", "click button#b"]
    walked = await view.fire(*path)
    assert len(set(walked.states)) == 5
    assert await view.text() == "3"
    await view.reset()
    steps = list(zip(path, walked.states, strict=True))
    again = await view.page.walk(view.landing.state, steps)
    assert (again.why, again.states, again.landed) == (Ending.END, walked.states, walked.landed)
    await view.reset()
    wrong = await view.page.walk(view.landing.state, [*steps[:2], ("click a#next", walked.states[0]), *steps[3:]])
    assert (wrong.why, wrong.states) == (Ending.SURPRISE, walked.states[:3])
    assert stage.stand.paths.count("/3") == 2


WAYS = {
    "a link": "<a id=go href=/next>go</a>",
    "an address": "<p id=go onclick='location.href = \"/next\"'>go</p>",
    "assign": "<p id=go onclick='location.assign(\"/next\")'>go</p>",
    "replace": "<p id=go onclick='location.replace(\"/next\")'>go</p>",
    "a timer": "<p id=go onclick='setTimeout(() => { location = \"/next\"; }, 3000)'>go</p>",
    "after an answer": '<p id=go onclick=\'fetch("/next").then(() => { location = "/next"; })\'>go</p>',
    "a form": "<form action=/next><button id=go>go</button></form>",
    "a form that posts": "<form action=/next method=post><button id=go>go</button></form>",
    "a redirect": "<a id=go href=/redirect>go</a>",
    "the other target": "<a id=go href=/next target=_top>go</a>",
    "a link in a frame": "<iframe srcdoc='<a id=go href=/next target=_parent>go</a>'></iframe>",
}


@pytest.mark.parametrize("way", WAYS)
async def test_every_way_to_another_document_is_a_step(stage: Stage, way: str) -> None:
    async def redirect(_: web.Request) -> web.Response:
        raise web.HTTPFound("/next")

    stage.serve("/redirect", redirect)
    stage.serve("/next", "<p>next</p><script>fetch('/data').then(() => log('loaded'))</script>")
    view = await stage.show(WAYS[way])
    (event,) = await view.events("#go")
    walked = await view.fire(event)
    assert walked.done == 1
    told = await view.look()
    assert (told.state, told.url.partition("?")[0]) == (walked.landed, f"{stage.stand.url}next")
    assert await view.text() == "loaded"


async def test_a_slow_answer_to_a_link_is_waited_for(stage: Stage) -> None:
    """Also while something else is being loaded, and right after the page itself was."""
    stage.serve_late("/slow", document("<p>slow</p>"), 0.4, "text/html")
    stage.serve_late("/picture", "", 0.2)
    view = await stage.show(
        '<p id=go onclick=\'document.body.append(new Image()); document.images[0].src = "/picture";'
        ' location = "/slow"\'>go</p>'
    )
    for _ in range(2):
        await view.fire("click p#go")
        assert "<p>slow</p>" in (await view.look()).html
        await view.reset()


async def test_loading_the_same_document_again(stage: Stage) -> None:
    view = await stage.show(
        "<button id=b onclick='location.reload()'>b</button><script>"
        "log(sessionStorage.n = +(sessionStorage.n || 0) + 1)</script>"
    )
    assert await view.text() == "1"
    await view.fire("click button#b")
    assert await view.text() == "2"  # it is the same session


async def test_a_link_in_a_frame_changes_the_frame(stage: Stage) -> None:
    stage.serve("/one", "<a id=l href=/two>two</a>")
    stage.serve("/two", "<p>in frame two</p>")
    view = await stage.show("<iframe id=f src=/one></iframe>")
    walked = await view.fire("click a#l in iframe#f")
    assert walked.landed != view.landing.state
    assert any(line[2] == "in frame two" for line in lines_of((await view.look()).normal))
    assert (await view.look()).url == stage.stand.url


async def test_missing_pages_are_states(stage: Stage) -> None:
    view = await stage.show("<a id=l href=/missing>l</a>")
    await view.fire("click a#l")
    assert "nothing here" in (await view.look()).html


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
    assert [url.partition("?")[0] for url in said(walked, "boundary")] == [out]
    assert walked.landed == view.landing.state
    assert "/out" not in stage.stand.paths


async def test_addresses_that_are_denied_are_out_of_the_scope(stage: Stage) -> None:
    view = await stage.show("<a id=l href=/logout>l</a>", agent={"deny": ("/logout",)})
    walked = await view.fire("click a#l")
    assert said(walked, "boundary") == [f"{stage.stand.url}logout"]
    assert "/logout" not in stage.stand.paths


async def test_a_redirect_out_of_the_scope_strays(stage: Stage) -> None:
    async def redirect(_: web.Request) -> web.Response:
        raise web.HTTPFound(f"{stage.stand.other}out")

    stage.serve("/redirect", redirect)
    stage.serve("/out", "<p>out</p>")
    view = await stage.show_alone("<a id=l href=/redirect>l</a>")
    walked = await view.walk("click a#l")
    assert (walked.why, walked.landed) == (Ending.STRAYED, None)
    assert f"{stage.stand.other}out" in walked.reason
    assert said(walked, "boundary") == [f"{stage.stand.other}out"]
    assert (await view.reset()).state == view.landing.state


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
    assert (walked.landed, said(walked, "capped")) == (view.landing.state, [])
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
    assert [url.partition("?")[0] for url in said(walked, "window")] == [f"{stage.stand.url}other"]
    assert walked.landed == view.landing.state
    assert said(walked, "error") == []


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
    assert said(walked, "download") == [f"{stage.stand.url}file"]
    assert (walked.landed, said(walked, "capped")) == (view.landing.state, [])
    assert walked.seconds < 5


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
    assert said(walked, "read-only") == [["POST", f"{stage.stand.url}data"]]
    assert await view.text() == "read refused"
    await view.fire("click a#next")
    await view.reset()
    walked = await view.walk("click button#send in form")
    assert said(walked, "read-only") == [["POST", f"{stage.stand.url}next"]]
    assert {asked.method for asked in stage.stand.asked} == {"GET"}


# -- logging in --

FORM = "<form action=/enter method=post><input name=user><input name=word type=password><button>enter</button></form>"
STEPS = (
    {"verb": "fill", "selector": "[name=user]", "value": "ann"},
    {"verb": "fill", "selector": "[name=word]", "value": "secret"},
    {"verb": "click", "selector": "button"},
)


def serve_account(stage: Stage) -> None:
    """A site that shows a form to strangers and an account to those who know the word."""

    async def home(request: web.Request) -> web.Response:
        inside = request.cookies.get("in") == "yes"
        html = (
            "<p id=account>account</p><a id=out href=/leave>leave</a><button id=b onclick='log(1)'>b</button>"
            if inside
            else FORM
        )
        return web.Response(text=document(html), content_type="text/html")

    async def enter(request: web.Request) -> web.Response:
        told = await request.post()
        response = web.HTTPFound("/")
        if (told["user"], told["word"]) == ("ann", "secret"):
            response.set_cookie("in", "yes", httponly=True)
        raise response

    async def leave(_: web.Request) -> web.Response:
        response = web.HTTPFound("/")
        response.del_cookie("in")
        raise response

    stage.serve("/", home)
    stage.serve("/enter", enter)
    stage.serve("/leave", leave)


async def test_logging_in_after_every_reset(stage: Stage) -> None:
    serve_account(stage)
    page = stage.page(login=STEPS, agent={"session": "#account"})
    first = await page.reset()
    assert "account" in (await page.describe()).html
    assert (await page.reset()).state == first.state
    assert stage.stand.paths.count("/enter") == 2


@pytest.mark.parametrize(
    "step",
    [
        {"goto": ""},
        {"verb": "submit", "selector": "form"},
        {"verb": "press", "selector": "[name=word]", "value": "Enter"},
    ],
)
async def test_other_steps_of_a_log_in(stage: Stage, step: dict[str, str]) -> None:
    serve_account(stage)
    steps = ({"goto": stage.stand.url}, *STEPS) if "goto" in step else (*STEPS[:2], step)
    page = stage.page(login=steps, agent={"session": "#account"})
    await page.reset()
    assert "account" in (await page.describe()).html


async def test_a_log_in_that_fails_says_why(stage: Stage) -> None:
    serve_account(stage)
    page = stage.page(login=(*STEPS[:1], STEPS[2]), agent={"session": "#account"})
    with pytest.raises(SiteUnreachable, match=r"nobody is logged in.*#account"):
        await page.reset()
    page = stage.page(login=({"verb": "click", "selector": "#none"},))
    with pytest.raises(SiteUnreachable, match="there is no element '#none' to click"):
        await page.reset()


async def test_a_session_that_is_lost_strays(stage: Stage) -> None:
    serve_account(stage)
    page = stage.page(login=STEPS, agent={"session": "#account"})
    view = View(page, await page.reset())
    walked = await view.walk("click a#out")
    assert (walked.why, walked.landed) == (Ending.STRAYED, None)
    assert "nobody is logged in" in walked.reason
    assert (await view.reset()).state == view.landing.state


async def test_a_saved_session_is_there_after_every_reset(stage: Stage) -> None:
    async def home(request: web.Request) -> web.Response:
        html = f"<p>{request.cookies.get('in', 'stranger')}</p><script>log(localStorage.token || 'none')</script>"
        html += "<button id=b onclick='localStorage.clear(); document.cookie = \"in=used\"'>b</button>"
        return web.Response(text=document(html), content_type="text/html")

    stage.serve("/", home)
    origin = stage.stand.url.rstrip("/")
    cookie = {"name": "in", "value": "ann", "domain": "127.0.0.1", "path": "/", "httpOnly": False}
    page = stage.page(cookies=(cookie,), storage=((origin, "token", "t1"), ("http://other.example", "token", "t2")))
    view = View(page, await page.reset())
    for _ in range(2):
        assert "<p>ann</p>" in (await view.look()).html
        assert await view.text() == "t1"
        await view.fire("click button#b")
        await view.reset()


async def test_a_download_belongs_to_the_page_that_asked_for_it(stage: Stage) -> None:
    async def file(_: web.Request) -> web.Response:
        return web.Response(body=b"x", headers={"Content-Disposition": "attachment; filename=a.bin"})

    stage.serve("/file", file)
    html = "<a id=d href=/file>d</a><button id=a onclick='log(1)'>a</button>"
    one, two = await stage.show_alone(html), await stage.show_alone(html)
    told = [(await one.walk("click a#d")).notes, (await two.walk("click button#a")).notes]
    assert [[note.kind for note in notes].count("download") for notes in told] == [1, 0]


LIES = {
    "more states than steps": "lie.states = ['0', '1', '2'].map((digit) => digit.repeat(24)); lie.done = 3",
    "steps that led nowhere": "lie.done = 1; lie.states = []",
    "an address that is none": "lie.url = 'http://[x'",
    "nothing from before": "delete lie.before",
}


@pytest.mark.parametrize("lie", LIES)
async def test_a_page_that_answers_for_its_agent(stage: Stage, lie: str) -> None:
    """By a property that every object has, and that promises look at."""
    view = await stage.show(
        "<button id=a onclick='log(1)'>a</button><script>Object.defineProperty(Object.prototype, 'then', { get() {"
        " if (!Object.hasOwn(this, 'states')) return undefined; const lie = Object.assign(Object.create(null), this);"
        f" {LIES[lie]}; return (resolve) => resolve(lie); }} }});</script>"
    )
    walked = await view.walk("click button#a")
    assert (walked.why, walked.done) == (Ending.END, 1)
