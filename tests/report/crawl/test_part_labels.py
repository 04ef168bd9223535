"""Labels of the parts of a page, and the elements that are these parts."""

import pytest

from statecrawl.report.crawl.document import Element, read_document
from statecrawl.report.crawl.page_parts import parts_of, with_containers
from statecrawl.report.crawl.part_labels import labels_in
from statecrawl.report.crawl.part_names import PartLabel
from tests.report.crawl.documents import document_of


def labels(place: str, *documents: str) -> PartLabel | None:
    return labels_in(map(document_of, documents), with_containers([place])).get(place)


@pytest.mark.parametrize(
    ("place", "html", "label"),
    [
        ("#a", '<div id="a" role="dialog" aria-label="New order"><h2>Step 1</h2></div>', ("dialog", "New order")),
        ("#a", '<h2 id="h">Files</h2><section id="a" aria-labelledby="h">x</section>', ("section", "Files")),
        ("#a", '<table id="a"><caption>Files</caption><tr><td>1</td></tr></table>', ("table", "Files")),
        ("fieldset", "<fieldset><legend>Size</legend><input></fieldset>", ("group of fields", "Size")),
        ("#a", '<section id="a"><h3>Agenda</h3><p>x</p></section>', ("section", "Agenda")),
        ("#a", "<h1>Shop</h1><ul id='a'><li>a</li></ul>", ("list", "")),
        ("#a", "<h2>Tasks</h2><div id='a'>a</div>", ("area", "")),
        ("ul", "<h2>Tasks</h2><ul><li>a</li></ul>", ("list", "Tasks")),
        ("div.card", '<div class="card"><span>Weather</span><button>b</button></div>', ("area", "Weather")),
        ("header", "<header><h1>Shop</h1></header>", ("header", "")),
        ("#a", '<div id="a"><button>b</button></div>', ("area", "")),
    ],
)
def test_a_part_is_labelled_as_people_read_it(place: str, html: str, label: tuple[str, str]) -> None:
    assert labels(place, html) == label


def test_what_changes_is_no_label() -> None:
    march, april = (f'<main id="m"><h2>{month}</h2><table></table></main>' for month in ("March", "April"))
    assert labels("#m", march) == ("main content", "")
    dialogs = [f'<div id="w" role="dialog"><h2>{step}</h2></div>' for step in ("Step 1", "Step 2")]
    assert labels("#w", dialogs[0]) == ("dialog", "Step 1")
    assert labels("#w", *dialogs) == ("dialog", "")
    assert labels("#m", march, april) == ("main content", "")


def test_headings_of_items_are_no_label() -> None:
    items = "<div><h3>First</h3></div><div><h3>Second</h3></div>"
    assert labels("#faq", f"<div id='faq'>{items}</div>") == ("area", "")
    assert labels("#faq", f"<div id='faq'><h2>Questions</h2>{items}</div>") == ("area", "Questions")
    assert labels("#tabs", "<div id='tabs' role='tablist'><h3>First</h3></div>") == ("tab strip", "")


def test_equal_parts_beside_each_other_have_no_label_of_one_of_them() -> None:
    assert labels("ul>li", "<ul><li aria-label='one'>1</li><li aria-label='two'>2</li></ul>") == ("item", "")


def test_parts_are_found_by_their_places_in_the_order_of_the_page() -> None:
    root = document_of('<main id="m"><ul class="list wide"><li>a</li><li>b</li></ul></main><ul><li>c</li></ul>')
    found = parts_of(root, with_containers(["#m>ul.list>li", "ul>li"]))
    assert sorted(found) == sorted(
        [("#m", 0), ("#m>ul.list", 0), ("#m>ul.list>li", 0), ("#m>ul.list>li", 1), ("ul", 0), ("ul>li", 0)]
    )
    assert found["#m>ul.list>li", 1].children == ["b"]


def test_a_document_without_the_places_has_no_parts() -> None:
    assert parts_of(Element("#document"), frozenset({"#m"})) == {}


def test_an_element_with_another_id_is_another_part() -> None:
    html = "<main><section id='shelf'><h2>Shelf</h2></section><section><h2>Basket</h2></section></main>"
    assert labels("main>section", html) == ("section", "Basket")
    generated = "<main><section id='ui-id-7'><h2>Basket</h2></section></main>"
    assert labels("main>section", generated) == ("section", "Basket")


def test_drawings_without_controls_are_no_parts() -> None:
    tags = [("<", "svg"), (">", ""), ("<", "svg"), ("!", "click svg"), (">", "")]
    root = read_document("".join(f"/x\x1f{what}\x1f{value}\x1e" for what, value in tags))
    _, busy = root.children
    assert parts_of(root, frozenset({"svg"})) == {("svg", 0): busy}
