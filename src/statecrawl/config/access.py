"""From settings to how a browser gets to the application: proxy, headers, credentials, certificates, device.

A value may be written as `env:NAME`: it is in the environment then, which is the place for secrets. What is written in
full works as well, and is left out of what is kept of a crawl (`config.saved_settings`).
"""

import os
import re
import ssl
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit, urlunsplit

from statecrawl.browser.client_certificate_proxy import client_context, with_certificate
from statecrawl.errors import BadInput
from statecrawl.ports.access import Access, Credentials, Proxy
from statecrawl.ports.devices import DESKTOP, device_named
from statecrawl.privacy.secret_names import is_secret_name

ENVIRONMENT = "env:"
PROXIES = ("http", "https", "socks5")
TOKEN = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")  # what the name of a header is made of
NOT_OURS = frozenset({"host", "content-length", "connection", "transfer-encoding", "upgrade"})
SECRET = frozenset({"authorization", "proxy-authorization", "cookie"})
TEXTS = frozenset({"proxy", "basic-auth", "device", "user-agent", "client-cert", "client-key"})


def without_credentials(url: str) -> tuple[str, Credentials | None]:
    """An address, and the name and password that stood in it.

    They are sent when the server asks for them. In the address they would be in that of every page, and scripts cannot
    ask for anything by such an address.
    """
    parts = urlsplit(url)
    if parts.username is None:
        return url, None
    plain = urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))
    return plain, (unquote(parts.username), unquote(parts.password or ""))


def access_of(known: Mapping[str, Any], credentials: Credentials | None = None) -> Access:
    """What these settings ask for; `credentials` are for want of others.

    Raises BadInput and UnknownName; no message holds what may be a secret.
    """
    headers = [_header(line) for line in known.get("header", ())]
    return Access(
        proxy=_proxy(_value("--proxy", known["proxy"])) if "proxy" in known else None,
        headers=tuple((name, value) for name, value, _ in headers),
        secret_headers=frozenset(name for name, _, is_secret in headers if is_secret),
        basic=_basic(_value("--basic-auth", known["basic-auth"])) if "basic-auth" in known else credentials,
        insecure=known.get("insecure", False),
        certificate=_certificate(known),
        device=device_named(known["device"]) if "device" in known else DESKTOP,
        user_agent=_user_agent(known.get("user-agent")),
    )


def without_secrets(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that may be written down: what names the environment stays, a password that is written out goes."""
    kept = dict(settings)
    if "header" in kept:
        kept["header"] = [line for line in kept["header"] if not _tells_a_secret(line)]
    if not str(kept.get("basic-auth", ENVIRONMENT)).startswith(ENVIRONMENT):
        del kept["basic-auth"]
    if not str(kept.get("proxy", ENVIRONMENT)).startswith(ENVIRONMENT):
        kept["proxy"] = _without_user(str(kept["proxy"]))
    return {name: value for name, value in kept.items() if value != [] or settings[name] == []}


def _value(place: str, written: str) -> str:
    """What is written, or what the environment has under that name."""
    if not written.startswith(ENVIRONMENT):
        return written
    name = written.removeprefix(ENVIRONMENT)
    found = os.environ.get(name)
    if found is None:
        raise BadInput(f"{place} needs the environment variable {name}: set it and run again.")
    return found


def _header(line: str) -> tuple[str, str, bool]:
    """The name of a header, its value, and whether nobody may read that."""
    name, colon, written = line.partition(":")
    name, written = name.strip(), written.strip()
    if not colon or not TOKEN.fullmatch(name):
        raise BadInput("--header takes a name and a value, as in 'X-Tenant: acme' or 'Authorization: env:TOKEN'.")
    if name.lower() in NOT_OURS:
        raise BadInput(f"--header {name} is the browser's own business: leave it out.")
    if name.lower() == "cookie":
        raise BadInput("--header sends no cookies: give them in a saved session, by --login.")
    value = _value(f"--header {name}", written)
    if not value.isprintable() or not value.isascii():
        raise BadInput(f"--header {name} has a value that no header can have: write plain ASCII, in one line.")
    return name, value, written.startswith(ENVIRONMENT) or _is_secret(name)


def _is_secret(name: str) -> bool:
    return name.lower() in SECRET or is_secret_name(name)


def _tells_a_secret(line: str) -> bool:
    name, _, written = line.partition(":")
    return _is_secret(name.strip()) and not written.strip().startswith(ENVIRONMENT)


def _basic(written: str) -> tuple[str, str]:
    user, colon, password = written.partition(":")
    if not colon or not user:
        raise BadInput("--basic-auth takes USER:PASSWORD, or env:NAME where the environment variable NAME holds that.")
    return user, password


def _proxy(written: str) -> Proxy:
    remedy = "write it as http://host:3128, https://… or socks5://…"
    try:
        parts = urlsplit(written if "://" in written else f"http://{written}")
        right = parts.scheme in PROXIES and bool(parts.hostname) and parts.port != 0 and parts.path in ("", "/")
    except ValueError:
        right = False
    if not right or parts.query or parts.fragment or re.search(r"[\s;,]", parts.netloc.rpartition("@")[2]):
        raise BadInput(f"--proxy is no address of a proxy: {remedy}.")
    credentials = None if parts.username is None else (unquote(parts.username), unquote(parts.password or ""))
    if credentials is not None and parts.scheme == "socks5":
        raise BadInput("--proxy socks5 goes without name and password: no Chromium sends them to such a proxy.")
    return Proxy(server=f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}", credentials=credentials)


def _without_user(proxy: str) -> str:
    parts = urlsplit(proxy if "://" in proxy else f"http://{proxy}")
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))


def _certificate(known: Mapping[str, Any]) -> str | None:
    """Our certificate and its key, from one file or two. Raises BadInput."""
    if "client-cert" not in known:
        if "client-key" in known:
            raise BadInput("--client-key needs a --client-cert: name the certificate that the key belongs to.")
        return None
    if "proxy" in known:
        raise BadInput("--client-cert goes without --proxy: have the proxy show the certificate, or leave it out.")
    files = [Path(known[name]) for name in ("client-cert", "client-key") if name in known]
    try:
        certificate = "\n".join(file.read_text(encoding="ascii") for file in files)
        with_certificate(client_context(insecure=True), certificate)
    except (ssl.SSLError, ValueError):
        raise BadInput(
            f"cannot use {' and '.join(map(str, files))} as a certificate: it and its key must be in PEM format,"
            " without a password; a key in a file of its own is named by --client-key."
        ) from None
    except OSError as trouble:
        raise BadInput(f"cannot read {trouble.filename or files[0]}: {trouble.strerror}; check its name.") from trouble
    return certificate


def _user_agent(written: str | None) -> str | None:
    if written is not None and not (written.strip() and written.isprintable() and written.isascii()):
        raise BadInput("--user-agent is one line of plain ASCII, as in 'our-tests/1.0'.")
    return written
