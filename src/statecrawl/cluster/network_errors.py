"""Network errors in plain words; the messages of the libraries describe their own internals."""

import os

import aiohttp


def describe_error(error: Exception) -> str:
    """Return why a connection attempt failed."""
    match error:
        case aiohttp.ClientConnectorCertificateError():
            return "its certificate is not trusted (use --tls-ca FILE to trust it)"
        case aiohttp.ClientSSLError():
            return "it does not speak HTTPS (use http:// for plain HTTP)"
        case aiohttp.ClientConnectorDNSError():
            return "its host name cannot be resolved"
        case aiohttp.ClientResponseError():
            return f"it responded with status {error.status}"
        case TimeoutError():
            return "it does not respond"
        case OSError():
            return describe_os_error(error)
        case _:
            return "its response is not that of a coordinator"


def describe_os_error(error: OSError) -> str:
    """Return the message of the operating system, without additions of libraries."""
    if error.errno is not None and error.errno > 0:
        return os.strerror(error.errno).lower()
    return (error.strerror or str(error)).lower()
