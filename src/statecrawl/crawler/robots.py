"""The robots.txt files of an application's servers (RFC 9309), which apply to the URLs that the crawl opens itself.

The file is requested once for each origin. If there is none (4xx, or no response), everything is allowed. If the server
fails (5xx, 429), nothing is, unless the server is on this machine or in a private network: the error of a server under
development tells nothing about its rules.
"""

import ipaddress
import re
from urllib.parse import urlsplit

from protego import Protego

from statecrawl.config.plan import origin
from statecrawl.crawler.http_client import HttpClient, HttpResponse
from statecrawl.errors import SiteUnreachable

NAME = "statecrawl"
SECONDS = 10.0  # for a response
MOST_BYTES = 500 << 10  # that are read, as RFC 9309 asks
MOST_DELAY = 60.0  # seconds between two requests; a file could ask for years
FAILED = 500
SERVER_TROUBLE = frozenset({429})
NOTHING, EVERYTHING = "User-agent: *\nDisallow: /\n", ""


class Robots:
    """The rules of all servers requested so far."""

    def __init__(self, client: HttpClient) -> None:
        self._client = client
        self._name = product_of(client.access.user_agent)
        self._known: dict[str, Protego] = {}
        self._answers: dict[str, HttpResponse | None] = {}

    async def allows(self, url: str) -> bool:
        """Whether a URL may be opened."""
        return bool((await self._rules(url)).can_fetch(url, self._name))

    async def delay(self, url: str) -> float:
        """Return the seconds that the server wants between two requests."""
        return min(max(float((await self._rules(url)).crawl_delay(self._name) or 0.0), 0.0), MOST_DELAY)

    async def _rules(self, url: str) -> Protego:
        place = origin(url)
        if place not in self._known:
            self._known[place] = Protego.parse(await self._text(url))
        return self._known[place]

    async def answer(self, url: str) -> HttpResponse | None:
        """Return the response of this URL's server to the request for the file; None if there is none."""
        place = origin(url)
        if place not in self._answers:
            try:
                self._answers[place] = await self._client.get(f"{place}/robots.txt", SECONDS, MOST_BYTES)
            except SiteUnreachable:
                self._answers[place] = None  # loading the page reports what is wrong
        return self._answers[place]

    async def _text(self, url: str) -> str:
        answer = await self.answer(url)
        return EVERYTHING if answer is None else rules_of(answer.status, answer.body, own=is_own(url))


def rules_of(status: int, body: bytes, *, own: bool) -> str:
    """Return the rules that a response stands for."""
    if status < 400:
        return body.decode(errors="replace")
    fails = status >= FAILED or status in SERVER_TROUBLE
    return NOTHING if fails and not own else EVERYTHING


def is_own(url: str) -> bool:
    """Whether the host of a URL is this machine or in a private network, without resolving names."""
    host = urlsplit(url).hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_private
    except ValueError:
        return False


def product_of(user_agent: str | None) -> str:
    """Return the name by which rules are looked up: ours, or the first word of the user's User-Agent."""
    found = re.match(r"[A-Za-z_-]+", user_agent or "")
    return found[0] if found else NAME
