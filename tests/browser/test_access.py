"""Access to an application: through a proxy, with headers and passwords, as another device."""

import asyncio
import base64
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from aiohttp import web

from statecrawl.browser.browsers import Browsers
from statecrawl.browser.chromium import find_browser
from statecrawl.browser.client_certificate_proxy import ClientCertificateProxy, client_context
from statecrawl.browser.page import BrowserPage
from statecrawl.crawler.http_client import HttpClient
from statecrawl.errors import SiteUnreachable
from statecrawl.ports.access import Access, Proxy, basic_token
from statecrawl.ports.devices import device_named
from tests.browser.stage import ENOUGH, Stage

pytestmark = pytest.mark.product

CERTIFICATE = Path(__file__).parents[1] / "cluster" / "self-signed.pem"
HEADER = Access(headers=(("X-Key", "hush"),), secret_headers=frozenset({"X-Key"}))
ANN = ("ann", "open sesame")


def keys(stage: Stage) -> dict[str, str | None]:
    """What was asked for, and the key that came with it."""
    return {
        f"{asked.headers['Host'].partition(':')[0]}{asked.path}": asked.headers.get("X-Key")
        for asked in stage.stand.asked
    }


async def test_headers_go_to_the_application_only(stage: Stage) -> None:
    async def away(_: web.Request) -> web.Response:
        raise web.HTTPFound(f"{stage.stand.other}away")

    stage.serve("/leaves", away)
    stage.serve("/worker.js", "fetch('/by-worker').then(() => postMessage('done'))")
    worker = "new Promise((done) => { new Worker('/worker.js').onmessage = done; })"
    other = stage.stand.other
    html = f"<script>fetch('/own'); fetch('{other}other'); fetch('/leaves').catch(() => 0); {worker}</script>"
    await stage.show_alone(html, access=HEADER)
    async with asyncio.timeout(5):
        while not {"/by-worker", "/away"} <= set(stage.stand.paths):
            await asyncio.sleep(0.01)
    heard = keys(stage)
    assert {name for name, key in heard.items() if key == "hush"} == {
        *("127.0.0.1/", "127.0.0.1/own", "127.0.0.1/leaves", "127.0.0.1/worker.js", "127.0.0.1/by-worker"),
    }
    assert {name for name, key in heard.items() if key is None} == {"localhost/other", "localhost/away"}
    assert all(asked.method == "GET" for asked in stage.stand.asked)  # no server is asked whether it takes the header


async def test_servers_see_a_crawler_and_scripts_do_not(stage: Stage) -> None:
    stage.serve("/worker.js", "fetch('/by-worker').then(() => postMessage('done'))")
    worker = "new Worker('/worker.js').onmessage = () => log('done');"
    view = await stage.show_alone(
        f"<script>fetch('/own'); log(navigator.userAgent.includes('statecrawl')); {worker}</script>"
    )
    assert (await view.log())[0] == "false"
    async with asyncio.timeout(5):
        while not {"/own", "/by-worker"} <= set(stage.stand.paths):
            await asyncio.sleep(0.01)
    told = {asked.path: asked.headers["User-Agent"] for asked in stage.stand.asked}
    assert all("Chrome/" in said and " statecrawl/" in said for said in told.values()), told


@pytest.mark.parametrize(("password", "status"), [("open sesame", 200), ("open barley", 401)])
async def test_basic_authentication(stage: Stage, password: str, status: int) -> None:
    right = "Basic " + base64.b64encode(":".join(ANN).encode()).decode()

    async def guarded(request: web.Request) -> web.Response:
        if request.headers.get("Authorization") != right:
            return web.Response(status=401, text="no", headers={"WWW-Authenticate": 'Basic realm="x"'})
        return web.Response(text="<p>in", content_type="text/html")

    stage.serve("/", guarded)
    access = Access(basic=("ann", password))
    landing = await stage.page(access=access).reset()
    assert landing.status == status
    assert (await HttpClient(access, stage.stand.url).get(stage.stand.url, 5)).status == status
    assert (await HttpClient(access, "http://elsewhere.test/").get(stage.stand.url, 5)).status == 401


