"""Conversion of the options for access: proxy, headers, credentials, client certificate, user agent.

A value written as `env:NAME` is read from the environment, which is the place for secrets. A value written out works as
well, but is left out of the settings that are saved with a crawl (`config.saved_settings`).
"""

import os
import re
import ssl
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit, urlunsplit

from statecrawl.browser.client_certificate_proxy import client_context, with_certificate
from statecrawl.errors import BadInput
from statecrawl.ports.access import Credentials, Proxy
from statecrawl.privacy.secret_names import is_secret_name

ENVIRONMENT = "env:"
PROXY_SCHEMES = ("http", "https", "socks5")
HEADER_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")  # the token of RFC 9110
BROWSER_HEADERS = frozenset({"host", "content-length", "connection", "transfer-encoding", "upgrade"})
SECRET_HEADERS = frozenset({"authorization", "proxy-authorization", "cookie"})


def without_credentials(url: str) -> tuple[str, Credentials | None]:
    """Split a URL into the URL without credentials, and the credentials.

    They are sent when the server asks for them. If they stayed in the URL, every page would have them in its own, and
    scripts cannot request such a URL.
    """
    parts = urlsplit(url)
    if parts.username is None:
        return url, None
    plain = urlunsplit(parts._replace(netloc=_without_user(parts.netloc)))
    return plain, (unquote(parts.username), unquote(parts.password or ""))


def read_headers(lines: Sequence[str]) -> dict[str, Any]:
    """Return the fields of `Access` for headers. Raises BadInput; the message never contains a secret."""
    headers = [_read_header(line) for line in lines]
    return {
        "headers": tuple((name, value) for name, value, _ in headers),
        "secret_headers": frozenset(name for name, _, is_secret in headers if is_secret),
    }


def headers_without_secrets(lines: Sequence[str]) -> list[str]:
    """Return the headers that may be saved: without secrets, or with secrets in the environment."""
    return [line for line in lines if not _holds_secret(line)]


def read_basic_auth(written: str) -> Credentials:
    """Return user and password. Raises BadInput; the message never contains a secret."""
    user, colon, password = _value("--basic-auth", written).partition(":")
    if not colon or not user:
        raise BadInput("--basic-auth takes USER:PASSWORD, or env:NAME if the environment variable NAME holds them.")
    return user, password


def if_in_environment(written: str) -> str | None:
    """Return a secret that may be saved: only the reference to an environment variable."""
    return written if written.startswith(ENVIRONMENT) else None


def read_proxy(written: str) -> Proxy:
    """Return the proxy with its credentials. Raises BadInput; the message never contains a secret."""
    written = _value("--proxy", written)
    try:
        parts = urlsplit(_with_scheme(written))
        valid = parts.scheme in PROXY_SCHEMES and bool(parts.hostname) and parts.port != 0 and parts.path in ("", "/")
    except ValueError:
        valid = False
    if not valid or parts.query or parts.fragment or re.search(r"[\s;,]", _without_user(parts.netloc)):
        raise BadInput("--proxy is not the URL of a proxy: write it as http://host:3128, https://… or socks5://….")
    credentials = None if parts.username is None else (unquote(parts.username), unquote(parts.password or ""))
    if credentials is not None and parts.scheme == "socks5":
        raise BadInput("--proxy socks5 takes no user and password: Chromium does not send them to such a proxy.")
    return Proxy(server=f"{parts.scheme}://{_without_user(parts.netloc)}", credentials=credentials)


def proxy_without_secrets(written: str) -> str:
    """Return the URL of a proxy without credentials, or the reference to an environment variable."""
    if written.startswith(ENVIRONMENT):
        return written
    parts = urlsplit(_with_scheme(written))
    return urlunsplit(parts._replace(netloc=_without_user(parts.netloc)))


def read_certificate(certificate: str, key: str | None) -> str:
    """Return a client certificate and its key from one file or two, in PEM. Raises BadInput."""
    files = [Path(name) for name in (certificate, key) if name is not None]
    try:
        pem = "\n".join(file.read_text(encoding="ascii") for file in files)
        with_certificate(client_context(insecure=True), pem)
    except (ssl.SSLError, ValueError):
        raise BadInput(
            f"cannot use {' and '.join(map(str, files))} as a client certificate: certificate and key must be in PEM"
            " format, without a password; if the key has its own file, name it with --client-key."
        ) from None
    except OSError as error:
        raise BadInput(f"cannot read {error.filename or files[0]}: {error.strerror}; check its name.") from error
    return pem


def read_user_agent(written: str) -> str:
    """Return the user agent. Raises BadInput if it cannot be sent."""
    if not (written.strip() and written.isprintable() and written.isascii()):
        raise BadInput("--user-agent is one line of plain ASCII, as in 'our-tests/1.0'.")
    return written


def _value(place: str, written: str) -> str:
    """Return the value as written, or from the environment if it is a reference. Raises BadInput."""
    if not written.startswith(ENVIRONMENT):
        return written
    name = written.removeprefix(ENVIRONMENT)
    value = os.environ.get(name)
    if value is None:
        raise BadInput(f"{place} needs the environment variable {name}: set it and run again.")
    return value


def _read_header(line: str) -> tuple[str, str, bool]:
    """Return name and value of a header, and whether the value is secret."""
    name, colon, written = line.partition(":")
    name, written = name.strip(), written.strip()
    if not colon or not HEADER_NAME.fullmatch(name):
        raise BadInput("--header takes a name and a value, as in 'X-Tenant: acme' or 'Authorization: env:TOKEN'.")
    if name.lower() in BROWSER_HEADERS:
        raise BadInput(f"--header {name} is set by the browser: leave it out.")
    if name.lower() == "cookie":
        raise BadInput("--header cannot send cookies: give them in a saved session, with --login.")
    value = _value(f"--header {name}", written)
    if not value.isprintable() or not value.isascii():
        raise BadInput(f"--header {name} has a value that a header cannot have: write plain ASCII, in one line.")
    return name, value, written.startswith(ENVIRONMENT) or _is_secret(name)


def _is_secret(name: str) -> bool:
    return name.lower() in SECRET_HEADERS or is_secret_name(name)


def _holds_secret(line: str) -> bool:
    name, _, written = line.partition(":")
    return _is_secret(name.strip()) and not written.strip().startswith(ENVIRONMENT)


def _with_scheme(proxy: str) -> str:
    return proxy if "://" in proxy else f"http://{proxy}"


def _without_user(netloc: str) -> str:
    return netloc.rpartition("@")[2]
