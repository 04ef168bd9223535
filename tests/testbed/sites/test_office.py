"""The office: who is let in where."""

import asyncio

import pytest
from aiohttp import ClientSession, CookieJar

from statecrawl.testbed.sites.office import ADMIN, CLERK, PASSWORD, site
from statecrawl.testbed.sites.server import start
from tests.testbed.sites.asking import sent

ASKED = (
    *(("GET", path) for path in ("/api/me", "/api/orders", "/api/orders/17", "/api/orders/18", "/api/payroll")),
    ("GET", "/api/users"),
    ("POST", "/api/users/7/lock"),
)


@pytest.mark.parametrize(
    ("user", "statuses"),
    [
        (ADMIN, [200, 200, 200, 200, 200, 200, 200]),
        (CLERK, [200, 200, 200, 403, 403, 403, 403]),
        (None, [200, 401, 401, 401, 401, 401, 401]),
    ],
)
def test_what_each_role_is_answered(user: str | None, statuses: list[int]) -> None:
    async def ask() -> list[int]:
        running = await start(site())
        try:
            async with ClientSession(running.url, cookie_jar=CookieJar(unsafe=True)) as session:
                if user is not None:
                    async with session.post("/log-in", data={"user": user, "password": PASSWORD}) as entered:
                        assert entered.status == 200, "it is sent to the start page"
                found = []
                for method, path in ASKED:
                    async with session.request(method, path) as answer:
                        found.append(answer.status)
                return found
        finally:
            await running.close()

    assert asyncio.run(ask()) == statuses


def test_a_wrong_password_opens_nothing() -> None:
    answer = sent(site(), "/log-in", {"user": "<b>", "password": PASSWORD})
    assert answer.status == 403
    assert "&lt;b&gt;" in answer.text
