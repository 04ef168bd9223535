"""Settling: a state is seen when everything that an event set going has come to its end, and not before."""

import asyncio
import base64
import contextlib
import time

import pytest
from aiohttp import WSMsgType, web

from statecrawl.browser.chromium import find_browser
from statecrawl.errors import SiteUnreachable
from statecrawl.ports.page import Ending
from tests.browser.stage import Stage, said

LATE = 0.15  # seconds that answers of the server take
IN_TIME = 2.5  # seconds: less than the agent's patience with one request, and the cap of an event

# What a script does that writes "done" in the end. /late answers after a while.
ENDS = {
    "XMLHttpRequest": "const x = new XMLHttpRequest(); x.open('GET', '/late'); x.onload = () => log('done'); x.send()",
    "XMLHttpRequest, in step": "const x = new XMLHttpRequest(); x.open('GET', '/late', false); x.send(); log('done')",
    "XMLHttpRequest, refused": (
        "const x = new XMLHttpRequest(); x.open('GET', 'http://127.0.0.1:1/'); x.onerror = () => log('done'); x.send()"
    ),
    "XMLHttpRequest, given up": (
        "const x = new XMLHttpRequest(); x.open('GET', '/never'); x.onabort = () => log('done'); x.send();"
        " setTimeout(() => x.abort())"
    ),
    "two requests": "fetch('/late').then(() => fetch('/late?2')).then((r) => r.text()).then(() => log('done'))",
    "fetch": "fetch('/late').then((r) => r.text()).then(() => log('done'))",
    "fetch, refused": "fetch('http://127.0.0.1:1/').catch(() => log('done'))",
    "fetch, given up": (
        "const c = new AbortController(); fetch('/never', { signal: c.signal }).catch(() => log('done'));"
        " setTimeout(() => c.abort())"
    ),
    "a request object": (
        "fetch(new Request('/late')).then((r) => r.blob()).then((b) => b.text()).then(() => log('done'))"
    ),
    "a stream, read": (
        "fetch('/stream').then(async (r) => { const b = r.body.getReader(); while (!(await b.read()).done);"
        " log('done'); })"
    ),
    "a stream, iterated": "fetch('/stream').then(async (r) => { for await (const part of r.body); log('done'); })",
    "a stream, piped": "fetch('/stream').then((r) => r.body.pipeTo(new WritableStream())).then(() => log('done'))",
    "a stream, decoded": (
        "fetch('/stream').then(async (r) => { const d = r.body.pipeThrough(new TextDecoderStream()).getReader();"
        " while (!(await d.read()).done); log('done'); })"
    ),
    "a script": "const s = document.createElement('script'); s.src = '/late.js'; document.head.append(s)",
    "a script by attribute": (
        "const s = document.createElement('script'); s.setAttribute('src', '/late.js'); document.head.append(s)"
    ),
    "a script that is missing": (
        "const s = document.createElement('script'); s.src = '/missing.js'; s.onerror = () => log('done');"
        " document.head.append(s)"
    ),
    "JSONP": (
        "window.answer = (word) => log(word); const s = document.createElement('script'); s.src = '/jsonp.js';"
        " document.head.append(s)"
    ),
    "a picture": "const i = new Image(); i.onload = () => log('done'); i.src = '/late.png'",
    "a picture that was asked for before": (
        "const i = new Image(); i.src = '/late.png?2'; i.addEventListener('load', () => log('done'))"
    ),
    "a picture by attribute": (
        "const i = document.createElement('img'); i.onload = () => log('done'); i.setAttribute('src', '/late.png?3')"
    ),
    "a picture by markup": "byId('place').innerHTML = '<img src=\"/late.png?4\" onload=\"log(`done`)\">'",
    "a picture that is missing": "const i = new Image(); i.onerror = () => log('done'); i.src = '/missing.png'",
    "a style sheet": (
        "const l = document.createElement('link'); l.rel = 'stylesheet'; l.onload = () => log('done');"
        " l.href = '/late.css'; document.head.append(l)"
    ),
    "a frame": (
        "const f = document.createElement('iframe'); f.src = '/late'; f.onload = () => log('done');"
        " document.body.append(f)"
    ),
    "promises": "(async () => { for (let i = 0; i < 500; i += 1) await null; log('done'); })()",
    "a microtask": "queueMicrotask(() => queueMicrotask(() => log('done')))",
    "a timer": "setTimeout(() => log('done'), 9000)",
    "a timer with a text": "setTimeout(\"log('done')\", 100)",
    "timers in a row": "const next = (n) => n ? setTimeout(next, 100, n - 1) : log('done'); next(20)",
    "a frame of an animation": "requestAnimationFrame(() => requestAnimationFrame(() => log('done')))",
    "an animation by frames": (
        "const begun = performance.now(); const f = (now) =>"
        " now - begun < 1000 ? requestAnimationFrame(f) : log('done'); requestAnimationFrame(f)"
    ),
    "idleness": "requestIdleCallback(() => log('done'))",
    "a task": "scheduler.postTask(() => log('done'), { delay: 50 })",
    "a message to oneself": "addEventListener('message', () => log('done'), { once: true }); postMessage('x', '*')",
    "a channel": "const c = new MessageChannel(); c.port2.onmessage = () => log('done'); c.port1.postMessage('x')",
    "a broadcast": (
        "const a = new BroadcastChannel('x'), b = new BroadcastChannel('x'); b.onmessage = () => log('done');"
        " a.postMessage(1)"
    ),
    "an observer of changes": (
        "new MutationObserver((_, o) => { o.disconnect(); setTimeout(() => log('done'));"
        " }).observe(byId('place'), { childList: true }); byId('place').append('x')"
    ),
    "an observer of sizes": "new ResizeObserver((_, o) => { o.disconnect(); log('done'); }).observe(byId('place'))",
    "an observer of what is to be seen": (
        "new IntersectionObserver((_, o) => { o.disconnect(); log('done'); }).observe(byId('place'))"
    ),
    "a transition": (
        "const p = byId('place'); p.style.transition = 'opacity 2s'; p.getBoundingClientRect();"
        " p.ontransitionend = () => log('done'); getComputedStyle(p).opacity; p.style.opacity = 0"
    ),
    "an animation": "const p = byId('place'); p.onanimationend = () => log('done'); p.style.animation = 'fade 3s 2'",
    "an animation by script": (
        "byId('place').animate([{ opacity: 0 }, { opacity: 1 }], 5000).finished.then(() => log('done'))"
    ),
    "a view transition": "document.startViewTransition(() => log('done'))",
    "a digest": "crypto.subtle.digest('SHA-256', new Uint8Array(1000)).then(() => log('done'))",
    "a database": (
        "const r = indexedDB.open('d', 1); r.onupgradeneeded = () => r.result.createObjectStore('s');"
        " r.onsuccess = () => { const t = r.result.transaction('s', 'readwrite'); t.objectStore('s').put(1, 1);"
        " t.oncomplete = () => { const g = r.result.transaction('s').objectStore('s').get(1); g.onsuccess = () =>"
        " log('done'); }; }"
    ),
    "a cursor": (
        "const r = indexedDB.open('e', 1); r.onupgradeneeded = () => { const s = r.result.createObjectStore('s');"
        " for (let i = 0; i < 50; i += 1) s.put(i, i); }; r.onsuccess = () =>"
        " { const c = r.result.transaction('s').objectStore('s').openCursor(); c.onsuccess = () =>"
        " c.result ? c.result.continue() : log('done'); }"
    ),
    "a cache": (
        "caches.open('c').then(async (c) => { await c.add('/late');"
        " log((await c.match('/late')) ? 'done' : 'nothing'); })"
    ),
    "a socket": (
        "const s = new WebSocket(location.origin.replace('http', 'ws') + '/socket'); s.onopen = () =>"
        " s.send('x'); s.onmessage = () => log('done')"
    ),
    "a stream of events": "new EventSource('/events').onmessage = () => log('done')",
    "a file": "const r = new FileReader(); r.onload = () => log('done'); r.readAsText(new Blob(['x'.repeat(1e6)]))",
    "a canvas": (
        "const c = document.createElement('canvas'); c.width = c.height = 500; c.getContext('2d'); c.toBlob(() =>"
        " log('done'))"
    ),
    "a bitmap": (
        "const c = document.createElement('canvas'); c.width = c.height = 500; createImageBitmap(c).then(() =>"
        " log('done'))"
    ),
    "a permission": "navigator.permissions.query({ name: 'geolocation' }).then(() => log('done'))",
    "a lock": "navigator.locks.request('x', () => log('done'))",
    "fonts": "document.fonts.load('12px x').then(() => log('done'))",
    "unfolding": (
        "const d = document.createElement('details'); document.body.append(d); d.ontoggle = () => log('done');"
        " d.open = true"
    ),
    "where we are": "navigator.geolocation.getCurrentPosition(() => log('done'), () => log('done'))",
    "a notification": "Notification.requestPermission().then(() => log('done'))",
    "the clipboard": "navigator.clipboard.readText().then(() => log('done'), () => log('done'))",
    "a camera": "navigator.mediaDevices.getUserMedia({ video: true }).then(() => log('done'), () => log('done'))",
    "the whole screen": (
        "byId('place').requestFullscreen().then(() => { document.exitFullscreen().then(() => log('done'));"
        " }, () => log('done'))"
    ),
    "storage": "navigator.storage.estimate().then(() => log('done'))",
    "compression": (
        "new Response(new Blob(['x'.repeat(1e5)]).stream().pipeThrough(new "
        "CompressionStream('gzip'))).arrayBuffer().then(() => log('done'))"
    ),
}


