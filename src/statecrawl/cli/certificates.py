"""Certificates that were named on the command line."""

import ssl
from pathlib import Path

from statecrawl.errors import BadInput


def serving(certificate: Path | None, key: Path | None) -> ssl.SSLContext | None:
    """What a server shows of itself. Raises BadInput."""
    if certificate is None:
        if key is not None:
            raise BadInput("--tls-key needs a --tls-cert: name the certificate that the key belongs to.")
        return None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_cert_chain(certificate, key, password="")  # nobody is there to be asked for one
    except ssl.SSLError as trouble:
        if trouble.reason == "KEY_VALUES_MISMATCH":
            raise BadInput(f"{key or certificate} is not the key of {certificate}: name that with --tls-key.") from None
        raise BadInput(
            f"cannot use {certificate} as a certificate: it and its key must be files in PEM format without a password."
        ) from None
    except OSError as trouble:
        raise _unreadable(trouble, certificate) from trouble
    return context


def trusting(certificate: Path | None) -> ssl.SSLContext | None:
    """Whom a client believes. Raises BadInput."""
    if certificate is None:
        return None
    try:
        return ssl.create_default_context(cafile=str(certificate))
    except ssl.SSLError:
        raise BadInput(f"cannot use {certificate} as a certificate: it must be a file in PEM format.") from None
    except OSError as trouble:
        raise _unreadable(trouble, certificate) from trouble


def _unreadable(trouble: OSError, certificate: Path) -> BadInput:
    reason = (trouble.strerror or "it cannot be read").lower()
    return BadInput(f"cannot use {certificate} as a certificate: {reason}; check its name and that of its key.")
