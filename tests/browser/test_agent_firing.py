"""Firing: an event does all that a person would do, in the order in which the browser would tell it."""

import pytest

from statecrawl.ports.page import Ending
from statecrawl.testbed.event_kinds import ALONE
from statecrawl.testbed.sites import kinds
from statecrawl.testbed.sites.server import STATIC, start
from tests.browser.stage import Stage, View, noted

# -- what follows from an event --


async def test_what_is_gone_when_pressed_is_not_clicked(stage: Stage) -> None:
    view = await stage.show("<p id=p onmousedown='log(1); this.remove()' onmouseup='log(2)' onclick='log(3)'>p</p>")
    assert await view.log("click p#p") == ["1"]


async def test_a_handler_that_throws_is_noted_and_does_not_end_the_walk(stage: Stage) -> None:
    view = await stage.show("<button id=a onclick='nonsense()'>a</button><button id=b onclick='log(1)'>b</button>")
    walked = await view.fire("click button#a", "click button#b")
    assert "nonsense is not defined" in noted(walked, "error")[0]
    assert await view.text() == "1"


@pytest.mark.parametrize("act", ["Promise.reject(1)", "fetch(location).then(() => { throw 1 })"])
async def test_an_unhandled_rejection_is_part_of_the_event(stage: Stage, act: str) -> None:
    heard = "<script>addEventListener('unhandledrejection', (e) => log(e.reason))</script>"
    view = await stage.show(f'<button id=a onclick="{act}">a</button>{heard}')
    walked = await view.fire("click button#a")
    assert noted(walked, "error") == ["unhandled rejection: 1"]
    assert await view.text() == "1"


async def test_a_link_within_the_page(stage: Stage) -> None:
    view = await stage.show(
        "<a id=l href=#x>l</a><script>addEventListener('hashchange', () => log(location.hash))</script>"
    )
    assert await view.log("click a#l") == ["#x"]


async def test_a_link_with_a_script_for_an_address(stage: Stage) -> None:
    view = await stage.show('<a id=l href="javascript:log(1)">l</a>')
    assert await view.log("click a#l") == ["1"]


FIELD = (
    "<script>const f = document.querySelector('[id=f]');"
    " for (const t of ['focus', 'keydown', 'beforeinput', 'input', 'keyup', 'change'])"
)
FIELD += " f.addEventListener(t, (e) => log(t, '=', f.value ?? f.textContent))</script>"
TYPED = "focus=old keydown=old beforeinput=old input=1 keyup=1 keydown=1 beforeinput=1 input=12 keyup=12"
WRITTEN = {
    "<input id=f value=old pattern=12>": ("input input#f = 12", f"{TYPED} change=12"),
    "<textarea id=f minlength=2 maxlength=2>old</textarea>": (
        "input textarea#f = 12",
        f"{TYPED} change=12",
    ),
    "<select id=f><option>old<option>new</select>": ("select select#f = new", "focus=old input=new change=new"),
    "<input id=f type=date>": ("input input#f = 2024-02-29", "focus= input=2024-02-29 change=2024-02-29"),
    "<div id=f contenteditable>old</div>": (
        "input div#f = test",
        (
            "focus=old keydown=old beforeinput=old input=t keyup=t keydown=t beforeinput=t input=te keyup=te keydown=te"
            " beforeinput=te input=tes keyup=tes keydown=tes beforeinput=tes input=test keyup=test"
        ),
    ),
}


@pytest.mark.parametrize("html", WRITTEN)
async def test_writing_tells_all_that_typing_tells(stage: Stage, html: str) -> None:
    event, told = WRITTEN[html]
    view = await stage.show(html + FIELD)
    assert await view.log(event) == told.split()


async def test_a_framework_that_binds_a_field_sees_what_is_written(stage: Stage) -> None:
    stage.serve("/vue.js", (STATIC / "kinds/vendor/vue.global.prod.js").read_text())
    view = await stage.show(
        "<main id=m></main><script src=/vue.js></script><script>Vue.createApp({ data: () =>"
        " ({ word: '', on: false, one: 'a' }), template:"
        "`<input id=i v-model='word'><input id=c type=checkbox v-model='on'><select id=s v-model='one'><option>"
        "a</option>"
        "<option>b</option></select><p id=p>{{ word }} {{ on }} {{ one }}</p>` }).mount('main')</script>"
    )
    await view.fire("input input#i in main#m = test", "click input#c in main#m", "select select#s in main#m = b")
    assert await view.text("#p") == "test true b"


