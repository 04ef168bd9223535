"""Walks: where each step led, and how they end."""

import asyncio
import time

from aiohttp import web

from statecrawl.ports.page import Ending
from tests.browser.stage import Stage, View

# -- walks --

COUNTER = (
    "<button id=b onclick='n.textContent = +n.textContent + 1'>b</button><p id=n>0</p><script>"
    "const n = byId('n')</script>"
)


async def states_of_counter(view: View, count: int) -> list[str]:
    """The state of the counter at 0, 1, 2..."""
    return [view.landing.state, *(await view.fire(*["click button#b"] * count)).states]


async def test_a_walk_says_where_each_step_led(stage: Stage) -> None:
    view = await stage.show(COUNTER)
    states = await states_of_counter(view, 3)
    assert len(set(states)) == 4
    await view.reset()
    walked = await view.page.walk(states[0], [("click button#b", state) for state in states[1:]])
    assert (walked.why, list(walked.states), walked.landed, walked.done) == (Ending.END, states[1:], states[3], 3)


async def test_a_walk_stops_at_the_first_surprise(stage: Stage) -> None:
    view = await stage.show(COUNTER)
    states = await states_of_counter(view, 3)
    await view.reset()
    steps = [("click button#b", states[1]), ("click button#b", states[0]), ("click button#b", states[3])]
    walked = await view.page.walk(states[0], steps)
    assert (walked.why, list(walked.states), walked.landed) == (Ending.SURPRISE, states[1:3], states[2])
    assert await view.text("#n") == "2"  # the third step was not taken


async def test_a_walk_does_not_start_from_another_state(stage: Stage) -> None:
    view = await stage.show(COUNTER)
    states = await states_of_counter(view, 1)
    walked = await view.page.walk(states[0], [("click button#b", None)])
    assert (walked.why, walked.states, walked.landed) == (Ending.MOVED, (), states[1])


async def test_a_walk_ends_where_the_event_is_missing(stage: Stage) -> None:
    view = await stage.show(COUNTER)
    walked = await view.walk("click button#b", "click button#none", "click button#b")
    assert (walked.why, walked.done) == (Ending.GONE, 1)
    assert await view.text("#n") == "1"


async def test_a_walk_without_steps_tells_where_we_are(stage: Stage) -> None:
    view = await stage.show(COUNTER)
    walked = await view.page.walk(view.landing.state, [])
    assert (walked.why, walked.landed) == (Ending.END, view.landing.state)


async def test_a_change_from_outside_is_noticed(stage: Stage) -> None:
    sockets: list[web.WebSocketResponse] = []

    async def socket(request: web.Request) -> web.WebSocketResponse:
        response = web.WebSocketResponse()
        await response.prepare(request)
        sockets.append(response)
        async for _ in response:
            pass
        return response

    stage.serve("/socket", socket)
    view = await stage.show(
        "<button id=b onclick='log(1)'>b</button><script>"
        "const s = new WebSocket(location.origin.replace('http', 'ws') + '/socket');"
        "s.onmessage = (e) => log(e.data)</script>"
    )
    await sockets[0].send_str("pushed")
    await asyncio.sleep(0.1)
    walked = await view.page.walk(view.landing.state, [("click button#b", None)])
    assert (walked.why, walked.done) == (Ending.MOVED, 0)
    assert walked.landed != view.landing.state
    assert await view.text() == "pushed"
    assert (await view.page.walk(walked.landed, [("click button#b", None)])).why is Ending.END


async def test_an_endless_loop_costs_the_page_and_nothing_else(stage: Stage) -> None:
    view = await stage.show_alone("<button id=b onclick='for (;;);'>b</button>", event_seconds=0.2)
    begun = time.perf_counter()
    walked = await view.walk("click button#b")
    assert (walked.why, walked.done, walked.landed) == (Ending.HUNG, 0, None)
    assert "no answer within" in walked.reason
    assert time.perf_counter() - begun < 8
    assert (await view.reset()).state == view.landing.state
