"""Listeners: which elements get events from them, attached or delegated."""

import pytest

from statecrawl.testbed.event_kinds import ALONE
from statecrawl.testbed.sites import kinds
from statecrawl.testbed.sites.server import start
from tests.browser.stage import Stage, View

# -- listeners --

INLINE = {
    '<div onclick="x()">go</div>': ['click div "go"'],
    '<div onmousedown="x()">go</div>': ['click div "go"'],
    '<div onpointerup="x()">go</div>': ['click div "go"'],
    '<div ontouchstart="x()">go</div>': [],  # nobody touches a desktop
    '<div ondblclick="x()">go</div>': ['dblclick div "go"'],
    '<div oncontextmenu="x()">go</div>': ['contextmenu div "go"'],
    '<div onmouseenter="x()">go</div>': ['hover div "go"'],
    '<div onmouseover="x()" onmouseout="y()">go</div>': ['hover div "go"', 'leave div "go"'],
    '<div tabindex=0 onfocus="x()" onblur="y()">go</div>': ['focus div "go"', 'blur div "go"'],
    "<div tabindex=0 onkeydown=\"if (event.key === 'ArrowDown' || event.key === 'x') y()\">go</div>": [
        'key ArrowDown div "go"',
        'key x div "go"',
    ],
    '<div tabindex=0 onkeydown="anything()">go</div>': ['key Enter div "go"'],
    '<input id=f oninput="x()">': ["input input#f = test"],
    '<input id=f onchange="x()">': ["input input#f = test"],
    '<form id=f onsubmit="x(); return false"></form>': ["submit form#f"],
    '<div id=a draggable=true>a</div><div id=b ondrop="x()" ondragover="y()">b</div>': ["drag div#a to div#b"],
    '<div id=s onscroll="x()" style="height: 50px; overflow: auto"><p style="height: 500px"></div>': ["scroll div#s"],
    '<div onmousemove="x()">go</div>': ['hover div "go"'],
    '<div data-onclick="x()">no handler</div>': [],
}


@pytest.mark.parametrize("html", INLINE)
async def test_inline_handlers(stage: Stage, html: str) -> None:
    assert await stage.events(html) == INLINE[html]


ATTACHED = {
    "a.onclick = () => {}": ["click div#a"],
    "a.onclick = () => {}; a.onclick = null": [],
    "a.setAttribute('onclick', 'x()')": ["click div#a"],
    "a.setAttribute('onclick', 'x()'); a.removeAttribute('onclick')": [],
    "a.addEventListener('click', () => {})": ["click div#a"],
    "a.addEventListener('click', { handleEvent() {} })": ["click div#a"],
    "a.addEventListener('click', null)": [],
    "a.addEventListener('click', f); a.removeEventListener('click', f)": [],
    "a.addEventListener('click', f); a.removeEventListener('click', () => {})": ["click div#a"],
    "a.addEventListener('click', f, true); a.removeEventListener('click', f)": ["click div#a"],
    "a.addEventListener('click', f, { capture: true }); a.removeEventListener('click', f, true)": [],
    "a.addEventListener('click', f, { signal: c.signal })": ["click div#a"],
    "a.addEventListener('click', f, { signal: c.signal }); c.abort()": [],
    "c.abort(); a.addEventListener('click', f, { signal: c.signal })": [],
    "a.addEventListener('dblclick', f); a.addEventListener('click', f)": ["click div#a", "dblclick div#a"],
    "a.addEventListener('pointerover', f); a.addEventListener('pointerleave', f)": ["hover div#a", "leave div#a"],
    "a.addEventListener('focusin', f); a.addEventListener('focusout', f)": ["focus div#a", "blur div#a"],
    "a.addEventListener('keyup', (e) => { switch (e.keyCode) { case 27: x(); case 38: y(); } })": [
        "key Escape div#a",
        "key ArrowUp div#a",
    ],
    "a.addEventListener('keypress', (e) => { if (e.which == 13) x(); })": ["key Enter div#a"],
    "a.addEventListener('keydown', (e) => { if (e.key === ' ') x(); })": ["key Space div#a"],
    "a.addEventListener('pointerdown', () => setTimeout(f, 500))": ["click div#a", "longpress div#a"],
    "a.addEventListener('made-up', f)": [],
    "a.onmouseenter = f": ["hover div#a"],
    "a.addEventListener('pointermove', f)": ["hover div#a"],
    "document.onkeydown = (e) => { if (e.key === 'Escape') f(); }": ["key Escape"],
    "window.addEventListener('keydown', (e) => { if (e.code === 'Enter') f(); })": ["key Enter"],
    "document.body.setAttribute('onkeydown', \"if (event.key === 'Escape') f()\")": ["key Escape"],
    "document.body.setAttribute('onclick', \"if (event.target.closest('#a')) f()\")": ["click div#a"],
    "document.body.setAttribute('onscroll', 'f()'); a.style.height = '5000px'": ["scroll page"],
    "document.body.onkeydown = (e) => { if (e.key === 'Tab') f(); }": ["key Tab"],
}


