"""Things that never end, or end late: the agent does not wait for them for ever."""

import asyncio
import contextlib
import time

import pytest
from aiohttp import web

from statecrawl.ports.page import Ending
from tests.browser.slow_server import IN_TIME, never, serve_answers
from tests.browser.stage import Stage, noted

HESITATION = 0.25  # seconds


async def test_endless_animations_are_no_obstacle(stage: Stage) -> None:
    view = await stage.show(
        "<style>@keyframes turn { to { rotate: 360deg } } i { animation: turn 1s infinite }</style><i>wheel</i>"
        "<button id=b onclick='log(1)'>b</button>"
    )
    walked = await view.fire("click button#b")
    assert walked.seconds < IN_TIME
    assert noted(walked, "capped") == []


async def test_a_long_poll_goes_into_the_background(stage: Stage) -> None:
    stage.serve("/poll", never)
    view = await stage.show_alone(
        (
            "<button id=b onclick='log(1)'>b</button><script>const poll = () =>"
            " fetch('/poll?' + Math.random()).then(poll); poll()</script>"
        ),
        agent={"patience": 1000},
    )
    address = f"{stage.stand.url}poll"
    for _ in range(2):  # which may as well be an answer that got lost
        assert noted(view.landing, "background") == [address]
        assert noted(view.landing, "failed") == [["GET", address, "no answer in time"]]
        assert view.landing.quiet
        await view.reset()
    for act in (view.fire("click button#b"), view.reset([address])):
        begun = time.perf_counter()
        await act
        assert time.perf_counter() - begun < 0.9  # it is not waited for again
    assert noted(view.landing, "failed") == []


STREAM = """<button id=b onclick="read('/heartbeat?2')">b</button><script>
const read = async (url) => { const body = (await fetch(url)).body.pipeThrough(new TextDecoderStream());
  const reader = body.getReader(); while (!(await reader.read()).done); };
const load = LOAD; if (load) read('/heartbeat?1')</script>"""


async def test_a_silent_stream_that_a_page_opens_as_it_loads_goes_into_the_background(stage: Stage) -> None:
    stage.serve("/heartbeat", half)
    view = await stage.show_alone(STREAM.replace("LOAD", "true"), agent={"patience": 1000})
    address = f"stream {stage.stand.url}heartbeat"
    assert noted(view.landing, "background") == [address]
    assert noted(view.landing, "failed") == []
    begun = time.perf_counter()
    await view.reset([address])
    assert time.perf_counter() - begun < 0.9


async def test_a_stream_that_an_event_opens_is_waited_for_each_time(stage: Stage) -> None:
    stage.serve("/heartbeat", half)
    view = await stage.show_alone(STREAM.replace("LOAD", "false"), agent={"patience": 300})
    for _ in range(2):
        walked = await view.fire("click button#b")
        assert walked.seconds > 0.3
        assert noted(walked, "background") == []


