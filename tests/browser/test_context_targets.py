"""Windows and workers: whatever opens one, no request of it gets past the gate."""

import asyncio
from pathlib import Path

import pytest
from aiohttp import web

from statecrawl.browser import chromium
from statecrawl.browser.browsers import Browsers
from statecrawl.browser.chromium import find_browser
from statecrawl.browser.page import BrowserPage
from tests.browser.stage import ENOUGH, Stage, View, noted

LATE_SECONDS = 0.3  # for a request that should not come
ROUNDS = 8  # of workers that need no answer to begin: the first request of one may be quicker than its gate

CLICK = "new MouseEvent('click', {bubbles: true, cancelable: true, composed: true, HOW})"
MODIFIERS = {
    "ctrl": "ctrlKey: true",
    "shift": "shiftKey: true",
    "ctrl and shift": "ctrlKey: true, shiftKey: true",
    "the middle button": "button: 1",
}
ASIDE = "onclick='event.stopPropagation()'"  # nobody at the window hears of it

# Name -> what the page has, and what a handler does with it; @ is the URL of the window.
WINDOWS = {
    **{
        f"a link, {name}": ("<a id=ID href=@>l</a>", f"it.dispatchEvent({CLICK.replace('HOW', how)})")
        for name, how in MODIFIERS.items()
    },
    "a link to a new window": (f"<a id=ID href=@ target=_blank {ASIDE}>l</a>", "it.click()"),
    "a link without opener": (f"<a id=ID href=@ target=_blank rel=noopener {ASIDE}>l</a>", "it.click()"),
    "a link with opener": (f"<a id=ID href=@ target=_blank rel=opener {ASIDE}>l</a>", "it.click()"),
    "a link to a name": (f"<a id=ID href=@ target=elsewhere {ASIDE}>l</a>", "it.click()"),
    "a link of a picture": (
        "<svg><a id=ID xlink:href=@ target=_blank><text>l</text></a></svg>",
        f"it.dispatchEvent({CLICK.replace('HOW', '')})",
    ),
    "open of a document": ("<i id=ID></i>", "document.open('@', '_blank', '')"),
    "open of a document without opener": ("<i id=ID></i>", "document.open('@', '_blank', 'noopener')"),
    "open of another realm": (
        "<iframe id=ID></iframe>",
        "it.contentWindow.Document.prototype.open.call(document, '@', '_blank', '')",
    ),
    "a frame that changed its name": (
        "<iframe id=ID name=inner></iframe><a id=ID-link target=inner href=@>l</a>",
        "it.contentWindow.name = 'outer'; byId('ID-link').click()",
    ),
}
FORMS = {
    **{
        f"a form, {name}": (
            "<form action=@ method=post><button id=ID>s</button></form>",
            f"it.dispatchEvent({CLICK.replace('HOW', how)})",
        )
        for name, how in MODIFIERS.items()
    },
    "a form that nobody hears of": (
        "<form id=ID action=@ method=post target=_blank onsubmit='event.stopPropagation()'><button>s</button></form>",
        "it.requestSubmit()",
    ),
    "a button with a target": (
        "<form action=@ method=post><button id=ID formtarget=_blank>s</button></form>",
        "it.click()",
    ),
    "a form with the target of its button": (
        "<form action=/x><button id=ID formaction=@ formmethod=post formtarget=_blank>s</button></form>",
        "it.form.requestSubmit(it)",
    ),
    "a form in a window": (
        "<i id=ID></i>",
        (
            "const w = document.open('about:blank', '_blank', '');"
            " w.document.write('<form action=@ method=post></form>'); w.document.forms[0].submit()"
        ),
    ),
    "requests of a window": (
        "<i id=ID></i>",
        (
            "const w = document.open('about:blank', '_blank', ''); w.fetch('@', { method: 'POST', keepalive: true });"
            " w.navigator.sendBeacon('@'); w.onpagehide = () => w.navigator.sendBeacon('@')"
        ),
    ),
}
POSTS = "fetch('@', { method: 'POST', mode: 'no-cors' })"
SCRIPTS = {
    "/posts.js": POSTS,
    "/sends.js": "const x = new XMLHttpRequest(); x.open('PUT', '@', false); x.send('')",
    "/nests.js": "new Worker('/posts.js')",
    "/nests-twice.js": "new Worker('/nests.js')",
    "/serves.js": f"{POSTS}; onactivate = (e) => e.waitUntil(clients.claim()); onfetch = () => {POSTS}",
}
BLOB = f"window.URL.createObjectURL(new Blob([`{POSTS} // ${{Math.random()}}`]))"
DATA = f"`data:text/javascript,{POSTS} // ${{Math.random()}}`"
WORKERS = {
    "a worker": "new Worker('/posts.js')",
    "a worker that waits": "new Worker('/sends.js')",
    "a worker of a worker": "new Worker('/nests-twice.js')",
    "a worker of a blob": f"new Worker({BLOB})",
    "a worker of data": f"new Worker({DATA})",
    "a module": "new Worker('/posts.js', { type: 'module' })",
    "a shared worker": "new SharedWorker('/posts.js')",
    "a shared worker that waits": "new SharedWorker('/sends.js')",
    "a shared module": "new SharedWorker('/posts.js', { type: 'module', name: 'm' })",
    "shared workers of blobs": f"for (let i = 0; i < {ROUNDS}; i++) new SharedWorker({BLOB})",
    "shared workers of data": f"for (let i = 0; i < {ROUNDS}; i++) new SharedWorker({DATA})",
    "a service worker": "navigator.serviceWorker.register('/serves.js').then(() => navigator.serviceWorker.ready)",
}
OTHERS = {
    "a beacon": "navigator.sendBeacon('@')",
    "a request that outlives its page": "fetch('@', { method: 'POST', keepalive: true })",
    "a request for later": "fetchLater('@', { method: 'POST', activateAfter: 0 })",
    "a request for the end": "fetchLater('@', { method: 'POST' })",
    "an end": "addEventListener('pagehide', () => navigator.sendBeacon('@'))",
    "a ping": "byId('pings').click()",
    "a form of another realm": (
        "const f = document.createElement('iframe'); document.body.append(f);"
        " f.contentWindow.HTMLFormElement.prototype.submit.call(document.forms[0])"
    ),
}


