"""The generated sections of docs/design.md show the code as it is."""

import runpy
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
SCRIPT: dict[str, Any] = runpy.run_path(str(ROOT / "scripts" / "design_sections.py"))


def is_current(name: str, section: str) -> bool:
    """Whether docs/design.md has this content in a generated section."""
    text = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
    return bool(SCRIPT["with_generated"](text, name, section) == text)


def test_the_layers_are_those_of_the_contract() -> None:
    assert is_current("layers", SCRIPT["layers"]()), "run make docs"


@pytest.mark.browser
def test_the_path_of_one_click_is_that_of_a_crawl() -> None:
    assert is_current("click", SCRIPT["path_of_one_click"]()), "run make docs"