@asynccontextmanager
async def a_proxy(wanted: str | None) -> AsyncIterator[tuple[int, list[str]]]:
    """A proxy for plain HTTP that may require credentials; returns its port and the requests it got."""
    asked: list[str] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
        except asyncio.IncompleteReadError:
            writer.close()
            return
        asked.append(head.split(" ")[1])
        if wanted is not None and f"proxy-authorization: {wanted}".lower() not in head.lower():
            answer = "407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm=x"
        else:
            answer = "200 OK\r\nContent-Type: text/html"
        body = "<p>by proxy"
        writer.write(f"HTTP/1.1 {answer}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n{body}".encode())
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1], asked
    finally:
        server.close()


@pytest.mark.parametrize("credentials", [None, ANN])
async def test_a_proxy(stage: Stage, credentials: tuple[str, str] | None) -> None:
    wanted = None if credentials is None else "Basic " + base64.b64encode(":".join(credentials).encode()).decode()
    async with a_proxy(wanted) as (port, asked):
        access = Access(proxy=Proxy(server=f"http://127.0.0.1:{port}", credentials=credentials))
        url = "http://nowhere.test/"
        page = stage.page(url=url, access=access)
        assert (await page.reset()).status == 200
        assert "by proxy" in (await page.describe()).html
        assert (await HttpClient(access, url).get(url, 5)).body == b"<p>by proxy"
        local = stage.page(access=access)
        await local.reset()
        assert stage.stand.url in asked  # this machine is no exception
        assert not stage.stand.asked


