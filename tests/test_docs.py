"""What README and docs show is what the commands print. `make docs` records it anew."""

import re
import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
SCRIPT: dict[str, Any] = runpy.run_path(str(ROOT / "scripts" / "record_docs.py"))
SLOW = "statecrawl compare"  # minutes; its figures are those that other tests and `make docs` see
TIMES = (  # what differs from one machine to the next
    r"[\d,]+ / [\d,]+$",
    r"\"(?:next_task_\w+_us|seconds)\": [\d.]+",
    r"[\d.]+ s now: [\d,]+ events/s",
    r"[\d.]+ s in 1 run",
    r"127\.0\.0\.1:\d+",
)
MICROSECONDS = re.compile("|".join(f"(?:{time})" for time in TIMES), re.MULTILINE)
IN_CHROMIUM = "$ statecrawl crawl"


def timeless(text: str) -> str:
    """The text without what differs from one machine to the next, and without the padding that follows from it."""
    lines = (re.sub(r"[ ─]+", " ", MICROSECONDS.sub("#", line)).strip() for line in text.splitlines())
    return "\n".join(lines)


def _pages() -> list[Any]:
    """All pages; those that show a crawl in Chromium need one."""
    shown = {page: IN_CHROMIUM in page.read_text(encoding="utf-8") for page in SCRIPT["PAGES"]}
    return [
        pytest.param(page, id=page.name, marks=[pytest.mark.browser] if crawls else [])
        for page, crawls in shown.items()
    ]


@pytest.mark.parametrize("page", _pages())
def test_recorded_output_is_true(page: Path, tmp_path: Path) -> None:
    recorded: Callable[[str, Path], str] = SCRIPT["recorded"]
    for body in SCRIPT["blocks"](page.read_text(encoding="utf-8")):
        if SLOW not in body:
            assert timeless(body) == timeless(recorded(body, tmp_path))


@pytest.mark.parametrize("page", SCRIPT["PAGES"], ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
        assert (page.parent / target).exists(), f"{page.name} links to {target}"
