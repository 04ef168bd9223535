"""A node's line to a coordinator over HTTP. Only the node has to reach the coordinator, never the other way round.

A connection that breaks is made anew, and what was asked is asked again, until it was not answered for too long:
because nobody is there, or because the server fails each time. The coordinator may be restarted meanwhile: it knows
from its journal what it has to know. Who answers the greeting as no coordinator would is none, and is not tried again;
nor is one whose certificate is not trusted, or without TLS.
"""

import asyncio
import ssl
import time
from collections.abc import Callable, Sequence
from typing import Any

import aiohttp
import msgspec

from statecrawl.cluster import member_messages, messages
from statecrawl.cluster.http.members import POLL_SECONDS
from statecrawl.cluster.http.server import OVER
from statecrawl.cluster.network_errors import in_words
from statecrawl.coordination import dist_ria
from statecrawl.coordination.client_server_messages import Heartbeat, Leave, TaskReply, TaskRequest
from statecrawl.coordination.peer_to_peer import LogEntries, LogRequest, PassedToken
from statecrawl.errors import BadInput, CoordinatorLost, NodeRefused
from statecrawl.ports.coordinator_link import NoteEvidence, StateEvidence

PATIENCE = 60.0  # seconds without a word from the coordinator, after which it is given up
SOON = 1.0  # seconds, after which people want to know why nothing happens
LONGEST_PAUSE = 2.0  # seconds between two tries
ANSWER_SECONDS = 30.0  # for what does not wait for anything
FULL = 507  # status of HTTP: the coordinator is there, and its disk is full
LEAST_TROUBLE = 500  # the first status that says that the server is in trouble, and may come out of it