async def half(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Length": "9"})
    await response.prepare(request)
    await response.write(b"half")
    return await never(request)


@pytest.mark.parametrize(
    "act",
    [
        "fetch('/slow?1')",
        "fetch('/half?1').then((answer) => answer.text())",
        "{ const request = new XMLHttpRequest(); request.open('GET', '/slow?1'); request.send() }",
        "{ const script = document.createElement('script'); script.src = '/slow?1'; document.body.append(script) }",
        "{ const picture = new Image(); picture.onload = () => log(1); picture.src = '/slow?1' }",
    ],
    ids=["fetch", "body", "xhr", "script", "picture"],
)
async def test_what_does_not_come_in_time_may_be_lost(stage: Stage, act: str) -> None:
    stage.serve("/slow", never)
    stage.serve("/half", half)
    view = await stage.show(f'<button id=b onclick="{act}">b</button>', agent={"patience": 300})
    walked = await view.fire("click button#b")
    address = f"{stage.stand.url}{'half' if 'half' in act else 'slow'}"
    assert noted(walked, "failed") == [["GET", address, "no answer in time"]]


async def test_what_is_not_waited_for_is_not_lost(stage: Stage) -> None:
    stage.serve("/slow", never)
    view = await stage.show("<button id=b onclick='new Image().src = `/slow`'>b</button>", agent={"patience": 300})
    assert noted(await view.fire("click button#b"), "failed") == []


async def test_a_socket_that_is_open_is_no_obstacle(stage: Stage) -> None:
    serve_answers(stage)
    view = await stage.show(
        "<button id=b onclick='log(1)'>b</button><script>"
        "new WebSocket(location.origin.replace('http', 'ws') + '/socket');"
        "new EventSource('/events')</script>"
    )
    assert view.landing.quiet
    walked = await view.fire("click button#b")
    assert (walked.seconds < IN_TIME, noted(walked, "capped")) == (True, [])


async def hesitant(request: web.Request) -> web.WebSocketResponse:
    """Replies in two parts, each after a while; ignores messages in between."""
    response = web.WebSocketResponse()
    await response.prepare(request)
    async for message in response:
        for part in ("one", "two") if message.data == "?" else ():
            await asyncio.sleep(HESITATION)
            await response.send_str(part)
    return response


HESITATING = (
    "<button id=b onclick='log(0); s.send(this.value || `?`)'>b</button>"
    "<script>const s = new WebSocket(location.origin.replace('http', 'ws') + '/hesitant');"
    "s.onmessage = (e) => log(e.data)</script>"
)


async def test_a_server_that_takes_a_while_to_answer_through_a_socket_is_waited_for(stage: Stage) -> None:
    stage.serve("/hesitant", hesitant)
    view = await stage.show(HESITATING)
    await view.fire("click button#b")
    assert await view.text() == "0 one two"


async def test_a_server_that_does_not_answer_is_waited_for_once(stage: Stage) -> None:
    stage.serve("/hesitant", hesitant)
    view = await stage.show(HESITATING.replace("<button", "<button value='by the way'"))
    first = await view.fire("click button#b")
    second = await view.fire("click button#b")
    assert (await view.text(), noted(first, "capped")) == ("0 0", [])
    assert second.seconds < first.seconds / 2


async def test_a_server_that_answers_again_is_waited_for_again(stage: Stage) -> None:
    stage.serve("/hesitant", hesitant)
    view = await stage.show(HESITATING + "<button id=c onclick='s.send(`by the way`)'>c</button>")
    await view.fire("click button#c", "click button#b")
    for _ in range(200):
        if await view.text() == "0 one two":
            break
        await asyncio.sleep(0.02)
    walked = await view.fire("click button#b")
    told = await view.look()
    assert (await view.text(), told.state) == ("0 one two 0 one two", walked.landed)


async def pushing(request: web.Request) -> web.WebSocketResponse:
    """Pushes a message a while after everything that it receives."""
    response = web.WebSocketResponse()
    await response.prepare(request)
    with contextlib.suppress(ConnectionError):
        async for _ in response:
            await asyncio.sleep(HESITATION)
            await response.send_str("x")
    return response


async def test_a_page_that_acknowledges_what_is_pushed_becomes_quiet(stage: Stage) -> None:
    stage.serve("/pushing", pushing)
    view = await stage.show(
        "<button id=b onclick='log(1)'>b</button><script>"
        "const s = new WebSocket(location.origin.replace('http', 'ws') + '/pushing');"
        "s.onopen = s.onmessage = () => s.send('ok')</script>"
    )
    assert view.landing.quiet
    assert noted(await view.fire("click button#b"), "capped") == []


async def test_a_worker_that_answers_soon_is_waited_for(stage: Stage) -> None:
    """Within the 300 ms that workers get; this one has started before, which may take longer on a busy machine."""
    view = await stage.show(
        "<button id=b>b</button><script>const w = new Worker(URL.createObjectURL(new Blob(['postMessage(`ready`);"
        "onmessage = () => setTimeout(() => postMessage(`done`), 30)']))); w.onmessage = (e) => log(e.data);"
        "byId('b').onclick = () => w.postMessage(1)</script>"
    )
    for _ in range(200):
        if await view.text() == "ready":
            break
        await asyncio.sleep(0.02)
    walked = await view.fire("click button#b")
    told = await view.look()
    assert (await view.text(), told.state) == ("ready done", walked.landed)


async def test_a_worker_that_never_answers_is_no_obstacle(stage: Stage) -> None:
    view = await stage.show(
        "<button id=b>b</button><script>const w = new Worker(URL.createObjectURL(new Blob(['onmessage = () => {}'])));"
        "byId('b').onclick = () => { w.postMessage(1); log(1); }</script>"
    )
    walked = await view.fire("click button#b")
    assert walked.seconds < IN_TIME
    assert await view.text() == "1"


async def chatter(request: web.Request) -> web.WebSocketResponse:
    response = web.WebSocketResponse()
    await response.prepare(request)
    with contextlib.suppress(ConnectionError):
        while not response.closed:
            await response.send_str("x")
            await asyncio.sleep(0.005)
    return response


async def test_a_socket_that_is_never_silent_is_no_obstacle(stage: Stage) -> None:
    stage.serve("/chatter", chatter)
    view = await stage.show_alone(
        "<button id=b>b</button><script>byId('b').onclick = () => { log(1);"
        "new WebSocket(location.origin.replace('http', 'ws') + '/chatter').onmessage = () => {}; }</script>",
        event_seconds=0.4,
    )
    walked = await view.fire("click button#b")
    assert walked.seconds < IN_TIME
    assert await view.text() == "1"


RESTLESS = {
    "one request after the other": "const next = () => fetch('/quick').then(next); next()",
    "messages to oneself": "onmessage = () => postMessage(1, '*'); postMessage(1, '*')",
}


@pytest.mark.parametrize("what", RESTLESS)
async def test_a_page_that_does_not_become_quiet_is_reported(stage: Stage, what: str) -> None:
    stage.serve("/quick", "quick")
    view = await stage.show_alone(
        (
            "<button id=b>b</button><button id=c onclick='log(1)'>c</button><script>byId('b').onclick = () =>"
            f" {{ {RESTLESS[what]} }}</script>"
        ),
        event_seconds=0.4,
    )
    walked = await view.walk("click button#b", "click button#c")
    assert (walked.why, walked.done) == (Ending.SURPRISE, 1)  # the second step is not taken from a page in motion
    assert noted(walked, "capped") == ["not quiet after 0.4 s"]
    assert 0.3 < walked.seconds < IN_TIME
    assert not (await view.reset()).notes


async def test_a_load_that_does_not_become_quiet_is_reported(stage: Stage) -> None:
    stage.serve("/quick", "quick")
    view = await stage.show_alone(
        "<script>const next = () => fetch('/quick').then(next); next()</script>", load_seconds=0.4
    )
    assert not view.landing.quiet
