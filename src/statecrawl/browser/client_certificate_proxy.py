"""The door: shows servers the certificate of whoever crawls, for which a browser would ask a person.

Theory of operation
    Pages reach servers that speak TLS through a proxy on this machine, the door. It ends the browser's TLS and begins
    one of its own, in which it looks at the server's certificate and, where that is of the application and asks for
    one, shows ours. The browser gets to see ours as well, instead of the server's: it is told not to look, since the
    door does. Requests without TLS do not pass here.

    Somebody else on this machine is not let in: the door asks for a password, which only our pages are told.
"""

import asyncio
import contextlib
import secrets
import ssl
import tempfile
from collections.abc import Callable
from pathlib import Path

from statecrawl.ports.access import Credentials, Proxy, basic_token

HEAD_SECONDS = 10.0  # for what a page asks of the door
REACH_SECONDS = 30.0  # for a server
PIECE = 1 << 16
PROTOCOL = ["http/1.1"]
END = b"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


def presenting(context: ssl.SSLContext, certificate: str) -> ssl.SSLContext:
    """The context, which now shows a certificate that is given with its key, in PEM. Raises ssl.SSLError."""
    with tempfile.TemporaryDirectory() as folder:  # which nobody else may look into; OpenSSL takes files only
        path = Path(folder) / "certificate.pem"
        path.write_text(certificate, encoding="ascii", errors="replace")
        context.load_cert_chain(path, password="")  # nobody is there to be asked for one
    return context


def outwards(*, insecure: bool) -> ssl.SSLContext:
    """How servers are met."""
    context = ssl.create_default_context()
    if insecure:
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


class ClientCertificateProxy:
    """That of the browsers of one process."""

    def __init__(self, certificate: str, is_ours: Callable[[str], bool], *, insecure: bool) -> None:
        """`is_ours` says whether an address is of the application. Raises ssl.SSLError."""
        self.trouble = ""  # why a server was not reached
        self.credentials: Credentials = ("statecrawl", secrets.token_hex(16))
        self._is_ours = is_ours
        self._inner = presenting(ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), certificate)
        self._known, self._plain = presenting(outwards(insecure=insecure), certificate), outwards(insecure=insecure)
        for context in (self._inner, self._known, self._plain):
            context.set_alpn_protocols(PROTOCOL)
        self._server: asyncio.Server | None = None

    async def open(self) -> Proxy:
        """The proxy that pages are to use for TLS."""
        if self._server is None:
            self._server = await asyncio.start_server(self._enter, "127.0.0.1", 0)
        port = self._server.sockets[0].getsockname()[1]
        return Proxy(server=f"https=http://127.0.0.1:{port}", credentials=self.credentials)

    async def close(self) -> None:
        """Let nobody in any more. Browsers are to be closed first."""
        if self._server is not None:
            self._server.close()
            self._server = None

    async def _enter(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One page comes, and wants to be led to one server."""
        with contextlib.suppress(OSError, ssl.SSLError, TimeoutError, ValueError, EOFError, asyncio.LimitOverrunError):
            async with asyncio.timeout(HEAD_SECONDS):
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            method, target, _ = head.partition("\r\n")[0].split(" ")
            if method != "CONNECT":
                writer.write(b"HTTP/1.1 405 Method Not Allowed" + END)
            elif not self._lets_in(head):
                writer.write(b'HTTP/1.1 407 Who are you?\r\nProxy-Authenticate: Basic realm="statecrawl"' + END)
            else:
                await self._lead(target, reader, writer)
        writer.close()

    def _lets_in(self, head: str) -> bool:
        for line in head.split("\r\n")[1:]:
            name, _, value = line.partition(":")
            if name.strip().lower() == "proxy-authorization":
                known = f"Basic {basic_token(self.credentials)}"
                return secrets.compare_digest(value.strip().encode(), known.encode())
        return False

    async def _lead(self, target: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        host, _, port = target.rpartition(":")
        host = host.strip("[]")
        context = self._known if self._is_ours(f"https://{target.removesuffix(':443')}/") else self._plain
        try:
            async with asyncio.timeout(REACH_SECONDS):
                there = await asyncio.open_connection(host, int(port), ssl=context, server_hostname=host)
        except (OSError, TimeoutError) as trouble:
            self.trouble = _why(trouble)
            writer.write(b"HTTP/1.1 502 Bad Gateway" + END)
            return
        try:
            writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
            await writer.start_tls(self._inner)
            await asyncio.gather(_pump(reader, there[1]), _pump(there[0], writer))
        finally:
            there[1].close()


def _why(trouble: OSError) -> str:
    if isinstance(trouble, ssl.SSLCertVerificationError):
        return f"certificate: {trouble.verify_message}"
    return trouble.strerror or str(trouble) or type(trouble).__name__


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Hand on what comes, to the end of it."""
    with contextlib.suppress(OSError, ssl.SSLError):
        while piece := await reader.read(PIECE):
            writer.write(piece)
            await writer.drain()
    writer.close()