async def test_a_field_that_is_drawn_after_its_letter_gets_every_letter(stage: Stage) -> None:
    view = await stage.show(
        "<input id=f pattern=123><script>const f = byId('f'); let kept = '';"
        " const { port1, port2 } = new MessageChannel(); port2.onmessage = (e) => { kept = f.value = e.data; };"
        " f.oninput = () => { port1.postMessage(f.value); f.value = kept; };"
        " f.onchange = () => log(f.value)</script>"
    )
    assert await view.log("input input#f = 123") == ["123"]


async def test_several_options_of_a_list_can_be_chosen(stage: Stage) -> None:
    view = await stage.show(
        "<select id=s multiple onchange='log([...this.selectedOptions].map((o) => o.value))'><option>a<option>"
        "b<option>c</select>"
    )
    assert await view.log("select select#s = a", "select select#s = c") == ["a", "a,c"]


async def test_uploading(stage: Stage) -> None:
    view = await stage.show(
        "<input id=f type=file onchange='this.files[0].text().then((t) => log(this.files[0].name, t.length))'>"
    )
    assert await view.log("upload input#f") == ["example.txt15"]
    assert await view.events() == []


DRAG = """<p id=a draggable=true>a</p><p id=b>b</p><script>
for (const id of ['a', 'b']) for (const type of ['dragstart', 'drag', 'dragenter', 'dragover', 'drop', 'dragend'])
  byId(id).addEventListener(type, (e) => log(type, '@', id, ':', e.dataTransfer.getData('text/plain')));
byId('a').addEventListener('dragstart', (e) => { e.dataTransfer.setData('text/plain', 'coin'); START });
byId('b').addEventListener('dragover', (e) => { OVER });
</script>"""


async def test_dragging_carries_what_was_taken(stage: Stage) -> None:
    view = await stage.show(DRAG.replace("START", "").replace("OVER", "e.preventDefault()"))
    assert await view.log("drag p#a to p#b") == [
        *("dragstart@a:", "drag@a:coin", "dragenter@b:coin", "dragover@b:coin", "drag@a:coin", "dragover@b:coin"),
        *("drop@b:coin", "dragend@a:coin"),
    ]


async def test_a_drag_that_no_element_accepts_is_not_dropped(stage: Stage) -> None:
    view = await stage.show(DRAG.replace("START", "").replace("OVER", ""))
    assert (await view.log("drag p#a to p#b"))[-3:] == ["dragover@b:coin", "drag@a:coin", "dragend@a:coin"]


async def test_what_may_not_be_taken_is_not_carried(stage: Stage) -> None:
    view = await stage.show(DRAG.replace("START", "e.preventDefault()").replace("OVER", "e.preventDefault()"))
    assert await view.log("drag p#a to p#b") == ["dragstart@a:"]


async def test_a_long_press_lasts_longer_than_a_click(stage: Stage) -> None:
    view = await stage.show(
        "<p id=p>p</p><script>let t; byId('p').onpointerdown = () => { t = setTimeout(() => log('long'), 600); };"
        "byId('p').onpointerup = () => { clearTimeout(t); log('up'); }; byId('p').onclick = () => log('click')</script>"
    )
    assert await view.log("click p#p") == ["up", "click"]
    assert await view.log("longpress p#p") == ["long", "up"]


async def test_scrolling_shows_what_is_further_down(stage: Stage) -> None:
    view = await stage.show(
        "<p style='height: 3000px'>tall<p id=end>end<script>new IntersectionObserver(([seen]) =>"
        " { if (seen.isIntersecting) log('seen'); })"
        ".observe(byId('end')); addEventListener('scroll', () => { if (scrollY > 0) log('scrolled');"
        " }, { once: true })</script>"
    )
    assert await view.log() == []
    assert sorted(await view.log("scroll page")) == ["scrolled", "seen"]


