"""A connection to Redis or Valkey, whose troubles are said in statecrawl's own errors.

Theory of operation
    Every call goes through `RedisConnection.call`, which tells what passes from what does not. A server that is not to
    be reached, that is starting, full, or about to hand over to another is *away*: the call is made again until
    somebody's patience has ended. So everything that is called this way must be fit to be done twice; the scripts are
    (see `redis_post`). A server that refuses us, or that we do not trust, will go on doing so: that is said at once.

    The client makes no tries of its own and has no timeout for answers, because some calls wait on purpose; each call
    is timed here.
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

from statecrawl.errors import BadInput, StoreAway, StoreError

Act = Callable[[Any], Awaitable[Any]]  # what is done with a client
CONNECT_SECONDS = 5.0
ANSWER_SECONDS = 15.0  # for what does not wait on purpose
HURRY_SECONDS = 3.0
UNNOTICED_SECONDS = 1.0  # for which it may be away and nobody has to know
LONGEST_PAUSE = 2.0  # between two tries
SCHEMES = ("redis", "rediss", "unix")
# What passes: some of these the client knows by their kind, and takes their first word away; the others begin with it.
AWAY = (
    exceptions.ReadOnlyError,
    exceptions.OutOfMemoryError,
    exceptions.TryAgainError,
    exceptions.ClusterDownError,
    exceptions.MasterDownError,
)
AWAY_WORDS = ("NOREPLICAS", "MISCONF", "BUSY ", "UNBLOCKED")
MOST_CONNECTIONS = 100_000  # each node that waits for an answer has one


class RedisUnavailable(Exception):
    """The server is not to be reached, or can not do it now."""


def is_store(url: str) -> bool:
    """Whether an address is one of a server of this kind."""
    return url.partition("://")[0] in SCHEMES


class RedisConnection:
    """One server, as one user sees it."""

    def __init__(self, url: str, *, patience: float) -> None:
        """Calls are made again for `patience` seconds while the server is away. Raises BadInput."""
        self.shown = shown(url)
        self.says: Callable[[str], None] = lambda _: None  # is told when the server is away, and when it is back
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
            pool.make_connection()  # only this looks at all that the address says
        except (ValueError, TypeError, exceptions.RedisError) as trouble:
            raise BadInput(
                f"{self.shown} is no address of a Redis: write redis://HOST:PORT/0, or rediss:// with TLS."
            ) from trouble
        self._scripts: dict[str, Any] = {}
        self.answered = time.monotonic()  # when it last did what it was told

    def hurry(self) -> None:
        """Somebody wants to go: wait no longer than that for a server that is away."""
        self._patience = min(self._patience, HURRY_SECONDS)

    async def close(self) -> None:
        await self._client.aclose()

    async def call(self, act: Act, seconds: float = ANSWER_SECONDS) -> Any:
        """Do something, again and again while the server is away. Raises StoreAway when it stays away or refuses."""
        begun, pause = time.monotonic(), 0.05
        while True:
            try:
                return await self.once(act, seconds)
            except RedisUnavailable as away:
                if time.monotonic() - begun > self._patience:
                    raise self._given_up(away) from away
                if not self._is_away and time.monotonic() - begun > UNNOTICED_SECONDS:
                    self._is_away = True
                    self.says(f"{self.shown} is not to be used: {away}; trying again for {self._patience:g} s")
                await asyncio.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE)

    async def reach(self) -> None:
        """See that it is there: nobody waits for a wrong address, but for a server that starts. Raises StoreAway."""
        try:
            await self.once(lambda client: client.ping())
        except RedisUnavailable as away:
            if not self._has_answered:
                raise self._given_up(away) from away
            await self.call(lambda client: client.ping())

    def _given_up(self, away: RedisUnavailable) -> StoreAway:
        if not self._has_answered:
            return StoreAway(f"there is no Redis at {self.shown}: {away}; start one, or name another.")
        return StoreAway(f"{self.shown} is not to be used: {away}; try again when it is back.")

    async def once(self, act: Act, seconds: float = ANSWER_SECONDS) -> Any:
        """Do something now. Raises Away, and StoreAway when the server refuses."""
        try:
            async with asyncio.timeout(seconds):
                answer = await act(self._client)
        except (exceptions.AuthenticationError, exceptions.NoPermissionError) as trouble:
            why = str(trouble).partition(". ")[0].rstrip(".")
            raise StoreAway(f"{self.shown} refuses this user: {why}; name another in its address.") from trouble
        except (exceptions.ConnectionError, exceptions.TimeoutError, TimeoutError, OSError) as trouble:
            if _is_mistrust(trouble):
                raise StoreAway(
                    f"the certificate of {self.shown} is not trusted here: name the file with one to trust, as in"
                    " rediss://HOST:6379/0?ssl_ca_certs=ca.pem."
                ) from trouble
            self._has_answered |= isinstance(trouble, exceptions.BusyLoadingError)
            raise RedisUnavailable(_in_words(trouble, with_tls=self.shown.startswith("rediss:"))) from trouble
        except exceptions.InvalidResponse as trouble:
            raise StoreAway(f"there is no Redis at {self.shown}: something else answers; name another.") from trouble
        except exceptions.RedisError as trouble:
            if isinstance(trouble, AWAY) or str(trouble).startswith(AWAY_WORDS):
                # Another server may have its address by now: whoever stays connected would never know.
                await self._client.connection_pool.disconnect(inuse_connections=False)
                self._has_answered = True
                raise RedisUnavailable(str(trouble).rstrip(".")) from trouble
            if "DB index is out of range" in str(trouble):
                raise StoreAway(f"{self.shown} has no such database: write another number, such as /0.") from trouble
            raise StoreAway(f"{self.shown} does not do what it should: {str(trouble).rstrip('.')}.") from trouble
        self._has_answered = True
        self.answered = time.monotonic()
        if self._is_away:
            self._is_away = False
            self.says(f"{self.shown} is back")
        return answer

    async def run(
        self, script: str, keys: list[str], arguments: list[str | bytes | int], *, patiently: bool = True
    ) -> Any:
        """Run one of the scripts beside this module, by its name; see `call`, or `once` when it is not worth a wait."""
        if script not in self._scripts:
            text = resources.files("statecrawl.cluster.redis").joinpath("scripts", f"{script}.lua").read_text()
            self._scripts[script] = self._client.register_script(text)
        do = self.call if patiently else self.once
        return await do(lambda _: self._scripts[script](keys=keys, args=arguments))

    async def check(self, *, unsafe: bool = False) -> None:
        """See that what is written stays. Raises BadInput with what to change; `unsafe` lets pass what may be lost."""
        try:
            persistence: dict[str, Any] = await self.call(lambda client: client.info("persistence"))
            memory: dict[str, Any] = await self.call(lambda client: client.info("memory"))
            cluster: dict[str, Any] = await self.call(lambda client: client.info("cluster"))
        except StoreError as trouble:
            if not isinstance(trouble.__cause__, exceptions.NoPermissionError):
                raise
            if unsafe:
                return
            raise BadInput(
                f"{self.shown} does not tell this user whether it keeps what it is told: allow that (redis-cli acl"
                " setuser NAME +info does it), or accept not to know with --unsafe-persistence."
            ) from trouble
        if cluster.get("cluster_enabled"):
            raise BadInput(
                f"{self.shown} belongs to a Redis Cluster, which is not supported yet: name a single server."
            )
        if memory.get("maxmemory") and memory.get("maxmemory_policy") != "noeviction":
            raise BadInput(
                f"{self.shown} throws keys away when its memory is full, and a crawl with them: set maxmemory-policy"
                " noeviction in its configuration."
            )
        if not persistence.get("aof_enabled") and not unsafe:
            raise BadInput(
                f"{self.shown} forgets what it was told when it is killed: set appendonly yes in its configuration"
                " (redis-cli config set appendonly yes does it at once), or accept that with --unsafe-persistence."
            )


def _is_mistrust(trouble: BaseException | None) -> bool:
    """Whether it comes from a certificate that is not trusted; the client tells only in words of the library."""
    while trouble is not None and not isinstance(trouble, ssl.SSLCertVerificationError):
        trouble = trouble.__cause__ or trouble.__context__
    return trouble is not None


def _in_words(trouble: BaseException, *, with_tls: bool) -> str:
    """Why a server cannot be reached, as people would say it."""
    said = str(trouble).rstrip(".")
    if with_tls and ("Timeout connecting" in said or "SSL" in said):  # a Redis without TLS waits for the rest of that
        return "it does not speak TLS (redis:// is without), or does not answer"
    known = (
        ("Error 111", "connection refused"),
        ("Name or service not known", "there is no such host"),
        ("Timeout connecting", "it does not answer"),
        ("Connection closed", "it closes the connection"),
        ("Connection lost", "it closes the connection"),
    )
    return next((words for sign, words in known if sign in said), said) or "it does not answer"


def shown(url: str) -> str:
    """An address without its password, even one with a / or # in it that should have been written as %2F or %23."""
    scheme, found, rest = url.partition("://")
    if not found:
        return url.rpartition("@")[2]
    return f"{scheme}://{re.split('[?#]', rest.rpartition('@')[2])[0]}"


def _check_files(url: str) -> None:
    """See that the files are there which an address names. Raises BadInput."""
    for name, value in parse_qsl(urlsplit(url).query):
        if name.startswith("ssl_") and name.endswith(("certs", "file")):
            try:
                Path(value).read_bytes()
            except OSError as trouble:
                raise BadInput(f"cannot read {value}, which the address names: {trouble.strerror}.") from trouble
