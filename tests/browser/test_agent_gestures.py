"""Gestures: what the agent dispatches is what Chromium produces from a real mouse, finger or keyboard.

Each case is done twice, by the agent and with real input over DevTools, and everything that a listener could see is
compared: types, order, targets, coordinates, buttons, details, keys, related targets.
"""

import json
from typing import Any

import pytest

from statecrawl.ports.access import Access
from statecrawl.ports.devices import Device
from tests.browser.stage import Stage

TYPES = (
    *("pointerover", "pointerenter", "mouseover", "mouseenter", "pointermove", "mousemove", "pointerdown", "mousedown"),
    *("focus", "focusin", "blur", "focusout", "pointerup", "mouseup", "click", "dblclick", "contextmenu", "auxclick"),
    *("pointerout", "pointerleave", "mouseout", "mouseleave", "keydown", "keypress", "keyup", "beforeinput", "input"),
    *("change", "submit", "cancel", "reset", "touchstart", "touchmove", "touchend", "touchcancel", "dragstart"),
    *("drag", "dragenter", "dragover", "dragleave", "drop", "dragend", "pointercancel"),
)
SEEN = (
    *("button", "buttons", "detail", "clientX", "clientY", "pageX", "pageY", "offsetX", "offsetY", "screenX"),
    *("screenY", "x", "y", "pointerType", "pointerId", "isPrimary", "pressure", "which", "key", "code"),
    *("keyCode", "charCode", "data", "inputType", "bubbles", "cancelable", "composed"),
)
# Where DevTools differs from a real device: it does not say that the button is held during a drag, and a page that
# nobody has touched yet can not object to Escape.
BEYOND = {
    "cancel": ["cancelable"],
    **{kind: ["buttons"] for kind in ("drag", "dragenter", "dragover", "dragleave", "drop")},
}
LISTEN = f"""<style>
body > * {{ display: block; position: relative; margin: 40px; width: 200px }}
#log {{ position: fixed; right: 0; height: 10px; overflow: hidden; margin: 0 }}
</style><script>
const SEEN = {json.dumps(SEEN)};
const BEYOND = {json.dumps(BEYOND)};
const watched = document.querySelectorAll('[id]:not(#log)');
for (const element of watched) for (const type of {json.dumps(TYPES)}) {{
  element.addEventListener(type, (event) => {{
    const seen = SEEN.filter((name) => event[name] !== undefined && !BEYOND[type]?.includes(name))
      .map((name) => name + '=' + event[name]);
    if (event.relatedTarget !== undefined) seen.push('related=' + (event.relatedTarget?.id ?? 'none'));
    for (const t of event.touches ?? []) seen.push('touch=' + t.clientX + ',' + t.clientY + t.target.id);
    for (const touch of event.changedTouches ?? []) seen.push('changed=' + touch.pageX + ',' + touch.pageY);
    if (event.view) seen.push('view=' + (event.view === window));
    const what = [type, '@', element.id, '/', event.target.id, '/', event.constructor.name, '/', seen.join(',')];
    log(what.join('').replace(/ /g, '_'));
  }});
}}
const keys = ({{ key }}) =>
  key === 'Enter' || key === ' ' || key === 'Escape' || event.key === 'x' || key === 'ArrowDown';
for (const element of watched) element.addEventListener('keydown', keys);
</script>"""
# What is on the page, and the events whose last one is looked at.
LIKE_A_PERSON: dict[str, tuple[str, ...]] = {
    "a click": ("<button id=b>b</button>", "click button#b"),
    "a click on what is inside another": ("<div id=o><p id=p>p</p></div>", "click p#p in div#o"),
    "a click elsewhere": ("<button id=a>a</button><button id=b>b</button>", "click button#a", "click button#b"),
    "a click on what has no focus": ("<button id=a>a</button><p id=p>p</p>", "click button#a", "click p#p"),
    "from the inside out": ("<div id=o>o<p id=p>p</p></div><i id=i>i</i>", "click p#p in div#o", "click i#i"),
    "two clicks": ("<p id=p>p</p>", "dblclick p#p"),
    "the other button": ("<p id=p>p</p>", "contextmenu p#p"),
    "going there": ("<p id=p>p</p>", "hover p#p"),
    "going away": ("<p id=p>p</p>", "leave p#p"),
    "ticking": ("<input id=c type=checkbox>", "click input#c"),
    "choosing one of two": (
        "<input id=a type=radio name=r><input id=b type=radio name=r>",
        "click input#a",
        "click input#b",
    ),
    "a label": ("<label id=l for=c>l</label><input id=c type=checkbox>", "click label#l"),
    "a box in its label": ("<label>l <input id=c type=checkbox></label>", "click input#c"),
    "unfolding": ("<details id=d><summary id=s>s</summary>text</details>", "click summary#s in details#d"),
    "enter on a button": ("<button id=b>b</button>", "key Enter button#b"),
    "space on a button": ("<button id=b>b</button>", "key Space button#b"),
    "space on a box": ("<input id=c type=checkbox>", "key Space input#c"),
    "a letter": ("<p id=p tabindex=0>p</p>", "key x p#p"),
    "escape": ("<p id=p tabindex=0>p</p>", "key Escape p#p"),
    "an arrow": ("<p id=p tabindex=0>p</p>", "key ArrowDown p#p"),
    "clearing a form": ("<form id=f><button type=reset id=r>r</button></form>", "click button#r in form#f"),
    "sending a form": (
        "<form id=f onsubmit='return false'><input type=checkbox><button id=b>b</button></form>",
        "click button#b in form#f",
    ),
    "enter in a form": (
        "<form id=f onsubmit='return false'><input id=i name=i type=checkbox><button id=b>b</button></form>",
        "key Enter input#i in form#f",
    ),
    "enter in a form whose button is disabled": (
        "<form id=f onsubmit='return false'><input id=i type=checkbox><button id=b disabled>b</button></form>",
        "key Enter input#i in form#f",
    ),
    "a press that is prevented": ("<input id=i type=button value=i onmousedown='return false'>", "click input#i"),
    "a pointer that is prevented": ("<button id=b onpointerdown='return false'>b</button>", "click button#b"),
    "a key that is prevented": ("<button id=b onkeydown='return false'>b</button>", "key Enter button#b"),
    "a key let go that is prevented": ("<button id=b onkeyup='return false'>b</button>", "key Space button#b"),
    "escape in a dialog": (
        "<dialog id=d><button id=b>b</button></dialog><script>byId('d').showModal()</script>",
        "key Escape button#b in dialog#d",
    ),
    "typing": ("<input id=i>", "input input#i = test"),
    "typing over what is there": ("<input id=i value=old>", "input input#i = test"),
    "typing an address": ("<input id=i type=email value=old>", "input input#i = ann@example.com"),
    "typing a number": ("<input id=i type=number min=12 max=12>", "input input#i = 12"),
    "typing where a key is prevented": ("<input id=i onkeydown='return event.key != \"e\"'>", "input input#i = test"),
    "writing in many lines": ("<textarea id=t>old</textarea>", "input textarea#t = test"),
    "dragging": (
        "<p id=p draggable=true>p</p><p id=q ondragover='return false'>q</p>",
        "drag p#p to p#q",
    ),
    "dragging what the page moves": ("<p id=p>p</p><p id=q>q</p>", "drag p to the next"),
    "dragging what takes no mouse": ("<p id=p onpointerdown='return false'>p</p><p id=q>q</p>", "drag p to the next"),
    "dragging what captures the pointer": (
        "<p id=p onpointerdown='this.setPointerCapture(event.pointerId)'>p</p><p id=q>q</p>",
        "drag p to the next",
    ),
    "dragging to where nothing is taken": ("<p id=p draggable=true>p</p><p id=q>q</p>", "drag p#p to p#q"),
    "a dialog that stays": (
        "<dialog id=d oncancel='return false'><button id=b>b</button></dialog><script>byId('d').showModal()</script>",
        "click button#b in dialog#d",
        "key Escape button#b in dialog#d",
    ),
}


