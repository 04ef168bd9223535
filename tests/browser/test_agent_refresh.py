"""Refreshes: another document after a while, because a meta element or a header says so."""

import pytest
from aiohttp import web

from tests.browser.stage import Stage, noted

READ = {
    "0; url=/next": "next",
    "2;URL='/next'": "next",
    "1.5, /next": "next",
    ' 3 url = "/next" junk': "next",
    "9": "here",  # itself
    "9; url=#x": "here",
    "11; url=/next": "here",  # beyond the horizon
    "soon; url=/next": "here",
    "": "here",
}


def refreshing(content: str, name: str = "here") -> str:
    return f"""<!doctype html><title>{name}</title><meta http-equiv=ReFresh content="{content.replace('"', "&quot;")}">
    <p>{name}</p><button id=b onclick="this.textContent += '!'">b</button>"""


@pytest.mark.parametrize("content", READ)
async def test_a_refresh_is_a_timer(stage: Stage, content: str) -> None:
    stage.serve("/next", "<!doctype html><title>next</title>next")
    view = await stage.show(refreshing(content))
    assert (await view.look()).title == READ[content]
    assert view.landing.quiet


async def test_a_refresh_by_a_header(stage: Stage) -> None:
    async def answer(_: web.Request) -> web.Response:
        return web.Response(text="<title>here</title>", content_type="text/html", headers={"Refresh": "2; url=/next"})

    stage.serve("/next", "<!doctype html><title>next</title>next")
    stage.serve("/", answer)
    page = stage.page()
    await page.reset()
    assert (await page.describe()).title == "next"


async def test_what_an_event_leads_to_may_refresh(stage: Stage) -> None:
    stage.serve("/on", refreshing("5; url=/next", "on"))
    stage.serve("/next", "<!doctype html><title>next</title><p>next</p>")
    view = await stage.show("<a id=l href=/on>l</a>")
    walked = await view.fire("click a#l")
    assert ((await view.look()).title, len(walked.states)) == ("next", 1)


async def test_documents_that_refresh_each_other_come_to_rest_at_the_horizon(stage: Stage) -> None:
    """Four seconds each: after the second document, the third refresh would be later than ten seconds."""
    stage.serve("/a", refreshing("4; url=/b", "a"))
    stage.serve("/b", refreshing("4; url=/a", "b"))
    view = await stage.show(refreshing("4; url=/a", "first"))
    assert ((await view.look()).title, stage.stand.paths.count("/b")) == ("b", 1)
    await view.fire("click button#b")
    assert (await view.look()).title == "b"


async def test_documents_that_refresh_each_other_at_once_come_to_rest(stage: Stage) -> None:
    stage.serve("/a", refreshing("0; url=/", "a"))
    view = await stage.show(refreshing("0; url=/a"))
    assert view.landing.quiet
    assert 5 <= stage.stand.paths.count("/a") <= 20


async def test_the_browsers_own_timer_is_stopped(stage: Stage) -> None:
    stage.serve("/next", "<!doctype html><title>next</title>")
    stage.serve_late("/late", "late", 1.2)
    html = refreshing("1; url=/next").replace("this.textContent += '!'", "fetch('/late')")
    view = await stage.show(html, agent={"horizon": 500})
    await view.fire("click button#b")
    assert (await view.look()).title == "here"


async def test_a_refresh_out_of_the_scope_is_a_boundary(stage: Stage) -> None:
    view = await stage.show(refreshing(f"1; url={stage.stand.other}"), agent={"allow": (stage.stand.url,)})
    assert noted(view.landing, "boundary") == [stage.stand.other]
    assert (await view.look()).title == "here"


async def test_a_frame_refreshes(stage: Stage) -> None:
    stage.serve("/frame", refreshing("3; url=/next", "frame"))
    stage.serve("/next", "<!doctype html><p>next in the frame</p>")
    view = await stage.show("<iframe src=/frame></iframe>")
    assert "next in the frame" in (await view.look()).normal
