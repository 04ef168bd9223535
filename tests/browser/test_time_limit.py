"""No event starts after the time limit of a page."""

import time

from statecrawl.ports.page import Ending
from tests.browser.stage import Stage, document

BUTTON = document("<button id=go>go</button><script>byId('go').onclick = () => { ACT };</script>")


async def test_no_event_starts_when_the_time_is_over(stage: Stage) -> None:
    """Each event takes 0.2 s: ten of them take longer than there is time, however slow the machine is."""
    stage.serve_late("/slow", "", 0.2)
    stage.serve("/", BUTTON.replace("ACT", "fetch('/slow').then(() => log('x'))"))
    go = [("click button#go", None)] * 10
    for trusted in (False, True):
        page = stage.page(until=time.monotonic() - 1, trusted=trusted)
        await page.reset()
        walked = await page.walk(None, go)
        assert (walked.why, walked.states) == (Ending.LATE, ())
    assert "/slow" not in stage.stand.paths
    page = stage.page()
    await page.reset()
    page.settings = stage.settings(until=time.monotonic() + 1)
    walked = await page.walk(None, go)
    assert walked.why is Ending.LATE
    assert walked.done < len(go)
    assert walked.landed == (await page.describe()).state, "the page is where the last event led"
