"""Targets of a browser context: everything besides the frames of its page that can send requests.

Theory of operation
    The browser pauses each new target before its first request (`Target.setAutoAttach` of the whole browser, see
    `Chromium.start`) and reports it here. The first page of a context is the one that the tab opened. The tab prepares
    shared and service workers, puts them behind its gate, and then runs them. Dedicated workers and frames of other
    processes belong to the session of the page, frame or worker that contains them, which pauses them in the same way.

    Every other page is a window that the application opened: by a script, by a click with a modifier key, or by a form
    with a target. None of its requests may reach a server. It cannot simply be closed while it is paused, because a
    window that its opener can reach blocks the opener until it runs. So all its requests are made to fail, and it is
    released. It is closed only after the request for its document has failed, because the browser sends requests that
    are held back when the target is closed. A window without a document of its own is closed after a while.
"""

import asyncio
from collections.abc import Callable
from typing import Any

from statecrawl.browser.devtools import Connection, Session, ignore
from statecrawl.browser.request_gate import refuse

WORKERS = frozenset({"worker", "shared_worker", "service_worker"})
PAUSE = {"autoAttach": True, "waitForDebuggerOnStart": True, "flatten": True}
OWN = [
    {"type": "service_worker", "exclude": True},
    {"type": "shared_worker", "exclude": True},
    {},
]  # targets that belong to a page alone
EMPTY_SECONDS = 1.0  # until a window that has requested nothing is closed
NEW_WINDOWS = frozenset({"newTab", "newWindow"})  # dispositions of a navigation


class ContextTargets:
    """The targets of one browser context."""

    def __init__(self, connection: Connection, context: str, prepare: Callable[[Session, str], None]) -> None:
        """`prepare` gets the session and the type of each worker before the worker runs."""
        self.page: asyncio.Future[Session] = asyncio.get_running_loop().create_future()
        self._connection = connection
        self._context = context
        self._prepare = prepare
        self.workers: set[str] = set()
        self.ignore = connection.root.on("Target.attachedToTarget", self._attached)

    def _attached(self, event: dict[str, Any]) -> None:
        info = event["targetInfo"]
        if info.get("browserContextId") != self._context:
            return
        session = self._connection.session(event["sessionId"])
        if info["type"] in WORKERS:
            self.workers.add(info["targetId"])
            self._prepare(session, info["type"])
            release(session)
        elif self.page.done():
            self._close(session, info["targetId"])
        else:
            self.page.set_result(session)

    def _close(self, session: Session, target: str) -> None:
        def close(_: object = None) -> None:
            late.cancel()
            ignore(self._connection.root.post("Target.closeTarget", targetId=target))

        late = asyncio.get_running_loop().call_later(EMPTY_SECONDS, close)
        session.on("Fetch.requestPaused", lambda event: refuse(session, event).add_done_callback(close))
        ignore(session.post("Fetch.enable"))
        ignore(session.post("Target.setAutoAttach", **PAUSE))  # its workers and frames stay paused
        release(session)


async def open_page(connection: Connection) -> Session:
    """Open an empty page in a context of its own and return its session."""
    context = (await connection.root.call("Target.createBrowserContext"))["browserContextId"]
    targets = ContextTargets(connection, context, lambda *_: None)
    await connection.root.call("Target.createTarget", url="about:blank", browserContextId=context)
    session = await targets.page
    release(session)
    return session


def release(session: Session) -> None:
    """Run a target that the browser has paused."""
    ignore(session.post("Runtime.runIfWaitingForDebugger"))


def watch_windows(session: Session, on_open: Callable[[str], None]) -> None:
    """Call `on_open` with the absolute URL of every window that a page, or a frame of another process, opens."""

    def requested(event: dict[str, Any]) -> None:
        if event.get("disposition") in NEW_WINDOWS:
            on_open(str(event.get("url", "")))

    session.on("Page.windowOpen", lambda event: on_open(str(event.get("url", ""))))
    session.on("Page.frameRequestedNavigation", requested)


def watch_loading(session: Session, target: str, on_no_document: Callable[[], None]) -> None:
    """Call `on_no_document` when the page stops loading another document without receiving one."""
    arrived = True  # the document that was being loaded has become the document of the page

    def started(event: dict[str, Any]) -> None:
        nonlocal arrived
        arrived = arrived and event["frameId"] != target

    def navigated(event: dict[str, Any]) -> None:
        nonlocal arrived
        arrived = arrived or (event["frameId"] if "frameId" in event else event["frame"]["id"]) == target

    def stopped(event: dict[str, Any]) -> None:
        if event["frameId"] == target and not arrived:
            on_no_document()

    session.on("Page.frameStartedLoading", started)
    session.on("Page.frameNavigated", navigated)
    session.on("Page.navigatedWithinDocument", navigated)
    session.on("Page.frameStoppedLoading", stopped)
