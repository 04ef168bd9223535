"""The agent and the driver know the same kinds of events."""

import re
from pathlib import Path

from statecrawl.browser import agent
from statecrawl.model.event import KINDS

TABLE = Path(agent.__file__).parent / "agent" / "kinds.js"


def test_the_two_tables_agree() -> None:
    entries = re.findall(r"^  (\w+): \{", TABLE.read_text(), re.MULTILINE)
    assert set(entries) - {"drop"} == set(KINDS) - {"open"}, "a drop target is no event, and the driver opens URLs"