async def test_scrolling_a_part_of_the_page(stage: Stage) -> None:
    view = await stage.show(
        "<div id=s style='height: 50px; overflow: auto'><p style='height: 500px'></div><script>"
        "byId('s').addEventListener("
        "'scroll', (e) => { const p = e.target; if (p.scrollTop + p.clientHeight >= p.scrollHeight) log('end');"
        " }, { once: true })</script>"
    )
    assert await view.log("scroll div#s") == ["end"]


async def test_turning_the_wheel_over_what_does_not_scroll(stage: Stage) -> None:
    view = await stage.show(
        "<p id=p>map</p><script>byId('p').addEventListener('wheel', (e) => log(e.deltaY > 0))</script>"
    )
    assert await view.log("scroll p#p") == ["true"]


# -- forms --


async def test_a_form_is_filled_in_before_it_is_sent(stage: Stage) -> None:
    stage.serve("/send", "<p>sent</p>")
    view = await stage.show(
        "<form action=/send method=post><input name=email><input type=number name=n min=3 max=3><textarea name=t>"
        "</textarea>"
        "<input type=hidden name=h value=kept><select name=s><option>one</select><input name=r readonly value=r>"
        "<input type=checkbox name=c><button name=b value=pressed>go</button></form>"
    )
    await view.fire('click button[b] "go" in form')
    (asked,) = [asked for asked in stage.stand.asked if asked.path == "/send"]
    assert asked.body == "email=ann%40example.com&n=3&t=test&h=kept&s=one&r=r&b=pressed"


async def test_a_form_is_sent_once_with_every_value_of_a_field(stage: Stage) -> None:
    view = await stage.show(
        "<form onsubmit='log(this.q.value, this.s.value); return false'><input name=q list=l><datalist id=l>"
        "<option>x<option>y</datalist>"
        "<select name=s><option>1<option>2<option>3</select><button>go</button></form>"
    )
    events = await view.events("click")
    assert events == [
        'click button "go" in form = x, 1',
        'click button "go" in form = y, 2',
        'click button "go" in form = x, 3',
    ]
    assert await view.log(*events) == ["x1", "y2", "x3"]


async def test_a_form_without_a_button_is_sent(stage: Stage) -> None:
    view = await stage.show("<form id=f onsubmit='log(this.q.value); return false'><input name=q></form>")
    assert await view.log("submit form#f") == ["test"]


async def test_a_form_that_is_not_valid_is_not_sent(stage: Stage) -> None:
    view = await stage.show(
        "<form onsubmit='log(1); return false'><input required pattern='impossible[0-9]{40}'><button>go</button></form>"
    )
    assert await view.log('click button "go" in form') == []


async def test_a_field_with_a_listener_is_filled_in_with_its_form_unless_it_holds_something(stage: Stage) -> None:
    view = await stage.show(
        "<form onsubmit='log(this.q.value); return false'><input name=q oninput='log(this.value)'><button>"
        "go</button></form>"
    )
    assert await view.events("test") == ["input input[q] in form = test"]
    typed = ["t", "te", "tes", "test"]
    assert await view.log('click button "go" in form') == [*typed, "test"]
    await view.reset()
    assert await view.log("input input[q] in form = test", 'click button "go" in form') == [*typed, "test"]


# -- hovering --


@pytest.mark.parametrize("trusted", [False, True])
async def test_a_page_that_waits_for_a_real_mouse_sees_one(stage: Stage, trusted: bool) -> None:
    """Some menus open only after two moves that are not far from each other: a finger makes one."""
    view = await stage.show(
        "<ul id=menu style='width: 200px'><li>File<ul hidden><li id=open onclick='log(1)'>Open</ul></ul><script>"
        "let last = null, menu = byId('menu'); menu.onmouseenter = () => {}; addEventListener('mousemove', (e) => {"
        "const x = last && Math.abs(e.pageX - last.pageX), y = last && Math.abs(e.pageY - last.pageY);"
        "if (last && x + y > 0 && x <= 4 && y <= 4) menu.querySelector('ul').hidden = false; last = e; });</script>",
        trusted=trusted,
    )
    assert await view.events("li#open") == []
    await view.fire("hover ul#menu")
    assert await view.log("click li#open in ul#menu") == ["1"]