async def test_a_proxy_of_the_other_kind(stage: Stage) -> None:
    """SOCKS 5, without authentication, to names that it resolves: to the stage, whatever the name."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        greeting = await reader.readexactly(2)
        await reader.readexactly(greeting[1])
        writer.write(b"\x05\x00")
        head = await reader.readexactly(4)
        length = 4 if head[3] == 1 else (await reader.readexactly(1))[0]
        await reader.readexactly(length + 2)
        writer.write(b"\x05\x00\x00\x01\x7f\x00\x00\x01\x00\x00")
        inner, outer = await asyncio.open_connection("127.0.0.1", stage.stand.port)
        await asyncio.gather(_pipe(reader, outer), _pipe(inner, writer))

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    access = Access(proxy=Proxy(server=f"socks5://127.0.0.1:{server.sockets[0].getsockname()[1]}"))
    stage.serve("/", "<p>by socks")
    page = stage.page(url="http://nowhere.test/", access=access)
    assert (await page.reset()).status == 200
    assert (await HttpClient(access).get("http://nowhere.test/", 5)).status == 200
    await page.close()
    server.close()


async def _pipe(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(1 << 16):
        writer.write(data)
    writer.close()


async def test_untrusted_certificates(stage: Stage) -> None:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(CERTIFICATE)

    async def answer(_: web.Request) -> web.Response:
        return web.Response(text="<p>sealed", content_type="text/html")

    application = web.Application()
    application.router.add_get("/", answer)
    runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0, ssl_context=context).start()
        url = f"https://127.0.0.1:{runner.addresses[0][1]}/"
        with pytest.raises(SiteUnreachable, match="use --insecure"):
            await stage.page(url=url).reset()
        assert (await stage.page(url=url, access=Access(insecure=True)).reset()).status == 200
        with pytest.raises(SiteUnreachable):
            await HttpClient().get(url, 5)
        assert (await HttpClient(Access(insecure=True)).get(url, 5)).status == 200
    finally:
        await runner.cleanup()


@asynccontextmanager
async def fresh(stage: Stage, url: str, access: Access) -> AsyncIterator[BrowserPage]:
    """A page in a browser of its own."""
    browsers = Browsers(find_browser(), ENOUGH)
    try:
        yield BrowserPage(browsers, stage.settings(url=url, access=access))
    finally:
        await browsers.close()


async def led(url: str, is_ours: Callable[[str], bool]) -> bytes:
    """Return what a server answers through the client-certificate proxy."""
    proxy_server = ClientCertificateProxy(CERTIFICATE.read_text(), is_ours, insecure=True)
    proxy = await proxy_server.open()
    host, port = proxy.server.removeprefix("https=http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    try:
        target = url.removeprefix("https://").rstrip("/")
        key = basic_token(proxy_server.credentials)
        writer.write(f"CONNECT {target} HTTP/1.1\r\nProxy-Authorization: Basic {key}\r\n\r\n".encode())
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200")
        await writer.start_tls(client_context(insecure=True))
        writer.write(f"GET / HTTP/1.1\r\nHost: {target}\r\nConnection: close\r\n\r\n".encode())
        return await reader.read()
    finally:
        writer.close()
        await proxy_server.close()


async def test_our_certificate_is_shown_to_the_application_alone(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    asking = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH, cafile=CERTIFICATE)
    asking.load_cert_chain(CERTIFICATE)
    asking.verify_mode = ssl.CERT_OPTIONAL

    async def answer(request: web.Request) -> web.Response:
        shown = request.get_extra_info("peercert")
        return web.Response(text=f"<p>{'known' if shown else 'a stranger'}", content_type="text/html")

    application = web.Application()
    application.router.add_get("/", answer)
    runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    access = Access(certificate=CERTIFICATE.read_text())
    try:
        for host in ("127.0.0.1", "localhost"):
            await web.TCPSite(runner, host, 0, ssl_context=asking).start()
        ours, others = (f"https://127.0.0.1:{address[1]}/" for address in runner.addresses[:2])
        async with fresh(stage, ours, access) as page:
            with pytest.raises(SiteUnreachable, match=r"certificate: self-signed certificate.*use --insecure"):
                await page.reset()
        monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
        async with fresh(stage, ours, access) as page:
            assert (await page.reset()).status == 200
            assert "<p>known" in (await page.describe(lines=False)).html
        assert b"<p>known" in (await HttpClient(access, ours).get(ours, 5)).body
        anyhow = replace(access, insecure=True)
        assert b"<p>a stranger" in (await HttpClient(anyhow, ours).get(others, 5)).body
        assert b"<p>known" in await led(ours, lambda _: True)
        assert b"<p>a stranger" in await led(others, lambda url: url == ours)
    finally:
        await runner.cleanup()


async def test_the_proxy_rejects_other_users() -> None:
    proxy_server = ClientCertificateProxy(CERTIFICATE.read_text(), lambda _: True, insecure=True)
    proxy = await proxy_server.open()
    host, port = proxy.server.removeprefix("https=http://").split(":")
    try:
        for said in (b"", b"Proxy-Authorization: Basic bm9ib2R5\r\n", b"Proxy-Authorization: Basic \xff\r\n"):
            reader, writer = await asyncio.open_connection(host, int(port))
            writer.write(b"CONNECT 127.0.0.1:443 HTTP/1.1\r\n" + said + b"\r\n")
            assert (await reader.readline()).startswith(b"HTTP/1.1 407")
            writer.close()
    finally:
        await proxy_server.close()


async def test_another_device(stage: Stage) -> None:
    html = """<meta name=viewport content="width=device-width"><script>
        log(innerWidth, 'x', innerHeight); log(devicePixelRatio); log(navigator.maxTouchPoints);
        log(matchMedia('(pointer: coarse)').matches); log(navigator.userAgent.includes('Android'));</script>"""
    view = await stage.show_alone(html, access=Access(device=device_named("pixel")))
    assert await view.log() == ["412x915", "2.625", "5", "true", "true"]
    assert "Android" in stage.stand.asked[0].headers["User-Agent"]
    usual = await stage.show(html)
    assert await usual.log() == ["1280x800", "1", "0", "false", "false"]
