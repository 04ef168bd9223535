"""Recordings follow the agent: its present rules are applied to documents that were stored earlier."""

import asyncio

import pytest

from bench.labels.rereading import regions_in

FIELD, LINE = "\x1f", "\x1e"


def normal_form(*lines: str) -> str:
    return LINE.join(FIELD.join(line.split("|")) for line in lines)


def section(identifier: str, text: str) -> str:
    return normal_form(
        "/html|<|html",
        "s|<|section",
        f"s|@data-x|{identifier}",
        "s/button|<|button|1",
        "|!|click button",
        f's/button|"|{text}',
        "s/button|>|",
        "s|>|",
        "/html|>|",
    )


@pytest.mark.browser
def test_regions_are_those_of_the_present_agent() -> None:
    forms = [section(*what) for what in ((":r1:", "one"), (":r2:", "one"), ("given", "one"), (":r1:", "two"))]
    first, generated, given, text = [regions[1] for regions in asyncio.run(regions_in(forms))]
    assert (first.place, first.events) == ("section", (0,))
    assert first == generated
    assert first.look == given.look == text.look
    assert len({first.content, given.content, text.content}) == 3
