"""Sealing: reversible redaction. The secrets can be recovered with the key.

Theory of operation
    An event id is used to fire the event again, later and on other nodes: `open http://shop.test/?token=…` is useless
    without its token. Secrets in event ids are therefore not hashed but sealed: the marker contains the encrypted
    secret. With the same key, equal secrets have equal markers, so a sealed id is still an id: processes without the
    key can compare, assign and record it.

    A marker consists of REDACTED, the hexadecimal digits of a tag and of the encrypted secret, and a letter that is not
    a hexadecimal digit, which marks the end whatever follows. The tag is a keyed hash of the secret, and the key stream
    is derived from the key and the tag. So encryption needs no random numbers, encrypting a secret twice gives the same
    marker, and a forged marker does not open. If a page itself shows such a marker, it is sealed like a secret, so that
    every marker in an event id opens with the key. The scheme is that of P. Rogaway and T. Shrimpton,
    "Deterministic Authenticated-Encryption", 2006, section 4 (SIV), with HMAC as the pseudo-random function.
"""

import hashlib
import hmac
import re
from itertools import count

from statecrawl.privacy.redaction import MARKER, MOST_ROUNDS, SEAL_END, Redactor

TAG_BYTES = 12
_SEALED = re.compile(rf"{MARKER}-((?:[0-9a-f]{{2}}){{{TAG_BYTES + 1},}}){SEAL_END}")


class Sealer(Redactor):
    """Replaces secrets by markers that the key opens."""

    def __init__(self, key: bytes, literals: tuple[str, ...] = ()) -> None:
        super().__init__(key, literals)
        self._secret = key

    def mark(self, secret: str) -> str:
        found = _SEALED.fullmatch(secret)
        return self._stand_in(secret) if found and self._open(found) == secret else super().mark(secret)

    def opened(self, text: str) -> str:
        """Return the original text. Markers that were not sealed with this key are kept."""
        for _ in range(MOST_ROUNDS + 1):  # secrets may be nested
            before, text = text, _SEALED.sub(self._open, text)
            if text == before:
                break
        return text

    def _stand_in(self, secret: str) -> str:
        data = secret.encode(errors="surrogatepass")
        tag = self._digest(data)
        return f"{MARKER}-{(tag + self._mixed(tag, data)).hex()}{SEAL_END}"

    def _meant(self, written: str, secret: str) -> str:
        return written  # as written, because opening must restore the exact event id

    def _open(self, found: re.Match[str]) -> str:
        sealed = bytes.fromhex(found[1])
        tag = sealed[:TAG_BYTES]
        data = self._mixed(tag, sealed[TAG_BYTES:])
        return data.decode(errors="surrogatepass") if hmac.compare_digest(tag, self._digest(data)) else found[0]

    def _digest(self, data: bytes) -> bytes:
        return hmac.digest(self._secret, b"tag" + data, hashlib.sha256)[:TAG_BYTES]

    def _mixed(self, tag: bytes, data: bytes) -> bytes:
        """Combine data with the key stream. Applying it twice restores the data."""
        stream = b""
        for block in count():
            if len(stream) >= len(data):
                break
            stream += hmac.digest(self._secret, b"key" + tag + block.to_bytes(4), hashlib.sha256)
        return bytes(one ^ other for one, other in zip(data, stream, strict=False))


def is_sealed(text: str) -> bool:
    """Whether a text contains a sealed secret."""
    return MARKER in text and _SEALED.search(text) is not None
