"""Screens: the same structure, whatever it says and however often it is repeated."""

from hypothesis import given
from hypothesis import strategies as st

from statecrawl.report.crawl.document import read_document
from statecrawl.report.crawl.screens import Screen, screens_of, skeleton_of
from tests.report.crawl.documents import document_of

TAGS = ("div", "ul", "li", "p", "button", "table", "tr", "td", "section")
LEAVES = st.sampled_from(["text", "<img>", "<b>bold</b>", "<input type=checkbox>", "<span class=x>s</span>", ""])
TREES = st.recursive(
    LEAVES,
    lambda inner: st.builds(
        lambda tag, children: f"<{tag}>{''.join(children)}</{tag}>", st.sampled_from(TAGS), st.lists(inner, max_size=4)
    ),
    max_leaves=12,
)


def skeleton(html: str) -> str:
    return skeleton_of(document_of(html))


@given(st.lists(TREES, max_size=4), st.data())
def test_repeated_siblings_and_their_order_do_not_count(children: list[str], data: st.DataObject) -> None:
    more = [*children, *data.draw(st.lists(st.sampled_from(children), max_size=5) if children else st.just([]))]
    shuffled = data.draw(st.permutations(more))
    assert skeleton(f"<main>{''.join(children)}</main>") == skeleton(f"<main>{''.join(shuffled)}</main>")


@given(TREES)
def test_texts_marks_and_what_is_hidden_do_not_count(tree: str) -> None:
    changed = (
        tree.replace("text", "other words").replace("<b>bold</b>", "<em>marked</em>").replace("class=x", "class=y")
    )
    assert skeleton(f"<main>{tree}</main>") == skeleton(
        f"<main>{changed}<div style='display:none'><h1>x</h1></div></main>"
    )


@given(TREES)
def test_another_kind_of_element_counts(tree: str) -> None:
    assert skeleton(f"<main>{tree}</main>") != skeleton(f"<main>{tree}<dialog open></dialog></main>")
    assert skeleton(f"<main>{tree}</main>") != skeleton(f"<nav>{tree}</nav>")


def test_roles_and_kinds_of_fields_count() -> None:
    assert skeleton("<div role=tab></div>") != skeleton("<div></div>")
    assert skeleton("<input type=checkbox>") != skeleton("<input>")
    assert skeleton("<input type=text>") == skeleton("<input type=email>") == skeleton("<input>")


def test_pictures_and_options_are_not_looked_into() -> None:
    assert skeleton("<svg><g><path></path></g></svg>") == skeleton("<svg></svg>")
    assert skeleton("<select><option>a</select>") == skeleton("<select></select>")


def test_a_document_may_be_deep() -> None:
    deep = "/x\x1f<\x1fdiv\x1e" * 20_000
    closed = deep + "/x\x1f>\x1f\x1e" * 20_000
    assert skeleton_of(read_document(deep)) == skeleton_of(read_document(closed))
    assert skeleton_of(read_document(closed)) != skeleton_of(read_document(closed + "/x\x1f<\x1fp\x1e"))


def test_states_are_grouped_by_pattern_and_skeleton() -> None:
    states = [
        ("http://app.test/item/1", "a"),
        ("http://app.test/item/2?sort=x", "a"),
        ("http://app.test/item/2", "a"),
        ("http://app.test/item/3", "b"),
        ("http://[", ""),
    ]
    assert screens_of(states) == [
        Screen(pattern="http://app.test/item/*", states=(0, 2)),
        Screen(pattern="http://app.test/item/*?sort=*", states=(1,)),
        Screen(pattern="http://app.test/item/*", states=(3,)),
        Screen(pattern="http://[", states=(4,)),
    ]


@given(st.lists(st.tuples(st.text(), st.sampled_from(["", "a", "b"]))))
def test_each_state_is_on_one_screen(states: list[tuple[str, str]]) -> None:
    screens = screens_of(states)
    assert sorted(state for screen in screens for state in screen.states) == list(range(len(states)))
    assert [screen.states[0] for screen in screens] == sorted(screen.states[0] for screen in screens)
