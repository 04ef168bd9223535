"""Rules: what is left out of a state, as the user or a learnt rule says."""

from statecrawl.browser.agent import Ignore
from statecrawl.browser.lookalikes import marks
from statecrawl.ports.page import lines_of
from tests.browser.stage import Stage


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


async def test_hidden_content_is_reported(stage: Stage) -> None:
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


async def test_the_reported_places_are_those_that_rules_name(stage: Stage) -> None:
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
