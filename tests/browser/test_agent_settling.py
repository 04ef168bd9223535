"""Settling: a state is described when everything that an event started has ended, and not before."""

import time

import pytest

from tests.browser.slow_server import IN_TIME, serve_answers
from tests.browser.stage import Stage

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
    "a script of a document that is only parsed": (
        "const d = new DOMParser().parseFromString('<script></'+'script>', 'text/html');"
        " d.querySelector('script').src = '/late.js'; log('done')"
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
    "an animation that takes no time, and another after it": (
        "const p = byId('place'); p.animate([], { duration: 0, fill: 'forwards' }).onfinish = () => {"
        " p.animate([{ opacity: 0 }, { opacity: 1 }], 400).onfinish = () => log('done') }"
    ),
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


# A panel that is shown by a transition, and what contains it.
PANEL = """<style>#d { visibility: hidden; transition: visibility 200ms } #d.o { visibility: visible }</style>
<div id=d><button id=b onclick='this.textContent = 2'>1</button></div>"""
SHOWN = "requestAnimationFrame(() => requestAnimationFrame(() => ROOT.getElementById('d').classList.add('o')))"
HOLDING = {
    "a document": (f"{PANEL}<script>{SHOWN.replace('ROOT', 'document')}</script>", "button#b in div#d"),
    "a shadow root": (
        (
            "<x-a></x-a><script>customElements.define('x-a', class extends HTMLElement { constructor() { super();"
            f" const root = this.attachShadow({{ mode: 'open' }}); root.innerHTML = `{PANEL}`;"
            f" {SHOWN.replace('ROOT', 'root')} }} }})</script>"
        ),
        "button#b in div#d",
    ),
    "a closed one inside another": (
        (
            "<x-a></x-a><script>customElements.define('x-a', class extends HTMLElement { constructor() { super();"
            " const outer = this.attachShadow({ mode: 'open' }); outer.innerHTML = '<p></p>';"
            f" const root = outer.firstChild.attachShadow({{ mode: 'closed' }}); root.innerHTML = `{PANEL}`;"
            f" {SHOWN.replace('ROOT', 'root')} }} }})</script>"
        ),
        "button#b in div#d",
    ),
    "a declared one": (
        (
            f"<x-a><template shadowrootmode=open>{PANEL}</template></x-a>"
            f"<script>const root = document.querySelector('x-a').shadowRoot; {SHOWN.replace('ROOT', 'root')}</script>"
        ),
        "button#b in div#d",
    ),
    "a frame": ("<iframe src=/inner></iframe>", "button#b in div#d"),
}


@pytest.mark.parametrize("where", HOLDING)
async def test_what_a_transition_shows_is_there_at_once(stage: Stage, where: str) -> None:
    html, button = HOLDING[where]
    stage.serve("/inner", HOLDING["a document"][0])
    view = await stage.show(html)
    assert await view.events() == [f"click {button}"]


async def test_a_message_that_fades_after_a_while_is_gone(stage: Stage) -> None:
    """It was drawn before it fades, or there would be no transition with an end."""
    view = await stage.show(
        "<style>i { transition: opacity 200ms } .leaving { opacity: 0 }</style><button id=save>save</button><script>"
        "byId('save').onclick = () => { const message = document.body.appendChild(document.createElement('i'));"
        "message.textContent = 'saved'; message.addEventListener('transitionend', () => message.remove());"
        "setTimeout(() => message.classList.add('leaving'), 3000); };</script>"
    )
    before = view.landing.state
    assert (await view.fire("click button#save")).states[-1] == before


async def test_an_animation_that_lasts_longer_than_a_timer_ends_after_it(stage: Stage) -> None:
    view = await stage.show(
        "<style>@keyframes grow { to { width: 9px } } i.on { animation: grow 2s }</style><i>bar</i>"
        "<button id=go>go</button><script>const bar = document.querySelector('i'); byId('go').onclick = () => {"
        "bar.addEventListener('animationend', () => log('ended')); bar.className = 'on';"
        "setTimeout(() => log('first'), 500); setTimeout(() => log('last'), 5000); };</script>"
    )
    assert await view.log("click button#go") == ["first", "ended", "last"]


async def test_animations_are_not_ended_before_each_of_many_timers(stage: Stage) -> None:
    """To end them takes the styles of the whole page; a page that ticks would pay for that a hundred times."""
    view = await stage.show(
        "<button id=b>b</button><button id=c onclick='log(early)'>c</button><script>let early = 0, ticks = 0;"
        "document.addEventListener('transitionend', () => {}); byId('b').onclick = () => { const ticking = setInterval("
        "() => { ticks += 1; const tick = ticks; if (ticks === 60) clearInterval(ticking);"
        "byId('b').animate([], 50).finished.then(() => { if (tick > ticks - 2 && tick < 59) early += 1; }); }, 100); };"
        "</script>"
    )
    [early] = await view.log("click button#b", "click button#c")
    assert 3 < int(early) < 20
