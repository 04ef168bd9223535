"""Asking the agent: from document to document, and whatever a page says in its stead."""

import pytest
from aiohttp import web

from statecrawl.ports.page import Ending, lines_of
from tests.browser.stage import Stage, document

# -- from document to document --


async def test_a_path_over_several_documents(stage: Stage) -> None:
    for number in range(1, 4):
        stage.serve(
            f"/{number}", f"<a id=next href=/{number + 1}>next</a><button id=b onclick='log({number})'>b</button>"
        )
    view = await stage.show("<a id=next href=/1>next</a><script>log(performance.now())</script>")
    path = ["click a#next", "click button#b", "click a#next", "click a#next", "click button#b"]
    walked = await view.fire(*path)
    assert len(set(walked.states)) == 5
    assert await view.text() == "3"
    await view.reset()
    steps = list(zip(path, walked.states, strict=True))
    again = await view.page.walk(view.landing.state, steps)
    assert (again.why, again.states, again.landed) == (Ending.END, walked.states, walked.landed)
    await view.reset()
    wrong = await view.page.walk(view.landing.state, [*steps[:2], ("click a#next", walked.states[0]), *steps[3:]])
    assert (wrong.why, wrong.states) == (Ending.SURPRISE, walked.states[:3])
    assert stage.stand.paths.count("/3") == 2


WAYS = {
    "a link": "<a id=go href=/next>go</a>",
    "an address": "<p id=go onclick='location.href = \"/next\"'>go</p>",
    "assign": "<p id=go onclick='location.assign(\"/next\")'>go</p>",
    "replace": "<p id=go onclick='location.replace(\"/next\")'>go</p>",
    "a timer": "<p id=go onclick='setTimeout(() => { location = \"/next\"; }, 3000)'>go</p>",
    "after an answer": '<p id=go onclick=\'fetch("/next").then(() => { location = "/next"; })\'>go</p>',
    "a form": "<form action=/next><button id=go>go</button></form>",
    "a form that posts": "<form action=/next method=post><button id=go>go</button></form>",
    "a redirect": "<a id=go href=/redirect>go</a>",
    "the other target": "<a id=go href=/next target=_top>go</a>",
    "a link in a frame": "<iframe srcdoc='<a id=go href=/next target=_parent>go</a>'></iframe>",
}


@pytest.mark.parametrize("way", WAYS)
async def test_every_way_to_another_document_is_a_step(stage: Stage, way: str) -> None:
    async def redirect(_: web.Request) -> web.Response:
        raise web.HTTPFound("/next")

    stage.serve("/redirect", redirect)
    stage.serve("/next", "<p>next</p><script>fetch('/data').then(() => log('loaded'))</script>")
    view = await stage.show(WAYS[way])
    (event,) = await view.events("#go")
    walked = await view.fire(event)
    assert walked.done == 1
    told = await view.look()
    assert (told.state, told.url.partition("?")[0]) == (walked.landed, f"{stage.stand.url}next")
    assert await view.text() == "loaded"


async def test_a_slow_answer_to_a_link_is_waited_for(stage: Stage) -> None:
    """Also while something else is being loaded, and right after the page itself was."""
    stage.serve_late("/slow", document("<p>slow</p>"), 0.4, "text/html")
    stage.serve_late("/picture", "", 0.2)
    view = await stage.show(
        '<p id=go onclick=\'document.body.append(new Image()); document.images[0].src = "/picture";'
        ' location = "/slow"\'>go</p>'
    )
    for _ in range(2):
        await view.fire("click p#go")
        assert "<p>slow</p>" in (await view.look()).html
        await view.reset()


async def test_loading_the_same_document_again(stage: Stage) -> None:
    view = await stage.show(
        "<button id=b onclick='location.reload()'>b</button><script>"
        "log(sessionStorage.n = +(sessionStorage.n || 0) + 1)</script>"
    )
    assert await view.text() == "1"
    await view.fire("click button#b")
    assert await view.text() == "2"  # it is the same session


async def test_a_link_in_a_frame_changes_the_frame(stage: Stage) -> None:
    stage.serve("/one", "<a id=l href=/two>two</a>")
    stage.serve("/two", "<p>in frame two</p>")
    view = await stage.show("<iframe id=f src=/one></iframe>")
    walked = await view.fire("click a#l in iframe#f")
    assert walked.landed != view.landing.state
    assert any(line[2] == "in frame two" for line in lines_of((await view.look()).normal))
    assert (await view.look()).url == stage.stand.url


async def test_missing_pages_are_states(stage: Stage) -> None:
    view = await stage.show("<a id=l href=/missing>l</a>")
    await view.fire("click a#l")
    assert "nothing here" in (await view.look()).html


LIES = {
    "more states than steps": "lie.states = ['0', '1', '2'].map((digit) => digit.repeat(24)); lie.done = 3",
    "steps that led nowhere": "lie.done = 1; lie.states = []",
    "an address that is none": "lie.url = 'http://[x'",
    "nothing from before": "delete lie.before",
}


@pytest.mark.parametrize("lie", LIES)
async def test_a_page_that_answers_for_its_agent(stage: Stage, lie: str) -> None:
    """By a property that every object has, and that promises look at."""
    view = await stage.show(
        "<button id=a onclick='log(1)'>a</button><script>Object.defineProperty(Object.prototype, 'then', { get() {"
        " if (!Object.hasOwn(this, 'states')) return undefined; const lie = Object.assign(Object.create(null), this);"
        f" {LIES[lie]}; return (resolve) => resolve(lie); }} }});</script>"
    )
    walked = await view.walk("click button#a")
    assert (walked.why, walked.done) == (Ending.END, 1)
