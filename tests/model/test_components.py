"""What transitions teach about the parts of a page: tasks, rows, open ends, and events that depend on other parts."""

import time
from collections.abc import Sequence

from statecrawl.model.component_tasks import EVERY_ROW
from statecrawl.model.components import Components
from statecrawl.model.dependences import Aspect, Context
from statecrawl.model.event import Event
from statecrawl.model.graph import Graph
from statecrawl.model.open_ends import MOST_VALUES
from statecrawl.model.regions import Region


class Crawl:
    """A graph and its components, which learn together."""

    def __init__(self, *, reduces: bool = True) -> None:
        self.graph = Graph()
        self.components = Components(self.graph, reduces=reduces)

    def found(self, name: str, events: Sequence[str], *regions: Region) -> int:
        state = self.graph.add_state(name, map(Event.named, events))
        self.components.found(state, regions)
        return state

    def explored(self, state: int, event: str, target: int) -> bool | None:
        position = self.graph.position(state, event)
        self.graph.explore(state, position, target)
        return self.components.explored(state, position, target)

    def needs(self, state: int, event: str) -> bool:
        return self.components.is_needed((state, self.graph.position(state, event)))


def switch(value: str, position: int) -> Region:
    return Region("switch", "shape", "look", f"switch {value}", (position,))


def lamp(value: str, position: int) -> Region:
    return Region("lamp", "shape", "look", f"lamp {value}", (position,))


def row(text: str, *positions: int, look: str = "plain") -> Region:
    return Region("ul>li", "row", look, text, positions)


def two_by_two() -> tuple[Crawl, list[int]]:
    """A page with a switch and a lamp, each on or off."""
    crawl = Crawl()
    states = [
        crawl.found(one + other, ["click switch", "click lamp"], switch(one, 0), lamp(other, 1))
        for one in "01"
        for other in "01"
    ]
    return crawl, states


def test_an_event_is_needed_once_for_each_value_of_its_own_region() -> None:
    crawl, (both_off, lamp_on, switch_on, _) = two_by_two()
    assert crawl.explored(both_off, "click switch", switch_on) is None
    assert not crawl.needs(lamp_on, "click switch")  # the lamp has nothing to do with it
    assert crawl.needs(switch_on, "click switch")  # another value
    assert crawl.needs(both_off, "click lamp")


def test_pairs_are_reported_when_their_need_changes() -> None:
    crawl, (both_off, lamp_on, switch_on, _) = two_by_two()
    crawl.components.changed_pairs()
    crawl.explored(both_off, "click switch", switch_on)
    assert crawl.components.changed_pairs() == [(lamp_on, 0)]


def test_an_event_that_does_the_same_again_agrees_with_the_prediction() -> None:
    crawl, (both_off, lamp_on, switch_on, both_on) = two_by_two()
    crawl.explored(both_off, "click switch", switch_on)
    assert crawl.explored(lamp_on, "click switch", both_on) is True
    assert crawl.components.deviations == 0


def test_a_deviation_makes_the_unit_that_explains_it_part_of_the_task() -> None:
    crawl, (both_off, lamp_on, switch_on, both_on) = two_by_two()
    crawl.explored(both_off, "click switch", switch_on)
    assert crawl.explored(lamp_on, "click switch", lamp_on) is False  # a lit lamp blocks the switch
    assert crawl.components.contexts() == {(("switch", 0), "click switch"): (Context(("lamp", 0), Aspect.VALUE),)}
    assert crawl.explored(switch_on, "click switch", both_off) is None
    assert crawl.needs(both_on, "click switch")  # the lamp counts now


def test_an_event_whose_effect_nothing_explains_makes_no_more_predictions() -> None:
    crawl = Crawl()
    page = Region("page", "shape", "look", "same", (0, 1))
    start = crawl.found("start", ["click a", "click b"], page)
    again = crawl.found("again", ["click a", "click b"], page)
    one, other = (crawl.found(name, [], Region("page", "shape", "look", name)) for name in ("one", "other"))
    crawl.explored(start, "click a", one)
    assert crawl.explored(again, "click a", other) is False
    assert crawl.components.unsteady() == {(("page", 0), "click a")}


