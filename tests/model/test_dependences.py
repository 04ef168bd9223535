"""What events depend on besides their own part of the page."""

from statecrawl.model.component_tasks import EVERY_ROW, EventOfUnit
from statecrawl.model.dependences import MOST_CONTEXTS, Aspect, Context, Dependences, aspects_of

EVENT: EventOfUnit = (("form", 0), "click save")
MENU = "menu", 0


def test_coarse_aspects_come_first() -> None:
    assert aspects_of(MENU) == [Aspect.PRESENCE, Aspect.SHAPE, Aspect.VALUE]


def test_rows_have_too_many_values_to_depend_on() -> None:
    assert Aspect.VALUE not in aspects_of(("ul>li", EVERY_ROW))


def test_a_finer_aspect_replaces_a_coarse_one() -> None:
    known = Dependences()
    assert known.add(EVENT, Context(MENU, Aspect.PRESENCE))
    assert known.aspects(EVENT, MENU) == [Aspect.SHAPE, Aspect.VALUE]
    assert known.add(EVENT, Context(MENU, Aspect.VALUE))
    assert known.of(EVENT) == (Context(MENU, Aspect.VALUE),)
    assert not known.add(EVENT, Context(MENU, Aspect.SHAPE)), "that says less"


def test_an_event_depends_on_few_units() -> None:
    known = Dependences()
    for number in range(MOST_CONTEXTS):
        assert known.add(EVENT, Context(("tab", number), Aspect.PRESENCE))
    assert known.aspects(EVENT, MENU) == []
    assert known.aspects(EVENT, ("tab", 0)), "more of what it depends on already"


def test_a_better_explanation_replaces_all_others() -> None:
    known = Dependences()
    known.add(EVENT, Context(MENU, Aspect.VALUE))
    known.replace(EVENT, Context(("tab", 0), Aspect.SHAPE))
    assert known.of(EVENT) == (Context(("tab", 0), Aspect.SHAPE),)
    assert list(known.on(MENU)) == []
    assert list(known.on(("tab", 0))) == [EVENT]


def test_nothing_depends_on_a_place_that_was_forgotten() -> None:
    known = Dependences()
    known.add(EVENT, Context(("li", 0), Aspect.VALUE))
    known.add(EVENT, Context(("li", 1), Aspect.VALUE))
    known.add(EVENT, Context(MENU, Aspect.VALUE))
    assert known.forget("li") == [EVENT]
    assert known.of(EVENT) == (Context(MENU, Aspect.VALUE),)
