"""Events that log the user out."""

import asyncio
from pathlib import Path

from statecrawl.journal.facts import EventRefused
from statecrawl.ports.page import Ending, Walked
from statecrawl.strategies.orders import Order
from tests.crawler.test_void_walks import GO, walker

OUT = Walked(why=Ending.STRAYED, states=(), landed=None, reason="it led out", logged_out=True)
OUT_LATER = Walked(why=Ending.STRAYED, states=("bb",), landed=None, reason="it led out", logged_out=True)
GO_LATER = Order(reset=True, start="aa", steps=(("on", "bb"), ("go", None)), sure=1)


def refused(facts: tuple[object, ...]) -> list[str]:
    return [fact.state for fact in facts if isinstance(fact, EventRefused)]


def test_an_event_that_ends_the_session_twice_is_believed_at_once_elsewhere(tmp_path: Path) -> None:
    walking, _, record = walker(tmp_path, OUT, OUT, OUT_LATER)
    walking._context.new_states.inspection.judge("bb", ())
    asyncio.run(walking.perform(GO))
    assert refused(record.take()) == [], "the session may have expired"
    asyncio.run(walking.perform(GO))
    assert refused(record.take()) == ["aa"]
    asyncio.run(walking.perform(GO_LATER))
    assert refused(record.take()) == ["bb"]