def page_of(ways: dict[str, tuple[str, str]], url: str) -> str:
    """A page with a button for each way, named by its number."""
    parts = []
    for number, (has, does) in enumerate(ways.values()):
        has, does = has.replace("ID", f"it{number}"), does.replace("ID", f"it{number}")
        handler = f"const it = byId('it{number}'); {does}".replace('"', "&quot;")
        parts.append(f'{has}<button id=go{number} onclick="{handler}">{number}</button>')
    return "".join(parts).replace("@", url)


async def left_out(stage: Stage, view: View) -> list[tuple[str, str]]:
    """Everything that the server got besides the page itself and scripts, once the page is closed."""
    await asyncio.sleep(LATE_SECONDS)
    await view.page.close()
    await asyncio.sleep(LATE_SECONDS)
    return [
        (asked.method, asked.path)
        for asked in stage.stand.asked
        if asked.path != "/" and not (asked.method == "GET" and asked.path.endswith(".js"))
    ]


async def test_no_window_requests_anything(stage: Stage) -> None:
    out = f"{stage.stand.other}out"
    view = await stage.show_alone(page_of(WINDOWS, out))
    opened = {}
    for number, way in enumerate(WINDOWS):
        walked = await view.fire(f"click button#go{number}")
        opened[way] = [*noted(walked, "window"), *noted(walked, "error")]
    assert opened == {way: [out] for way in WINDOWS}
    assert await left_out(stage, view) == []


@pytest.mark.parametrize("read_only", [False, True])
async def test_no_window_sends_a_form(stage: Stage, read_only: bool) -> None:
    sent = f"{stage.stand.url}sent"
    ways = {way: what for way, what in FORMS.items() if read_only or way != "requests of a window"}
    view = await stage.show_alone(page_of(ways, sent), read_only=read_only)
    opened = {}
    for number, way in enumerate(ways):
        walked = await view.fire(f"click button#go{number}")
        opened[way] = [*noted(walked, "window"), *noted(walked, "error")]
    blank = {"a form in a window", "requests of a window"}
    assert opened == {way: ["about:blank" if way in blank else sent] for way in ways}
    assert await left_out(stage, view) == []


