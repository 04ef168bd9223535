"""A small office with three kinds of visitors: guests, a clerk and an administrator.

Everybody reads the news, which look the same for all. Who is logged in has orders, each their own; the administrator
has all of them, and the users. The menu of the clerk has one entry too many: the server refuses the payroll with 403.

Who is logged in is known by a cookie. Nothing that is asked for changes anything.
"""

import secrets
from dataclasses import dataclass, field
from html import escape
from typing import Any

from aiohttp import web

from statecrawl.testbed.sites.site import Site, SiteRoute

SESSION_COOKIE = "session"
PASSWORD = "by-the-book"  # noqa: S105 — of everybody who works here; it is in the docs
ADMIN, CLERK = "ada", "bob"
# How somebody logs in, as a log-in file; the password is in the environment
LOGIN = """session = "#menu button, #news"
[[step]]
fill = "#user"
value = "{user}"
[[step]]
fill = "#password"
env = "OFFICE_PASSWORD"
[[step]]
click = "#enter"
"""
NAMES = {ADMIN: "Ada Byron", CLERK: "Bob Cratchit"}
MENUS = {ADMIN: ("orders", "payroll", "users"), CLERK: ("orders", "payroll")}
ORDERS = {17: "Ledgers, ruled", 18: "A safe, second hand"}
OWN = {ADMIN: (17, 18), CLERK: (17,)}
USERS = {7: "Bob Cratchit"}
PAYROLL = ("Bob Cratchit: 15 shillings a week",)
WRONG = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Office: who are you?</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="/style.css"></head>
<body><header><h1>Office</h1></header><main><p>We know nobody called {user} with this password.</p></main>
<nav><a href="/">Try again</a></nav></body>
</html>
"""


def site() -> Site:
    office = Office()
    return Site(
        folder="office",
        routes=(
            SiteRoute("POST", "/log-in", office.log_in),
            SiteRoute("GET", "/api/me", office.me),
            SiteRoute("GET", "/api/orders", office.orders),
            SiteRoute("GET", r"/api/orders/{number:\d+}", office.order),
            SiteRoute("GET", "/api/payroll", office.payroll),
            SiteRoute("GET", "/api/users", office.users),
            SiteRoute("POST", r"/api/users/{number:\d+}/lock", office.lock),
        ),
    )


@dataclass(frozen=True, slots=True)
class Office:
    """Sessions that are logged in."""

    sessions: dict[str, str] = field(default_factory=dict)  # cookie -> user

    async def log_in(self, request: web.Request) -> web.StreamResponse:
        form = await request.post()
        user = str(form.get("user", ""))
        if user not in NAMES or form.get("password") != PASSWORD:
            return web.Response(text=WRONG.format(user=escape(user)), content_type="text/html", status=403)
        session = secrets.token_hex(12)
        self.sessions[session] = user
        response = web.Response(status=303, headers={"Location": "/"})
        response.set_cookie(SESSION_COOKIE, session, httponly=True, samesite="Lax")
        return response

    async def me(self, request: web.Request) -> web.StreamResponse:
        user = self._user(request)
        return web.json_response({"name": NAMES.get(user, ""), "menu": MENUS.get(user, ())})

    async def orders(self, request: web.Request) -> web.StreamResponse:
        numbers = OWN[self._allowed(request, ADMIN, CLERK)]
        return _shown("Orders", (), [(f"Order {number}", "GET", f"/api/orders/{number}") for number in numbers])

    async def order(self, request: web.Request) -> web.StreamResponse:
        number = int(request.match_info["number"])
        if number not in OWN[self._allowed(request, ADMIN, CLERK)]:
            raise web.HTTPForbidden
        return _shown(f"Order {number}", [ORDERS[number]])

    async def payroll(self, request: web.Request) -> web.StreamResponse:
        self._allowed(request, ADMIN)
        return _shown("Payroll", PAYROLL)

    async def users(self, request: web.Request) -> web.StreamResponse:
        self._allowed(request, ADMIN)
        return _shown("Users", (), [(f"Lock {name}", "POST", f"/api/users/{n}/lock") for n, name in USERS.items()])

    async def lock(self, request: web.Request) -> web.StreamResponse:
        self._allowed(request, ADMIN)
        return _shown("Locked", [f"{USERS[int(request.match_info['number'])]} would stay outside."])

    def _user(self, request: web.Request) -> str:
        return self.sessions.get(request.cookies.get(SESSION_COOKIE, ""), "")

    def _allowed(self, request: web.Request, *users: str) -> str:
        """Return the user of a request. Raises HTTPUnauthorized and HTTPForbidden."""
        user = self._user(request)
        if not user:
            raise web.HTTPUnauthorized
        if user not in users:
            raise web.HTTPForbidden
        return user


def _shown(title: str, lines: Any, buttons: Any = ()) -> web.StreamResponse:
    """Respond with the main content of the page."""
    return web.json_response({"title": title, "lines": list(lines), "buttons": list(buttons)})
