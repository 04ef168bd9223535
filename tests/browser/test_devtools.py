"""The connection: commands and answers over two pipes. The other end is played by the test."""

import asyncio
import contextlib
import json
import os
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from statecrawl.browser.devtools import Connection, well_formed
from statecrawl.errors import BrowserLost, CallRefused, PageLost

PIPE_BYTES = 1 << 16  # what a pipe holds on Linux


class Peer:
    """The browser's end."""

    def __init__(self) -> None:
        self._reads, we_write = os.pipe()
        we_read, self._writes = os.pipe()
        self.connection = Connection(we_read, we_write)
        self._closed = False
        os.set_blocking(self._reads, False)
        self._received = b""

    async def heard(self, count: int = 1) -> list[dict[str, Any]]:
        """The next commands."""
        for _ in range(1000):
            with contextlib.suppress(BlockingIOError):
                self._received += os.read(self._reads, PIPE_BYTES)
            if self._received.count(b"\0") >= count:
                break
            await asyncio.sleep(0.001)
        *messages, self._received = self._received.split(b"\0", count)
        return [json.loads(message) for message in messages]

    def say_bytes(self, data: bytes) -> None:
        os.write(self._writes, data)

    def say(self, *messages: dict[str, Any]) -> None:
        self.say_bytes(b"".join(json.dumps(message).encode() + b"\0" for message in messages))

    def hang_up(self) -> None:
        if not self._closed:
            self._closed = True
            os.close(self._reads)
            os.close(self._writes)


@pytest.fixture
def peer(runner: asyncio.Runner) -> Iterator[Peer]:
    async def make() -> Peer:
        return Peer()

    async def end() -> None:
        made.connection.close()
        made.hang_up()

    made = runner.run(make())
    yield made
    runner.run(end())


async def test_answers_find_who_asked_in_any_order(peer: Peer) -> None:
    page = peer.connection.session("s1")
    first = asyncio.ensure_future(page.call("Page.enable"))
    second = asyncio.ensure_future(peer.connection.root.call("Browser.getVersion", detail=1))
    one, two = await peer.heard(2)
    assert (one["method"], one["params"], one["sessionId"]) == ("Page.enable", {}, "s1")
    assert (two["method"], two["params"], "sessionId" in two) == ("Browser.getVersion", {"detail": 1}, False)
    peer.say({"id": two["id"], "result": {"n": 2}}, {"id": one["id"], "result": {"n": 1}, "sessionId": "s1"})
    assert (await first, await second) == ({"n": 1}, {"n": 2})


async def test_a_refusal_raises(peer: Peer) -> None:
    asked = asyncio.ensure_future(peer.connection.root.call("Nonsense"))
    (command,) = await peer.heard()
    peer.say({"id": command["id"], "error": {"code": -32601, "message": "'Nonsense' wasn't found"}})
    with pytest.raises(CallRefused, match="'Nonsense' wasn't found"):
        await asked


async def test_messages_in_pieces_and_in_heaps(peer: Peer) -> None:
    heard: list[int] = []
    peer.connection.root.on("Counted", lambda told: heard.append(told["n"]))
    data = b"".join(json.dumps({"method": "Counted", "params": {"n": n}}).encode() + b"\0" for n in range(50))
    for start in range(0, len(data), 37):
        peer.say_bytes(data[start : start + 37])
        await asyncio.sleep(0)
    await asyncio.sleep(0.01)
    assert heard == list(range(50))


async def test_events_come_before_what_comes_after_them(peer: Peer) -> None:
    order: list[str] = []
    page = peer.connection.session("s1")
    page.on("Happened", lambda _: order.append("event"))
    asked = asyncio.ensure_future(page.call("Ask"))
    asked.add_done_callback(lambda _: order.append("answer"))
    (command,) = await peer.heard()
    peer.say(
        {"method": "Happened", "params": {}, "sessionId": "s1"}, {"id": command["id"], "result": {}, "sessionId": "s1"}
    )
    await asked
    await asyncio.sleep(0)
    assert order == ["event", "answer"]


async def test_a_failing_listener_does_not_affect_others(peer: Peer) -> None:
    heard: list[str] = []
    failures: list[str] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: failures.append(str(context["exception"])))
    page = peer.connection.session("s1")
    page.on("Bad", lambda told: heard.append(told["nothing of that name"]))
    page.on("Good", lambda _: heard.append("good"))
    peer.say(*({"method": method, "params": {}, "sessionId": "s1"} for method in ("Bad", "Good")))
    await asyncio.sleep(0.01)
    assert heard == ["good"]
    assert len(failures) == 1


async def test_events_go_to_their_own_session_until_the_listener_is_removed(peer: Peer) -> None:
    heard: list[str] = []
    end = peer.connection.session("s1").on("Happened", lambda _: heard.append("one"))
    peer.connection.session("s2").on("Happened", lambda _: heard.append("two"))
    peer.say(*({"method": "Happened", "params": {}, "sessionId": session} for session in ("s1", "s2", "s3")))
    await asyncio.sleep(0.01)
    assert heard == ["one", "two"]
    end()
    peer.say({"method": "Happened", "params": {}, "sessionId": "s1"})
    await asyncio.sleep(0.01)
    assert heard == ["one", "two"]