async def test_no_worker_changes_anything(stage: Stage) -> None:
    sent = f"{stage.stand.url}sent"
    for path, script in SCRIPTS.items():
        stage.serve(path, script.replace("@", sent))
    ways = {way: ("", does) for way, does in WORKERS.items()}
    view = await stage.show_alone(page_of(ways, sent), read_only=True)
    refused = 0
    for number in range(len(ways)):
        refused += len(noted(await view.fire(f"click button#go{number}"), "read-only"))
    await asyncio.sleep(LATE_SECONDS)
    refused += len(noted(await view.walk(), "read-only"))
    assert refused >= len(WORKERS) + 2 * (ROUNDS - 1), "each has tried"
    assert await left_out(stage, view) == []


async def test_nothing_else_changes_anything(stage: Stage) -> None:
    sent = f"{stage.stand.url}sent"
    ways = {way: ("", does) for way, does in OTHERS.items()}
    html = f"<form action={sent} method=post></form><a id=pings ping={sent} href=#pinged>p</a>"
    view = await stage.show_alone(html + page_of(ways, sent), read_only=True)
    for number in range(len(ways) - 1):
        await view.fire(f"click button#go{number}")
    await view.walk(f"click button#go{len(ways) - 1}")
    assert await left_out(stage, view) == []


async def test_reports_of_the_browser_are_refused(stage: Stage) -> None:
    async def forbids(_: web.Request) -> web.Response:
        policy = f"img-src 'none'; report-uri {stage.stand.url}sent"
        return web.Response(
            text="<img src=/x.png>", content_type="text/html", headers={"Content-Security-Policy": policy}
        )

    stage.serve("/", forbids)
    page = stage.page(read_only=True)
    landing = await page.reset()
    assert noted(landing, "read-only") == [["POST", f"{stage.stand.url}sent"]]
    assert await left_out(stage, View(page, landing)) == []


FRAMES = ("shared", "worker", "workers", "post", "nested", "form")


def framed(stage: Stage) -> str:
    """A page with frames of another server, each of which tries to change something."""
    sent = f"{stage.stand.url}sent"
    stage.serve("/posts.js", POSTS.replace("@", sent))
    stage.serve("/shared", "<script>new SharedWorker('/posts.js')</script>")
    stage.serve("/worker", "<script>new Worker('/posts.js')</script>")
    stage.serve("/makes.js", "new Worker('/posts.js')")
    stage.serve("/workers", "<script>new Worker('/makes.js')</script>")
    stage.serve("/post", f"<script>{POSTS.replace('@', sent)}</script>")
    stage.serve("/nested", "".join(f"<iframe src={stage.stand.url}{path}></iframe>" for path in ("post", "workers")))
    aside = "<form action=@ method=post target=_blank onsubmit='event.stopPropagation()'></form>"
    stage.serve("/form", f"{aside}<script>document.forms[0].requestSubmit()</script>".replace("@", sent))
    return "".join(f"<iframe src={stage.stand.other}{path}></iframe>" for path in FRAMES)


async def test_frames_of_other_servers_are_refused_likewise(stage: Stage) -> None:
    view = await stage.show_alone(framed(stage), read_only=True)
    assert {path for _, path in await left_out(stage, view)} >= {f"/{path}" for path in FRAMES}
    assert {asked.method for asked in stage.stand.asked} == {"GET"}


async def test_frames_in_processes_of_their_own_are_refused_likewise(
    stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a whole browser has them; a headless shell can have them only if it draws by itself."""
    program = tmp_path / "chromium"
    program.write_text(f'#!/bin/sh\nexec "{find_browser()}" "$@"\n')
    program.chmod(0o755)
    monkeypatch.setattr(chromium, "FLAGS", (*chromium.FLAGS, "--site-per-process"))
    stage.serve("/", framed(stage))
    browsers = Browsers(program, ENOUGH)
    page = BrowserPage(browsers, stage.page(read_only=True).settings)
    try:
        view = View(page, await page.reset())
        assert {path for _, path in await left_out(stage, view)} >= {f"/{path}" for path in FRAMES}
        assert {asked.method for asked in stage.stand.asked} == {"GET"}
    finally:
        await page.close()
        await browsers.close()
