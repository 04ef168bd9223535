"""What holds for all tests."""

from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("patient", deadline=None)  # a busy machine is no failure; speed is measured by `make bench`
settings.load_profile("patient")

BROWSER = Path(__file__).parent / "browser"
CLUSTER = Path(__file__).parent / "cluster"
MANY = {"test_balances.py", "test_crowd.py", "test_faults.py", "test_planted.py"}  # of tests/simulation: whole clusters
PURE = {"test_volatile.py", "test_agent_script.py", "test_devices.py", "test_gate.py", "test_pace.py", "test_busy.py"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything under tests/browser needs a Chromium, under tests/cluster several nodes; else a module says so."""
    for item in items:
        if BROWSER in item.path.parents and item.path.name not in PURE:
            item.add_marker(pytest.mark.browser)
        if CLUSTER in item.path.parents or item.path.name in MANY:
            item.add_marker(pytest.mark.cluster)
