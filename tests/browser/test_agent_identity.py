"""Identity: which pages are the same state, and what events are called."""

from typing import Any

import pytest

from statecrawl.browser.agent import Ignore
from statecrawl.browser.lookalikes import marks
from statecrawl.ports.page import lines_of
from tests.browser.stage import Stage

CONTENT: dict[str, Any] = {}  # the usual equivalence
STRUCTURE: dict[str, Any] = {"agent": {"equivalence": "structure"}}
EXACT: dict[str, Any] = {"agent": {"equivalence": "exact"}}

# Two pages each: the same to a person who looks at them and tries what can be done.
ALIKE = {
    "white space": ("<p>one two</p>", "<p>\n  one\n  two </p>\n"),
    "a blank that does not break": ("<p>one two</p>", "<p>one&nbsp;two</p>"),
    "the order of attributes": ("<p title=t lang=de>x</p>", "<p lang=de title=t>x</p>"),
    "comments": ("<p>x</p>", "<!-- made at 12:30 --><p>x</p>"),
    "scripts": ("<p>x</p>", "<p>x</p><script>const when = 5;</script>"),
    "styles": ("<p>x</p>", "<style>b { color: red }</style><p>x</p>"),
    "the order of classes": ("<p class='row on'>x</p>", "<p class=' on row  on\n'>x</p>"),
    "how a style is written": (
        "<p style='display: none; color: red; margin: 0 !important'>x</p>",
        "<p style='color:RED;;margin:1px;display:none;margin:0 0!important;no-such-thing:1'>x</p>",
    ),
    "a style that says nothing": ("<p>x</p>", "<p style='no-such-thing: 1' class=' '>x</p>"),
    "where a caret is drawn": (
        "<div class='layer cursors' style='visibility: hidden'><i class=my-cursor style='left: 3px'></i></div>",
        "<div class='layer cursors'><i class=my-cursor style='left: 9px; top: 1px'></i></div>",
    ),
    "an empty class": ("<p>x</p>", "<p class='' style=''>x</p>"),
    "a nonce": ("<p nonce=a>x</p>", "<p nonce=b>x</p>"),
    "a generated id": ("<p id=ember123>x</p>", "<p id=ember456>x</p>"),
    "ids of React": ("<p id=:r1:>x</p>", "<p id=:r2f:>x</p>"),
    "a label for a generated id": (
        "<label for=x-8f3a1b2c>a</label><input id=x-8f3a1b2c>",
        "<label for=x-11aa22bb>a</label><input id=x-11aa22bb>",
    ),
    "a reference to a generated id": ("<p aria-labelledby=radix-001>x</p>", "<p aria-labelledby=radix-002>x</p>"),
    "a token against forgery": (
        "<form action=/x><input type=hidden name=csrf_token value=a></form>",
        "<form action=/x><input type=hidden name=csrf_token value=b></form>",
    ),
    "what a field was born with": ("<input id=i value=a>", "<input id=i><script>byId('i').value = 'a'</script>"),
    "what a box was born with": (
        "<input id=c type=checkbox checked>",
        "<input id=c type=checkbox><script>byId('c').checked = true</script>",
    ),
    "what a list was born with": (
        "<select><option>a<option selected>b</select>",
        "<select><option>a<option>b</select><script>document.querySelector('select').value = 'b'</script>",
    ),
    "the head": (
        "<p>x</p>",
        "<script>document.head.append(Object.assign(document.createElement('meta'), { name: 'x' }))</script><p>x</p>",
    ),
}

