"""Look-ahead: several new steps in one walk, which ends with a step about which there is more to report."""

import pytest
from aiohttp import web

from statecrawl.ports.page import Ending
from statecrawl.strategies.orders import Step
from tests.browser.stage import Stage, View

pytestmark = pytest.mark.browser

TALKER = """<button id=b>+</button><p id=n>0</p><script>
  byId('b').onclick = () => {
    const n = byId('n').textContent = +byId('n').textContent + 1;
    if (n === 2) WORD;
  };
</script>"""
CLICK = "click button#b"
IDLE = "click button#idle"
IDLER = "<button id=idle onclick='log()'>idle</button>"  # leaves the state as it is


async def counted(view: View, most: int) -> list[str]:
    """The states of the counter at 0, 1, 2..."""
    return [view.landing.state, *(await view.fire(*[CLICK] * most)).states]


@pytest.mark.parametrize(
    "word",
    [
        "console.error('two')",
        "confirm('two?')",
        "open('/two')",
        "document.body.append(document.createElement('script'))",
    ],
)
async def test_a_new_step_about_which_there_is_something_to_tell_is_the_last(stage: Stage, word: str) -> None:
    view = await stage.show(TALKER.replace("WORD", word))
    states = await counted(view, 4)
    steps: list[Step] = [(CLICK, state) for state in states[1:]]
    for sure, done in ((0, 2), (1, 2), (4, 4), (None, 4)):
        await view.reset()
        walked = await view.page.walk(states[0], steps, sure=sure)
        assert (walked.done, walked.landed) == (done, states[done]), sure


async def test_otherwise_the_walk_goes_on(stage: Stage) -> None:
    view = await stage.show(TALKER.replace("WORD", "0"))
    states = await counted(view, 4)
    await view.reset()
    walked = await view.page.walk(states[0], [(CLICK, state) for state in states[1:]], sure=0)
    assert (walked.why, list(walked.states)) == (Ending.END, states[1:])


@pytest.mark.parametrize("settings", [{"trusted": True}, {"read_only": True}], ids=str)
async def test_each_new_step_is_the_last_where_this_process_has_to_act(stage: Stage, settings: dict[str, bool]) -> None:
    view = await stage.show(TALKER.replace("WORD", "0"), **settings)
    states = await counted(view, 3)
    await view.reset()
    walked = await view.page.walk(states[0], [(CLICK, state) for state in states[1:]], sure=1)
    assert list(walked.states) == states[1:3]


async def test_a_module_is_waited_for(stage: Stage) -> None:
    stage.serve("/late.js", "byId('n').textContent = 'late';")
    view = await stage.show_alone(IDLER + "<button id=b onclick=\"import('/late.js')\">b</button><p id=n>0</p>")
    walked = await view.page.walk(view.landing.state, [(CLICK, view.landing.state), (IDLE, None)], sure=0)
    assert walked.done == 1
    assert walked.landed != view.landing.state
    assert await view.text("#n") == "late"


async def test_the_step_that_ends_the_session_is_blamed(stage: Stage) -> None:
    html = IDLER + "<p id=me>me</p><button id=b onclick=\"byId('me').remove()\">b</button>"
    view = await stage.show(html, agent={"session": "#me"})
    here = view.landing.state
    gone = (await (await stage.show(html)).fire(CLICK)).states[0]
    view = await stage.show(html, agent={"session": "#me"})
    walked = await view.page.walk(here, [(IDLE, here), (CLICK, gone), (IDLE, None)], sure=0)
    assert (walked.why, list(walked.states)) == (Ending.STRAYED, [here])


@pytest.mark.parametrize(
    "how", ["<script>location.replace('/end')</script>", "<meta http-equiv=refresh content=0;url=/end>"]
)
async def test_the_step_that_leads_to_another_document_by_detours(stage: Stage, how: str) -> None:
    stage.serve("/go", "<!DOCTYPE html><title>go</title>" + how)
    stage.serve("/end", "<h1>the end</h1>")
    view = await stage.show(IDLER + "<a id=go href=/go>go</a>")
    here = view.landing.state
    walked = await view.page.walk(here, [(IDLE, here), (IDLE, here), ("click a#go", None)], sure=0)
    assert (walked.why, walked.done, list(walked.states[:2])) == (Ending.END, 3, [here, here])
    assert "the end" in (await view.look()).html


async def test_no_event_is_blamed_when_the_step_is_unknown(stage: Stage) -> None:
    stage.serve("/go", "<h1>gone</h1>")
    html = IDLER + "<a id=go href=/go>go</a><script>onpagehide = () => { window.name = 'mine'; };</script>"
    view = await stage.show(html)
    here = view.landing.state
    walked = await view.page.walk(here, [(IDLE, here), ("click a#go", None)], sure=0)
    if walked.why is Ending.CRASHED:  # the page was in time to take the name
        assert walked.states == ()
        assert "it is unknown by which step" in walked.reason
    else:
        assert (walked.why, walked.done, walked.states[0]) == (Ending.END, 2, here)
    await view.reset()
    assert (await view.page.walk(here, [("click a#go", None)], sure=0)).why is Ending.END


async def test_what_is_downloaded_belongs_to_the_step_that_asked_for_it(stage: Stage) -> None:
    async def file(_: web.Request) -> web.Response:
        return web.Response(body=b"data", headers={"Content-Disposition": "attachment; filename=a.bin"})

    stage.serve("/file", file)
    view = await stage.show(IDLER + "<button id=b onclick=\"location = '/file'\">b</button>")
    here = view.landing.state
    walked = await view.page.walk(here, [(IDLE, here), (CLICK, here), (IDLE, here), (IDLE, None)], sure=0)
    assert walked.done == 2
    assert "download" in {note.kind for note in walked.notes}


async def test_a_form_that_a_script_sends_to_another_window(stage: Stage) -> None:
    form = "<form id=f action=/elsewhere target=_blank></form><button id=b onclick=\"byId('f').submit()\">b</button>"
    view = await stage.show(IDLER + form)
    here = view.landing.state
    walked = await view.page.walk(here, [(CLICK, here), (IDLE, None)], sure=0)
    assert walked.done == 1
    assert [(note.kind, note.what) for note in walked.notes] == [("window", f"{stage.stand.url}elsewhere")]
    assert "/elsewhere" not in stage.stand.paths
