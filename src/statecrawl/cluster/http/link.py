"""Link from a node to a coordinator over HTTP. Only the node connects to the coordinator, never the other way round.

A broken connection is established again, and a request is repeated until it has gone unanswered for too long, because
the coordinator cannot be reached or fails each time. The coordinator may be restarted meanwhile: it restores its state
from its journal. A server that does not answer the greeting like a coordinator is not tried again; neither is one whose
certificate is not trusted, or that does not speak TLS.
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
from statecrawl.cluster.network_errors import describe_error
from statecrawl.coordination import dist_ria
from statecrawl.coordination.client_server_messages import Heartbeat, Leave, TaskReply, TaskRequest
from statecrawl.coordination.peer_to_peer import LogEntries, LogRequest, PassedToken
from statecrawl.errors import BadInput, CoordinatorLost, NodeRefused
from statecrawl.ports.coordinator_link import NoteEvidence, StateEvidence

PATIENCE = 60.0  # seconds without a response of the coordinator, after which the node gives up
REPORT_SECONDS = 1.0  # seconds after which the user is told why nothing happens
LONGEST_PAUSE = 2.0  # seconds between two attempts
ANSWER_SECONDS = 30.0  # timeout of requests that the server answers at once
FULL = 507  # HTTP status: the disk of the coordinator is full
FIRST_SERVER_ERROR = 500  # first HTTP status of errors from which the server may recover


class HttpLink:
    """Connection of one process, shared by all its pages."""

    def __init__(
        self,
        url: str,
        token: str,
        *,
        tls: ssl.SSLContext | None = None,
        patience: float = PATIENCE,
        on_message: Callable[[str], None] = lambda _: None,
    ) -> None:
        """`on_message` is called with messages for the user: the coordinator does not respond, or responds again."""
        self._url = url.rstrip("/")
        self._on_message = on_message
        self._unanswered = 0  # requests reported to the user as unanswered
        self._patience = patience
        self.last_contact = time.monotonic()  # time of the last response
        self._client = aiohttp.ClientSession(
            headers={"Authorization": f"Bearer {token}"},
            connector=aiohttp.TCPConnector(limit=0, ssl=True if tls is None else tls),
        )

    @property
    def place(self) -> str:
        """URL of the coordinator."""
        return self._url

    async def close(self) -> None:
        await self._client.close()

    async def hello(self, hello: messages.NodeIntroduction) -> dict[str, Any]:
        """Introduce this node; return the plan of the crawl. Raises CoordinatorLost, NodeRefused and BadInput."""
        body = msgspec.json.encode(hello)
        while not (answer := await self._post("hello", body, POLL_SECONDS + ANSWER_SECONDS)):
            pass  # the coordinator does not accept nodes yet
        try:
            return msgspec.json.decode(answer, type=dict[str, Any])
        except msgspec.DecodeError as error:
            raise self._not_a_coordinator("unexpected content") from error

    async def ask(self, request: TaskRequest) -> TaskReply:
        body = messages.encode(request)
        while not (answer := await self._post("ask", body, POLL_SECONDS + ANSWER_SECONDS)):
            pass  # there is no task yet
        return messages.decode_reply(answer)

    async def exchange(self, request: LogRequest) -> LogEntries:
        body = member_messages.encode(request)
        while not (answer := await self._post("exchange", body, POLL_SECONDS + ANSWER_SECONDS)):
            pass  # the log is busy
        return member_messages.decode_log_entries(answer)

    async def listen(self, peer: str, incarnation: int, position: int) -> PassedToken | None:
        body = member_messages.encode(member_messages.ListenRequest(peer, incarnation, position))
        answer = await self._post("listen", body, POLL_SECONDS + ANSWER_SECONDS)
        return member_messages.decode_token(answer) if answer else None

    async def pass_on(self, peer: str, passed: PassedToken) -> None:
        await self._try("token", member_messages.encode(member_messages.PostedToken(peer, passed)))

    async def report(self, report: dist_ria.StatusReport) -> dist_ria.DistRiaReply:
        body = member_messages.encode(report)
        while not (answer := await self._post("report", body, POLL_SECONDS + ANSWER_SECONDS)):
            pass  # nothing is new
        return member_messages.decode_reply(answer)

    async def beat(self, heartbeat: Heartbeat) -> bool:
        return await self._try("beat", messages.encode(heartbeat)) == OVER

    async def send(self, states: Sequence[StateEvidence], notes: Sequence[NoteEvidence]) -> None:
        """Send evidence in parcels of limited size."""
        for parcel in messages.split_evidence(states, notes):
            await self._post("parcel", parcel)

    async def leave(self, node: str) -> None:
        await self._try("leave", messages.encode(Leave(node)))

    async def _try(self, verb: str, body: bytes) -> bytes:
        """Send a request once; return the response, or nothing if it fails."""
        try:
            answer = await self._once(verb, body, ANSWER_SECONDS)
        except (aiohttp.ClientError, TimeoutError, OSError, NodeRefused):
            return b""
        self.last_contact = time.monotonic()
        return answer

    async def _post(self, verb: str, body: bytes, seconds: float = ANSWER_SECONDS) -> bytes:
        """Repeat a request until it is answered. Raises CoordinatorLost, NodeRefused and BadInput.

        Each request is given up after the patience, even if other requests succeed meanwhile.
        """
        started, pause, is_reported = time.monotonic(), 0.1, False
        try:
            while True:
                try:
                    answer = await self._once(verb, body, seconds)
                except (aiohttp.ClientError, TimeoutError, OSError) as error:
                    if _status(error) == FULL:
                        self.last_contact = started = time.monotonic()  # alive, but waits for disk space
                    self._give_up(verb, error, time.monotonic() - started)
                    if not is_reported and time.monotonic() - started > REPORT_SECONDS:
                        is_reported = True
                        self._report_lost(error)
                    await asyncio.sleep(pause)
                    pause = min(2 * pause, LONGEST_PAUSE)
                else:
                    self.last_contact = time.monotonic()
                    if is_reported and self._unanswered == 1:
                        self._on_message(f"the coordinator at {self._url} is back")
                    return answer
        finally:
            self._unanswered -= is_reported

    def _give_up(self, verb: str, error: Exception, waited: float) -> None:
        """Raises CoordinatorLost when another attempt is pointless."""
        if verb == "hello" and _status(error) < FIRST_SERVER_ERROR:
            raise self._not_a_coordinator(f"status {_status(error)}") from error
        if verb == "hello" and isinstance(error, aiohttp.ClientSSLError):
            raise CoordinatorLost(f"{self._lost(error)}.") from error
        if waited > self._patience:
            raise CoordinatorLost(f"{self._lost(error)}; start the node again when it is back.") from error

    def _lost(self, error: Exception) -> str:
        what = "failed" if isinstance(error, aiohttp.ClientResponseError) else "cannot be reached"
        return f"the coordinator at {self._url} {what}: {describe_error(error)}"

    def _report_lost(self, error: Exception) -> None:
        """Tell the user that a request is not answered, and why; once for all unanswered requests."""
        self._unanswered += 1
        if self._unanswered == 1:
            self._on_message(f"{self._lost(error)}; retrying for {self._patience:g} s")

    def _not_a_coordinator(self, answer: str) -> CoordinatorLost:
        return CoordinatorLost(
            f"{self._url} is not a coordinator, it responded with {answer}: use the URL that statecrawl serve prints."
        )

    async def _once(self, verb: str, body: bytes, seconds: float) -> bytes:
        timeout = aiohttp.ClientTimeout(total=seconds)
        url = f"{self._url}/v1/{verb}"
        async with self._client.post(url, data=body, timeout=timeout, allow_redirects=False) as answer:
            content = await answer.read()
            if answer.status in (401, 409):
                raise NodeRefused(f"the coordinator at {self._url} replied: {content.decode(errors='replace')[:300]}")
            if answer.status == 400:
                raise BadInput(f"the coordinator at {self._url} replied: {content.decode(errors='replace')[:300]}")
            if answer.status not in (200, 204):
                raise aiohttp.ClientResponseError(
                    answer.request_info,
                    answer.history,
                    status=answer.status,
                )
            return content


def _status(error: Exception) -> int:
    """Return the HTTP status of an error. Errors without a status count as server errors, which may be temporary."""
    return error.status if isinstance(error, aiohttp.ClientResponseError) else FIRST_SERVER_ERROR
