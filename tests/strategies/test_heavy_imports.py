"""scipy serves only the bounds, and numpy the bounds and diversity: other users do not wait until they are loaded."""

import subprocess
import sys

import pytest

PROGRAM = """
import sys
{program}
print(*sorted({{"numpy", "scipy"}} & sys.modules.keys()))
"""
CREATE = """
from statecrawl.model.graph import Graph
from statecrawl.strategies.registry import STRATEGIES, make_strategy
from statecrawl.strategies.settings import StatePreference, StrategySettings
for name in STRATEGIES:
    make_strategy(name, Graph(), StrategySettings(prefer=StatePreference.{prefer}))
"""


def loaded_by(program: str) -> list[str]:
    command = [sys.executable, "-c", PROGRAM.format(program=program)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()


@pytest.mark.parametrize(
    "module", ["statecrawl.cli", "statecrawl.api", "statecrawl.strategies.registry", "statecrawl.crawler.assembly"]
)
def test_importing(module: str) -> None:
    assert loaded_by(f"import {module}") == []


def test_creating_every_strategy() -> None:
    assert loaded_by(CREATE.format(prefer="NONE")) == []


def test_diversity_needs_numpy() -> None:
    assert loaded_by(CREATE.format(prefer="DIVERSE")) == ["numpy"]
