"""The same fixtures as in tests/cluster: coroutines as tests, and a real Redis."""

from tests.cluster.conftest import pytest_pyfunc_call, server

__all__ = ["pytest_pyfunc_call", "server"]