DIFFERENT = {
    "texts": ("<p>one</p>", "<p>two</p>"),
    "cases": ("<p>one</p>", "<p>One</p>"),
    "words": ("<p>one two</p>", "<p>onetwo</p>"),
    "where a text ends": ("<p>a<b>b</b></p>", "<p><b>ab</b></p>"),
    "tags": ("<b>x</b>", "<i>x</i>"),
    "nesting": ("<div><p>x</p></div>", "<div></div><p>x</p>"),
    "order": ("<p>a</p><p>b</p>", "<p>b</p><p>a</p>"),
    "attributes": ("<p class=a>x</p>", "<p class=b>x</p>"),
    "which classes": ("<p class='row on'>x</p>", "<p class='row off'>x</p>"),
    "how many classes": ("<p class='row'>x</p>", "<p class='row on'>x</p>"),
    "classes apart": ("<p class='row on'>x</p>", "<p class='row\u00a0on'>x</p>"),
    "declarations": ("<p style='color: red'>x</p>", "<p style='color: blue'>x</p>"),
    "how important a declaration is": ("<p style='color: red'>x</p>", "<p style='color: red !important'>x</p>"),
    "declarations that overrule each other": (
        "<p style='margin: 0; margin-left: 1px'>x</p>",
        "<p style='margin-left: 1px; margin: 0'>x</p>",
    ),
    "variables": ("<p style='--a: 1; margin: var(--a)'>x</p>", "<p style='--a: 1; margin: var(--b)'>x</p>"),
    "what only sounds like a caret": (
        "<p class=cursor-pointer style='left: 3px'></p>",
        "<p class=cursor-pointer style='left: 4px'></p>",
    ),
    "a caret with words": ("<p class=cursor style='left: 3px'>x</p>", "<p class=cursor style='left: 4px'>x</p>"),
    "which attribute": ("<p lang=x>x</p>", "<p title=x>x</p>"),
    "an id that was given": ("<p id=menu>x</p>", "<p id=body>x</p>"),
    "a hidden field": ("<input type=hidden name=step value=1>", "<input type=hidden name=step value=2>"),
    "what is in a field": ("<input id=i value=a>", "<input id=i value=b>"),
    "what is in a text": ("<textarea>a</textarea>", "<textarea>b</textarea>"),
    "ticks": ("<input type=checkbox>", "<input type=checkbox checked>"),
    "choices": ("<select><option>a<option>b</select>", "<select><option>a<option selected>b</select>"),
    "what can be done": ("<p>x</p>", "<p>x</p><script>document.querySelector('p').onclick = () => {}</script>"),
    "what can be done by a key": ("<p>x</p>", "<p>x</p><script>onkeydown = (e) => e.key === 'Enter'</script>"),
    "what can be reached": ("<button>x</button>", "<button disabled>x</button>"),
    "titles": ("<p>x</p>", "<p>x</p><script>document.title = 'other'</script>"),
    "shadows": (
        "<div id=h></div>",
        "<div id=h></div><script>byId('h').attachShadow({ mode: 'closed' }).innerHTML = 'x'</script>",
    ),
    "frames": ("<iframe srcdoc='<p>a'></iframe>", "<iframe srcdoc='<p>b'></iframe>"),
    "a frame's inside by script": (
        "<iframe></iframe>",
        "<iframe></iframe><script>document.querySelector('iframe').contentDocument.body.append('x')</script>",
    ),
    "modal dialogs": (
        "<i><a href=/>x</a></i><dialog open>x</dialog>",
        "<i><a href=/>x</a></i><dialog>x</dialog><script>document.querySelector('dialog').showModal()</script>",
    ),
}


@pytest.mark.parametrize("what", ALIKE)
async def test_one_state(stage: Stage, what: str) -> None:
    one, other = ALIKE[what]
    assert await stage.state(one) == await stage.state(other)


@pytest.mark.parametrize("what", DIFFERENT)
async def test_two_states(stage: Stage, what: str) -> None:
    one, other = DIFFERENT[what]
    assert await stage.state(one) != await stage.state(other)


SAME_STRUCTURE = ("texts", "attributes", "what is in a field", "titles", "a hidden field")
OTHER_STRUCTURE = ("tags", "nesting", "ticks", "which attribute", "what can be done", "what can be reached")


@pytest.mark.parametrize("what", [*SAME_STRUCTURE, *OTHER_STRUCTURE])
async def test_structure_leaves_out_what_is_written(stage: Stage, what: str) -> None:
    one, other = DIFFERENT[what]
    assert (await stage.state(one, **STRUCTURE) == await stage.state(other, **STRUCTURE)) == (what in SAME_STRUCTURE)


async def test_structure_names_events_without_words(stage: Stage) -> None:
    assert await stage.events("<button>one</button><button>two</button>", **STRUCTURE) == [
        "click button",
        "click button #2",
    ]


EXACTLY = (
    "white space",
    "comments",
    "a generated id",
    "a token against forgery",
    "a nonce",
    "scripts",
    "an empty class",
    "the order of classes",
    "how a style is written",
)


@pytest.mark.parametrize("what", EXACTLY)
async def test_exact_leaves_out_nothing(stage: Stage, what: str) -> None:
    one, other = ALIKE[what]
    assert await stage.state(one, **EXACT) != await stage.state(other, **EXACT)
    assert await stage.state(one, **EXACT) == await stage.state(one, **EXACT)


