"""The names of the equivalences are those that the page agent knows."""

import re
from importlib.resources import files

import pytest

from statecrawl.model.equivalence import EQUIVALENCES, is_function


def test_the_agent_knows_exactly_these_equivalences() -> None:
    script = (files("statecrawl.browser") / "agent" / "equivalence.js").read_text(encoding="utf-8")
    (table,) = re.findall(r"const EQUIVALENCES = table\(\{(.*?)\n\}\);", script, flags=re.DOTALL)
    assert tuple(re.findall(r"^  (\w+):", table, flags=re.MULTILINE)) == EQUIVALENCES


@pytest.mark.parametrize("text", ["() => document.title", "function () { return 1 }", "async () => 1"])
def test_a_function_of_javascript_is_recognised(text: str) -> None:
    assert is_function(text)


@pytest.mark.parametrize("text", EQUIVALENCES)
def test_a_name_is_no_function(text: str) -> None:
    assert not is_function(text)
