"""Windows and named frames: what shows itself in a frame of the page, and what would be a window of its own."""

import pytest

from tests.browser.stage import Stage, noted

FRAMES = "<!doctype html><frameset cols=50%,50%><frame src=/menu name=menu><frame src=/body name=body></frameset>"
NESTED = "<iframe name=menu src=/menu></iframe><iframe src=/middle></iframe>"
MIDDLE = "<iframe name=body src=/body></iframe>"

# What leads to /one, in the frame "menu", and the event.
LEADING = {
    "a link": ("<a id=l href=/one target=body>l</a>", "click a#l"),
    "a base": ("<base target=body><a id=l href=/one>l</a>", "click a#l"),
    "a form": ("<form id=f action=/one target=body><button id=b>b</button></form>", "click button#b in form#f"),
    "a button of a form": (
        "<form id=f action=/no><button id=b formaction=/one formtarget=body>b</button></form>",
        "click button#b in form#f",
    ),
    "a form of a base": (
        "<base target=body><form id=f action=/one><button id=b>b</button></form>",
        "click button#b in form#f",
    ),
    "a form sent by a script": (
        "<form id=f action=/one target=body></form><p id=b onclick='byId(\"f\").submit()'>b</p>",
        "click p#b",
    ),
    "a script": ('<p id=b onclick=\'window.open("/one", "body")\'>b</p>', "click p#b"),
}


@pytest.mark.parametrize("page", [FRAMES, NESTED], ids=["frameset", "nested"])
@pytest.mark.parametrize("what", LEADING)
async def test_names_are_looked_up_in_all_frames(stage: Stage, what: str, page: str) -> None:
    menu, event = LEADING[what]
    for path, html in {"/menu": menu, "/middle": MIDDLE, "/body": "<p>start</p>", "/one": "<p>one</p>"}.items():
        stage.serve(path, html)
    view = await stage.show(page)
    (found,) = [each for each in await view.events("click") if each.startswith(event)]
    walked = await view.fire(found)
    assert noted(walked, "window") == []
    normal = (await view.look()).normal
    assert ("one" in normal, "start" in normal) == (True, False)


NEW = {
    "another name": "<a id=l href=/one target=else>l</a>",
    "a new window": "<a id=l href=/one target=_blank>l</a>",
    "a window of a script": "<a id=l href=# onclick='window.open(\"/one\"); return false'>l</a>",
    "one without a name": '<a id=l href=# onclick=\'window.open("/one", ""); return false\'>l</a>',
    "one of another name": '<a id=l href=# onclick=\'window.open("/one", "else"); return false\'>l</a>',
    "a form": "<form action=/one target=else><button id=l>l</button></form>",
    "a button": "<form action=/no><button id=l formaction=/one formtarget=_blank>l</button></form>",
    "a base": "<base target=_blank><a id=l href=/one>l</a>",
}


@pytest.mark.parametrize("what", NEW)
async def test_other_windows_are_noted_and_not_opened(stage: Stage, what: str) -> None:
    view = await stage.show(f"<iframe name=body></iframe>{NEW[what]}")
    (event,) = await view.events("#l")
    walked = await view.fire(event)
    assert noted(walked, "window") == [f"{stage.stand.url}one"]
    assert stage.stand.paths == ["/"]