# -- what the user leaves out --


async def test_ignored_elements(stage: Stage) -> None:
    settings = {"agent": {"ignore": Ignore(selectors=(".ad", "#clock"))}}
    one = "<p>x</p><div class=ad><a href=/1>buy</a></div><span id=clock>12:30</span>"
    other = "<p>x</p><div class=ad><b>other</b></div><span id=clock>12:31</span><i class=ad></i>"
    assert await stage.state(one, **settings) == await stage.state(other, **settings)
    assert await stage.events(one, **settings) == []


async def test_ignored_attributes_are_in_no_name(stage: Stage) -> None:
    settings = {"agent": {"ignore": Ignore(attributes=("id", "href"))}}
    assert await stage.events("<a id=a href=/1>x</a><p id=place><button>y</button></p>", **settings) == [
        'click a "x"',
        'click button "y"',
    ]


async def test_ignored_attributes(stage: Stage) -> None:
    settings = {"agent": {"ignore": Ignore(attributes=("data-time", "class"))}}
    assert await stage.state("<p class=a data-time=1>x", **settings) == await stage.state("<p class=b>x", **settings)
    assert await stage.state("<p title=a>x", **settings) != await stage.state("<p title=b>x", **settings)


async def test_ignored_texts(stage: Stage) -> None:
    settings = {"agent": {"ignore": Ignore(patterns=(r"\d+ minutes? ago", r"#\d+"))}}
    one = "<p title='#17'>seen 1 minute ago, 2 minutes ago</p><button>like #4</button>"
    other = "<p title='#18'>seen 31 minutes ago, 5 minutes ago</p><button>like #5</button>"
    assert await stage.state(one, **settings) == await stage.state(other, **settings)
    assert await stage.events(one, **settings) == await stage.events(other, **settings)
    assert await stage.state(one, **settings) != await stage.state(one.replace("seen", "read"), **settings)


async def test_ignored_hidden_content(stage: Stage) -> None:
    settings = {"agent": {"ignore": Ignore(hidden=True)}}
    html = (
        "<p>x</p><p hidden>{0}</p><div style='display: none'><b id=b{0}>{0}</b></div>"
        "<i style='visibility: hidden'>{0}</i>"
    )
    assert await stage.state(html.format(1), **settings) == await stage.state(html.format(2), **settings)
    assert await stage.state(html.format(1)) != await stage.state(html.format(2))
    for shown in (
        "<p>{0}</p>",
        "<div style='display: contents'><p>{0}</p></div>",
        "<div style='display: contents'><div style='display: contents'>{0}</div></div>",
        "<div><template shadowrootmode=open><div style='display: contents'>{0}</div></template></div>",
        "<select><option>{0}</select>",
        "<script>document.title = {0}</script>",
    ):
        assert await stage.state(shown.format(1), **settings) != await stage.state(shown.format(2), **settings)


async def test_hidden_content_is_told(stage: Stage) -> None:
    view = await stage.show("<p id=p hidden>x <b hidden>y</b></p><p id=q>z</p>")
    lines = [line for line in lines_of((await view.look()).normal) if line[1] == "-"]
    assert lines == [("#p", "-", "hidden")]


async def test_learnt_rules(stage: Stage) -> None:
    rules = (
        ("#clock/span.time", "text"),
        ("#ads", "node"),
        ("/html/body/p.row", "@title"),
        ("/html/body/button.volatile", "text"),
    )
    settings = {"agent": {"rules": rules}}
    html = (
        "<div id=clock>now <span class='time big'>{0}</span></div><div id=ads>{0}<a href=/{0}>{0}</a></div>"
        "<p class=row title={0}>x</p><button class=volatile>{0}</button>"
    )
    assert await stage.state(html.format(1), **settings) == await stage.state(html.format(2), **settings)
    assert await stage.events(html.format(1), **settings) == ["click button"]
    for apart in (
        "<div id=clock>{0}</div>",
        "<p class=line title={0}>x</p>",
        "<p class=row>{0}</p>",
        "<b class=time>{0}</b>",
    ):
        assert await stage.state(apart.format(1), **settings) != await stage.state(apart.format(2), **settings)


