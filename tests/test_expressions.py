"""No expression that reads what a page wrote takes longer than in proportion to its length.

A quadratic one takes minutes over a fifth of a megabyte, so the time-out of the test is all the measuring there is to
do. `LENGTH=1000000 pytest tests/test_expressions.py` tries a whole megabyte.
"""

import os
import re

import pytest

from tests.expressions import expressions, hostile

LENGTH = int(os.environ.get("LENGTH", "200000"))
# Matched at one position only, never searched for: tried again from each position, they would be quadratic.
ANCHORED = {
    "privacy.secret_spans._CLOSED",
    "privacy.secret_spans._PARAMETER_END",
    "ports.url_sources._TEXT",
    "urls.canonical._SCHEME",
    "urls.tags._NAME",
    "urls.url_patterns._ONE_OF_MANY",
}
ALL = [pytest.param(name, each, id=f"{name}-{number}") for number, (name, each) in enumerate(expressions())]


@pytest.mark.timeout(90)
@pytest.mark.parametrize(("name", "expression"), ALL)
def test_hostile_texts_take_no_longer_than_others(name: str, expression: re.Pattern[str]) -> None:
    for text in hostile(expression, LENGTH):
        expression.fullmatch(text)
        if name not in ANCHORED:
            assert sum(1 for _ in expression.finditer(text)) <= len(text) + 1
