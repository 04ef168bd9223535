"""A shop of a few pages on a real server: a log-in with a cookie, a redirect, and an API that speaks JSON."""

import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aiohttp import web

PASSWORD = "correct-horse-battery"  # noqa: S105 — of nobody
LOGIN = """<!doctype html><title>Log in</title><link rel=icon href="data:,"><form method=post action=/login>
<input name=user id=user><input type=password name=password id=password><button>Log in</button></form>"""
HOME = """<!doctype html><title>Shop</title><link rel=icon href="data:,"><meta name=csrf-token content="{csrf}">
<h1 id=account>Shop of ann</h1><p id=at>home</p>
<button id=chairs onclick="show('chairs')">Chairs</button><button id=tables onclick="show('tables')">Tables</button>
<button id=put onclick="put()">Put</button>
<script src=/app.js></script>"""
APP = """
const at = document.getElementById('at');
const csrf = document.querySelector('meta').content;
async function show(kind) {
  const told = await (await fetch('/api/goods/' + {chairs: 11, tables: 12}[kind] + '?currency=EUR')).json();
  at.textContent = told.name + ' ' + told.price;
}
async function put() {
  const headers = {'Content-Type': 'application/json', 'X-CSRF-Token': csrf};
  const answer = await fetch('/api/cart', {method: 'POST', headers,
    body: JSON.stringify({item: 11, token: csrf})});
  at.textContent = 'cart ' + (await answer.json()).items.length;
}
"""
GOODS = {"11": {"name": "chair", "price": 5}, "12": {"name": "table", "price": 7.5, "colour": "red"}}


class Shop:
    """Who is logged in is known by a cookie."""

    def __init__(self) -> None:
        self.sessions: set[str] = set()
        self.csrf = secrets.token_hex(16)

    async def home(self, request: web.Request) -> web.StreamResponse:
        if request.cookies.get("sid") not in self.sessions:
            raise web.HTTPFound("/login")
        return web.Response(text=HOME.format(csrf=self.csrf), content_type="text/html")

    async def login_page(self, _: web.Request) -> web.StreamResponse:
        return web.Response(text=LOGIN, content_type="text/html")

    async def login(self, request: web.Request) -> web.StreamResponse:
        if (await request.post()).get("password") != PASSWORD:
            raise web.HTTPForbidden
        found = web.HTTPFound("/")
        session = secrets.token_hex(16)
        self.sessions.add(session)
        found.set_cookie("sid", session, httponly=True)
        raise found

    async def script(self, _: web.Request) -> web.StreamResponse:
        return web.Response(text=APP, content_type="text/javascript")

    async def goods(self, request: web.Request) -> web.StreamResponse:
        return web.json_response(GOODS[request.match_info["number"]])

    async def cart(self, request: web.Request) -> web.StreamResponse:
        told = await request.json()
        return web.json_response({"items": [told["item"]], "token": self.csrf}, status=201)


@asynccontextmanager
async def opened(shop: Shop) -> AsyncIterator[str]:
    """Its address, as long as it is open."""
    application = web.Application()
    application.add_routes(
        [
            web.get("/", shop.home),
            web.get("/login", shop.login_page),
            web.post("/login", shop.login),
            web.get("/app.js", shop.script),
            web.get("/api/goods/{number}", shop.goods),
            web.post("/api/cart", shop.cart),
        ]
    )
    runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}/"
    finally:
        await runner.cleanup()