async def test_rules_about_counters_and_marks_hold_everywhere(stage: Stage) -> None:
    rules = (("", "@id=row-*"), ("", "@data-key=*"), ("", "@name=n*"), ("", ".lit"), ("/html/body/p.on", ".near"))
    settings = {"agent": {"rules": rules}}
    html = (
        "<div id=row-{0} data-key={0}><label for=row-{0}>x</label><a href=#row-{0}>y</a><button>z</button></div>"
        "<input name=n{0}><p class='{1}'>x</p>"
    )
    one, other, many = html.format(1, "on near lit"), html.format(27, "on"), html.format(1027, "on")
    assert await stage.state(one, **settings) == await stage.state(other, **settings)
    assert await stage.state(one, **settings) == await stage.state(many, **settings), "however many digits it has"
    assert await stage.events(other, **settings) == ['click a "y" #row-*', 'click button "z"', "input input[n*] = test"]
    for apart in (
        "<i id=line-{0}>",
        "<i data-key=a{0}>",
        "<a href=/row-{0}>x</a>",
        "<i title={0}>",
        "<b class='near{0}'>",
    ):
        assert await stage.state(apart.format(1), **settings) != await stage.state(apart.format(27), **settings)
    assert await stage.state("<b class=near>", **settings) != await stage.state("<b>", **settings)


async def test_a_page_at_rest(stage: Stage) -> None:
    view = await stage.show(
        "<style>.lit b { display: none }</style><input id=i><p id=p>word <b>more</b></p><script>"
        "const on = (id, word) => {"
        "byId(id).onmouseenter = byId(id).onfocus = () => byId(id).classList.add(word);"
        "byId(id).onmouseleave = byId(id).onblur = () => byId(id).classList.remove(word); };"
        "on('i', 'near'); on('p', 'lit')</script>"
    )
    at_rest = await view.look()
    for event, marking in (("focus input#i", {("#i", ".near")}), ("hover p#p", set())):  # which hides a word
        await view.fire(event)
        moved = await view.look()
        assert await view.page.rest()
        assert (await view.look()).state == at_rest.state
        assert marks(lines_of(moved.normal), lines_of(at_rest.normal)) == marking


async def test_attributes_that_styles_look_at(stage: Stage) -> None:
    view = await stage.show(
        "<style>[data-a] { color: red } @media print { p { content: attr(data-b) } }</style><p data-a=1 data-b data-c>"
    )
    assert await view.page.styled(["data-a", "data-b", "data-c"]) == {"data-a", "data-b"}


async def test_the_places_that_are_told_are_those_that_rules_name(stage: Stage) -> None:
    view = await stage.show("<main id=m><p class='row odd'>a<b class=x123>c</b></p></main>")
    lines = [line for line in lines_of((await view.look()).normal) if line[0].startswith("#m")]
    assert [line[:3] for line in lines] == [
        ("#m", "<", "main"),
        ("#m", "@id", "m"),
        ("#m/p.row", "<", "p"),
        ("#m/p.row", "@class", "odd row"),
        ("#m/p.row", '"', "a"),
        ("#m/p.row/b", "<", "b"),
        ("#m/p.row/b", "@class", "x123"),
        ("#m/p.row/b", '"', "c"),
        ("#m/p.row/b", ">", ""),
        ("#m/p.row", ">", ""),
        ("#m", ">", ""),
    ]


# -- names --

NAMES = {
    "<button id=save>Save</button>": "click button#save",
    "<button>  Save   all\n</button>": 'click button "Save all"',
    "<button aria-label='Close dialog'>×</button>": 'click button "Close dialog"',
    "<button title=Help></button>": 'click button "Help"',
    "<button><img alt=Logo></button>": "click button",
    "<button name=act value=1>Go</button>": 'click button[act] "Go"',
    "<button id=ember1234>Save</button>": 'click button "Save"',
    "<a href='/list?page=2'>Next</a>": 'click a "Next" /list',
    "<nav><a href=/x>X</a></nav>": 'click a "X" /x in nav',
    "<div role=tablist><div role=tab onclick='x()'>One</div></div>": 'click div "One" in tablist',
    "<div id=box><p><button>B</button></p></div>": 'click button "B" in div#box',
    "<nav><div id=x99999><button>B</button></div></nav>": 'click button "B" in nav',
    "<input placeholder='Your name'>": 'input input "Your name" = Ann Lee',
    "<input name=q type=search>": "input input[q] = test",
    "<input type=checkbox name=news value=yes>": 'click input[news] "yes" checkbox',
    "<button>" + "long " * 30 + "</button>": 'click button "long long long long long long long long l"',
}


@pytest.mark.parametrize("html", NAMES)
async def test_events_are_called_by_what_a_person_sees(stage: Stage, html: str) -> None:
    assert await stage.events(html) == [NAMES[html]]


