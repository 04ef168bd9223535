"""A small application full of secrets, on a real server: in URLs, headers, cookies, bodies, text and messages."""

import base64
from collections.abc import Iterator
from contextlib import contextmanager

from aiohttp import web

from statecrawl.testbed.sites.site import Handler
from tests.cli.serving import serving

BASIC, TYPED, USER, API_KEY = "basic-7f3a91c2", "typed-e81b04dd", "user-ann-4410", "apikey-5c0de9a7"
COOKIE, BEARER, QUERY, FRAGMENT = "cookie-92ab77e1", "bearer-0b1c2d3e4f5a", "query-3d9e60bb", "fragment-c7714ea0"
CSRF, BODY, LOGGED, THROWN, OTP = "csrf-19d2fe84", "body-aa03bc59", "logged-6e6f10c3", "thrown-d4c3b2a1", "otp-88213094"
JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbm4tOTk3In0.c2lnbmF0dXJlLTQ0"
ALL = (BASIC, TYPED, USER, API_KEY, COOKIE, BEARER, QUERY, FRAGMENT, CSRF, BODY, LOGGED, THROWN, OTP, JWT)
LOGIN = """[[step]]
fill = "#user"
env = "SECRETIVE_USER"
[[step]]
fill = "#password"
env = "SECRETIVE_PASSWORD"
[[step]]
click = "#enter"
"""
VALUES = f'otp = ["{OTP}"]\n'
HEAD = '<!doctype html><title>{title}</title><link rel=icon href="data:,">'
ENTRANCE = f"""{HEAD.format(title="Entrance")}<form method=post action=/enter><input id=user name=user>
<input type=password id=password name=password><button id=enter>Enter</button></form>"""
HOME = f"""{HEAD.format(title=f"Home ?token={QUERY}")}<meta name=csrf-token content="{CSRF}"><h1>Hello {USER}</h1>
<p id=at>home</p><a href="/orders?page=2&token={QUERY}">Orders</a>
<a href="/inbox?box=1#access_token={FRAGMENT}">Inbox</a>
<button onclick="look()">Profile of {USER}</button><button onclick="at.textContent = 'copied'">Copy {JWT}</button>
<button onclick="at.textContent = 'x'; throw new Error(&quot;password='{THROWN}'&quot;)">Break</button>
<input type=hidden name=session_id value="{COOKIE}"><input name=otp onchange="at.textContent = 'code ' + this.value">
<script>
async function look() {{
  const headers = {{Authorization: 'Bearer {BEARER}', 'Content-Type': 'application/json', 'X-CSRF-Token': '{CSRF}'}};
  const body = JSON.stringify({{user: '{USER}', password: '{BODY}'}});
  const answer = await fetch('/api/profile?api_key={API_KEY}', {{method: 'POST', headers, body}});
  console.error('token: "{LOGGED}"');
  at.textContent = 'profile ' + (await answer.json()).name;
}}
</script>"""
ORDERS = f"""{HEAD.format(title="Orders")}<p id=at>orders</p>
<button onclick="at.textContent = 'order 1'">Order 1</button>"""
INBOX = f"""{HEAD.format(title="Inbox")}<p>You have mail.</p>"""


def routes() -> list[web.RouteDef]:
    async def home(request: web.Request) -> web.StreamResponse:
        if request.cookies.get("sid") != COOKIE:
            return _page(ENTRANCE)
        return _page(HOME)

    async def enter(request: web.Request) -> web.StreamResponse:
        form = await request.post()
        if (form.get("user"), form.get("password")) != (USER, TYPED):
            raise web.HTTPForbidden
        found = web.HTTPFound("/")
        found.set_cookie("sid", COOKIE, httponly=True)
        raise found

    async def orders(request: web.Request) -> web.StreamResponse:
        if request.query.get("token") != QUERY:
            raise web.HTTPForbidden
        return _page(ORDERS)

    async def inbox(_: web.Request) -> web.StreamResponse:
        return _page(INBOX)

    async def profile(request: web.Request) -> web.StreamResponse:
        told = await request.json()
        return web.json_response({"name": "Ann", "jwt": JWT, "note": f"as {JWT}", "user": told["user"]})

    return [
        web.get("/", home),
        web.post("/enter", enter),
        web.get("/orders", orders),
        web.get("/inbox", inbox),
        web.post("/api/profile", profile),
    ]


def _page(text: str) -> web.StreamResponse:
    return web.Response(text=text, content_type="text/html")


@web.middleware
async def guarded(request: web.Request, handler: Handler) -> web.StreamResponse:
    wanted = base64.b64encode(f"ann:{BASIC}".encode()).decode()
    if request.path != "/robots.txt" and request.headers.get("Authorization") not in (
        f"Basic {wanted}",
        f"Bearer {BEARER}",
    ):
        return web.Response(status=401, headers={"WWW-Authenticate": 'Basic realm="secretive"'})
    return await handler(request)


@contextmanager
def served() -> Iterator[str]:
    """Its URL, with the password in it."""
    application = web.Application(middlewares=[guarded])
    application.add_routes(routes())
    with serving(application) as port:
        yield f"http://ann:{BASIC}@127.0.0.1:{port}/"
