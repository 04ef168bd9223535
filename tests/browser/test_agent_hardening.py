"""The agent sees the same page, whatever the page has made of the built-ins."""

import pytest
from aiohttp import web

from statecrawl.ports.page import Ending
from tests.browser.pages.server import FOLDER, TAMPERINGS
from tests.browser.stage import Stage

CONTROLS = """<!DOCTYPE html><html lang=en><title>controls</title><link rel=icon href="data:,">
<script src=/tampering.js></script><script>tamperAsAsked();</script>
<style>.row form { display: none } .row:hover form { display: block } #tall { height: 9px; overflow: auto }</style>
<p id=out></p>
<nav><a href="#there" onclick="tell('link')">link</a>
<button class="b a" style="color: red" onclick="tell('button')">b</button></nav>
<button onclick="tell('button two')">b</button>
<form action=/sent onsubmit="tell('sent'); return false"><input name=name placeholder=Name>
<label><input type=checkbox name=c>c</label><select name=s><option>one<option>two</select><button>send</button></form>
<div id=over onmouseover="tell('over')">over</div><div id=twice ondblclick="tell('twice')">twice</div>
<input id=typed oninput="tell('typed')"><input id=keyed onkeydown="tell(event.key === 'Enter' ? 'entered' : 'keyed')">
<select id=chosen onchange="tell('chosen')"><option>one<option>two</select><div id=from draggable=true>from</div>
<div id=to ondragover="return false" ondrop="tell('dropped'); return false">to</div>
<dialog id=d open><button onclick="tell('dialog')">ok</button></dialog>
<iframe srcdoc="<button id=inner>inner</button>"></iframe>
<input id=listed list=l oninput="tell('listed')"><datalist id=l><option value=v></datalist>
<label><input type=checkbox hidden onclick="tell('boxed')">box</label>
<div class=row>row<form action=/row><input name=style>
<button type=button onclick="tell('revealed')">revealed</button></form></div>
<div id=tall onscroll="tell('scrolled')"><p style="height: 99px">tall</p></div>
"""
FIRED = (
    "button",
    "a ",
    "form",
    "#over",
    "dblclick",
    "#typed",
    "key Enter",
    "#chosen",
    "drag",
    "inner",
    "label",
    'button "revealed',
    "scroll",
)


async def seen(stage: Stage, group: str) -> tuple[object, ...]:
    """Everything that the agent tells of the controls, and of the states behind some of their events."""
    stage.serve("/tampering.js", (FOLDER / "tampering.js").read_text())
    stage.serve("/", CONTROLS)
    page = stage.page(url=f"{stage.stand.url}?only={group}", event_seconds=3, load_seconds=5)
    landing = await page.reset()
    about = await page.describe(lines=True)
    went = []
    for part in FIRED:
        event = next(event for event in about.events if part in event)
        walked = await page.walk(None, [(event, None)])
        went.append((event, walked.why, walked.states))
    assert all(why is Ending.END for _, why, _ in went), (group, went)
    assert await page.rehash([(about.url, about.normal)]) == [about.state]
    await page.reset()
    await page.close()
    return landing.state, about.events, about.labels, about.selectors, about.given, about.normal, about.forms, went


@pytest.mark.parametrize("group", TAMPERINGS)
async def test_tampering_changes_nothing_that_is_seen(stage: Stage, group: str) -> None:
    expected, told = await seen(stage, "nothing"), await seen(stage, group)
    for part, usual in zip(told, expected, strict=True):
        assert part == usual


SPY = """<script>
const said = [];
const owners = [window, Window.prototype, location, Location.prototype];
for (const owner of owners) for (const name of Object.getOwnPropertyNames(owner)) {
  const known = Object.getOwnPropertyDescriptor(owner, name).value;
  if (typeof known !== 'function' || known.toString().includes('native code')) continue;
  try {
    const spy = { value: (...words) => { said.push(...words); return known(...words); } };
    for (const place of [window, location]) Object.defineProperty(place, name, spy);
  } catch {}
}
</script><button id=b onclick="document.body.append(said.length || '')">b</button>
<iframe srcdoc="<button id=i>i</button>"></iframe>"""


