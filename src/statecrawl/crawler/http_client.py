"""HTTP requests of the crawler itself, with the same proxy, headers and credentials as the browser.

Redirects are followed one by one, so that credentials for the application do not reach other servers.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urljoin

import aiohttp
from aiohttp_socks import ProxyConnector, ProxyError

from statecrawl.browser.client_certificate_proxy import client_context, with_certificate
from statecrawl.browser.request_gate import is_of_application
from statecrawl.browser.tab import PRODUCT
from statecrawl.config.plan import CrawlPlan, check_url
from statecrawl.errors import BadInput, SiteUnreachable
from statecrawl.ports.access import Access, basic_token

MOST_HOPS = 6  # redirects, and the request itself
REDIRECTS = frozenset({301, 302, 303, 307, 308})


@dataclass(frozen=True, slots=True)
class HttpResponse:
    """Response of a server; of a long body only the beginning."""

    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class HttpClient:
    """Sends the requests of a crawl."""

    access: Access = field(default_factory=Access)
    first: str = ""  # URL where the application starts
    allow: tuple[str, ...] = ()  # regular expressions for its URLs

    @staticmethod
    def of(plan: CrawlPlan) -> "HttpClient":
        return HttpClient(plan.access, plan.url, plan.scope.url_patterns(plan.url))

    async def get(self, url: str, seconds: float, most: int = 1 << 20, *, follows: bool = True) -> HttpResponse:
        """Request a URL, with redirects if it `follows` them.

        Raises SiteUnreachable, with nothing but the reason, if there is no response.
        """
        try:
            async with asyncio.timeout(seconds), aiohttp.ClientSession(connector=self._connector()) as session:
                for _ in range(MOST_HOPS):
                    answer = await self._hop(session, url, most)
                    if not follows or answer.status not in REDIRECTS or "Location" not in answer.headers:
                        return answer
                    url = urljoin(url, answer.headers["Location"])
                    check_url("a redirect to ", url)
        except TimeoutError as late:
            raise SiteUnreachable("it took too long") from late
        except (aiohttp.ClientError, ProxyError, BadInput, OSError, ValueError) as error:
            raise SiteUnreachable(str(error) or type(error).__name__) from error
        raise SiteUnreachable("there are too many redirects")

    def _connector(self) -> aiohttp.BaseConnector | None:
        proxy = self.access.proxy
        if proxy is None or not proxy.server.startswith("socks"):
            return None
        connector: aiohttp.BaseConnector = ProxyConnector.from_url(proxy.server)
        return connector

    async def _hop(self, session: aiohttp.ClientSession, url: str, most: int) -> HttpResponse:
        access = self.access
        more: dict[str, Any] = {}
        if access.certificate is not None and self._is_ours(url):
            more["ssl"] = with_certificate(client_context(insecure=access.insecure), access.certificate)
        elif access.insecure:
            more["ssl"] = False
        if access.proxy is not None and not access.proxy.server.startswith("socks"):
            more["proxy"] = access.proxy.server
            if access.proxy.credentials is not None:  # only the proxy reads this header
                more["proxy_headers"] = {"Authorization": f"Basic {basic_token(access.proxy.credentials)}"}
        async with session.get(url, headers=self._headers(url), allow_redirects=False, **more) as answer:
            body = bytearray()  # all of it is read: a server may work on while it responds
            async for piece in answer.content.iter_chunked(1 << 16):
                body += piece[: most - len(body)]
            return HttpResponse(answer.status, answer.headers, bytes(body))

    def _headers(self, url: str) -> dict[str, str]:
        access = self.access
        headers = {"User-Agent": access.user_agent or PRODUCT}
        if self._is_ours(url):
            if access.basic is not None:
                headers["Authorization"] = f"Basic {basic_token(access.basic)}"
            headers |= dict(access.headers)
        return headers

    def _is_ours(self, url: str) -> bool:
        return is_of_application(url, self.first, self.allow)