REPEATED = ("pointermove", "mousemove", "drag@", "dragover@")
LEAVING = ("blur@", "focusout@")


@pytest.mark.parametrize("what", LIKE_A_PERSON)
async def test_the_browser_tells_the_same_of_a_real_hand(stage: Stage, what: str) -> None:
    """The agent's events are compared with those that Chromium produces from real input."""
    html, *events = LIKE_A_PERSON[what]
    told = []
    for settings in ({}, {"trusted": True}):
        view = await stage.show(html + LISTEN, **settings)
        await view.fire(*events[:-1])
        told.append(steadily(await view.log(events[-1])))
    if events[-1].startswith("input "):
        told[1] = [word for word in told[1] if not word.startswith(LEAVING)]  # to confirm it, a hand leaves the field
    assert told[0] == told[1]
    assert told[0]


def steadily(told: list[str]) -> list[str]:
    """Without what Chromium repeats at its own pace: moves of a pointer at rest or below a drag, drags that wait."""
    once = [word for n, word in enumerate(told) if not (word.startswith(REPEATED) and word in told[:n])]
    dragged = next((n for n, word in enumerate(once) if word.startswith("pointercancel")), len(once))
    return [word for n, word in enumerate(once) if n <= dragged or not word.startswith(("pointer", "mouse"))]


