"""A node's line to a coordinator over HTTP. Only the node has to reach the coordinator, never the other way round.

A connection that breaks is made anew, and what was asked is asked again, until the coordinator has not been heard of
for too long. It may be restarted meanwhile: it knows from its journal what it has to know.
"""

import asyncio
import ssl
import time
from collections.abc import Sequence
from typing import Any

import aiohttp
import msgspec

from statecrawl.cluster import wire
from statecrawl.cluster.http_log import POLL_SECONDS
from statecrawl.coordination import dist_ria
from statecrawl.coordination.peer_to_peer import Entries, Passed, Request
from statecrawl.coordination.questions import Ask, Beat, Reply
from statecrawl.errors import BadInput, LineLost, NodeRefused
from statecrawl.ports.line import Kept, Noted

PATIENCE = 60.0  # seconds without a word from the coordinator, after which it is given up
LONGEST_PAUSE = 2.0  # seconds between two tries
ANSWER_SECONDS = 30.0  # for what does not wait for anything


class HttpLine:
    """One connection for all pages of a process."""

    def __init__(self, url: str, token: str, *, tls: ssl.SSLContext | None = None, patience: float = PATIENCE) -> None:
        self._url = url.rstrip("/")
        self._patience = patience
        self._heard = time.monotonic()
        self._client = aiohttp.ClientSession(
            headers={"Authorization": f"Bearer {token}"},
            connector=aiohttp.TCPConnector(limit=0, ssl=True if tls is None else tls),
        )

    async def close(self) -> None:
        await self._client.close()

    async def hello(self, hello: wire.Hello) -> dict[str, Any]:
        """Introduce this node; the plan of the crawl."""
        answer = await self._post("hello", msgspec.json.encode(hello))
        try:
            return msgspec.json.decode(answer, type=dict[str, Any])
        except msgspec.DecodeError as trouble:
            raise BadInput(f"{self._url} is no coordinator: it answers with something else.") from trouble

    async def ask(self, ask: Ask) -> Reply:
        question = wire.from_message(ask)
        while not (answer := await self._post("ask", question, POLL_SECONDS + ANSWER_SECONDS)):
            pass  # there is nothing to do yet
        return wire.to_reply(answer)

    async def exchange(self, request: Request) -> Entries:
        said = wire.from_message(request)
        while not (answer := await self._post("exchange", said, POLL_SECONDS + ANSWER_SECONDS)):
            pass  # it is busy
        return wire.to_entries(answer)

    async def listen(self, peer: str, incarnation: int, position: int) -> Passed | None:
        said = wire.from_message(wire.Listening(peer, incarnation, position))
        answer = await self._post("listen", said, POLL_SECONDS + ANSWER_SECONDS)
        return wire.to_token(answer) if answer else None

    async def pass_on(self, peer: str, passed: Passed) -> None:
        await self._try("token", wire.from_message(wire.Posted(peer, passed)))

    async def report(self, ask: dist_ria.Ask) -> dist_ria.Reply:
        said = wire.from_message(ask)
        while not (answer := await self._post("report", said, POLL_SECONDS + ANSWER_SECONDS)):
            pass  # nothing is new
        return wire.to_news(answer)

    async def beat(self, beat: Beat) -> None:
        await self._try("beat", wire.from_message(beat))

    async def send(self, kept: Sequence[Kept], notes: Sequence[Noted]) -> None:
        """In pieces, none of which is large."""
        if notes:
            await self._post("parcel", wire.from_parcel((), notes))
        for each in kept:
            await self._post("parcel", wire.from_parcel([each], ()))

    async def leave(self, node: str) -> None:
        await self._try("leave", msgspec.json.encode(wire.Leave(node)))

    async def _try(self, verb: str, body: bytes) -> None:
        """Say something once."""
        try:
            await self._once(verb, body, ANSWER_SECONDS)
        except (aiohttp.ClientError, TimeoutError, OSError, NodeRefused):
            return

    async def _post(self, verb: str, body: bytes, seconds: float = ANSWER_SECONDS) -> bytes:
        """Say something until it is heard. Raises LineLost, NodeRefused and BadInput."""
        pause = 0.1
        while True:
            try:
                answer = await self._once(verb, body, seconds)
            except (aiohttp.ClientError, TimeoutError, OSError) as trouble:
                if isinstance(trouble, aiohttp.ClientResponseError):
                    self._heard = time.monotonic()  # it is there, and cannot do it now
                if time.monotonic() - self._heard > self._patience:
                    raise LineLost(
                        f"the coordinator at {self._url} is not to be reached: {str(trouble) or 'it does not answer'};"
                        " start the node again when it is back."
                    ) from trouble
                await asyncio.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE)
            else:
                self._heard = time.monotonic()
                return answer

    async def _once(self, verb: str, body: bytes, seconds: float) -> bytes:
        timeout = aiohttp.ClientTimeout(total=seconds)
        async with self._client.post(f"{self._url}/v1/{verb}", data=body, timeout=timeout) as answer:
            told = await answer.read()
            if answer.status in (401, 409):
                raise NodeRefused(f"the coordinator at {self._url} says: {told.decode(errors='replace')[:300]}")
            if answer.status == 400:
                raise BadInput(f"the coordinator at {self._url} says: {told.decode(errors='replace')[:300]}")
            if answer.status not in (200, 204):
                raise aiohttp.ClientResponseError(
                    answer.request_info,
                    answer.history,
                    status=answer.status,
                    message=told.decode(errors="replace")[:300],
                )
            return told