def test_rows_of_one_template_count_as_none_one_or_several() -> None:
    crawl = Crawl()
    adder = Region("form", "form", "form", "form", (0,))
    one = crawl.found("1", ["add", "remove tea"], adder, row("tea", 1))
    two = crawl.found("2", ["add", "remove tea", "remove jam"], adder, row("tea", 1), row("jam", 2))
    three = crawl.found(
        "3", ["add", "remove tea", "remove jam", "remove rice"], adder, row("tea", 1), row("jam", 2), row("rice", 3)
    )
    crawl.explored(one, "add", two)
    assert crawl.components.rows() == {"ul>li"}
    view = crawl.components.view
    assert view(two)["ul>li", EVERY_ROW] == view(three)["ul>li", EVERY_ROW] != view(one)["ul>li", EVERY_ROW]


def test_rows_that_look_different_are_different_rows() -> None:
    crawl = Crawl()
    states = [
        crawl.found("1", ["add"], row("tea")),
        crawl.found("2", ["add"], row("tea"), row("jam")),
        crawl.found("3", ["add"], row("tea"), row("jam", look="done")),
    ]
    crawl.explored(states[0], "add", states[1])
    values = [crawl.components.view(state)["ul>li", EVERY_ROW] for state in states]
    assert len(set(values)) == 3


def test_a_list_that_is_replaced_has_no_rows() -> None:
    crawl = Crawl()
    menu = crawl.found("menu", ["open"], row("home"), row("shop"))
    other = crawl.found("other", ["open"], row("mail"), row("news"), row("help"))
    crawl.explored(menu, "open", other)
    assert crawl.components.rows() == frozenset()


def counter(count: int, position: int = 0) -> Region:
    return Region("counter", "shape", "look", str(count), (position,))


def test_values_that_one_event_keeps_making_are_cut_after_a_few() -> None:
    crawl = Crawl()
    state, fired = crawl.found("count 0", ["more"], counter(0)), 0
    for count in range(1, 12):
        after = crawl.found(f"count {count}", ["more"], counter(count))
        if crawl.needs(state, "more"):
            crawl.explored(state, "more", after)
            fired += 1
        state = after
    (end,) = crawl.components.open_ends()
    assert (end.unit, end.event) == (("counter", 0), "more")
    assert MOST_VALUES < fired <= MOST_VALUES + 3
    assert not crawl.needs(state, "more")


def test_revisiting_a_few_pages_is_no_open_end() -> None:
    """Three pages with links to each other, each of which shows which one is open."""
    crawl = Crawl()
    events = [f"open {number}" for number in range(3)]
    pages = [
        crawl.found(f"page {number}", events, Region("nav", "nav", "look", f"page {number}", (0, 1, 2)))
        for number in range(3)
    ]
    for state in pages:
        for number, target in enumerate(pages):
            crawl.explored(state, f"open {number}", target)
    assert crawl.components.open_ends() == []


def test_toggling_between_two_values_is_no_open_end() -> None:
    crawl, (both_off, lamp_on, switch_on, both_on) = two_by_two()
    crawl.explored(both_off, "click switch", switch_on)
    crawl.explored(switch_on, "click switch", both_off)
    crawl.explored(lamp_on, "click lamp", both_off)
    crawl.explored(both_on, "click switch", lamp_on)
    assert crawl.components.open_ends() == []


def test_an_exhaustive_crawl_distinguishes_all_rows_and_values() -> None:
    crawl = Crawl(reduces=False)
    states = [crawl.found(f"count {count}", ["more"], counter(count)) for count in range(8)]
    for state in states[:-1]:
        assert crawl.needs(state, "more")
        crawl.explored(state, "more", state + 1)
    assert crawl.components.open_ends() == []


