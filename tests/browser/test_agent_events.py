"""Which events a page has: everything a person could do that may lead somewhere, and nothing else."""

import pytest

from statecrawl.politeness.danger import danger_of
from statecrawl.ports.page import Ending
from statecrawl.testbed.event_kinds import ALONE
from statecrawl.testbed.sites import kinds
from statecrawl.testbed.sites.server import start
from tests.browser.stage import Stage, View, said

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


# -- controls --

CONTROLS = {
    "<a href=/x>go</a>": ['click a "go" /x'],
    "<a>no link</a>": [],
    "<a name=here>no link</a>": [],
    "<button>go</button>": ['click button "go"'],
    "<input type=button value=go>": ['click input "go"'],
    "<input id=c type=checkbox>": ["click input#c"],
    "<input type=radio name=r value=1><input type=radio name=r value=2>": [
        'click input[r] "1" radio',
        'click input[r] "2" radio',
    ],
    "<select id=s><option>a<option>b<option disabled>c</select>": ["select select#s = b"],
    "<select id=s multiple><option>a<option>b</select>": ["select select#s = a", "select select#s = b"],
    "<select id=s><option>a<optgroup disabled><option>b</optgroup><option>c</select>": ["select select#s = c"],
    "<textarea id=t></textarea>": ["input textarea#t = test"],
    "<input id=f type=file>": ["upload input#f"],
    "<input type=hidden name=h>": [],
    "<input id=r readonly>": [],
    "<details><summary>more</summary>text</details>": ['click summary "more"'],
    "<div id=e contenteditable>text</div>": ["input div#e = test"],
    "<div id=e contenteditable=false>text</div>": [],
    "<map name=m><area href=/x alt=spot shape=default></map><img usemap=#m width=9 height=9>": ['click area "spot" /x'],
    "<label>name <input id=n></label>": ["input input#n = Ann Lee"],
    "<label for=c>tick</label><input id=c type=checkbox hidden>": ['click label "tick"'],
    "<label for=c>tick</label><input id=c type=checkbox>": ["click input#c"],
    "<label onclick='x()'>say</label>": ['click label "say"'],
    "<form id=f><input name=q></form>": [],
    "<form id=f action=/x><input name=q></form>": ["submit form#f"],
    "<form id=f action=/x><input name=q><button>go</button></form>": ['click button "go" in form#f'],
    "<form id=f></form><button form=f>go</button>": ['click button "go"'],
    "<form id=f><button type=button>go</button><button type=reset>clear</button></form>": [
        'click button "go" in form#f',
        'click button "clear" in form#f',
    ],
    "<video controls></video><p>text</p><img alt=picture>": [],
}


@pytest.mark.parametrize("html", CONTROLS)
async def test_controls_are_used_as_what_they_are(stage: Stage, html: str) -> None:
    assert await stage.events(html) == CONTROLS[html]


async def test_a_role_is_clicked_where_anybody_listens_for_clicks(stage: Stage) -> None:
    rows = "<div role=tab>tab</div><div role=menuitem>item</div><div role=note>note</div>"
    listening = "<script>document.body.appendChild(document.createElement('p')).onclick = () => {}</script>"
    assert await stage.events(rows) == []
    assert await stage.events(rows + listening) == ['click div "tab"', 'click div "item"', "click p"]


async def test_a_select_offers_no_more_options_than_asked(stage: Stage) -> None:
    html = "<select id=s>" + "".join(f"<option>{n}" for n in range(50)) + "</select>"
    assert len(await stage.events(html)) == 7  # of the first eight, the one that is not chosen yet
    assert len(await stage.events(html, agent={"options": 3})) == 2


# -- what nobody can reach --