async def stream(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse()
    await response.prepare(request)
    for _ in range(3):
        await response.write(b"part")
        await asyncio.sleep(LATE / 2)
    return response


async def never(_: web.Request) -> web.Response:
    await asyncio.sleep(60)
    return web.Response()


async def socket(request: web.Request) -> web.WebSocketResponse:
    response = web.WebSocketResponse()
    await response.prepare(request)
    async for message in response:
        if message.type is WSMsgType.TEXT:
            await response.send_str(message.data)
    return response


async def events(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    await response.prepare(request)
    await response.write(b"data: hello\n\n")
    await asyncio.sleep(60)
    return response


PIXEL = base64.b64decode("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7")


async def picture(_: web.Request) -> web.Response:
    await asyncio.sleep(LATE)
    return web.Response(body=PIXEL, content_type="image/gif", headers={"Cache-Control": "no-store"})


def serve_answers(stage: Stage) -> None:
    stage.serve_late("/late", "late", LATE, "text/html")
    stage.serve_late("/late.js", "log('done')", LATE, "text/javascript")
    stage.serve_late("/jsonp.js", "answer('done')", LATE, "text/javascript")
    stage.serve_late("/late.css", "p { color: red }", LATE, "text/css")
    for path, handler in {
        "/late.png": picture,
        "/stream": stream,
        "/never": never,
        "/socket": socket,
        "/events": events,
    }.items():
        stage.serve(path, handler)


@pytest.mark.parametrize("what", ENDS)
async def test_what_an_event_sets_going_comes_to_its_end(stage: Stage, what: str) -> None:
    serve_answers(stage)
    view = await stage.show(
        "<style>@keyframes fade { to { opacity: 0 } }</style><p id=place>place</p><button id=b>b</button>"
        f"<script>byId('b').onclick = () => {{ {ENDS[what]} }}</script>"
    )
    begun = time.perf_counter()
    walked = await view.fire("click button#b")
    spent = time.perf_counter() - begun
    assert await view.text() == "done"
    assert (await view.look()).state == walked.landed
    assert spent < IN_TIME


# -- while the page is loaded --


@pytest.mark.parametrize("script", ["fetch('/late').then(() => log('done'))", "setTimeout(() => log('done'), 5000)"])
async def test_the_same_holds_for_a_load(stage: Stage, script: str) -> None:
    serve_answers(stage)
    view = await stage.show(f"<script>{script}</script>")
    assert view.landing.quiet
    assert await view.text() == "done"
    assert (await view.look()).state == view.landing.state


async def test_what_happens_in_frames_is_waited_for(stage: Stage) -> None:
    serve_answers(stage)
    stage.serve("/frame", "<script>fetch('/late').then(() => setTimeout(() => top.log('done'), 1000))</script>")
    view = await stage.show("<iframe src=/frame></iframe>")
    assert await view.text() == "done"


DRAWN = {
    "IntersectionObserver": "new IntersectionObserver(([seen]) => log(seen.isIntersecting)).observe(byId('log'))",
    "ResizeObserver": "new ResizeObserver(() => { byId('b').textContent = 'c'; }).observe(byId('b'))",
    "a transition": "const b = byId('b'); b.style.transition = 'opacity 2s'; getComputedStyle(b).opacity;"
    "b.ontransitionend = () => log('true'); b.style.opacity = 0.5",
}


@pytest.mark.parametrize("what", DRAWN)
async def test_the_first_page_is_seen_like_all_others(stage: Stage, what: str) -> None:
    """What depends on being drawn happens on the first load of a page and on the second."""
    view = await stage.show_alone(f"<button id=b>b</button><script>{DRAWN[what]}</script>")
    first = await view.look()
    assert first.state == view.landing.state
    assert "true" in first.html or ">c</button>" in first.html
    assert (await view.reset()).state == first.state


@pytest.mark.parametrize("what", DRAWN)
async def test_what_an_event_shows_is_seen_on_a_page_that_was_not_drawn(stage: Stage, what: str) -> None:
    view = await stage.show_alone(
        f"<button id=b>b</button><script>byId('b').onclick = () => {{ {DRAWN[what]} }}</script>"
    )
    walked = await view.fire("click button#b")
    told = await view.look()
    assert told.state == walked.landed
    assert "true" in told.html or ">c</button>" in told.html


async def test_modules_that_are_imported_while_the_page_runs(stage: Stage) -> None:
    stage.serve_late("/a.js", "import { b } from '/b.js'; export const a = b;", LATE, "text/javascript")
    stage.serve_late("/b.js", "export const b = 'done';", LATE, "text/javascript")
    html = (
        "<button id=b>b</button><script type=module>const show = async () => log((await import('/a.js')).a);"
        "START byId('b').onclick = show;</script>"
    )
    view = await stage.show_alone(html.replace("START", "show();"))
    assert await view.text() == "done"
    assert (await view.look()).state == view.landing.state
    view = await stage.show_alone(html.replace("START", ""))
    walked = await view.fire("click button#b")
    assert await view.text() == "done"
    assert walked.landed == (await view.look()).state


IMPORTERS = {
    "a script": "<button id=b>b</button><script>byId('b').onclick = () => { import('/m.js') }</script>",
    "an attribute": "<button id=b onclick=\"import('/m.js')\">b</button>",
}


@pytest.mark.parametrize("who", IMPORTERS)
async def test_imports_are_waited_for_in_every_page_that_is_opened(stage: Stage, who: str) -> None:
    stage.serve_late("/m.js", "document.getElementById('log').textContent += 'module ';", LATE, "text/javascript")
    view = await stage.show_alone(IMPORTERS[who])
    assert await view.log("click button#b") == ["module"]
    await view.page.close()
    await view.reset()
    assert await view.log("click button#b") == ["module"]


async def test_a_page_that_hangs_while_its_scripts_are_searched(stage: Stage) -> None:
    stage.serve("/w.js", "setTimeout(() => postMessage(1), 700)")
    many = "".join(f"<script>var v{number} = {number}</script>" for number in range(1900))
    stage.serve("/", f"{many}<script>new Worker('/w.js').onmessage = () => {{ for (;;); }}</script>")
    page = stage.page(event_seconds=0.5, load_seconds=2)
    with contextlib.suppress(SiteUnreachable):  # or it was quick enough
        await asyncio.wait_for(page.reset(), 20)
    await page.close()


async def test_a_frame_that_is_loaded_when_it_is_drawn(stage: Stage) -> None:
    stage.serve("/inner", "<button id=inner onclick=1>inner</button>")
    view = await stage.show_alone("<iframe loading=lazy src=/inner></iframe>")
    assert await view.events() == ["click button#inner in iframe"]


@pytest.mark.skipif("headless" not in find_browser().name, reason="a window that is not drawn tells it a second later")
async def test_an_animation_says_that_it_is_over(stage: Stage) -> None:
    view = await stage.show(
        "<button id=b>b</button><script>byId('b').onclick = () => {"
        " byId('b').animate([{ opacity: 0 }, { opacity: 1 }], 500).onfinish = () => log('over') }</script>"
    )
    assert await view.log("click button#b") == ["over"]


# -- virtual time --


async def test_timers_run_in_the_order_of_their_times(stage: Stage) -> None:
    view = await stage.show(
        "<iframe srcdoc='<script>setTimeout(() => top.log(250), 250)</script>'></iframe><script>"
        "addEventListener('load', () => {"
        "setTimeout(log, 300, 300); setTimeout(log, 200, 200); setTimeout(() => { log(100);"
        " setTimeout(log, 50, 150); }, 100);"
        "const gone = setTimeout(log, 10, 'gone'); clearTimeout(gone);"
        " const gone2 = setInterval(log, 10, 'gone'); clearInterval(gone2);"
        "setTimeout(log, 0, 'first'); setTimeout(log, 0, 'second'); setTimeout(log, -5, 'third');"
        " setTimeout(log, NaN, 'fourth'); });</script>"
    )
    told = await view.log()
    assert [word for word in told if word != "250"] == [
        "first",
        "second",
        "third",
        "fourth",
        "100",
        "150",
        "200",
        "300",
    ]
    assert "250" in told


async def test_a_day_passes_in_no_time_and_what_is_beyond_the_horizon_never_comes(stage: Stage) -> None:
    html = "<button id=b onclick='setTimeout(log, 9999, 1); setTimeout(log, 10001, 2)'>b</button>"
    view = await stage.show(html)
    begun = time.perf_counter()
    assert await view.log("click button#b") == ["1"]
    assert time.perf_counter() - begun < IN_TIME
    view = await stage.show(html, agent={"horizon": 60_000})
    assert await view.log("click button#b") == ["1", "2"]


BOUNDED = {
    "setInterval(() => { n += 1; }, 1000)": range(9, 12),  # until the horizon
    "setInterval(() => { n += 1; }, 1)": range(100, 101),
    "const f = () => { n += 1; setTimeout(f, 1000); }; f()": range(9, 12),
    "const f = () => { n += 1; setTimeout(f); }; f()": range(100, 102),
    "const f = () => { n += 1; requestAnimationFrame(f); }; f()": range(100, 102),
    "const f = () => { n += 1; requestIdleCallback(f); }; f()": range(100, 102),
    "const f = () => { n += 1; setTimeout(() => f(), 5); }; f()": range(100, 2002),
    "for (let i = 0; i < 5000; i += 1) setTimeout(() => { n += 1; }, i)": range(2000, 2001),
}


@pytest.mark.parametrize("script", BOUNDED)
async def test_what_would_go_on_for_ever_is_cut_short(stage: Stage, script: str) -> None:
    view = await stage.show(
        f"<button id=b>b</button><script>let n = 0; byId('b').onclick = () => {{ {script} }};"
        " byId('log').onclick = () => log(n)</script>"
    )
    begun = time.perf_counter()
    await view.fire("click button#b")
    assert time.perf_counter() - begun < IN_TIME
    (count,) = await view.log("click pre#log")
    # the second event lets the same again run as long, after it was counted
    assert int(count) in BOUNDED[script]


async def test_an_interval_that_ends_itself(stage: Stage) -> None:
    view = await stage.show(
        "<button id=b>b</button><script>byId('b').onclick = () => { let n = 0; const i = setInterval(() => { log(++n);"
        "if (n === 3) clearInterval(i); }, 700); }</script>"
    )
    assert await view.log("click button#b") == ["1", "2", "3"]


async def test_an_answer_is_not_overtaken_by_a_time_out(stage: Stage) -> None:
    serve_answers(stage)
    view = await stage.show(
        "<button id=b>b</button><script>byId('b').onclick = async () => { const late = new Promise((_, no) =>"
        " setTimeout(no, 50, 'too late'));"
        "await Promise.race([fetch('/late').then((r) => r.text()), late]).then(log, log);"
        " setTimeout(log, 10, 'after'); }</script>"
    )
    assert await view.log("click button#b") == ["late", "after"]


async def test_time_stands_still_while_the_server_thinks(stage: Stage) -> None:
    serve_answers(stage)
    view = await stage.show(
        "<button id=b>b</button><script>byId('b').onclick = async () => { const t = performance.now();"
        " await fetch('/late');"
        "log(performance.now() - t); await new Promise((r) => setTimeout(r, 2000)); log(performance.now() - t);"
        " }</script>"
    )
    assert await view.log("click button#b") == ["0", "2000"]


async def test_a_slow_server_is_waited_for(stage: Stage) -> None:
    stage.serve_late("/slow", "slow", 1.0)
    view = await stage.show("<button id=b onclick=\"fetch('/slow').then((r) => r.text()).then(log)\">b</button>")
    assert await view.log("click button#b") == ["slow"]


# -- what never ends --


async def test_endless_animations_are_no_obstacle(stage: Stage) -> None:
    view = await stage.show(
        "<style>@keyframes turn { to { rotate: 360deg } } i { animation: turn 1s infinite }</style><i>wheel</i>"
        "<button id=b onclick='log(1)'>b</button>"
    )
    walked = await view.fire("click button#b")
    assert walked.seconds < IN_TIME
    assert said(walked, "capped") == []


async def test_a_long_poll_goes_into_the_background(stage: Stage) -> None:
    stage.serve("/poll", never)
    view = await stage.show_alone(
        (
            "<button id=b onclick='log(1)'>b</button><script>const poll = () =>"
            " fetch('/poll?' + Math.random()).then(poll); poll()</script>"
        ),
        agent={"patience": 1000},
    )
    assert said(view.landing, "background") == [f"{stage.stand.url}poll"]
    assert view.landing.quiet
    for act in (view.fire("click button#b"), view.reset()):
        begun = time.perf_counter()
        await act
        assert time.perf_counter() - begun < 0.9  # it is not waited for again


async def test_a_socket_that_is_open_is_no_obstacle(stage: Stage) -> None:
    serve_answers(stage)
    view = await stage.show(
        "<button id=b onclick='log(1)'>b</button><script>"
        "new WebSocket(location.origin.replace('http', 'ws') + '/socket');"
        "new EventSource('/events')</script>"
    )
    assert view.landing.quiet
    walked = await view.fire("click button#b")
    assert (walked.seconds < IN_TIME, said(walked, "capped")) == (True, [])


async def test_a_worker_that_answers_soon_is_waited_for(stage: Stage) -> None:
    """Within the 300 ms that workers get; this one has started before, which may take longer on a busy machine."""
    view = await stage.show(
        "<button id=b>b</button><script>const w = new Worker(URL.createObjectURL(new Blob(['postMessage(`ready`);"
        "onmessage = () => setTimeout(() => postMessage(`done`), 30)']))); w.onmessage = (e) => log(e.data);"
        "byId('b').onclick = () => w.postMessage(1)</script>"
    )
    for _ in range(200):
        if await view.text() == "ready":
            break
        await asyncio.sleep(0.02)
    walked = await view.fire("click button#b")
    told = await view.look()
    assert (await view.text(), told.state) == ("ready done", walked.landed)


async def test_a_worker_that_never_answers_is_no_obstacle(stage: Stage) -> None:
    view = await stage.show(
        "<button id=b>b</button><script>const w = new Worker(URL.createObjectURL(new Blob(['onmessage = () => {}'])));"
        "byId('b').onclick = () => { w.postMessage(1); log(1); }</script>"
    )
    walked = await view.fire("click button#b")
    assert walked.seconds < IN_TIME
    assert await view.text() == "1"


async def chatter(request: web.Request) -> web.WebSocketResponse:
    response = web.WebSocketResponse()
    await response.prepare(request)
    with contextlib.suppress(ConnectionError):
        while not response.closed:
            await response.send_str("x")
            await asyncio.sleep(0.005)
    return response


async def test_a_socket_that_is_never_silent_is_no_obstacle(stage: Stage) -> None:
    stage.serve("/chatter", chatter)
    view = await stage.show_alone(
        "<button id=b>b</button><script>byId('b').onclick = () => { log(1);"
        "new WebSocket(location.origin.replace('http', 'ws') + '/chatter').onmessage = () => {}; }</script>",
        event_seconds=0.4,
    )
    walked = await view.fire("click button#b")
    assert walked.seconds < IN_TIME
    assert await view.text() == "1"


RESTLESS = {
    "one request after the other": "const next = () => fetch('/quick').then(next); next()",
    "messages to oneself": "onmessage = () => postMessage(1, '*'); postMessage(1, '*')",
}


@pytest.mark.parametrize("what", RESTLESS)
async def test_a_page_that_does_not_become_quiet_is_reported(stage: Stage, what: str) -> None:
    stage.serve("/quick", "quick")
    view = await stage.show_alone(
        (
            "<button id=b>b</button><button id=c onclick='log(1)'>c</button><script>byId('b').onclick = () =>"
            f" {{ {RESTLESS[what]} }}</script>"
        ),
        event_seconds=0.4,
    )
    walked = await view.walk("click button#b", "click button#c")
    assert (walked.why, walked.done) == (Ending.SURPRISE, 1)  # the second step is not taken from a page in motion
    assert said(walked, "capped") == ["not quiet after 0.4 s"]
    assert 0.3 < walked.seconds < IN_TIME
    assert not (await view.reset()).notes


async def test_a_load_that_does_not_become_quiet_is_reported(stage: Stage) -> None:
    stage.serve("/quick", "quick")
    view = await stage.show_alone(
        "<script>const next = () => fetch('/quick').then(next); next()</script>", load_seconds=0.4
    )
    assert not view.landing.quiet