def test_events_are_recognized_by_their_names_without_numbers() -> None:
    crawl = Crawl()
    bar = Region("footer", "shape", "look", "bar", (0,))
    one = crawl.found("1", ['click "1 item left"'], bar)
    two = crawl.found("2", ['click "2 items left"'], bar)
    three = crawl.found("3", ['click "3 items left"'], bar)
    crawl.explored(two, 'click "2 items left"', one)
    assert not crawl.needs(three, 'click "3 items left"')


def test_equal_names_in_one_region_are_different_events() -> None:
    crawl = Crawl()
    days = Region("table", "shape", "look", "March", (0, 1))
    page = crawl.found("March", ['click "1"', 'click "2"'], days)
    crawl.explored(page, 'click "1"', page)
    assert crawl.needs(page, 'click "2"')


def test_an_event_outside_of_all_regions_is_always_needed() -> None:
    crawl = Crawl()
    page = crawl.found("page", ["key Escape"])
    crawl.explored(page, "key Escape", page)
    assert crawl.needs(page, "key Escape")


def test_the_order_of_what_is_needed_again_follows_from_the_facts() -> None:
    """Not from the hashes of texts, which differ between processes: a resumed crawl must decide like the first one."""
    crawl = Crawl()
    names = [f"click {name}" for name in "abcdef"]
    more = len(names)

    def page(name: str, rows: str, result: str, *events: str) -> int:
        regions = [Region("#panel", "shape", "look", "panel", tuple(range(len(events))))]
        regions += [row(text) for text in rows] + [Region("#result", "shape", "look", result)]
        return crawl.found(name, events, *regions)

    one, other = page("one", "1", "", *names, "click more"), page("other", "2", "", *names)
    left = page("left", "3", "", *names)
    for state in (one, other):
        for name in names:
            crawl.explored(state, name, page(f"{name} {state}", str(state + 1), f"{name} {state}"))
    assert len(crawl.components.contexts()) == len(names)
    crawl.components.changed_pairs()
    crawl.explored(one, "click more", page("several", "14", "", *names))
    assert [pair for pair in crawl.components.changed_pairs() if pair[0] == left] == [(left, i) for i in range(more)]


def test_open_ends_of_ever_new_shapes_take_linear_time() -> None:
    """As on a site where each kind of page has a few pages: what is known about the others stays as it is."""
    crawl, names = Crawl(), [f'click "{number} text"' for number in range(50)]
    before = None
    begin = time.process_time()
    for number in range(300):
        region = Region("", f"shape {number // 5}", "look", f"page {number}", tuple(range(len(names))))
        state = crawl.found(str(number), [f"{name} {place}" for place, name in enumerate(names)], region)
        if before is not None:
            crawl.explored(before, f"{names[0]} 0", state)
        before = state
    assert len(crawl.components.open_ends()) > 50
    assert time.process_time() - begin < 5


def test_what_an_event_sets_may_have_been_set_before() -> None:
    """A tab closes whichever other one was open: that is no dependence."""
    crawl = Crawl()

    def page(name: str, *values: str) -> int:
        regions = [Region(f"tab{i}", "shape", "look", value, (i,)) for i, value in enumerate(values)]
        return crawl.found(name, ["click 0", "click 1", "click 2"], *regions)

    first, second, third = page("1", "open", "", ""), page("2", "", "open", ""), page("3", "", "", "open")
    crawl.explored(first, "click 2", third)
    assert crawl.explored(second, "click 2", third) is True
    assert crawl.components.deviations == 0


def test_what_is_inside_rows_are_rows_too() -> None:
    crawl = Crawl()

    def card(text: str, *positions: int) -> list[Region]:
        return [row(text), Region("ul>li>form", "form", "form", f"form of {text}", positions)]

    one = crawl.found("1", ["add", "send"], *card("tea", 1))
    two = crawl.found("2", ["add", "send #1", "send #2"], *card("tea", 1), *card("jam", 2))
    crawl.explored(one, "add", two)
    assert crawl.components.rows() == {"ul>li", "ul>li>form"}
    crawl.explored(two, "send #1", two)
    assert not crawl.needs(two, "send #2"), "one form of several is like the other"


