"""Determinism: a page looks the same whenever and wherever it is loaded, and an event leads where it led before."""

import asyncio

import pytest

from statecrawl.browser.agent import EPOCH
from tests.browser.stage import Stage, View

CHANCE = {
    "Math.random": "log(Math.random(), ' ', Math.random())",
    "getRandomValues": (
        "log(crypto.getRandomValues(new Uint8Array(8)), ' ', crypto.getRandomValues(new Uint32Array(2)))"
    ),
    "randomUUID": "log(crypto.randomUUID())",
    "in a frame": (
        "const f = document.createElement('iframe'); document.body.append(f); log(f.contentWindow.Math.random())"
    ),
    "in a worker": (
        "new Worker(URL.createObjectURL(new Blob(['postMessage(Math.random())']))).onmessage = (e) => log(e.data)"
    ),
    "by a worker's crypto": (
        "new Worker(URL.createObjectURL(new Blob(['postMessage(crypto.getRandomValues(new Uint8Array(8)) + "
        "crypto.randomUUID())']))).onmessage = (e) => log(e.data)"
    ),
}
TIME = {
    "Date.now": "log(Date.now())",
    "new Date": "log(new Date().toISOString(), ' ', Date())",
    "a date's words": "log(new Date().toLocaleString())",
    "performance.now": "log(performance.now(), ' ', performance.timeOrigin)",
    "Intl": "log(new Intl.DateTimeFormat('en', { timeStyle: 'medium', dateStyle: 'short' }).format())",
    "Intl's parts": (
        "log(new Intl.DateTimeFormat('en', { timeStyle: 'medium' }).formatToParts().map((part) => part.value).join(''))"
    ),
    "a frame of an animation": "requestAnimationFrame((now) => log(now))",
    "Temporal": (
        "const t = globalThis.Temporal?.Now; log(t ? [t.instant(), t.zonedDateTimeISO(), t.plainDateTimeISO(), "
        "t.plainDateISO(), t.plainTimeISO('Asia/Tokyo')].join() : 'none')"
    ),
    "a worker": (
        "new Worker(URL.createObjectURL(new Blob(['postMessage(Date.now() + String(new Date()))']))).onmessage = "
        "(e) => log(e.data)"
    ),
    "an event": (
        "document.body.addEventListener('x', (e) => log(e.timeStamp)); document.body.dispatchEvent(new Event('x'))"
    ),
}


async def loads(stage: Stage, script: str) -> tuple[View, str, str]:
    """What a script says on the usual page, after which the page is reset, and on another."""
    html = f"<script>{script}</script>"
    other = await stage.show(html, recycle_events=9_999)
    elsewhere = await said_at_last(other)
    view = await stage.show(html)
    told = await said_at_last(view)
    state = (await view.look()).state
    await view.reset()
    assert (await said_at_last(view), (await view.look()).state) == (told, state)
    assert (await other.look()).state == state
    return view, told, elsewhere


async def said_at_last(view: View) -> str:
    """What the page says; workers may take longer to start than anybody waits for them."""
    for _ in range(200):
        if await view.text():
            break
        await asyncio.sleep(0.02)
    return await view.text()


@pytest.mark.parametrize("what", CHANCE)
async def test_chance_is_the_same_on_every_load(stage: Stage, what: str) -> None:
    view, told, elsewhere = await loads(stage, CHANCE[what])
    assert told
    assert told == elsewhere
    other = await stage.show(f"<script>{CHANCE[what]}</script>", agent={"seed": 1})
    assert await said_at_last(other) != told
    assert (await other.look()).state != (await view.look()).state


@pytest.mark.parametrize("what", TIME)
async def test_time_is_the_same_on_every_load(stage: Stage, what: str) -> None:
    _, told, elsewhere = await loads(stage, TIME[what])
    assert told
    assert told == elsewhere


async def test_the_first_moment(stage: Stage) -> None:
    view = await stage.show(
        "<script>log(Date.now(), ' ', performance.now(), ' ', new Date().toISOString(), ' ', new "
        "Date(0).getTime())</script>"
    )
    assert await view.log() == [str(EPOCH), "0", "2023-11-14T22:13:20.000Z", "0"]
    view = await stage.show("<script>log(Date.now())</script>", agent={"epoch": EPOCH + 5})
    assert await view.log() == [str(EPOCH + 5)]


