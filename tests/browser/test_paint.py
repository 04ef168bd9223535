"""Drawing: a page is drawn when it waits for that, and a picture is what one would see."""

import pytest

from statecrawl.browser.chromium import find_browser, is_shell
from tests.browser.stage import Stage

DRAWN = {
    "IntersectionObserver": "new IntersectionObserver(([seen]) => log(seen.isIntersecting)).observe(byId('log'))",
    "ResizeObserver": "new ResizeObserver(() => { byId('b').textContent = 'c'; }).observe(byId('b'))",
    "a transition": "const b = byId('b'); b.style.transition = 'opacity 2s'; getComputedStyle(b).opacity;"
    "b.ontransitionend = () => log('true'); b.style.opacity = 0.5",
}


@pytest.mark.parametrize("what", DRAWN)
async def test_the_first_page_is_seen_like_all_others(stage: Stage, what: str) -> None:
    """What depends on being drawn happens on the first load of a page and on the second."""
    view = await stage.show_alone(f"<button id=b>b</button><script>{DRAWN[what]}</script>")
    first = await view.look()
    assert first.state == view.landing.state
    assert "true" in first.html or ">c</button>" in first.html
    assert (await view.reset()).state == first.state


@pytest.mark.parametrize("what", DRAWN)
async def test_what_an_event_shows_is_seen_on_a_page_that_was_not_drawn(stage: Stage, what: str) -> None:
    view = await stage.show_alone(
        f"<button id=b>b</button><script>byId('b').onclick = () => {{ {DRAWN[what]} }}</script>"
    )
    walked = await view.fire("click button#b")
    told = await view.look()
    assert told.state == walked.landed
    assert "true" in told.html or ">c</button>" in told.html


async def test_a_frame_that_is_loaded_when_it_is_drawn(stage: Stage) -> None:
    stage.serve("/inner", "<button id=inner onclick=1>inner</button>")
    view = await stage.show_alone("<iframe loading=lazy src=/inner></iframe>")
    assert await view.events() == ["click button#inner in iframe"]


async def test_an_animation_says_that_it_is_over(stage: Stage) -> None:
    if not is_shell(find_browser()):
        pytest.skip("a window that is not drawn reports it a second later")
    view = await stage.show(
        "<button id=b>b</button><script>byId('b').onclick = () => {"
        " byId('b').animate([{ opacity: 0 }, { opacity: 1 }], 500).onfinish = () => log('over') }</script>"
    )
    assert await view.log("click button#b") == ["over"]


async def test_pictures(stage: Stage) -> None:
    view = await stage.show("<p>picture</p>")
    picture = await view.page.picture()
    assert picture[:3] == b"\xff\xd8\xff"
    assert len(picture) > 1000
