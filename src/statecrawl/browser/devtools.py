"""DevTools protocol over a pipe: commands with answers, and events, for any number of sessions.

Theory of operation
    Chromium reads commands from one pipe and writes answers and events to another, each a JSON object that ends with a
    zero byte. A pipe has three advantages over a web socket: it opens no port through which others on the machine could
    control the browser; Chromium exits as soon as our end of the pipe is closed, however this process died; and it is
    the fastest transport. The remaining work is so little that there is no client library.

    Every caller that waits for an answer gets an exception when there will be none: the session was detached, the
    target crashed, or the connection was lost. Events go to the listeners of the session, synchronously and in order,
    before anything that comes after them on the wire.

    Texts of a page may contain halves of surrogate pairs, which Python cannot encode as UTF-8: they become replacement
    characters.
"""

import asyncio
import os
import re
from collections.abc import Callable
from typing import Any

import msgspec

from statecrawl.errors import BrowserLost, CallRefused, PageLost

Listener = Callable[[dict[str, Any]], None]
READ_BYTES = 1 << 18

# A pair, half of one, or another escape
_ESCAPED = re.compile(rb"\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\u[dD][89a-fA-F]..|\\.")
HALF_LENGTH = len(r"\ud800")


class _Message(msgspec.Struct, gc=False):
    id: int = 0
    method: str = ""
    sessionId: str = ""  # noqa: N815 — the protocol's name
    params: msgspec.Raw = msgspec.Raw(b"{}")
    result: msgspec.Raw = msgspec.Raw(b"{}")
    error: msgspec.Raw = msgspec.Raw(b"")


class Connection:
    """The connection to one browser."""

    def __init__(self, read: int, write: int) -> None:
        """`read` and `write` are file descriptors of the two pipes; the connection closes them."""
        self._read = read
        self._write = write
        self._loop = asyncio.get_running_loop()
        self._number = 0
        self._waiting: dict[int, tuple[str, asyncio.Future[msgspec.Raw]]] = {}
        self._sessions: dict[str, Session] = {}
        self._decoder = msgspec.json.Decoder(_Message)
        self._encoder = msgspec.json.Encoder()
        self._received = bytearray()
        self._unsent = bytearray()
        self.lost: str | None = None  # why the connection ended
        self.root = Session(self, "")
        self._sessions[""] = self.root
        os.set_blocking(read, False)
        os.set_blocking(write, False)
        self._loop.add_reader(read, self._readable)

    def session(self, session_id: str, parent: str = "") -> "Session":
        """Return the session with this id, which the browser has attached, possibly to another session."""
        session = self._sessions.get(session_id)
        if session is None:
            session = self._sessions[session_id] = Session(self, session_id, parent)
        return session

    def send(self, session_id: str, method: str, params: dict[str, Any]) -> asyncio.Future[msgspec.Raw]:
        """Send a command. The future returns its answer, or raises PageLost, CallRefused or BrowserLost."""
        future: asyncio.Future[msgspec.Raw] = self._loop.create_future()
        if self.lost is not None:
            future.set_exception(BrowserLost(self.lost))
            return future
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": params}
        if session_id:
            message["sessionId"] = session_id
        self._waiting[self._number] = (session_id, future)
        self._transmit(self._encoder.encode(message) + b"\0")
        return future

    def forget(self, session_id: str, reason: str) -> None:
        """End a session and all that are attached to it: every waiting caller gets PageLost."""
        self._sessions.pop(session_id, None)
        for inner in [each.id for each in self._sessions.values() if session_id and each.parent == session_id]:
            self.forget(inner, reason)
        for number, (session, future) in list(self._waiting.items()):
            if session == session_id:
                del self._waiting[number]
                if not future.done():
                    future.set_exception(PageLost(reason))

    def close(self, reason: str = "the browser was closed") -> None:
        """Close the pipes: every waiting caller gets BrowserLost. Closing twice is fine."""
        if self.lost is not None:
            return
        self.lost = reason
        self._loop.remove_reader(self._read)
        self._loop.remove_writer(self._write)
        os.close(self._read)
        os.close(self._write)
        waiting, self._waiting = self._waiting, {}
        for _, future in waiting.values():
            if not future.done():
                future.set_exception(BrowserLost(reason))
                future.exception()  # retrieved: the caller may have stopped waiting

    def _transmit(self, data: bytes) -> None:
        if not self._unsent:
            try:
                sent = os.write(self._write, data)
            except BlockingIOError:
                sent = 0
            except OSError:
                self.close("the browser ended unexpectedly")
                return
            if sent == len(data):
                return
            data = data[sent:]
            self._loop.add_writer(self._write, self._writable)
        self._unsent += data

    def _writable(self) -> None:
        try:
            sent = os.write(self._write, self._unsent)
        except BlockingIOError:
            return
        except OSError:
            self.close("the browser ended unexpectedly")
            return
        del self._unsent[:sent]
        if not self._unsent:
            self._loop.remove_writer(self._write)

    def _readable(self) -> None:
        try:
            data = os.read(self._read, READ_BYTES)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self.close("the browser ended unexpectedly")
            return
        self._received += data
        if 0 not in data:
            return
        *messages, rest = bytes(self._received).split(b"\0")
        self._received = bytearray(rest)
        for message in messages:
            try:
                self._receive(message)
            except Exception as error:  # supervised boundary: a listener failed, and later messages must still arrive
                self._loop.call_exception_handler({"message": "a listener failed", "exception": error})

    def _receive(self, data: bytes) -> None:
        try:
            message = self._decoder.decode(data)
        except msgspec.DecodeError:
            message = self._decoder.decode(well_formed(data))
        if not message.id:
            session = self._sessions.get(message.sessionId)
            if session is not None:
                session.emit(message.method, message.params)
            return
        waiting = self._waiting.pop(message.id, None)
        if waiting is None or waiting[1].done():
            return
        if not bytes(message.error):
            waiting[1].set_result(message.result)
        else:
            error = msgspec.json.decode(message.error)
            waiting[1].set_exception(CallRefused(str(error.get("message", "refused"))))


