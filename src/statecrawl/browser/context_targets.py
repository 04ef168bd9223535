"""Targets: everything of a browser context that can send requests beside the frames of its page.

Theory of operation
    The browser pauses each new target before its first request (`Target.setAutoAttach` of the whole browser, see
    `Chromium.start`) and reports it here. The first page of a context is the one that the tab asked for. Shared and
    service workers are prepared by the tab, which puts them behind its gate, and then run. Dedicated workers and
    frames of other processes belong to the session of their page, or of the frame or worker that they are in, which
    pauses them in the same way.

    Every other page is a window that the application opened: by a script, by a click with a modifier key, by a form
    with a target. None of its requests may reach a server. It cannot simply be closed while it is paused, because a
    window that its opener can reach blocks the opener until it runs. So all its requests are made to fail, and it is
    let go. It is closed once the request for its document has failed: the browser sends what is held back when the
    target is closed. A window without a document of its own is closed after a while.
"""

import asyncio
from collections.abc import Callable
from typing import Any

from statecrawl.browser.devtools import Connection, Session, ignore
from statecrawl.browser.request_gate import refuse

WORKERS = frozenset({"worker", "shared_worker", "service_worker"})
PAUSE = {"autoAttach": True, "waitForDebuggerOnStart": True, "flatten": True}
OWN = [{"type": "service_worker", "exclude": True}, {"type": "shared_worker", "exclude": True}, {}]  # of a page alone
EMPTY_SECONDS = 1.0  # after which a window that has requested nothing is closed
NEW_WINDOWS = frozenset({"newTab", "newWindow"})  # where a navigation may lead


class ContextTargets:
    """The targets of one browser context."""

    def __init__(self, connection: Connection, context: str, begin: Callable[[Session, str], None]) -> None:
        """`begin` prepares the session of a worker of this type before the worker runs."""
        self.page: asyncio.Future[Session] = asyncio.get_running_loop().create_future()
        self._connection = connection
        self._context = context
        self._begin = begin
        self.workers: set[str] = set()
        self.ignore = connection.root.on("Target.attachedToTarget", self._attached)

    def _attached(self, told: dict[str, Any]) -> None:
        info = told["targetInfo"]
        if info.get("browserContextId") != self._context:
            return
        session = self._connection.session(told["sessionId"])
        if info["type"] in WORKERS:
            self.workers.add(info["targetId"])
            self._begin(session, info["type"])
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
        session.on("Fetch.requestPaused", lambda told: refuse(session, told).add_done_callback(close))
        ignore(session.post("Fetch.enable"))
        ignore(session.post("Target.setAutoAttach", **PAUSE))  # its workers and frames stay paused
        release(session)


async def open_page(connection: Connection) -> Session:
    """The session of an empty page in a context of its own."""
    context = (await connection.root.call("Target.createBrowserContext"))["browserContextId"]
    targets = ContextTargets(connection, context, lambda *_: None)
    await connection.root.call("Target.createTarget", url="about:blank", browserContextId=context)
    session = await targets.page
    release(session)
    return session


def release(session: Session) -> None:
    """Let a target run that the browser has paused."""
    ignore(session.post("Runtime.runIfWaitingForDebugger"))


def watch_windows(session: Session, opens: Callable[[str], None]) -> None:
    """Report the absolute URL of every window that a page, or a frame of another process, opens."""

    def requested(told: dict[str, Any]) -> None:
        if told.get("disposition") in NEW_WINDOWS:
            opens(str(told.get("url", "")))

    session.on("Page.windowOpen", lambda told: opens(str(told.get("url", ""))))
    session.on("Page.frameRequestedNavigation", requested)


def watch_loading(session: Session, target: str, came_to_nothing: Callable[[], None]) -> None:
    """Be told when the page stops loading another document without having got one: the server had nothing to show."""
    arrived = True  # what is being loaded has become the document of the page

    def begins(told: dict[str, Any]) -> None:
        nonlocal arrived
        arrived = arrived and told["frameId"] != target

    def arrives(told: dict[str, Any]) -> None:
        nonlocal arrived
        arrived = arrived or (told["frameId"] if "frameId" in told else told["frame"]["id"]) == target

    def ends(told: dict[str, Any]) -> None:
        if told["frameId"] == target and not arrived:
            came_to_nothing()

    session.on("Page.frameStartedLoading", begins)
    session.on("Page.frameNavigated", arrives)
    session.on("Page.navigatedWithinDocument", arrives)
    session.on("Page.frameStoppedLoading", ends)
