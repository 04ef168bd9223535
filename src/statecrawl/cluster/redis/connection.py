"""Connection to Redis or Valkey that translates errors of the client into statecrawl's own.

Theory of operation
    Every call goes through `RedisConnection.call`, which tells temporary errors from permanent ones. A server that
    cannot be reached, is starting, is full, or hands over to another server is *unavailable*: the call is repeated
    until the patience has run out. So every call must be idempotent; the scripts are (see `cluster.redis.mailbox`). A
    server that refuses the user, or whose certificate is not trusted, will continue to do so: that is raised at once.

    The client library makes no retries of its own and has no timeout for replies, because some calls block on purpose;
    each call is timed here.
"""

import asyncio
import re
import ssl
import time
from collections.abc import Awaitable, Callable
from importlib import resources
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urldefrag, urlsplit

import redis.asyncio as redis
from redis import exceptions
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from statecrawl.errors import BadInput, StoreError, StoreUnavailable

Act = Callable[[Any], Awaitable[Any]]  # a call with a client
CONNECT_SECONDS = 5.0
ANSWER_SECONDS = 15.0  # timeout of calls that do not block on purpose
HURRY_SECONDS = 3.0
UNNOTICED_SECONDS = 1.0  # unavailability that is not reported to the user
LONGEST_PAUSE = 2.0  # between two attempts
SCHEMES = ("redis", "rediss", "unix")
# Temporary errors: the client has classes for some and strips their first word; the others start with one of the words.
TEMPORARY = (
    exceptions.ReadOnlyError,
    exceptions.OutOfMemoryError,
    exceptions.TryAgainError,
    exceptions.ClusterDownError,
    exceptions.MasterDownError,
)
TEMPORARY_WORDS = ("NOREPLICAS", "MISCONF", "BUSY ", "UNBLOCKED")
MOST_CONNECTIONS = 100_000  # one per node that waits for a reply


class RedisUnavailable(Exception):
    """The server cannot be reached, or cannot serve the call now."""


def is_redis_url(url: str) -> bool:
    """Whether a URL is that of a Redis server."""
    return url.partition("://")[0] in SCHEMES


