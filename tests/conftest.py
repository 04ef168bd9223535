"""What holds for all tests."""

from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("patient", deadline=None)  # a busy machine is no failure; speed is measured by `make bench`
settings.load_profile("patient")

BROWSER = Path(__file__).parent / "browser"
CLUSTER = Path(__file__).parent / "cluster"
FLEET = Path(__file__).parent / "fleet"
ONE_PROCESS = {"test_coordinator.py", "test_local_mailbox.py", "test_warm_up.py"}  # of tests/fleet: without nodes
MANY = {
    "test_balances.py",
    "test_crowd.py",
    "test_faults.py",
    "test_planted_bugs.py",
}  # of tests/simulation: whole clusters
BROWSER_NAMES = {"Stage", "find_browser"}  # whoever starts a Chromium imports one of them


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests that start a Chromium or several nodes, by their directory; other modules mark themselves."""
    for item in items:
        if BROWSER in item.path.parents and _starts_chromium(item):
            item.add_marker(pytest.mark.browser)
        fleet = FLEET in item.path.parents and item.path.name not in ONE_PROCESS
        if fleet or CLUSTER in item.path.parents or item.path.name in MANY:
            item.add_marker(pytest.mark.cluster)


def _starts_chromium(item: pytest.Item) -> bool:
    return not isinstance(item, pytest.Function) or bool(BROWSER_NAMES & vars(item.module).keys())