def well_formed(data: bytes) -> bytes:
    """Replace every escaped half of a surrogate pair in JSON by a replacement character."""
    return _ESCAPED.sub(lambda match: rb"\ufffd" if len(match[0]) == HALF_LENGTH else match[0], data)


class Session:
    """Session with one target of the browser, or with the browser itself."""

    def __init__(self, connection: Connection, session_id: str, parent: str = "") -> None:
        self.id = session_id
        self.parent = parent  # the session that it is attached to; "" is that of the browser
        self._connection = connection
        self._listeners: dict[str, list[Listener]] = {}

    async def call(self, method: str, **params: Any) -> dict[str, Any]:
        """Send a command and return its answer. Raises PageLost, CallRefused or BrowserLost."""
        result: dict[str, Any] = msgspec.json.decode(await self.post(method, **params))
        return result

    def post(self, method: str, **params: Any) -> asyncio.Future[msgspec.Raw]:
        """Send a command now. The answer, still encoded, can be awaited later."""
        return self._connection.send(self.id, method, params)

    def on(self, method: str, listener: Listener) -> Callable[[], None]:
        """Call the listener with the parameters of every such event. Return a function that ends this."""
        listeners = self._listeners.setdefault(method, [])
        listeners.append(listener)
        return lambda: listeners.remove(listener)

    def emit(self, method: str, params: msgspec.Raw) -> None:
        """Pass an event to its listeners."""
        listeners = self._listeners.get(method)
        if listeners:
            decoded = msgspec.json.decode(params)
            for listener in tuple(listeners):
                listener(decoded)


def ignore(answer: asyncio.Future[msgspec.Raw]) -> None:
    """Ignore an answer, and its error, that no caller waits for."""
    answer.add_done_callback(lambda done: done.cancelled() or done.exception())