async def test_more_than_a_pipe_holds_in_both_directions(peer: Peer) -> None:
    words = "x" * (5 * PIPE_BYTES)
    asked = asyncio.ensure_future(peer.connection.root.call("Say", words=words))
    later = asyncio.ensure_future(peer.connection.root.call("Then"))  # must not overtake what is still to be sent
    said, then = await peer.heard(2)
    assert said["params"]["words"] == words
    assert then["method"] == "Then"
    answer = json.dumps({"id": said["id"], "result": {"words": words}}).encode() + b"\0"
    for start in range(0, len(answer), PIPE_BYTES // 2):
        peer.say_bytes(answer[start : start + PIPE_BYTES // 2])
        await asyncio.sleep(0.001)
    assert (await asked)["words"] == words
    peer.say({"id": then["id"], "result": {}})
    await later


async def test_all_callers_that_wait_for_a_lost_session_get_an_error(peer: Peer) -> None:
    lost = [asyncio.ensure_future(peer.connection.session("s1").call("Ask")) for _ in range(3)]
    kept = asyncio.ensure_future(peer.connection.session("s2").call("Ask"))
    commands = await peer.heard(4)
    peer.connection.forget("s1", "the page crashed")
    for waiting in lost:
        with pytest.raises(PageLost, match="the page crashed"):
            await waiting
    peer.say(*({"id": command["id"], "result": {}, "sessionId": command["sessionId"]} for command in commands))
    assert await kept == {}


async def test_all_callers_that_wait_for_a_lost_browser_get_an_error(peer: Peer) -> None:
    waiting = [asyncio.ensure_future(peer.connection.session(f"s{n}").call("Ask")) for n in range(3)]
    await peer.heard(3)
    peer.hang_up()
    for asked in waiting:
        with pytest.raises(BrowserLost, match="ended unexpectedly"):
            await asked
    with pytest.raises(BrowserLost, match="ended unexpectedly"):
        await peer.connection.root.call("Ask")


async def test_commands_to_a_browser_that_has_gone(peer: Peer) -> None:
    peer.hang_up()
    with pytest.raises(BrowserLost):
        await peer.connection.root.call("Ask", words="x" * (2 * PIPE_BYTES))
    assert peer.connection.lost is not None


async def test_closing_twice_is_fine_and_the_first_reason_counts(peer: Peer) -> None:
    asked = asyncio.ensure_future(peer.connection.root.call("Ask"))
    await peer.heard()
    peer.connection.close("enough")
    peer.connection.close("more than enough")
    with pytest.raises(BrowserLost, match=r"^enough$"):
        await asked


async def test_an_answer_whose_caller_has_stopped_waiting(peer: Peer) -> None:
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(peer.connection.root.call("Ask"), 0.02)
    (command,) = await peer.heard()
    peer.say({"id": command["id"], "result": {}}, {"id": 999, "result": {}})
    asked = asyncio.ensure_future(peer.connection.root.call("Again"))
    (command,) = await peer.heard()
    peer.say({"id": command["id"], "result": {"n": 1}})
    assert await asked == {"n": 1}


async def test_halves_of_surrogate_pairs_do_no_harm(peer: Peer) -> None:
    heard: list[str] = []
    peer.connection.root.on("Said", lambda told: heard.append(told["words"]))
    peer.say_bytes(b'{"method": "Said", "params": {"words": "a\\ud83db \\ud83d\\ude00 \\\\ud83d"}}\0')
    asked = asyncio.ensure_future(peer.connection.root.call("Ask"))
    (command,) = await peer.heard()
    peer.say_bytes(b'{"id": %d, "result": {"words": "\\udc00"}}\0' % command["id"])
    assert await asked == {"words": "\ufffd"}
    assert heard == ["a\ufffdb 😀 \\ud83d"]


@settings(deadline=None)
@given(st.text(st.characters(codec=None, exclude_categories=()), max_size=20))
def test_every_text_of_a_page_becomes_one_of_ours(text: str) -> None:
    told = json.loads(well_formed(json.dumps({"words": text}).encode()))["words"]
    assert told == text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    told.encode()


async def test_what_is_attached_to_a_session_ends_with_it(peer: Peer) -> None:
    connection = peer.connection
    page, other = connection.session("page"), connection.session("other")
    frame = connection.session("frame", "page")
    worker = connection.session("worker", "frame")
    waits = worker.post("Runtime.enable")
    connection.forget(page.id, "gone")
    with pytest.raises(PageLost, match="gone"):
        await waits
    assert connection.session("other") is other
    assert connection.session("frame") is not frame
    assert connection.session("worker") is not worker