UNREACHABLE = {
    "disabled": "<button disabled>no</button>",
    "disabled fieldset": "<fieldset disabled><input id=no><select id=no2><option>1<option>2</select></fieldset>",
    "aria-disabled": "<div aria-disabled=true onclick='x()'>no</div>",
    "hidden": "<button hidden>no</button>",
    "display": "<div style='display: none'><button>no</button></div>",
    "visibility": "<div style='visibility: hidden'><button>no</button></div>",
    "content-visibility": "<div style='content-visibility: hidden'><button>no</button></div>",
    "closed details": "<details><summary aria-disabled=true>s</summary><button>no</button></details>",
    "closed dialog": "<dialog><button>no</button></dialog>",
    "popover": "<div popover><button>no</button></div>",
    "inert": "<div inert><button>no</button><div><a href=/x>no</a></div></div>",
    "template": "<template><button>no</button></template>",
    "noscript": "<noscript><button>no</button></noscript>",
    "pointer-events": "<p style='pointer-events: none' onclick='x()'>no <b>no</b></p>",
    "pointer-events and tabindex": "<button style='pointer-events: none' tabindex=-1>no</button>",
    "inert frame": "<iframe inert srcdoc='<button>no</button>'></iframe>",
    "frame in what is inert": "<div inert><iframe srcdoc='<button>no</button>'></iframe></div>",
    "hidden frame": "<iframe style='display: none' srcdoc='<button>no</button>'></iframe>",
    "invisible frame": "<iframe style='visibility: hidden' srcdoc='<button>no</button>'></iframe>",
    "inert shadow": (
        "<div id=h inert></div><script>byId('h').attachShadow({mode: 'open'}).innerHTML = '<button>no</button>"
        "'</script>"
    ),
}


@pytest.mark.parametrize("why", UNREACHABLE)
async def test_what_nobody_can_reach_has_no_events(stage: Stage, why: str) -> None:
    assert await stage.events(f"{UNREACHABLE[why]}<button>yes</button>") == ['click button "yes"']


async def test_what_the_keyboard_or_a_part_makes_reachable_has_events(stage: Stage) -> None:
    html = "<style>* { pointer-events: none }</style><button id=a>a</button><p id=b tabindex=0 onclick='x()'>b</p>"
    html += "<p id=c onclick='x()'>c <b style='pointer-events: auto'>d</b></p>"
    html += "<p style='display: contents' id=e onclick='x()'>e</p>"
    assert await stage.events(html) == ["click button#a", "click p#b", "click p#c"]
    assert "click p#e" in await stage.events(html.replace("none }", "auto }"))


async def test_only_a_modal_dialog_can_be_used_while_it_is_open(stage: Stage) -> None:
    view = await stage.show(
        "<button id=open onclick='d.showModal()'>open</button><iframe srcdoc='<button>behind</button>'></iframe>"
        "<dialog id=d><button id=further onclick='e.showModal()'>further</button>"
        "<button id=close onclick='d.close()'>close</button></dialog>"
        "<dialog id=e><button id=done onclick='e.close()'>done</button></dialog>"
        "<script>const d = byId('d'), e = byId('e'); addEventListener('keydown', (e) => e.key === 'x');</script>"
    )
    start = await view.events()
    assert start == ["click button#open", 'click button "behind" in iframe', "key x"]
    await view.fire("click button#open")
    assert await view.events() == ["click button#further in dialog#d", "click button#close in dialog#d"]
    await view.fire("click button#further in dialog#d")
    assert await view.events() == ["click button#done in dialog#e"]
    await view.fire("click button#done in dialog#e", "click button#close in dialog#d")
    assert await view.events() == start


async def test_a_dialog_that_is_not_modal_leaves_the_rest_as_it_is(stage: Stage) -> None:
    assert await stage.events("<button id=a>a</button><dialog open><button id=b>b</button></dialog>") == [
        "click button#a",
        "click button#b in dialog",
    ]


