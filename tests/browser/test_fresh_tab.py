"""Sessions: a reset leaves nothing behind, and logs in where it should."""

import asyncio

import pytest
from aiohttp import web

from statecrawl.errors import PageLost, SiteUnreachable
from statecrawl.ports.access import Access
from statecrawl.ports.page import Ending
from tests.browser.stage import Stage, document

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


@pytest.mark.parametrize("what", REMEMBERING)
async def test_urls_are_opened_one_after_the_other_only_where_none_leaves_anything(stage: Stage, what: str) -> None:
    stage.serve("/frame", "<p>frame</p>")
    stage.serve("/next", f"<input id=f hidden><script>{REMEMBERING[what]}</script>")
    stage.serve("/calm", "<p>calm</p>")
    view = await stage.show("<p>home</p>", agent={"site": True})
    urls = [f"open {stage.stand.url}{path}" for path in ("calm", "next", "next")]
    opened = [(await view.fire(urls[0])).states]
    for url in urls[1:]:
        if not await view.page.renew():
            assert len(opened) == 2, "it is opened after the calm page in any case"
            assert what not in ("the focus", "scrolling", "listeners for messages")
            return
        opened.append((await view.fire(url)).states)
    assert opened[1] == opened[2]


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


async def test_the_name_of_the_browser(stage: Stage) -> None:
    await stage.show_alone("", access=Access(user_agent="someone/1.0"))
    assert stage.stand.asked[-1].headers["User-Agent"] == "someone/1.0"
