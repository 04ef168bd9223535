"""TLS contexts from the certificate options of the command line."""

import ssl
from pathlib import Path

from statecrawl.errors import BadInput


def serving(certificate: Path | None, key: Path | None) -> ssl.SSLContext | None:
    """Return the TLS context of a server, or None without a certificate. Raises BadInput."""
    if certificate is None:
        if key is not None:
            raise BadInput("--tls-key needs --tls-cert: add the certificate that the key belongs to.")
        return None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_cert_chain(certificate, key, password="")  # otherwise OpenSSL prompts for a password
    except ssl.SSLError as error:
        if error.reason == "KEY_VALUES_MISMATCH":
            raise BadInput(
                f"{key or certificate} is not the key of {certificate}: pass the right one with --tls-key."
            ) from None
        raise BadInput(
            f"cannot use {certificate} as a certificate: it and its key must be files in PEM format without a password."
        ) from None
    except OSError as error:
        raise _unreadable(error, certificate) from error
    return context


def trusting(certificate: Path | None) -> ssl.SSLContext | None:
    """Return the TLS context of a client that trusts this certificate, or None without one. Raises BadInput."""
    if certificate is None:
        return None
    try:
        return ssl.create_default_context(cafile=str(certificate))
    except ssl.SSLError:
        raise BadInput(f"cannot use {certificate} as a certificate: it must be a file in PEM format.") from None
    except OSError as error:
        raise _unreadable(error, certificate) from error


def _unreadable(error: OSError, certificate: Path) -> BadInput:
    reason = (error.strerror or "it cannot be read").lower()
    return BadInput(f"cannot use {certificate} as a certificate: {reason}; check its path and that of its key.")
