"""Access to an application: proxy, headers, credentials, client certificate, device and user agent."""

import base64
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from statecrawl.ports.devices import DESKTOP, Device

NO_BYPASS = "<-loopback>"  # browsers bypass the proxy for this machine by default; a proxy given explicitly applies
Credentials = tuple[str, str]  # user name, password


@dataclass(frozen=True, slots=True, kw_only=True)
class Proxy:
    """Proxy through which the browser sends its requests."""

    server: str  # http://host:3128, for example; https and socks5 work, too
    credentials: Credentials | None = None

    def context(self) -> dict[str, str]:
        """Parameters of `Target.createBrowserContext` that make a page use this proxy."""
        return {"proxyServer": self.server, "proxyBypassList": NO_BYPASS}


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """How the browser reaches the application. The default is direct access as a desktop browser."""

    proxy: Proxy | None = None
    headers: tuple[tuple[str, str], ...] = ()  # sent to the application only
    secret_headers: frozenset[str] = field(default_factory=frozenset)  # names of headers whose values are secret
    basic: Credentials | None = None  # HTTP basic authentication of the application
    insecure: bool = False  # accept invalid server certificates
    certificate: str | None = (
        None  # client certificate and key for the application, in PEM; see `browser.client_certificate_proxy`
    )
    device: Device = DESKTOP
    user_agent: str | None = None  # replaces the user agent of the device and of statecrawl's own requests

    def secrets(self) -> Iterator[str]:
        """The values that must never be written to a file."""
        yield from (value for name, value in self.headers if name in self.secret_headers)
        for credentials in (self.basic, None if self.proxy is None else self.proxy.credentials):
            if credentials is not None:
                yield credentials[1]
                yield basic_token(credentials)

    def recorded_settings(self) -> dict[str, Any]:
        """The settings that influence the result of a crawl, by flag name and without secrets."""
        device = self.device
        return {
            "header": sorted(name for name, _ in self.headers),
            "basic-auth": self.basic is not None,
            "device": f"{device.width}x{device.height}{' touched' if device.touch else ''}",
            "user-agent": self.user_agent or device.user_agent,
        } | ({} if self.certificate is None else {"client-cert": True})


def basic_token(credentials: Credentials) -> str:
    """User name and password in Base64, as HTTP basic authentication sends them."""
    return base64.b64encode(":".join(credentials).encode()).decode()