@pytest.mark.parametrize("script", ATTACHED)
async def test_listeners_that_scripts_attach_and_detach(stage: Stage, script: str) -> None:
    html = (
        "<div id=a tabindex=-1>a</div><script>const f = () => {}, c = new AbortController(), a = byId('a');"
        f" {script}</script>"
    )
    assert await stage.events(html) == ATTACHED[script]


async def test_a_listener_for_once_is_gone_after_that(stage: Stage) -> None:
    view = await stage.show(
        "<div id=a>a</div><script>byId('a').addEventListener('click', () => log('once'), {once: true})</script>"
    )
    assert await view.log("click div#a") == ["once"]
    assert await view.events() == []


async def test_a_listener_aborted_by_an_event_is_gone_after_it(stage: Stage) -> None:
    view = await stage.show(
        "<div id=a>a</div><button id=stop onclick='c.abort()'>stop</button>"
        "<script>const c = new AbortController(); byId('a').addEventListener('click', () =>"
        " {}, {signal: c.signal})</script>"
    )
    assert await view.events() == ["click div#a", "click button#stop"]
    await view.fire("click button#stop")
    assert await view.events() == ["click button#stop"]


# -- delegation --

ROWS = "<ul id=rows><li id=one class=row data-open=1><b>one</b></li><li id=two><b>two</b></li></ul>"
DELEGATED = {
    "byId('rows').onclick = (e) => { if (e.target.closest('.row')) f(); }": ["click li#one in ul#rows"],
    "document.addEventListener('click', (e) => { if (e.target.matches('#two')) f(); })": ["click li#two in ul#rows"],
    "document.addEventListener('click', (e) => { if (e.target.classList.contains('row')) f(); })": [
        "click li#one in ul#rows"
    ],
    "document.addEventListener('click', (e) => { if (e.target.className === 'row') f(); })": [
        "click li#one in ul#rows"
    ],
    "document.addEventListener('click', (e) => { if (e.target.dataset.open) f(); })": ["click li#one in ul#rows"],
    "document.addEventListener('click', ({ target }) => { const { open } = target.dataset; f(open); })": [
        "click li#one in ul#rows"
    ],
    "document.addEventListener('click', (e) => { if (e.target.getAttribute('data-open')) f(); })": [
        "click li#one in ul#rows"
    ],
    "document.addEventListener('click', (e) => { if (e.target.id === 'two') f(); })": ["click li#two in ul#rows"],
    "document.addEventListener('click', (e) => { if (e.target.tagName === 'LI') f(); })": [
        "click li#one in ul#rows",
        "click li#two in ul#rows",
    ],
    "window.addEventListener('dblclick', (e) => { if (e.target.closest('.row')) f(); })": [
        "dblclick li#one in ul#rows"
    ],
    "document.addEventListener('mouseover', (e) => { if (e.target.closest('.row')) f(); })": [
        "hover li#one in ul#rows"
    ],
    "byId('rows').addEventListener('click', (e) => f(e.target))": [
        "click li#one in ul#rows",
        "click li#two in ul#rows",
    ],
    "byId('rows').addEventListener('click', f)": ["click ul#rows"],
    "byId('two').style.cursor = 'pointer'; document.addEventListener('click', (e) => f(e.target))": [
        "click li#two in ul#rows"
    ],
    "byId('two').tabIndex = 0; document.addEventListener('click', (e) => f(e.target))": ["click li#two in ul#rows"],
    "document.addEventListener('click', f)": [],
}


@pytest.mark.parametrize("script", DELEGATED)
async def test_a_listener_above_means_what_its_source_names(stage: Stage, script: str) -> None:
    assert await stage.events(f"{ROWS}<script>const f = () => {{}}; {script}</script>") == DELEGATED[script]


@pytest.mark.parametrize("kind", [kind for kind in ALONE if kind != "trusted"])
async def test_delegation_and_frameworks(stage: Stage, kind: str) -> None:
    running = await start(kinds.site())
    try:
        page = stage.page(url=f"{running.url}{kind}.html")
        view = View(page, await page.reset())
        assert len(await view.events()) == 1  # the row that opens, and not the one that does nothing
        await view.fire(*await view.events())
        assert ALONE[kind] in (await view.look()).html
        home = await view.events("Home")
        assert (await view.fire(*home)).landed == view.landing.state
    finally:
        await running.close()
