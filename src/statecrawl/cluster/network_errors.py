"""Why somebody cannot be reached, in words for people: those of libraries speak of their own insides."""

import os

import aiohttp


def in_words(trouble: Exception) -> str:
    """What a connection that was tried has met with."""
    match trouble:
        case aiohttp.ClientConnectorCertificateError():
            return "its certificate is not trusted here (--tls-ca names one to trust)"
        case aiohttp.ClientSSLError():
            return "it does not speak https (http:// is without)"
        case aiohttp.ClientConnectorDNSError():
            return "nobody knows its name here"
        case aiohttp.ClientResponseError():
            return f"it answers with status {trouble.status}"
        case TimeoutError():
            return "it does not answer"
        case OSError():
            return os_words(trouble)
        case _:
            return "it does not speak as a coordinator does"


def os_words(trouble: OSError) -> str:
    """What the system says, without what others have added to it."""
    if trouble.errno is not None and trouble.errno > 0:
        return os.strerror(trouble.errno).lower()
    return (trouble.strerror or str(trouble)).lower()
