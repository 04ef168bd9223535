"""What the gate adds to a request, and for whom."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecrawl.browser.browsers import Browsers
from statecrawl.browser.chromium import find_browser
from statecrawl.browser.gate import is_of_application, with_headers
from statecrawl.browser.pace import Pace
from statecrawl.browser.page import BrowserPage
from statecrawl.ports.page import Ending
from tests.browser.stage import ENOUGH, Stage

FIRST = "https://shop.test/app/"
OWN = (r"^https://shop\.test(?:[/?#]|$)",)


@pytest.mark.parametrize("url", ["https://shop.test/", "https://SHOP.test:443/api?x", "https://shop.test"])
def test_the_origin_of_the_application_is_its_own(url: str) -> None:
    assert is_of_application(url, FIRST, ())


@pytest.mark.parametrize(
    "url",
    [
        "http://shop.test/",  # anybody between could read it
        "https://shop.test:8443/",
        "https://shop.test.evil.test/",
        "https://evil.test/?https://shop.test/",
        "https://shop.test@evil.test/",
        "data:text/plain,https://shop.test/",
        "https://[half",
        "",
    ],
)
def test_others_are_not(url: str) -> None:
    assert not is_of_application(url, FIRST, OWN)


def test_a_scope_may_name_other_origins_in_full() -> None:
    allow = (r"^https://api\.shop\.test/v1/",)
    assert is_of_application("https://api.shop.test/v1/x", FIRST, allow)
    assert not is_of_application("https://api.shop.test/v2/x", FIRST, allow)


def test_words_somewhere_in_an_address_name_no_origin() -> None:
    assert not is_of_application("https://evil.test/shop", FIRST, ("shop", "https://"))


NAMES = st.sampled_from(["Accept", "accept", "X-A", "x-a", "X-B"])


@given(st.dictionaries(NAMES, st.text()), st.lists(st.tuples(NAMES, st.text())))
def test_ours_win_and_the_rest_stays(present: dict[str, str], ours: list[tuple[str, str]]) -> None:
    sent = [(each["name"], each["value"]) for each in with_headers(present, ours)]
    names = {name.lower() for name, _ in ours}
    assert sent == [pair for pair in present.items() if pair[0].lower() not in names] + ours


NEVER_SECONDS = 60.0  # longer than the test may take
MANY = 20  # requests, each of which would count for three seconds


async def test_requests_of_a_page_that_is_left_leave_the_queue(stage: Stage) -> None:
    """Otherwise the next page waits for each of them as long as a request counts as one under way."""
    stage.serve_late("/never", "", NEVER_SECONDS)
    stage.serve("/next", "<p>next</p>")
    wants = f"for (let i = 0; i < {MANY}; i += 1) new Image().src = '/never?' + i"
    stage.serve("/", f'<button id=b onclick="{wants}">b</button><a id=a href=/next onclick="{wants}">a</a>')
    browsers = Browsers(find_browser(), ENOUGH, pace=Pace(concurrent=1))
    page = BrowserPage(browsers, stage.settings(load_seconds=10))
    try:
        for event in ("click button#b", "click a#a", "click button#b"):
            await page.reset()
            assert (await page.walk(None, [(event, None)])).why is Ending.END
        await page.reset()
    finally:
        await page.close()
        await browsers.close()
    assert len([path for path in stage.stand.paths if path.startswith("/never")]) < MANY / 2