TABLET = Access(device=Device(touch=True))
TOUCHED = {
    "a tap": ("<button id=b>b</button>", "click button#b"),
    "a tap on what is inside another": ("<div id=o><p id=p>p</p></div>", "click p#p in div#o"),
    "a tap elsewhere": ("<button id=a>a</button><button id=b>b</button>", "click button#a", "click button#b"),
    "a tap whose pointer is prevented": ("<button id=b onpointerdown='return false'>b</button>", "click button#b"),
    "a tap whose end is prevented": ("<button id=b ontouchend='return false'>b</button>", "click button#b"),
}


@pytest.mark.parametrize("what", TOUCHED)
async def test_the_browser_tells_the_same_of_a_real_finger(stage: Stage, what: str) -> None:
    html, *events = TOUCHED[what]
    told = []
    for trusted in (False, True):
        view = await stage.show_alone(html + LISTEN, trusted=trusted, access=TABLET)  # the browser counts taps
        await view.fire(*events[:-1])
        told.append(steadily(await view.log(events[-1])))
    assert told[0] == told[1]
    assert told[0]


async def test_without_a_touch_screen_there_are_no_fingers(stage: Stage) -> None:
    touched = """<p id=p>p</p><p id=q>q</p><script>
    for (const type of ['touchstart', 'touchend', 'click']) byId('p').addEventListener(type, () => log(type));
    byId('q').addEventListener('touchstart', () => log('q'));
    </script>"""
    view = await stage.show(touched)
    assert await view.events() == ["click p#p"]
    assert await view.log("click p#p") == ["click"]
    view = await stage.show(touched, access=TABLET)
    assert await view.events() == ["click p#p", "click p#q"]
    assert await view.log("click p#p", "click p#q") == ["touchstart", "touchend", "click", "q"]


# A recogniser of taps: it compares where a press began with where it ended.
TAPS = """<p style="height: 200px"></p><button id=b style="margin-left: 200px">tap</button><p id=p></p><script>
let from, touched = false, taps = 0;
const seen = {
  touchstart: (e) => { from = e.changedTouches[0]; },
  touchend: (e) => { touched = true; ended(e.changedTouches[0]); },
  mousedown: (e) => { from = e; },
  click: (e) => { if (!touched) ended(e); },
};
const ended = (to) => {
  if (Math.hypot(to.pageX - from.pageX, to.pageY - from.pageY) < 20) log(taps = (taps + 1) % 3);
};
for (const type in seen) WHERE.addEventListener(type, (e) => seen[e.type](e));
</script>"""