async def test_the_dialog_opened_last_is_on_top_wherever_it_stands(stage: Stage) -> None:
    view = await stage.show(
        "<dialog id=e><button id=x>x</button></dialog><dialog id=d><button id=y onclick='e.showModal()'>y</button>"
        "<iframe srcdoc='<button>z</button>'></iframe></dialog>"
        "<my-box></my-box><script>d.showModal(); customElements.define('my-box', class extends HTMLElement { show() {"
        "const root = this.attachShadow({mode: 'closed'}); root.innerHTML = '<dialog><button>s</button></dialog>';"
        "root.firstChild.showModal(); } }); byId('x').onclick = () => document.querySelector('my-box').show();</script>"
    )
    assert await view.events() == ["click button#y in dialog#d", 'click button "z" in iframe']
    await view.fire("click button#y in dialog#d")
    assert await view.events() == ["click button#x in dialog#e"]
    await view.fire("click button#x in dialog#e")
    assert await view.events() == ['click button "s" in dialog']


async def test_a_modal_dialog_in_a_frame_covers_the_frame_alone(stage: Stage) -> None:
    frame = (
        "<button>covered</button><dialog><button>above</button></dialog><script>"
        "document.querySelector('dialog').showModal()</script>"
    )
    assert await stage.events(f'<iframe srcdoc="{frame}"></iframe><button>beside</button>') == [
        'click button "above" in dialog',
        'click button "beside"',
    ]


async def test_what_becomes_reachable_is_found_then(stage: Stage) -> None:
    view = await stage.show(
        "<button id=a onclick='byId(\"b\").hidden = false'>a</button><button id=b hidden>b</button>"
    )
    assert await view.events() == ["click button#a"]
    await view.fire("click button#a")
    assert await view.events() == ["click button#a", "click button#b"]


# -- places --


async def test_frames_within_frames(stage: Stage) -> None:
    stage.serve("/outer", "<button id=b>outer</button><iframe id=inner src=/inner></iframe>")
    stage.serve(
        "/inner", "<div id=d>inner</div><script>byId('d').addEventListener('click', () => top.log('inner'))</script>"
    )
    view = await stage.show("<iframe id=outer src=/outer></iframe>")
    assert await view.events() == ["click button#b in iframe#outer", "click div#d in iframe#inner"]
    assert await view.log("click div#d in iframe#inner") == ["inner"]


async def test_frames_without_an_address(stage: Stage) -> None:
    view = await stage.show(
        "<iframe id=s srcdoc='<button id=b onclick=parent.log(1)>b</button>'></iframe><iframe id=w></iframe>"
        "<script>const d = byId('w').contentDocument; d.body.innerHTML = '<p id=p>p</p>';"
        "d.getElementById('p').onclick = () => log(2);</script>"
    )
    assert await view.log(*await view.events()) == ["1", "2"]


async def test_a_delegated_listener_in_a_frame_is_about_the_frame(stage: Stage) -> None:
    frame = "<p class=x>in</p><script>document.onclick = (e) => e.target.matches('.x') && parent.log(1)</script>"
    view = await stage.show(f'<p class=x>out</p><iframe srcdoc="{frame}"></iframe>')
    assert await view.events() == ['click p "in" in iframe']
    assert await view.log('click p "in" in iframe') == ["1"]


async def test_a_frame_of_another_origin_is_a_boundary(stage: Stage) -> None:
    stage.serve("/stranger", "<button>stranger</button>")
    view = await stage.show(f"<iframe src={stage.stand.other}stranger></iframe><button>own</button>")
    assert await view.events() == ['click button "own"']
    assert said(view.landing, "boundary") == [f"{stage.stand.other}stranger"]
    assert "/stranger" in stage.stand.paths


async def test_a_sandboxed_frame_is_another_origin(stage: Stage) -> None:
    view = await stage.show("<iframe sandbox=allow-scripts srcdoc='<button>no</button>'></iframe><button>own</button>")
    assert await view.events() == ['click button "own"']


