"""Names of states: short, unique, and after what distinguishes them."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from statecrawl.report.crawl.state_features import StateFeatures, features_of
from statecrawl.report.crawl.state_names import LONGEST_NAME, state_names
from tests.report.crawl.documents import document_of

Page = tuple[str, str, str]  # path, title, HTML


def named(*pages: Page, screens: tuple[int, ...] = ()) -> list[str]:
    return state_names(
        [features_of(f"http://app.test{path}", title, document_of(html)) for path, title, html in pages], screens
    )


def orders(*html: str) -> list[str]:
    """The names of states of one page."""
    return named(*(("/", "Shop", f"<h1>Orders</h1>{each}") for each in html))


def test_states_of_one_page_differ_in_what_is_open() -> None:
    tabs = "<b role=tab aria-selected={}>Open</b><b role=tab aria-selected={}>Archive</b>"
    dialog = "<div role=dialog><h2>New order</h2></div>"
    opened, archive = tabs.format("true", "false"), tabs.format("false", "true")
    names = orders(opened, opened + dialog, archive, archive + dialog)
    assert names[:3] == ["Orders", "Orders - dialog 'New order'", "Orders - tab 'Archive'"]
    assert names[3] == "Orders - dialog 'New order', tab 'Archive'"


def test_items_are_named_as_checked_and_unchecked() -> None:
    box = "<label><input type=checkbox {}>{}</label>"
    milk, bread = box.format("checked", "Milk"), box.format("checked", "Bread")
    no_milk, no_bread = box.format("", "Milk"), box.format("", "Bread")
    names = orders(milk + no_bread, milk + bread, no_milk + no_bread, no_milk + bread)
    assert names[:3] == ["Orders", "Orders - checked 'Bread'", "Orders - unchecked 'Milk'"]
    assert names[3] == "Orders - checked 'Bread', unchecked 'Milk'"


def test_what_a_page_says_comes_after_what_is_open() -> None:
    assert orders("<p>None</p>", "<p>None</p><p>Saved</p>", "") == [
        "Orders",
        "Orders - 'Saved'",
        "Orders - without 'None'",
    ]
    assert orders("<p>a</p>", "<p>a</p><input value=abc>") == ["Orders", "Orders - with 'abc'"]
    assert orders("<b>On</b>", "<b aria-disabled=true>On</b>") == ["Orders", "Orders - disabled 'On'"]
    assert orders("<li>a", "<li>a<li>a<li>a") == ["Orders", "Orders - 3 rows"]


def test_what_cannot_be_told_apart_is_numbered() -> None:
    assert orders("", "<i></i>", "<u></u>") == ["Orders", "Orders (2)", "Orders (3)"]


def test_a_page_is_named_after_its_heading_or_title_or_route() -> None:
    assert named(("/", "Shop", "<h1>Orders</h1>")) == ["Orders"]
    assert named(("/", "Shop", "<p>text</p>")) == ["Shop"]
    assert named(("/a/b?c", "", "<p>text</p>")) == ["/a/b?c"]
    assert state_names([StateFeatures()]) == ["page"]


def test_what_is_on_every_page_names_none() -> None:
    pages = [
        (f"/{name}", f"{name} | Shop", f"<h1>Shop</h1><h2>{name}</h2>") for name in ("One", "Two", "Three", "Four")
    ]
    assert named(*pages) == ["One", "Two", "Three", "Four"]
    titles = [(path, title, "<h1>Shop</h1><h2>x</h2><h2>y</h2>") for path, title, _ in pages]
    assert named(*titles) == ["One", "Two", "Three", "Four"]


def test_headings_of_a_list_name_no_page() -> None:
    assert named(("/", "Shop", "<h2>Apple</h2><h2>Pear</h2>"), ("/", "Shop", "<h2>Apple</h2>"))[0] == "Shop"


def test_states_of_the_same_heading_and_other_urls_differ_in_the_route() -> None:
    assert named(("/orders/1", "", "<h1>Order</h1>"), ("/orders/2", "", "<h1>Order</h1>")) == [
        "Order",
        "Order - /orders/2",
    ]


def test_screens_are_told_apart_before_the_states_of_one_screen() -> None:
    box = "<label><input type=checkbox {}>Milk</label>"
    table = "<button aria-expanded=true>More</button>"
    pages: list[Page] = [
        ("/", "", f"<h1>Orders</h1>{html}") for html in ("", table + box.format("checked"), table + box.format(""))
    ]
    assert named(*pages, screens=(0, 1, 1)) == [
        "Orders", "Orders - expanded 'More'", "Orders - expanded 'More', unchecked 'Milk'",
    ]  # fmt: skip


def test_a_name_says_nothing_of_another_state_of_its_screen() -> None:
    pages: list[Page] = [("/", "", "<h1>List</h1>" + "<li>a</li>" * rows) for rows in (1, 5, 6)]
    assert named(*pages, screens=(0, 1, 1)) == ["List", "List - 5 rows", "List - 6 rows"]


def test_states_of_different_screens_are_told_apart_if_their_names_would_be_the_same() -> None:
    tab = "<b role=tab aria-selected=true>T</b>"
    pages: list[Page] = [
        ("/", "", f"<h1>Orders</h1>{html}") for html in ("", tab, f"{tab}<p>Paid</p>", f"{tab}<p>Paid</p><p>Sent</p>")
    ]
    assert named(*pages, screens=(0, 0, 1, 1)) == [
        "Orders", "Orders - tab 'T'", "Orders - tab 'T', 'Paid'", "Orders - tab 'T', 'Sent'",
    ]  # fmt: skip


SNIPPETS = [
    "<h1>Orders</h1>",
    "<h2>x</h2>",
    "<div role=dialog>D</div>",
    "<b role=tab aria-selected=true>T</b>",
    "<input value=a>",
    "<input type=checkbox checked> C",
    "<p>\u202etext\u0007 'quoted'</p>",
    "<p>Orders (2)</p>",
    "<li>row</li>",
    f"<h1>{'long ' * 50}</h1>",
]


@given(st.lists(st.tuples(st.lists(st.sampled_from(SNIPPETS), max_size=6), st.integers(0, 3)), max_size=12))
def test_names_are_unique_short_and_clean(states: list[tuple[list[str], int]]) -> None:
    pages: list[Page] = [("/", "Shop", "".join(snippets)) for snippets, _ in states]
    names = named(*pages, screens=tuple(screen for _, screen in states))
    assert len(set(names)) == len(names) == len(states)
    assert all(0 < len(name) <= LONGEST_NAME + 10 for name in names)
    assert not [letter for name in names for letter in name if unicodedata.category(letter)[0] == "C"]


def test_many_states_of_one_name_are_named_without_recursion() -> None:
    many = [features_of("http://app.test/", "Shop", document_of(f"<p>{number}</p>")) for number in range(3_000)]
    assert len(set(state_names(many))) == len(many)
