"""Client-certificate proxy: shows servers the user's certificate, for which a browser would ask a person.

Theory of operation
    Pages reach servers that speak TLS through a proxy on this machine. The proxy terminates the browser's TLS and opens
    a TLS connection of its own. There it verifies the server's certificate and, when the server belongs to the
    application and asks for one, presents the user's. The browser sees the user's certificate instead of the server's.
    It ignores certificate errors, since the proxy verifies. Requests without TLS do not use the proxy.

    Other users of this machine cannot use the proxy: it requires a password, which only the pages of the crawl know.
"""

import asyncio
import contextlib
import secrets
import ssl
import tempfile
from collections.abc import Callable
from pathlib import Path

from statecrawl.ports.access import Credentials, Proxy, basic_token

HEAD_SECONDS = 10.0  # for the CONNECT request of a page
REACH_SECONDS = 30.0  # to connect to a server
PIECE = 1 << 16
PROTOCOL = ["http/1.1"]
UNAUTHORIZED = b'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="statecrawl"'
END = b"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


def with_certificate(context: ssl.SSLContext, certificate: str) -> ssl.SSLContext:
    """Return the context after loading a certificate and its key, both in one PEM text. Raises ssl.SSLError."""
    with tempfile.TemporaryDirectory() as folder:  # only this user can read it; OpenSSL accepts files only
        path = Path(folder) / "certificate.pem"
        path.write_text(certificate, encoding="ascii", errors="replace")
        context.load_cert_chain(path, password="")  # instead of asking at the terminal
    return context


def client_context(*, insecure: bool) -> ssl.SSLContext:
    """Return the TLS context for connections to servers."""
    context = ssl.create_default_context()
    if insecure:
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


class ClientCertificateProxy:
    """The client-certificate proxy of the browsers of one process."""

    def __init__(self, certificate: str, is_own_url: Callable[[str], bool], *, insecure: bool) -> None:
        """`is_own_url` decides whether a URL belongs to the application. Raises ssl.SSLError."""
        self.error = ""  # why a server could not be reached
        self.credentials: Credentials = ("statecrawl", secrets.token_hex(16))
        self._is_own_url = is_own_url
        self._inner = with_certificate(ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), certificate)
        self._presenting, self._plain = (
            with_certificate(client_context(insecure=insecure), certificate),
            client_context(insecure=insecure),
        )
        for context in (self._inner, self._presenting, self._plain):
            context.set_alpn_protocols(PROTOCOL)
        self._server: asyncio.Server | None = None

    async def open(self) -> Proxy:
        """Return the proxy that pages use for TLS."""
        if self._server is None:
            self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        port = self._server.sockets[0].getsockname()[1]
        return Proxy(server=f"https=http://127.0.0.1:{port}", credentials=self.credentials)

    async def close(self) -> None:
        """Stop listening. Close the browsers first."""
        if self._server is not None:
            self._server.close()
            self._server = None

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Handle one connection of a page to one server."""
        with contextlib.suppress(OSError, ssl.SSLError, TimeoutError, ValueError, EOFError, asyncio.LimitOverrunError):
            async with asyncio.timeout(HEAD_SECONDS):
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            method, target, _ = head.partition("\r\n")[0].split(" ")
            if method != "CONNECT":
                writer.write(b"HTTP/1.1 405 Method Not Allowed" + END)
            elif not self._is_authorized(head):
                writer.write(
                    b'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="statecrawl"' + END
                )
            else:
                await self._tunnel(target, reader, writer)
        writer.close()

    def _is_authorized(self, head: str) -> bool:
        for line in head.split("\r\n")[1:]:
            name, _, value = line.partition(":")
            if name.strip().lower() == "proxy-authorization":
                known = f"Basic {basic_token(self.credentials)}"
                return secrets.compare_digest(value.strip().encode(), known.encode())
        return False

    async def _tunnel(self, target: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        host, _, port = target.rpartition(":")
        host = host.strip("[]")
        context = self._presenting if self._is_own_url(f"https://{target.removesuffix(':443')}/") else self._plain
        try:
            async with asyncio.timeout(REACH_SECONDS):
                server = await asyncio.open_connection(host, int(port), ssl=context, server_hostname=host)
        except (OSError, TimeoutError) as error:
            self.error = _reason(error)
            writer.write(b"HTTP/1.1 502 Bad Gateway" + END)
            return
        try:
            writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
            await writer.start_tls(self._inner)
            await asyncio.gather(_pump(reader, server[1]), _pump(server[0], writer))
        finally:
            server[1].close()


def _reason(error: OSError) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"certificate: {error.verify_message}"
    return error.strerror or str(error) or type(error).__name__


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Copy everything from the reader to the writer."""
    with contextlib.suppress(OSError, ssl.SSLError):
        while piece := await reader.read(PIECE):
            writer.write(piece)
            await writer.drain()
    writer.close()