class HttpLink:
    """One connection for all pages of a process."""

    def __init__(
        self,
        url: str,
        token: str,
        *,
        tls: ssl.SSLContext | None = None,
        patience: float = PATIENCE,
        said: Callable[[str], None] = lambda _: None,
    ) -> None:
        """`said` is called with what people should know: that nobody answers, and that somebody does again."""
        self._url = url.rstrip("/")
        self._said = said
        self._unanswered = 0  # requests of which people were told
        self._patience = patience
        self.last_contact = time.monotonic()  # when there was a coordinator last
        self._client = aiohttp.ClientSession(
            headers={"Authorization": f"Bearer {token}"},
            connector=aiohttp.TCPConnector(limit=0, ssl=True if tls is None else tls),
        )

    @property
    def place(self) -> str:
        """Where the crawl is."""
        return self._url

    async def close(self) -> None:
        await self._client.close()

    async def hello(self, hello: messages.NodeIntroduction) -> dict[str, Any]:
        """Introduce this node; the plan of the crawl. Raises LineLost, NodeRefused and BadInput."""
        said = msgspec.json.encode(hello)
        while not (answer := await self._post("hello", said, POLL_SECONDS + ANSWER_SECONDS)):
            pass  # nodes are not needed yet
        try:
            return msgspec.json.decode(answer, type=dict[str, Any])
        except msgspec.DecodeError as trouble:
            raise self._none("something else") from trouble

    async def ask(self, ask: TaskRequest) -> TaskReply:
        question = messages.from_message(ask)
        while not (answer := await self._post("ask", question, POLL_SECONDS + ANSWER_SECONDS)):
            pass  # there is nothing to do yet
        return messages.to_reply(answer)

    async def exchange(self, request: LogRequest) -> LogEntries:
        said = member_messages.from_any(request)
        while not (answer := await self._post("exchange", said, POLL_SECONDS + ANSWER_SECONDS)):
            pass  # it is busy
        return member_messages.to_entries(answer)

    async def listen(self, peer: str, incarnation: int, position: int) -> PassedToken | None:
        said = member_messages.from_any(member_messages.ListenRequest(peer, incarnation, position))
        answer = await self._post("listen", said, POLL_SECONDS + ANSWER_SECONDS)
        return member_messages.to_token(answer) if answer else None

    async def pass_on(self, peer: str, passed: PassedToken) -> None:
        await self._try("token", member_messages.from_any(member_messages.PostedToken(peer, passed)))

    async def report(self, ask: dist_ria.StatusReport) -> dist_ria.DistRiaReply:
        said = member_messages.from_any(ask)
        while not (answer := await self._post("report", said, POLL_SECONDS + ANSWER_SECONDS)):
            pass  # nothing is new
        return member_messages.to_news(answer)

    async def beat(self, beat: Heartbeat) -> bool:
        return await self._try("beat", messages.from_message(beat)) == OVER

    async def send(self, kept: Sequence[StateEvidence], notes: Sequence[NoteEvidence]) -> None:
        """In pieces, none of which is large."""
        for parcel in messages.parcels(kept, notes):
            await self._post("parcel", parcel)

    async def leave(self, node: str) -> None:
        await self._try("leave", messages.from_message(Leave(node)))

    async def _try(self, verb: str, body: bytes) -> bytes:
        """Say something once; the answer, if there is one."""
        try:
            answer = await self._once(verb, body, ANSWER_SECONDS)
        except (aiohttp.ClientError, TimeoutError, OSError, NodeRefused):
            return b""
        self.last_contact = time.monotonic()
        return answer

    async def _post(self, verb: str, body: bytes, seconds: float = ANSWER_SECONDS) -> bytes:
        """Say something until it is heard. Raises LineLost, NodeRefused and BadInput.

        Each request is given up after the patience, whatever else is answered meanwhile: a sign of life is no answer.
        """
        begun, pause, is_told = time.monotonic(), 0.1, False
        try:
            while True:
                try:
                    answer = await self._once(verb, body, seconds)
                except (aiohttp.ClientError, TimeoutError, OSError) as trouble:
                    if _status(trouble) == FULL:
                        self.last_contact = begun = time.monotonic()  # whoever coordinates says so, and waits for space
                    self._give_up(verb, trouble, time.monotonic() - begun)
                    if not is_told and time.monotonic() - begun > SOON:
                        is_told = True
                        self._tell_lost(trouble)
                    await asyncio.sleep(pause)
                    pause = min(2 * pause, LONGEST_PAUSE)
                else:
                    self.last_contact = time.monotonic()
                    if is_told and self._unanswered == 1:
                        self._said(f"the coordinator at {self._url} is back")
                    return answer
        finally:
            self._unanswered -= is_told

    def _give_up(self, verb: str, trouble: Exception, waited: float) -> None:
        """Raises LineLost when there is no use in trying again."""
        if verb == "hello" and _status(trouble) < LEAST_TROUBLE:
            raise self._none(f"status {_status(trouble)}") from trouble
        if verb == "hello" and isinstance(trouble, aiohttp.ClientSSLError):
            raise CoordinatorLost(f"{self._lost(trouble)}.") from trouble
        if waited > self._patience:
            raise CoordinatorLost(f"{self._lost(trouble)}; start the node again when it is back.") from trouble

    def _lost(self, trouble: Exception) -> str:
        what = "fails" if isinstance(trouble, aiohttp.ClientResponseError) else "is not to be reached"
        return f"the coordinator at {self._url} {what}: {in_words(trouble)}"

    def _tell_lost(self, trouble: Exception) -> None:
        """Say that a request is not answered, and why; once, however many are not."""
        self._unanswered += 1
        if self._unanswered == 1:
            self._said(f"{self._lost(trouble)}; trying again for {self._patience:g} s")

    def _none(self, answer: str) -> CoordinatorLost:
        return CoordinatorLost(
            f"{self._url} is no coordinator, it answers with {answer}: take what statecrawl serve shows."
        )

    async def _once(self, verb: str, body: bytes, seconds: float) -> bytes:
        timeout = aiohttp.ClientTimeout(total=seconds)
        address = f"{self._url}/v1/{verb}"
        async with self._client.post(address, data=body, timeout=timeout, allow_redirects=False) as answer:
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
                )
            return told


def _status(trouble: Exception) -> int:
    """Of HTTP; where there is none, the server may come out of its trouble, too."""
    return trouble.status if isinstance(trouble, aiohttp.ClientResponseError) else LEAST_TROUBLE