# -- history --


async def test_going_back_and_back_again(stage: Stage) -> None:
    view = await stage.show(
        '<button id=f onclick=\'history.pushState(++n, "", "?" + n); show()\'>f</button><p id=p></p><script>let n = 0;'
        "const show = () => { byId('p').textContent = location.search || 'start'; }; onpopstate = show; show()</script>"
    )
    start = view.landing.state
    walked = await view.fire("click button#f", "click button#f", "back", "back")
    assert (walked.states[0], walked.landed) == (walked.states[2], start)
    assert await view.text("#p") == "start"
    assert (await view.walk("back")).why is Ending.GONE


# -- real input --


@pytest.mark.parametrize("trusted", [True, False])
async def test_what_is_for_hands_only(stage: Stage, trusted: bool) -> None:
    running = await start(kinds.site())
    try:
        page = stage.page(url=f"{running.url}trusted.html", trusted=trusted)
        view = View(page, await page.reset())
        await view.fire(*await view.events())
        assert (ALONE["trusted"] in (await view.look()).html) == trusted
    finally:
        await running.close()


async def test_real_input_does_all_kinds(stage: Stage) -> None:
    html = (
        "<input id=i value=old><input id=d type=date><textarea id=t>old</textarea><select id=s><option>1<option>"
        "2</select>"
        "<p id=p tabindex=0>p</p><iframe srcdoc='<body style=margin:0><button>in</button>'></iframe><button id=q>"
        "q</button>"
        "<p style='height: 3000px'></p><script>const real = (word) => (e) =>"
        " log(word, e.isTrusted ? '!' : '?', e.target.value ?? '');"
        "for (const id of ['i', 'd', 't', 's']) byId(id).onchange = real(id); byId('p').onkeydown = (e) =>"
        " { if (e.key === 'x') real('x')(e); };"
        "byId('p').onfocus = real('f'); byId('p').onblur = real('b'); byId('p').onmouseleave = real('l');"
        " byId('p').ondblclick = real('2');"
        "byId('p').oncontextmenu = real('m'); addEventListener('scroll', (e) => { if (scrollY) log('down');"
        " }, { once: true });"
        "byId('q').onclick = () => log(confirm('?'));"
        "document.querySelector('iframe').onload = ({ target }) =>"
        " { target.contentDocument.querySelector('button').onclick = (e) => log('frame', e.isTrusted); };"
        "</script>"
    )
    view = await stage.show(html, trusted=True)
    told = {
        "input input#i = test": ["i!test"],
        "input input#d = 2024-02-29": ["d?2024-02-29"],  # no hand can do this reliably: the agent does
        "input textarea#t = test": ["t!test"],
        "select select#s = 2": ["s?2"],
        "key x p#p": ["f!", "x!"],
        "blur p#p": ["b!"],
        "focus p#p": ["f!"],
        "dblclick p#p": ["2!"],
        "contextmenu p#p": ["m!"],
        "leave p#p": ["l!"],
        'click button "in" in iframe': ["b!", "frametrue"],
        "click button#q": ["true"],
        "click button#q (dismissed)": ["false"],
        "scroll page": ["down"],
    }
    assert {event: await view.log(event) for event in told} == told


@pytest.mark.parametrize("field", ["textarea", "input"])
async def test_a_page_that_changes_what_is_typed_gets_all_of_it(stage: Stage, field: str) -> None:
    told = "oninput='this.value = this.value.toUpperCase()' onkeyup='log(event.key)' onchange='log(this.value)'"
    view = await stage.show(f"<{field} id=f {told}></{field}>")
    walked = await view.fire(f"input {field}#f = test")
    assert (await view.log(), noted(walked, "error")) == (["t", "e", "s", "t", "TEST"], [])


async def test_a_page_that_dispatches_submit_itself_makes_no_error(stage: Stage) -> None:
    act = "byId('f').dispatchEvent(new Event('submit', { bubbles: true }))"
    view = await stage.show(f'<form id=f onsubmit="log(1)"></form><button id=b onclick="{act}">b</button>')
    walked = await view.fire("click button#b")
    assert (await view.log(), noted(walked, "error")) == (["1"], [])
