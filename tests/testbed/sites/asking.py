"""A site on a real server, and what it answers."""

import asyncio
import json
from dataclasses import dataclass
from typing import Any

from aiohttp import ClientSession

from statecrawl.testbed.sites.server import start
from statecrawl.testbed.sites.site import Site


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def json(self) -> Any:
        assert self.status == 200
        return json.loads(self.body)


def asked(site: Site, *paths: str, latency: float = 0.0) -> list[Answer]:
    """The answers at these addresses, one after the other."""

    async def ask() -> list[Answer]:
        running = await start(site, latency=latency)
        try:
            async with ClientSession(running.url) as session:
                return [await _got(session, "GET", path) for path in paths]
        finally:
            await running.close()

    return asyncio.run(ask())


def sent(site: Site, path: str, form: dict[str, str]) -> Answer:
    """The answer to a form."""

    async def send() -> Answer:
        running = await start(site)
        try:
            async with ClientSession(running.url) as session:
                return await _got(session, "POST", path, form)
        finally:
            await running.close()

    return asyncio.run(send())


async def _got(session: ClientSession, method: str, path: str, form: dict[str, str] | None = None) -> Answer:
    async with session.request(method, path, data=form) as response:
        return Answer(response.status, dict(response.headers), await response.read())
