"""Events of a page: everything that a person could do and that may lead somewhere, and nothing else."""

import pytest

from statecrawl.politeness.danger import danger_of
from statecrawl.ports.page import Ending
from tests.browser.stage import Stage, noted

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
    "<form id=f action=/x><input name=q><button>go</button></form>": [
        'click button "go" in form#f',
        'click button "go" in form#f = (empty)',
    ],
    "<form id=f action=/x method=post><input name=q><button>go</button></form>": ['click button "go" in form#f'],
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
async def test_events_that_may_send_new_passwords_are_reported(stage: Stage, what: str) -> None:
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
    assert noted(await view.fire("submit form#f"), "error") == []
    assert await view.log() == ["1"]


async def test_an_element_of_svg_can_have_the_focus(stage: Stage) -> None:
    view = await stage.show("<svg><g id=g tabindex=0 onfocus='log(1)' onblur='log(2)'><text y=9>g</text></g></svg>")
    assert await view.log("focus g#g", "blur g#g") == ["1", "2"]
