"""Names: ids of events, labels, selectors, and what is reported of a state."""

import pytest

from tests.browser.stage import Stage

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


async def test_the_description_of_a_state(stage: Stage) -> None:
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