async def test_chance_is_as_good_as_any(stage: Stage) -> None:
    view = await stage.show(
        "<script>const all = Array.from({ length: 2000 }, Math.random); log(Math.abs(all.reduce((a, b) =>"
        " a + b) / 2000 - 0.5) < 0.05,"
        "' ', all.every((x) => x >= 0 && x < 1), ' ', new Set(all).size >"
        " 1990, ' ', /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/"
        ".test(crypto.randomUUID()))</script>"
    )
    assert await view.log() == ["true"] * 4


async def test_an_event_draws_the_same_numbers_whatever_was_drawn_before(stage: Stage) -> None:
    view = await stage.show(
        "<button id=a onclick='Math.random()'>a</button><button id=b onclick='for (let i = 0; i < 9;"
        " i += 1) Math.random()'>b</button>"
        "<button id=c onclick='byId(\"p\").textContent = Math.random()'>c</button><p id=p></p>"
        "<button id=d onclick='byId(\"p\").textContent = Math.random()'>d</button>"
    )
    ends = []
    for way in (["c"], ["a", "c"], ["b", "a", "b", "c"]):
        await view.reset()
        ends.append((await view.fire(*(f"click button#{id_}" for id_ in way))).landed)
    assert len(set(ends)) == 1
    await view.reset()
    assert (await view.fire("click button#d")).landed not in ends  # but another event draws others


async def test_events_have_the_same_names_on_every_load(stage: Stage) -> None:
    html = (
        "<main></main><script>for (const word of ['a', 'b', 'c'].sort(() =>"
        " Math.random() - 0.5)) { const p = document.createElement('p');"
        "p.textContent = word; p.id = 'x' + Math.floor(Math.random() * 1e9); p.onclick = () => {};"
        " document.querySelector('main').append(p); }</script>"
    )
    view = await stage.show(html)
    first = await view.look()
    await view.reset()
    assert (await view.look()).events == first.events
    assert sorted(first.events) == ['click p "a" in main', 'click p "b" in main', 'click p "c" in main']


async def test_addresses_that_the_browser_makes_up(stage: Stage) -> None:
    html = "<img id=i><script>byId('i').src = URL.createObjectURL(new Blob(['x']))</script>"
    assert await stage.state(html) == await stage.state(html)


SURROUNDINGS = {
    "navigator.language + ' ' + navigator.languages": "en-US en-US,en",
    "(1234.5).toLocaleString()": "1,234.5",
    "Intl.DateTimeFormat().resolvedOptions().timeZone + new Date().getTimezoneOffset()": "UTC0",
    "new Date(0).toLocaleString()": "1/1/1970, 12:00:00 AM",
    "innerWidth + 'x' + innerHeight + '@' + devicePixelRatio": "1280x800@1",
    "matchMedia('(prefers-reduced-motion: reduce)').matches": "true",
    "document.hasFocus() + ' ' + document.visibilityState": "true visible",
}


async def test_the_surroundings_are_the_same_everywhere(stage: Stage) -> None:
    view = await stage.show(f"<script>byId('log').textContent = [{', '.join(SURROUNDINGS)}].join(' | ')</script>")
    assert dict(zip(SURROUNDINGS, (await view.text()).split(" | "), strict=True)) == SURROUNDINGS


async def test_a_file_to_upload_is_as_old_as_the_page(stage: Stage) -> None:
    view = await stage.show("<input id=f type=file onchange='log(this.files[0].lastModified)'>")
    assert await view.log("upload input#f") == [str(EPOCH)]


async def test_the_time_of_an_event_is_that_of_the_page(stage: Stage) -> None:
    """Vue 2 ignores events that are older than their listener."""
    view = await stage.show(
        "<p id=p><b id=b>b</b></p><script>setTimeout(() => { const attached = performance.now();"
        " byId('p').onclick = (e) => {"
        "if (e.timeStamp >= attached) log('young'); }; byId('b').onclick = () => {}; }, 9000)</script>"
    )
    assert await view.log("click b#b in p#p") == ["young"]