async def test_names_stay_when_other_things_move(stage: Stage) -> None:
    one = await stage.events(
        "<div><button>A</button></div><button>B</button><section><button id=x-1a2b3c4d5e>C</button></section>"
    )
    other = await stage.events(
        "<p>new</p><button id=x-99ff88ee77>C</button><button>B</button><ul><li><button>A</button></li></ul>"
        "<a href=/new>new</a>"
    )
    assert set(one) < set(other)
    assert len(other) == len(one) + 1


async def test_events_of_the_same_name_are_numbered(stage: Stage) -> None:
    view = await stage.show(
        "<button onclick='log(1)'>x</button><button onclick='log(2)'>x</button><button onclick='log(3)'>x</button>"
    )
    assert await view.events() == ['click button "x"', 'click button "x" #2', 'click button "x" #3']
    assert await view.log('click button "x" #3', 'click button "x"') == ["3", "1"]


async def test_words_of_a_page_that_look_like_ours(stage: Stage) -> None:
    view = await stage.show(
        "<p id=a onclick='log(1)'>a</p><p id='a #2' onclick='log(2)'>b</p><p id=a onclick='log(3)'>c</p>"
        "<select id=s onchange='log(confirm(), this.value)'><option>0<option>x<option>x (dismissed)</select>"
    )
    events = await view.events("click")
    assert events == ["click p#a", "click p#a #2", "click p#a #3"]
    assert await view.log(*events) == ["1", "2", "3"]
    assert await view.log("select select#s = x (dismissed)") == ["truex", "(dismissed)"]
    assert await view.log("select select#s = x") == ["truex"]
    assert await view.log("select select#s = x (dismissed) (dismissed)") == ["falsex", "(dismissed)"]


async def test_labels_hold_all_words_by_which_a_person_knows_an_event(stage: Stage) -> None:
    view = await stage.show(
        "<a id=out href=/leave title='Sign out' aria-label=Bye name=n><b>Log</b> out</a><button value=v>w</button>"
    )
    told = await view.look()
    for word in ("Bye", "Sign out", "/leave", "out", "n"):
        assert word in told.labels[0]
    assert told.labels[1].split() == ["w", "v"]


async def test_what_is_told_of_a_state(stage: Stage) -> None:
    view = await stage.show(
        "<title> The  title </title><a href=/x?y=1#z>x</a><form action=send method=post><input name=a type=email>"
        "<select name=b></select></form>"
    )
    told = await view.look()
    assert (told.url, told.title, told.cut) == (stage.stand.url, "stage", False)
    assert told.links == (f"{stage.stand.url}x?y=1#z",)
    assert told.forms == (
        {
            "action": f"{stage.stand.url}send",
            "method": "post",
            "fields": [["input", "email", "a"], ["select", "", "b"]],
        },
    )
    assert "<form action" in told.html


async def test_a_page_too_large_to_be_seen_whole_says_so(stage: Stage) -> None:
    view = await stage.show(
        "<div id=deep></div><script>let d = byId('deep'); for (let i = 0; i < 450;"
        " i += 1) d = d.appendChild(document.createElement('i'))</script>"
    )
    assert (await view.look()).cut


@pytest.mark.parametrize(
    ("html", "selector"),
    [
        ("<button id=go>go</button>", "#go"),
        ("<button id='a b.c'>go</button>", r"#a\ b\.c"),
        ("<p>a</p><button data-testid=go>go</button>", "button[data-testid=go]"),
        ('<a href="#x" onclick="x()">go</a>', r"a[href=\#x]"),
        ("<button name=x id=item4711>go</button>", "button[name=x]"),
        (
            "<div id=menu><button name=x>go</button></div><button name=x disabled>no</button>",
            "#menu > button:nth-of-type(1)",
        ),
        (
            "<i></i><div><b></b><button>go</button></div>",
            "html > body:nth-of-type(1) > div:nth-of-type(1) > button:nth-of-type(1)",
        ),
        (
            """<host-element></host-element><b name=go></b><script>document.querySelector('host-element')
            .attachShadow({mode: 'open'}).innerHTML = '<button name=go id=go>go</button>'</script>""",
            "html > body:nth-of-type(1) > host-element:nth-of-type(1) /shadow/ #go",
        ),
    ],
)
async def test_where_the_element_of_an_event_is(stage: Stage, html: str, selector: str) -> None:
    view = await stage.show(html)
    assert list((await view.look()).selectors) == [selector]