async def test_a_page_cannot_listen_to_calls_of_the_agent(stage: Stage) -> None:
    view = await stage.show_alone(SPY)
    before = (await view.look()).html
    await view.fire("click button#b")
    assert (await view.look()).html == before


WAYS_OUT = {
    "destination": "Object.defineProperty(NavigateEvent.prototype, 'destination', { get() { throw 1; } })",
    "url": "Object.defineProperty(NavigationDestination.prototype, 'url', { get: () => location.href })",
    "download": "Object.defineProperty(NavigateEvent.prototype, 'downloadRequest', { get() { throw 1; } })",
    "hash": "Object.defineProperty(NavigateEvent.prototype, 'hashChange', { get: () => true })",
}


@pytest.mark.parametrize("what", WAYS_OUT)
async def test_tampering_does_not_lead_out_of_scope(stage: Stage, what: str) -> None:
    stage.serve("/out", "out")
    leave = f"<button id=b onclick=\"location = '{stage.stand.other}out'\">b</button>"
    view = await stage.show_alone(f"<script>{WAYS_OUT[what]}</script>{leave}")
    walked = await view.fire("click button#b")
    assert (walked.landed, stage.stand.paths.count("/out")) == (view.landing.state, 0)
    assert [note.what for note in walked.notes if note.kind == "boundary"] == [f"{stage.stand.other}out"]


async def test_a_document_without_a_root_is_a_state(stage: Stage) -> None:
    view = await stage.show_alone(
        "<button id=b onclick='document.documentElement.remove()'>b</button>", event_seconds=3, load_seconds=5
    )
    walked = await view.fire("click button#b")
    assert walked.landed != view.landing.state
    about = await view.look()
    assert (about.state, about.events, about.html) == (walked.landed, (), "")
    assert (await view.reset()).state == view.landing.state


EMPTY = {
    "removed at once": ("<!doctype html><script>document.documentElement.remove()</script>", "text/html"),
    "nothing": ("", "text/html"),
    "XML": ("<a xmlns='urn:x'/>", "application/xml"),
    "broken XML": ("<", "application/xml"),
    "text": ("text", "text/plain"),
}


@pytest.mark.parametrize("what", EMPTY)
async def test_documents_with_little_in_them(stage: Stage, what: str) -> None:
    text, kind = EMPTY[what]

    async def answer(_: web.Request) -> web.Response:
        return web.Response(text=text, content_type=kind)

    stage.serve("/", answer)
    page = stage.page(event_seconds=3, load_seconds=5)
    landing = await page.reset()
    about = await page.describe(lines=True)
    assert (about.state, about.events) == (landing.state, ())
    assert (await page.reset()).state == landing.state


TRAPS = {"a lie": "() => false", "an error": "() => { throw 1; }"}


@pytest.mark.parametrize("what", TRAPS)
async def test_tampering_does_not_let_a_redirect_past_the_gate(stage: Stage, what: str) -> None:
    async def elsewhere(_: web.Request) -> web.Response:
        return web.Response(status=302, headers={"Location": f"{stage.stand.other}out"})

    stage.serve("/out", "out")
    stage.serve("/found", elsewhere)
    tampering = f"Object.defineProperty(Event.prototype, 'cancelable', {{ get: {TRAPS[what]} }})"
    view = await stage.show_alone(f"<script>{tampering}</script><a id=a href=/found>a</a>", holds=True)
    assert (await view.walk("click a#a")).held
    assert not {"/found", "/out"} & set(stage.stand.paths)


async def test_a_flood_of_notes_does_not_hide_the_way_to_another_document(stage: Stage) -> None:
    stage.serve("/next", "next")
    flood = "for (let i = 0; i < 210; i += 1) fetch('/x?' + i).catch(() => {}); location = '/next'"
    view = await stage.show_alone(f'<button id=b onclick="{flood}">b</button>', holds=True)
    assert (await view.walk("click button#b")).held
    await view.reset()
    assert (await view.fire("click button#b")).landed != view.landing.state
