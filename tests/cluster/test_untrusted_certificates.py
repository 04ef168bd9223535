"""An untrusted certificate is reported at once, however patient a node is."""

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from statecrawl.cluster import messages
from statecrawl.cluster.http.link import HttpLink
from statecrawl.cluster.redis.connection import RedisConnection
from statecrawl.errors import CoordinatorLost, StoreError
from statecrawl.fleet.invitation import VERSION

SELF_SIGNED = Path(__file__).parent / "self-signed.pem"  # certificate and key of nobody
PATIENCE = 60.0


@asynccontextmanager
async def nobody() -> AsyncIterator[int]:
    """A server that shows a certificate of its own, and says nothing; its port."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(SELF_SIGNED)
    server = await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1", 0, ssl=context)
    async with server:
        yield server.sockets[0].getsockname()[1]


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
async def test_a_node_over_http_reports_an_untrusted_certificate(host: str) -> None:
    async with nobody() as port, asyncio.timeout(PATIENCE / 4):
        line = HttpLink(f"https://{host}:{port}", "some token", patience=PATIENCE)
        try:
            with pytest.raises(
                CoordinatorLost, match=r"its certificate is not trusted \(use --tls-ca FILE to trust it\)"
            ):
                await line.hello(messages.NodeIntroduction(VERSION, None))
        finally:
            await line.close()


async def test_an_untrusted_redis_certificate_is_reported() -> None:
    async with nobody() as port, asyncio.timeout(PATIENCE / 4):
        store = RedisConnection(f"rediss://127.0.0.1:{port}/0", patience=PATIENCE)
        try:
            with pytest.raises(StoreError, match=r"the certificate of rediss://.* is not trusted: name a CA file"):
                await store.call(lambda client: client.ping())
        finally:
            await store.close()
