"""A server whose responses take a while, or never end."""

import asyncio
import base64

from aiohttp import WSMsgType, web

from tests.browser.stage import Stage

LATE = 0.15  # seconds that answers of the server take
IN_TIME = 2.5  # seconds: less than the agent's patience with one request, and the cap of an event


async def stream(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse()
    await response.prepare(request)
    for _ in range(3):
        await response.write(b"part")
        await asyncio.sleep(LATE / 2)
    return response


async def never(_: web.Request) -> web.Response:
    await asyncio.sleep(60)
    return web.Response()


async def socket(request: web.Request) -> web.WebSocketResponse:
    response = web.WebSocketResponse()
    await response.prepare(request)
    async for message in response:
        if message.type is WSMsgType.TEXT:
            await response.send_str(message.data)
    return response


async def events(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    await response.prepare(request)
    await response.write(b"data: hello\n\n")
    await asyncio.sleep(60)
    return response


PIXEL = base64.b64decode("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7")


async def picture(_: web.Request) -> web.Response:
    await asyncio.sleep(LATE)
    return web.Response(body=PIXEL, content_type="image/gif", headers={"Cache-Control": "no-store"})


def serve_answers(stage: Stage) -> None:
    stage.serve_late("/late", "late", LATE, "text/html")
    stage.serve_late("/late.js", "log('done')", LATE, "text/javascript")
    stage.serve_late("/jsonp.js", "answer('done')", LATE, "text/javascript")
    stage.serve_late("/late.css", "p { color: red }", LATE, "text/css")
    for path, handler in {
        "/late.png": picture,
        "/stream": stream,
        "/never": never,
        "/socket": socket,
        "/events": events,
    }.items():
        stage.serve(path, handler)
