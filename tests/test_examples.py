"""Examples that need no browser print the output that is recorded beside them."""

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = sorted(
    path.with_suffix(".py") for path in (Path(__file__).parents[1] / "examples").glob("*.txt")
)  # the others crawl; test_api runs them


def test_there_are_examples() -> None:
    assert EXAMPLES


@pytest.mark.parametrize("program", EXAMPLES, ids=lambda program: program.stem)
def test_example_prints_what_is_recorded(program: Path) -> None:
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, check=True)
    assert done.stdout == program.with_suffix(".txt").read_text(encoding="utf-8")
