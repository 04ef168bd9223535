"""Standalone pages: everything is in the file, and the policy admits only what is in it."""

import base64
import hashlib
import re

import pytest

from statecrawl.report.page.standalone import asset, standalone_page

PARTS = {"headline": "<h1>Equal</h1>", "lead": "", "tiles": "", "sections": ""}


def page(title: str = "A page", **more: str) -> str:
    return standalone_page("difference.html", title, ["palette.css", "difference.css"], **more, **PARTS)


def test_a_page_holds_its_styles_and_names_no_other_file() -> None:
    made = page()
    assert asset("palette.css") in made
    assert "<h1>Equal</h1>" in made
    assert not re.search(r'<(?:link|script)[^>]+(?:href|src)="(?!data:)', made)


def test_a_page_without_a_script_allows_none() -> None:
    assert "script-src" not in page()


def test_the_policy_admits_exactly_the_script_of_the_page() -> None:
    made = page(script="roles.js")
    (code,) = re.findall(r"<script>(.*?)</script>", made, flags=re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()
    assert re.findall(r"script-src ([^;]*);", made) == [f"'sha256-{digest}'"]


def test_a_title_is_text() -> None:
    assert "<title>&lt;b&gt;</title>" in page("<b>")


def test_a_part_that_is_missing_is_an_error() -> None:
    with pytest.raises(KeyError):
        standalone_page("difference.html", "A page", [])