@pytest.mark.parametrize("where", ["byId('b')", "document"])
@pytest.mark.parametrize("settings", [{}, {"access": TABLET}, {"trusted": True}], ids=str)
async def test_a_recogniser_of_taps_recognises_ours(stage: Stage, where: str, settings: dict[str, Any]) -> None:
    view = await stage.show(TAPS.replace("WHERE", where), **settings)
    assert await view.log("click button#b", "click button#b", "click button#b") == ["1", "2", "0"]


@pytest.mark.parametrize("trusted", [False, True])
async def test_handlers_in_attributes_hear_the_pointer_move(stage: Stage, trusted: bool) -> None:
    html = """<p id=a onmouseover="log('over')">a</p><p id=b onmouseout="log('out')">b</p>
    <p id=c onpointermove="log('move')" onclick="log('click')">c</p>"""
    view = await stage.show(html, trusted=trusted)
    assert await view.log("hover p#a") == ["over"]
    assert await view.log("leave p#b") == ["out"]
    told = steadily(await view.log("click p#c"))
    assert (told[0], told[-1]) == ("move", "click")


async def test_hosts_and_slots_hear_the_pointer_enter(stage: Stage) -> None:
    html = """<style>#log { position: fixed; right: 0 }</style>
    <div id=o><x-card id=c><b id=s>slotted</b></x-card></div><script>
    customElements.define('x-card', class extends HTMLElement {
      constructor() {
        super().attachShadow({ mode: 'open' }).innerHTML = '<i id=i>in</i><p id=p><slot></slot></p>';
        this.shadowRoot.getElementById('i').onclick = () => {};
        this.shadowRoot.getElementById('p').onmouseenter = () => log('p');
      }
    });
    for (const id of ['o', 'c']) byId(id).onmouseenter = ({ target }) => log(id, target.id);
    byId('s').onclick = () => {};
    </script>"""
    for trusted in (False, True):
        view = await stage.show(html, trusted=trusted)
        assert await view.log("click i#i in x-card#c") == ["oo", "cc"]
        assert await view.log("click b#s in x-card#c") == ["p"]


# What is clicked, and where a hand finds it although something else is in its middle.
HIDDEN_MIDDLES = {
    "a row shorter than its table": (
        "<table><tr><td>a long cell<td>another long cell<td>one more<tr id=r onclick='log(1)'><td>x</table>",
        "click tr#r in table",
    ),
    "a link in two lines": (
        "<p style='width: 200px'>words that come before it <a id=r href='javascript:log(1)'>and then a link</a>",
        "click a#r",
    ),
    "a box whose middle is covered": (
        (
            "<div id=r onclick='log(1)' style='width: 300px; height: 90px'></div>"
            "<div style='position: relative; top: -80px; left: 10px; width: 280px; height: 70px; color: red'></div>"
        ),
        "click div#r",
    ),
    "what is covered all over": (
        "<button id=r onclick='log(1)'>r</button><div style='position: fixed; inset: 0; background: red'></div>",
        "click button#r",
    ),
    "an area of a picture": (
        (
            "<img usemap=#m width=100 height=100 src='data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA='>"
            "<map name=m><area id=r shape=rect coords=60,60,80,80 href='javascript:log(1)'></map>"
        ),
        "click area#r",
    ),
}


@pytest.mark.parametrize("what", HIDDEN_MIDDLES)
async def test_a_hand_finds_what_it_clicks(stage: Stage, what: str) -> None:
    html, event = HIDDEN_MIDDLES[what]
    view = await stage.show(html, trusted=True)
    assert await view.log(event) == ["1"]
