"""Access: by which way a browser gets to an application, what it shows at the door, and what it says it is."""

import base64
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from statecrawl.ports.devices import DESKTOP, Device

NO_BYPASS = "<-loopback>"  # this machine, too, is reached by the proxy: who names one means it
Credentials = tuple[str, str]  # who, and the password


@dataclass(frozen=True, slots=True, kw_only=True)
class Proxy:
    """Where requests are sent instead of to their servers."""

    server: str  # as in http://host:3128; https and socks5 as well
    credentials: Credentials | None = None

    def context(self) -> dict[str, str]:
        """What a browser is told when it opens a context of its own for a page."""
        return {"proxyServer": self.server, "proxyBypassList": NO_BYPASS}


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """What is asked for; nothing of it is the usual case, and costs nothing."""

    proxy: Proxy | None = None
    headers: tuple[tuple[str, str], ...] = ()  # sent to the application, and to nobody else
    secret_headers: frozenset[str] = field(default_factory=frozenset)  # names of those whose values nobody may read
    basic: Credentials | None = None  # for the application
    insecure: bool = False  # certificates are not looked at
    certificate: str | None = (
        None  # ours and its key, in PEM, for the application; see `browser.client_certificate_proxy`
    )
    device: Device = DESKTOP
    user_agent: str | None = None  # instead of the browser's own, and of ours

    def secrets(self) -> Iterator[str]:
        """What must not be written down."""
        yield from (value for name, value in self.headers if name in self.secret_headers)
        for credentials in (self.basic, None if self.proxy is None else self.proxy.credentials):
            if credentials is not None:
                yield credentials[1]
                yield encoded(credentials)

    def recorded_settings(self) -> dict[str, Any]:
        """What decides what is found, by the names of the flags and without secrets."""
        device = self.device
        return {
            "header": sorted(name for name, _ in self.headers),
            "basic-auth": self.basic is not None,
            "device": f"{device.width}x{device.height}{' touched' if device.touch else ''}",
            "user-agent": self.user_agent or device.user_agent,
        } | ({} if self.certificate is None else {"client-cert": True})


def encoded(credentials: Credentials) -> str:
    """Name and password as they are sent."""
    return base64.b64encode(":".join(credentials).encode()).decode()
