"""Sealing: texts without the secrets in them, from which whoever has the key gets them back.

Theory of operation
    The name of an event is how it is fired again, tomorrow and by another node: `open http://shop.test/?token=…` is of
    no use once the token is gone from it. So secrets in names are not hashed but sealed: the marker that stands for a
    secret holds it, encrypted. Equal secrets have equal markers, as long as the key is the same, so a name stays a
    name: it can be compared, dealt out and recorded by people and machines that do not have the key.

    A marker is REDACTED, in hexadecimal digits a tag and the secret under a key stream, and a letter that is no such
    digit, so that it is known where it ends, whatever comes next. The tag is a keyed hash of the secret, and the stream
    is made from the key and the tag; so nothing has to be random, what is encrypted once is encrypted the same way
    again, and what somebody else has made up does not open. A page may show such a marker: it is sealed as if it were a
    secret, so that every marker in a name opens with the key. The scheme is that of P. Rogaway and T. Shrimpton,
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
    """Redacts so that it can be undone with the key."""

    def __init__(self, key: bytes, literals: tuple[str, ...] = ()) -> None:
        super().__init__(key, literals)
        self._secret = key

    def mark(self, secret: str) -> str:
        found = _SEALED.fullmatch(secret)
        return self._stand_in(secret) if found and self._open(found) == secret else super().mark(secret)

    def opened(self, text: str) -> str:
        """The text as it was. What this key did not seal stays as it is."""
        for _ in range(MOST_ROUNDS + 1):  # a secret may have had another in it
            before, text = text, _SEALED.sub(self._open, text)
            if text == before:
                break
        return text

    def _stand_in(self, secret: str) -> str:
        data = secret.encode(errors="surrogatepass")
        tag = self._digest(data)
        return f"{MARKER}-{(tag + self._mixed(tag, data)).hex()}{SEAL_END}"

    def _meant(self, written: str, secret: str) -> str:
        return written  # and not another way to write it: the name has to be what it was

    def _open(self, found: re.Match[str]) -> str:
        sealed = bytes.fromhex(found[1])
        tag = sealed[:TAG_BYTES]
        data = self._mixed(tag, sealed[TAG_BYTES:])
        return data.decode(errors="surrogatepass") if hmac.compare_digest(tag, self._digest(data)) else found[0]

    def _digest(self, data: bytes) -> bytes:
        return hmac.digest(self._secret, b"tag" + data, hashlib.sha256)[:TAG_BYTES]

    def _mixed(self, tag: bytes, data: bytes) -> bytes:
        """The data under the key stream; a second time, without it."""
        stream = b""
        for block in count():
            if len(stream) >= len(data):
                break
            stream += hmac.digest(self._secret, b"key" + tag + block.to_bytes(4), hashlib.sha256)
        return bytes(one ^ other for one, other in zip(data, stream, strict=False))


def is_sealed(text: str) -> bool:
    """Whether there is something in it that only a key opens."""
    return MARKER in text and _SEALED.search(text) is not None