class RedisConnection:
    """Connection to one server, as one user."""

    def __init__(self, url: str, *, patience: float) -> None:
        """Calls are repeated for `patience` seconds while the server is unavailable. Raises BadInput."""
        self.display_url = without_password(url)
        self.on_message: Callable[[str], None] = lambda _: (
            None
        )  # called when the server becomes unavailable or available
        self._is_away = False
        self._has_answered = False  # ever
        self._patience = patience
        _check_files(url)
        try:
            self._client = redis.Redis.from_url(
                urldefrag(url).url,
                socket_timeout=None,
                socket_connect_timeout=CONNECT_SECONDS,
                socket_keepalive=True,
                retry=Retry(NoBackoff(), 0),
                protocol=2,
                max_connections=MOST_CONNECTIONS,
            )
            pool: Any = self._client.connection_pool
            pool.make_connection()  # checks all parts of the URL
        except (ValueError, TypeError, exceptions.RedisError) as error:
            raise BadInput(
                f"{self.display_url} is not a Redis URL: use redis://HOST:PORT/0, or rediss:// for TLS."
            ) from error
        self._scripts: dict[str, Any] = {}
        self.answered = time.monotonic()  # time of the last successful call

    def hurry(self) -> None:
        """Shorten the patience, because the process is about to exit."""
        self._patience = min(self._patience, HURRY_SECONDS)

    async def close(self) -> None:
        await self._client.aclose()

    async def call(self, act: Act, seconds: float = ANSWER_SECONDS) -> Any:
        """Make a call, repeatedly while the server is unavailable. Raises StoreUnavailable when it stays unavailable or
        refuses.
        """
        started, pause = time.monotonic(), 0.05
        while True:
            try:
                return await self.once(act, seconds)
            except RedisUnavailable as away:
                if time.monotonic() - started > self._patience:
                    raise self._given_up(away) from away
                if not self._is_away and time.monotonic() - started > UNNOTICED_SECONDS:
                    self._is_away = True
                    self.on_message(f"{self.display_url} is unavailable: {away}; retrying for {self._patience:g} s")
                await asyncio.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE)

    async def reach(self) -> None:
        """Check that the server can be reached; wait for it only if it is starting. Raises StoreUnavailable."""
        try:
            await self.once(lambda client: client.ping())
        except RedisUnavailable as away:
            if not self._has_answered:
                raise self._given_up(away) from away
            await self.call(lambda client: client.ping())

    def _given_up(self, away: RedisUnavailable) -> StoreUnavailable:
        if not self._has_answered:
            return StoreUnavailable(
                f"cannot connect to Redis at {self.display_url}: {away}; start the server or use another URL."
            )
        return StoreUnavailable(f"{self.display_url} is unavailable: {away}; try again when it is back.")

    async def once(self, act: Act, seconds: float = ANSWER_SECONDS) -> Any:
        """Make a call now. Raises RedisUnavailable, and StoreUnavailable when the server refuses."""
        try:
            async with asyncio.timeout(seconds):
                answer = await act(self._client)
        except (exceptions.AuthenticationError, exceptions.NoPermissionError) as error:
            why = str(error).partition(". ")[0].rstrip(".")
            raise StoreUnavailable(
                f"{self.display_url} refused this user: {why}; put another user in the URL."
            ) from error
        except (exceptions.ConnectionError, exceptions.TimeoutError, TimeoutError, OSError) as error:
            if _is_untrusted_certificate(error):
                raise StoreUnavailable(
                    f"the certificate of {self.display_url} is not trusted: name a CA file in the URL, as in"
                    " rediss://HOST:6379/0?ssl_ca_certs=ca.pem."
                ) from error
            self._has_answered |= isinstance(error, exceptions.BusyLoadingError)
            raise RedisUnavailable(_reason(error, with_tls=self.display_url.startswith("rediss:"))) from error
        except exceptions.InvalidResponse as error:
            raise StoreUnavailable(f"the server at {self.display_url} is not Redis: use another URL.") from error
        except exceptions.RedisError as error:
            if isinstance(error, TEMPORARY) or str(error).startswith(TEMPORARY_WORDS):
                # Another server may have taken over the address; an open connection would never notice.
                await self._client.connection_pool.disconnect(inuse_connections=False)
                self._has_answered = True
                raise RedisUnavailable(str(error).rstrip(".")) from error
            if "DB index is out of range" in str(error):
                raise StoreUnavailable(
                    f"{self.display_url} has no such database: use another number, such as /0."
                ) from error
            raise StoreUnavailable(f"{self.display_url} failed: {str(error).rstrip('.')}.") from error
        self._has_answered = True
        self.answered = time.monotonic()
        if self._is_away:
            self._is_away = False
            self.on_message(f"{self.display_url} is back")
        return answer

    async def run(
        self, script: str, keys: list[str], arguments: list[str | bytes | int], *, patiently: bool = True
    ) -> Any:
        """Run one of the Lua scripts by name, with `call` or, unless `patiently`, with `once`."""
        if script not in self._scripts:
            text = resources.files("statecrawl.cluster.redis").joinpath("scripts", f"{script}.lua").read_text()
            self._scripts[script] = self._client.register_script(text)
        do = self.call if patiently else self.once
        return await do(lambda _: self._scripts[script](keys=keys, args=arguments))

    async def check(self, *, unsafe: bool = False) -> None:
        """Check that the server stores data durably. Raises BadInput with what to change.

        `unsafe` accepts a server that may lose data.
        """
        try:
            persistence: dict[str, Any] = await self.call(lambda client: client.info("persistence"))
            memory: dict[str, Any] = await self.call(lambda client: client.info("memory"))
            cluster: dict[str, Any] = await self.call(lambda client: client.info("cluster"))
        except StoreError as error:
            if not isinstance(error.__cause__, exceptions.NoPermissionError):
                raise
            if unsafe:
                return
            raise BadInput(
                f"{self.display_url} does not let this user check its persistence: grant the permission (redis-cli acl"
                " setuser NAME +info), or skip the check with --unsafe-persistence."
            ) from error
        if cluster.get("cluster_enabled"):
            raise BadInput(
                f"{self.display_url} belongs to a Redis Cluster, which is not supported yet: use a single server."
            )
        if memory.get("maxmemory") and memory.get("maxmemory_policy") != "noeviction":
            raise BadInput(
                f"{self.display_url} evicts keys when its memory is full, which would destroy the crawl: set"
                " maxmemory-policy noeviction in its configuration."
            )
        if not persistence.get("aof_enabled") and not unsafe:
            raise BadInput(
                f"{self.display_url} loses data when it is killed: set appendonly yes in its configuration (or run"
                " redis-cli config set appendonly yes), or accept the loss with --unsafe-persistence."
            )


def _is_untrusted_certificate(error: BaseException | None) -> bool:
    """Whether an untrusted certificate caused an error; the client only shows it as a text of the TLS library."""
    while error is not None and not isinstance(error, ssl.SSLCertVerificationError):
        error = error.__cause__ or error.__context__
    return error is not None


def _reason(error: BaseException, *, with_tls: bool) -> str:
    """Return in plain words why the server is unavailable."""
    text = str(error).rstrip(".")
    if with_tls and (
        "Timeout connecting" in text or "SSL" in text
    ):  # a server without TLS waits for the rest of the handshake
        return "it does not speak TLS (use redis:// without TLS), or does not respond"
    known = (
        ("Error 111", "connection refused"),
        ("Name or service not known", "its host name cannot be resolved"),
        ("Timeout connecting", "it does not respond"),
        ("Connection closed", "it closed the connection"),
        ("Connection lost", "it closed the connection"),
    )
    return next((words for sign, words in known if sign in text), text) or "it does not respond"


def without_password(url: str) -> str:
    """Return a URL without its password, even a password with a / or # that should have been escaped as %2F or %23."""
    scheme, found, rest = url.partition("://")
    if not found:
        return url.rpartition("@")[2]
    return f"{scheme}://{re.split('[?#]', rest.rpartition('@')[2])[0]}"


def _check_files(url: str) -> None:
    """Check that the files named in a URL are readable. Raises BadInput."""
    for name, value in parse_qsl(urlsplit(url).query):
        if name.startswith("ssl_") and name.endswith(("certs", "file")):
            try:
                Path(value).read_bytes()
            except OSError as error:
                raise BadInput(f"cannot read {value}, which the URL names: {error.strerror}.") from error