@pytest.mark.parametrize("mode", ["open", "closed"])
async def test_shadow_roots(stage: Stage, mode: str) -> None:
    view = await stage.show(
        "<my-card><i slot=s onclick='log(3)'>slotted</i></my-card><script>"
        "customElements.define('my-card', class extends HTMLElement {"
        f"connectedCallback() {{ const root = this.attachShadow({{mode: '{mode}'}});"
        "root.innerHTML = '<button>b</button><slot name=s></slot><div></div>'; root.firstChild.onclick = () => log(1);"
        f"const inner = root.lastChild.attachShadow({{mode: '{mode}'}}); inner.innerHTML = '<p class=row>p</p><p>"
        "no</p>';"
        "inner.addEventListener('click', (e) => e.target.matches('.row') && log(2)); } })</script>"
    )
    events = await view.events()
    assert events == ['click button "b" in my-card', 'click p "p" in my-card', 'click i "slotted" in my-card']
    assert await view.log(*events) == ["1", "2", "3"]


async def test_a_listener_at_a_slot_is_about_what_is_shown_there(stage: Stage) -> None:
    view = await stage.show(
        "<my-list><p>one</p><p>two</p></my-list><script>"
        "const root = document.querySelector('my-list').attachShadow({mode: 'open'}); root.innerHTML = '<slot></slot>';"
        "root.firstChild.addEventListener('click', (e) => log(e.target.textContent));</script>"
    )
    events = await view.events()
    assert events == ['click p "one" in my-list', 'click p "two" in my-list']
    assert await view.log(*events) == ["one", "two"]


@pytest.mark.parametrize("mode", ["open", "closed"])
async def test_declarative_shadow_roots(stage: Stage, mode: str) -> None:
    html = f"<my-card><template shadowrootmode={mode}><button onclick='log(1)'>b</button></template></my-card>"
    internals = (
        "<script>customElements.define('my-card', class extends HTMLElement { constructor() { super();"
        " this.attachInternals(); } })</script>"
    )
    view = await stage.show(html + internals)
    assert await view.events() == ['click button "b" in my-card']
    assert await view.log('click button "b" in my-card') == ["1"]


async def test_what_scripts_add_later_counts(stage: Stage) -> None:
    view = await stage.show(
        "<main></main><script>const add = (word) => { const b = document.createElement('button');"
        " b.textContent = word; "
        "b.onclick = () => log(word); document.querySelector('main').append(b); }; setTimeout(add, 3000, 'late');"
        "fetch('/more').then((r) => r.text()).then(add)</script>"
    )
    assert await view.events() == ['click button "nothing here" in main', 'click button "late" in main']
    assert await view.log('click button "late" in main') == ["late"]


async def test_what_an_event_takes_away_is_gone(stage: Stage) -> None:
    view = await stage.show("<button id=a>a</button><button id=b onclick='byId(\"a\").remove()'>b</button>")
    await view.fire("click button#b")
    walked = await view.walk("click button#a")
    assert (walked.why, walked.done) == (Ending.GONE, 0)


# -- the page as a whole --


async def test_scrolling_the_page(stage: Stage) -> None:
    tall = "<div style='height: 5000px'></div><script>addEventListener('scroll', () => log('scrolled'))</script>"
    view = await stage.show(tall)
    assert await view.events() == ["scroll page"]
    await view.fire("scroll page")
    assert await view.events() == []  # there is nothing further down
    assert await stage.events(tall.replace("5000", "50")) == []


async def test_going_back_is_offered_after_a_step_forward(stage: Stage) -> None:
    view = await stage.show(
        '<button id=f onclick=\'history.pushState(1, "", "?forward")\'>f</button>'
        "<script>addEventListener('popstate', () => log('back'))</script>"
    )
    assert await view.events() == ["click button#f"]
    assert (await view.walk("back")).why is Ending.GONE
    walked = await view.fire("click button#f")
    assert walked.back
    assert walked.landed == view.landing.state, "where one can go back to is no part of a state"
    assert await view.events() == ["click button#f"]
    assert await view.log("back") == ["back"]
    assert (await view.walk("back")).why is Ending.GONE


