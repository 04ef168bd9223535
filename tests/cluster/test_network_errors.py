"""Network errors in plain words: real connections that fail."""

import asyncio
import ssl
from collections.abc import Callable

import aiohttp
import pytest

from statecrawl.cluster.network_errors import describe_error, describe_os_error


async def met(url: str, **more: object) -> str:
    timeout = aiohttp.ClientTimeout(total=0.5)
    async with aiohttp.ClientSession(timeout=timeout) as client:
        try:
            async with client.get(url, **more) as answer:  # type: ignore[arg-type]
                answer.raise_for_status()
        except (aiohttp.ClientError, TimeoutError) as trouble:
            return describe_error(trouble)
    return ""


async def served(act: Callable[[asyncio.StreamWriter], None], scheme: str = "http") -> str:
    writers: list[asyncio.StreamWriter] = []

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.append(writer)
        await reader.read(1)
        act(writer)

    server = await asyncio.start_server(connected, "127.0.0.1", 0)
    async with server:
        said = await met(f"{scheme}://127.0.0.1:{server.sockets[0].getsockname()[1]}/")
        for writer in writers:
            writer.close()
            await asyncio.gather(writer.wait_closed(), return_exceptions=True)
    return said


def missing(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")


async def test_each_error_is_described_in_plain_words() -> None:
    assert await met("http://127.0.0.1:9/") == "connection refused"
    assert await met("http://nobody.invalid/") in ("its host name cannot be resolved", "it does not respond")
    assert await served(missing) == "it responded with status 404"
    assert await served(lambda _: None) == "it does not respond"
    assert await served(lambda writer: writer.close()) == "its response is not that of a coordinator"


async def test_a_server_without_https_differs_from_an_untrusted_one() -> None:
    assert await served(missing, "https") == "it does not speak HTTPS (use http:// for plain HTTP)"
    untrusted = aiohttp.ClientConnectorCertificateError(
        aiohttp.client_reqrep.ConnectionKey("host", 1, True, True, None, None, None),
        ssl.CertificateError("self-signed"),
    )
    assert describe_error(untrusted) == "its certificate is not trusted (use --tls-ca FILE to trust it)"


@pytest.mark.parametrize(
    ("trouble", "words"),
    [
        (OSError(98, "error while attempting to bind on address ('127.0.0.1', 1)"), "address already in use"),
        (OSError("something else"), "something else"),
    ],
)
def test_the_system_message_is_not_repeated(trouble: OSError, words: str) -> None:
    assert describe_os_error(trouble) == words
