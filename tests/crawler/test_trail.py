"""The trail of a page since its last reset."""

from statecrawl.crawler.trail import MOST_STEPS, Trail, Witness


def test_each_part_is_reported_once() -> None:
    trail = Trail()
    trail.begin()
    first = trail.witness
    assert first is not None
    assert first[1:] == (None, ())
    trail.found("home")
    for event in ("a", "b"):
        trail.fired(event)
    assert trail.witness == Witness(first.walk, "home", ("a", "b"))
    trail.found("shop")
    trail.fired("c")
    last: Witness | None = trail.witness
    assert last == Witness(first.walk, "shop", ("c",))


def test_another_reset_begins_another_walk() -> None:
    trail = Trail()
    trail.begin()
    first = trail.witness
    trail.fired("a")
    trail.begin()
    assert trail.witness is not None
    assert trail.witness.walk != (first and first.walk)
    assert trail.witness.steps == ()


def test_a_page_that_changed_by_itself_has_none_until_it_is_reset() -> None:
    trail = Trail()
    trail.begin()
    trail.lose()
    trail.fired("a")
    assert trail.witness is None
    trail.begin()
    assert trail.witness is not None


def test_what_is_too_long_is_given_up() -> None:
    trail = Trail()
    trail.begin()
    for _ in range(MOST_STEPS):
        trail.fired("a")
    assert trail.witness is not None
    trail.fired("a")
    assert trail.witness is None