async def test_going_back_is_offered_only_right_after_a_step_forward(stage: Stage) -> None:
    view = await stage.show(
        "<button id=f onclick='history.pushState(1, 0)'>f</button><button id=other>other</button>"
        "<script>onpopstate = () => log('back')</script>"
    )
    assert [(await view.fire(f"click button#{step}")).back for step in ("f", "other", "f")] == [True, False, True]
    assert not (await view.fire("back")).back


async def test_a_link_within_the_page_is_a_step_forward_too(stage: Stage) -> None:
    view = await stage.show(
        "<a id=l href=#there>go</a><script>addEventListener('hashchange', () => log(location.hash || 'home'))</script>"
    )
    assert await view.log("click a#l") == ["#there"]
    assert await view.log("back") == ["home"]


async def test_dragging_is_offered_from_everything_to_everywhere(stage: Stage) -> None:
    html = (
        "<p id=a draggable=true>a</p><p id=b draggable=true>b</p><p id=c>c</p><p id=d>d</p>"
        "<script>for (const id of ['a', 'c']) byId(id).addEventListener('drop', () => {})</script>"
    )
    assert await stage.events(html) == ["drag p#a to p#c", "drag p#b to p#a", "drag p#b to p#c"]


# -- what sends new passwords --

PASSWORDS = "<input type=password name=old><input type=password name=new>"
SENDING = {
    "Enter, heard by the document": (
        f"<section>{PASSWORDS}</section><script>document.addEventListener('keydown', (e) =>"
        " { if (e.key === 'Enter') log(1) })</script>"
    ),
    "a form in a menu": f"<nav><form>{PASSWORDS}<button type=button onclick='log(1)'>go</button></form></nav>",
    "a button that opens nothing": f"<p>{PASSWORDS}<button aria-haspopup=false onclick='log(1)'>go</button></p>",
}
NOT_SENDING = {
    "another key": f"<section>{PASSWORDS}</section><script>document.onkeydown = (e) => e.key === 'x'</script>",
    "a menu in a form": f"<form>{PASSWORDS}<nav><button type=button onclick='log(1)'>go</button></nav></form>",
    "a button that opens a menu": f"<p>{PASSWORDS}<button aria-haspopup=true onclick='log(1)'>go</button></p>",
}


@pytest.mark.parametrize("what", [*SENDING, *NOT_SENDING])
async def test_whether_an_event_may_send_new_passwords_is_told(stage: Stage, what: str) -> None:
    seen = await (await stage.show((SENDING | NOT_SENDING)[what])).look()
    told = dict(zip(seen.events, seen.controls, strict=True))
    [acting] = [control for event, control in told.items() if event.startswith(("key", "click"))]
    assert (danger_of(acting) is not None) == (what in SENDING)


# -- elements that are only called like those of HTML --

NAMESAKES = ("input", "button", "select", "textarea", "form", "label", "slot", "option", "iframe", "frame", "img")


@pytest.mark.parametrize("name", NAMESAKES)
async def test_an_element_of_svg_that_is_called_like_one_of_html_is_no_obstacle(stage: Stage, name: str) -> None:
    view = await stage.show(
        "<form id=f action=/sent onsubmit='log(1); return false'><svg id=s></svg><input name=q></form><script>"
        f"const made = document.createElementNS('http://www.w3.org/2000/svg', '{name}'); byId('s').append(made);"
        "for (const key of ['type', 'onload', 'onclick']) made.setAttribute(key, 'submit');</script>"
    )
    seen = await view.look()
    assert (seen.events, seen.hidden) == (("submit form#f",), (f"click svg-{name} in svg#s",))
    assert [form["action"] for form in seen.forms] == [f"{stage.stand.url}sent"]
    assert said(await view.fire("submit form#f"), "error") == []
    assert await view.log() == ["1"]


async def test_an_element_of_svg_can_have_the_focus(stage: Stage) -> None:
    view = await stage.show("<svg><g id=g tabindex=0 onfocus='log(1)' onblur='log(2)'><text y=9>g</text></g></svg>")
    assert await view.log("focus g#g", "blur g#g") == ["1", "2"]
