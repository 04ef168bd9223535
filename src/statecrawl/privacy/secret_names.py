"""Names of headers, parameters, fields, cookies and properties that mark their value as secret."""

import re
from functools import lru_cache

# Parts of a name that mark it as secret anywhere, even without word boundaries: csrfmiddlewaretoken, PHPSESSID
PARTS = (
    r"passw(?:or)?d|passwort|passphrase|passcode|secret(?!ar)|token(?!i[sz])|api[_-]?key|access[_-]?key|private[_-]?key"
    r"|credential|csrf|xsrf|jwt|sess(?:ion)?[_-]?id"
)
# Whole words that mark a name as secret: x-auth contains one, authorized does not
WHOLE = r"auth|authorization|pwd|pass|sid|otp|totp|cvv|cvc|signature|sig|bearer"
# Every secret name contains one of these, in lower case; `secret_spans` searches for them first
STEMS = "bearer|token|pass|pwd|secret|key|credential|csrf|xsrf|jwt|sess|auth|sid|otp|cvv|cvc|sig"
# If one of these is the last word, the name describes a property of a secret, not the secret itself
HARMLESS = (
    r"type|types|count|counts|name|names|label|labels|placeholder|hint|title|text|message|messages|error|errors"
    r"|field|fields|url|uri|href|path|endpoint|header|headers|param|length|min|max|limit|expires|expiry"
    r"|expiration|at|in|on|timeout|age|ttl|policy|strength|required|enabled|disabled|valid|invalid|visible"
    r"|method|provider|mode|status|state|level|scheme|rules|help|info|class|selector|algorithm|start|end|time"
    r"|date|duration"
)
_PARTS = re.compile(PARTS, re.IGNORECASE)
_HARMLESS = frozenset(HARMLESS.split("|"))
_WHOLE = frozenset(WHOLE.split("|"))
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+")
LONGEST = 200  # characters of a name that are inspected, half of them at each end


def is_secret_name(name: str) -> bool:
    """Whether this name marks its value as secret."""
    half = LONGEST // 2
    return _is_secret(name if len(name) <= LONGEST else f"{name[:half]} {name[-half:]}")


@lru_cache(maxsize=4096)
def _is_secret(name: str) -> bool:
    words = [word.lower() for word in _WORDS.findall(name)]
    if not words or words[-1] in _HARMLESS:
        return False
    return bool(_PARTS.search(name)) or words == ["session"] or not _WHOLE.isdisjoint(words)
