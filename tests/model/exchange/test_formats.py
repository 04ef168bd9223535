"""Contract of all exchange formats: a model is unchanged by writing and reading, whatever its ids contain."""

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from statecrawl.errors import BadInput, StatecrawlError, UnknownName
from statecrawl.model.event import Event
from statecrawl.model.exchange.formats import FORMATS, Format, format_named, format_of_file
from statecrawl.model.graph import Graph
from statecrawl.testbed.generated import menusite, tiny, viol8

HOSTILE = [
    "",
    " ",
    "  two  spaces  ",
    'quote " and \\" and \\',
    "line\nline\r\nline\rtab\t",
    "a --> b",
    "--> s1",
    '"]; s1 -> s2 [label="x"];',
    '"| s1',
    "</script><script>alert(1)</script>",
    "<!DOCTYPE x>]]>&amp;&#34;#34;#quot;\\34;",
    "%%{init}%% `code` #35; ≡ x ≡ y",
    "\x00\x01\x1b\x7f\x85\u2028\u2029\ufeff\ufffe\uffff",
    "ünïcödé 日本語 🙂 e\u0301 \u202e rtl",
    "\ud800 half a pair",
    "unexplored",
    "s0",
    "}",
    "flowchart LR",
    "null",
]

texts = st.one_of(st.sampled_from(HOSTILE), st.text(st.characters(), max_size=8))


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    ids = draw(st.lists(texts, unique=True, max_size=6))
    events = st.builds(Event, texts, texts) | st.builds(Event.named, texts)
    graph = Graph()
    for state_id in ids:
        graph.add_state(state_id, draw(st.lists(events, unique_by=lambda event: event.local, max_size=4)))
    for state, enabled in enumerate(graph.events):
        for position in range(len(enabled)):
            target = draw(st.integers(-1, len(ids) - 1))
            if target >= 0:
                graph.explore(state, position, target)
    return graph


def in_order(graph: Graph) -> list[tuple[str, list[Event], list[int]]]:
    """Return the content of a model, including all orders."""
    return [
        (state_id, [graph.event(state, position) for position in range(len(targets))], list(targets))
        for state, (state_id, targets) in enumerate(zip(graph.ids, graph.targets, strict=True))
    ]


@pytest.fixture(params=FORMATS.values(), ids=list(FORMATS))
def form(request: pytest.FixtureRequest) -> Format:
    found: Format = request.param
    return found


@pytest.mark.parametrize("name", FORMATS)
@given(graph=graphs())
@settings(max_examples=150, deadline=None)
def test_any_model_survives_the_round_trip(name: str, graph: Graph) -> None:
    text = FORMATS[name].dumps(graph)
    again = FORMATS[name].loads(text)
    assert again.facts() == graph.facts()
    assert in_order(again) == in_order(graph)
    assert FORMATS[name].dumps(again) == text


def test_hostile_ids_everywhere_survive(form: Format) -> None:
    graph = Graph()
    for state_id in HOSTILE:
        graph.add_state(
            state_id, [Event(local, logical) for local, logical in zip(HOSTILE, reversed(HOSTILE), strict=True)]
        )
    for state in range(len(graph)):
        for position in range(0, len(HOSTILE), 2):
            graph.explore(state, position, (state + position) % len(graph))
    assert in_order(form.loads(form.dumps(graph))) == in_order(graph)


@pytest.mark.parametrize("graph", [tiny().truth, viol8().truth, menusite(5, 3).truth, Graph()])
def test_whole_applications_survive(form: Format, graph: Graph) -> None:
    assert in_order(form.loads(form.dumps(graph))) == in_order(graph)


def test_what_is_written_is_utf_8_and_cannot_close_a_page_it_is_put_in(form: Format) -> None:
    graph = Graph()
    for state_id in HOSTILE:
        graph.add_state(state_id, [Event.named("</script>")])
    text = form.dumps(graph)
    text.encode()
    assert "</script" not in text


def test_nothing_is_written_that_a_terminal_obeys(form: Format) -> None:
    graph = Graph()
    hostile = "a\x1b[31m\x9b2J\u202eb\u2066\x85"
    graph.add_state(hostile, [Event.named(hostile)])
    assert not set(hostile) & set(form.dumps(graph)) - set("a[31m2Jb")


def test_files_with_windows_line_ends_are_read(form: Format) -> None:
    graph = tiny().truth
    assert in_order(form.loads(form.dumps(graph).replace("\n", "\r\n"))) == in_order(graph)


@pytest.mark.parametrize("text", ["", "\n", "x", "{}", "[]", "null", "<a/>", "digraph {}", "\x00", "\ud800", "%% x"])
def test_anything_else_is_refused_in_one_sentence(form: Format, text: str) -> None:
    with pytest.raises(BadInput, match=r"^this .*\.$"):
        form.loads(text)


@pytest.mark.parametrize("name", FORMATS)
@given(place=st.integers(0, 2_000), garbage=st.text(max_size=4))
@settings(max_examples=60, deadline=None)
def test_damaged_text_gives_a_model_or_our_own_error(name: str, place: int, garbage: str) -> None:
    text = FORMATS[name].dumps(tiny().truth)
    place %= len(text)
    with suppress(StatecrawlError):
        FORMATS[name].loads(text[:place] + garbage + text[place + 1 :])


def test_formats_are_found_by_name_and_by_file() -> None:
    assert format_named("dot").name == "dot"
    assert format_of_file("My Model.GraphML").name == "graphml"
    with pytest.raises(UnknownName, match="did you mean json"):
        format_named("jsom")
    with pytest.raises(UnknownName, match="mmd"):
        format_of_file("model.txt")