def test_buttons_are_tried_with_none_one_and_several_fields_changed() -> None:
    crawl = Crawl()

    def form(a: str, b: str, c: str) -> int:
        fields = [Region(f"form>:{name}", "f", "f", value, ()) for name, value in zip("abc", (a, b, c), strict=True)]
        return crawl.found(f"{a}-{b}-{c}", ["click save"], Region("form", "form", "form", "form", (0,)), *fields)

    blank, one, other = form("", "", ""), form("x", "", ""), form("", "x", "")
    two, three = form("x", "x", ""), form("x", "x", "x")
    for state, same in ((blank, None), (one, other), (two, three)):
        assert crawl.needs(state, "click save")
        crawl.explored(state, "click save", state)
        assert same is None or not crawl.needs(same, "click save")


def test_a_dependence_is_as_coarse_as_possible() -> None:
    """Whether the menu is there matters, and not what it shows."""
    crawl = Crawl()

    def page(light: str, menu: str) -> int:
        regions = [Region("light", "shape", "look", light, (0,))]
        regions += [Region("menu", "shape", "look", menu)] if menu else []
        return crawl.found(light + menu, ["click light"], *regions)

    for menu, does in (("", "on"), ("files", "off")):
        crawl.explored(page("off", menu), "click light", page(does, menu))
    edit = page("off", "edit")
    assert not crawl.needs(edit, "click light")
    assert {context.aspect for contexts in crawl.components.contexts().values() for context in contexts} == {
        Aspect.PRESENCE
    }


def test_what_nothing_depends_on_any_more_is_forgotten() -> None:
    """Because the texts that differed are those of rows."""
    crawl = Crawl()

    def page(name: str, light: str, *rows: str) -> int:
        events = ["click light", "add"]
        return crawl.found(name, events, Region("light", "s", "l", light, (0,)), *(row(text) for text in rows))

    one, other = page("1", "off", "tea"), page("2", "off", "jam")
    crawl.explored(one, "click light", page("3", "off", "tea!"))
    assert crawl.explored(other, "click light", page("4", "off", "jam!")) is False
    assert crawl.components.contexts()
    crawl.explored(one, "add", page("5", "off", "tea", "rice"))
    assert not crawl.components.contexts()


def test_buttons_of_two_forms_look_at_their_own_fields() -> None:
    crawl = Crawl()

    def page(name: str, one: str, other: str) -> int:
        regions = [Region("form", "form", "form", "form", (0,)), Region("form>:a", "f", "f", one)]
        regions += [Region("form", "form", "form", "form", (1,)), Region("form>:a", "f", "f", other)]
        return crawl.found(name, ["click save", "click send"], *regions)

    page("blank", "", "")
    filled, other = page("1", "x", ""), page("2", "", "x")
    crawl.explored(filled, "click send", filled)
    assert crawl.needs(other, "click send"), "its own field has not been changed until now"


def test_a_proven_dependence_is_not_forgotten() -> None:
    """However many examples there are in which it does not show."""
    crawl, most = Crawl(), 39

    def page(value: int, lamp: str, *rows: str) -> int:
        regions = [Region(place, "s", "l", shown, ()) for place, shown in (("x", f"{value}"), ("lamp", lamp))]
        regions += [Region("go", "s", "l", "go", (0,)), *(row(text) for text in rows)]
        return crawl.found(f"{value} {lamp} {rows}", ["click go", "add"], *regions)

    off = [page(value, "off", "tea") for value in range(most + 1)]
    for value, state in enumerate(off):
        crawl.explored(state, "click go", page(value, "red" if value == most else "green", "tea"))
    assert crawl.components.contexts()
    crawl.explored(off[0], "add", page(0, "off", "tea", "jam"))
    assert crawl.components.rows()
    assert crawl.components.contexts()
