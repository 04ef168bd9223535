"""What a state can be named after."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecrawl.report.crawl.document import read_document
from statecrawl.report.crawl.state_features import features_of, route_of
from tests.report.crawl.documents import document_of

FEATURES = [
    ("dialog", "<div role=dialog aria-label='New order'><h2>Other</h2></div>", ("New order",)),
    ("dialog", "<div role=dialog aria-labelledby=a><h2 id=a>By id</h2></div>", ("By id",)),
    ("dialog", "<dialog open><p></p><h3>Heading</h3></dialog>", ("Heading",)),
    ("dialog", "<dialog><h3>Closed</h3></dialog>", ()),
    ("dialog", "<div aria-modal=true>Just words</div>", ("Just words",)),
    ("dialog", "<div role=dialog style='display:none'>Mounted, not shown</div>", ()),
    ("dialog", "<div role=alertdialog></div>", ("",)),
    ("tab", "<ul><li role=tab aria-selected=false>One<li role=tab aria-selected=true>Two</ul>", ("Two",)),
    ("current", "<a aria-current=page>Here</a><a>There</a>", ("Here",)),
    ("current", "<ul><li class='nav active'>Here</li><li>There</li></ul><div class=active>no item</div>", ("Here",)),
    ("expanded", "<button aria-expanded=true>More</button><button aria-expanded=false>No</button>", ("More",)),
    ("expanded", "<details open><summary>More</summary></details><details><summary>No</summary></details>", ("More",)),
    ("expanded", "<li aria-expanded=true>Letters <ul><li>One</li></ul></li>", ("Letters",)),
    ("expanded", "<b aria-expanded=true>File</b><ul role=menu aria-label=File><li>New</li></ul>", ()),
    ("expanded", "<a class='folder open'>base</a><a class=folder>bin</a><div class=open>no item</div>", ("base",)),
    ("disabled", "<button disabled>Previous</button><b aria-disabled=true>Next</b><b>Go</b>", ("Previous", "Next")),
    ("menu", "<ul role=menu aria-label=File><li>New</li></ul>", ("File",)),
    ("checked", "<input type=checkbox checked id=m><label for=m>Milk</label>", ("Milk",)),
    ("checked", "<label><input type=radio checked> Bread</label>", ("Bread",)),
    ("checked", "<input type=checkbox checked> Beside it", ("Beside it",)),
    ("checked", "<span role=switch aria-checked=true aria-label=Dark></span>", ("Dark",)),
    ("pressed", "<button aria-pressed=true>Bold</button>", ("Bold",)),
    ("selected", "<div role=treeitem aria-selected=true>Inbox</div>", ("Inbox",)),
    ("option", "<select><option>A</option><option selected>B</option></select>", ("B",)),
    ("option", "<select><option selected>A</option><option>B</option></select>", ()),
    (
        "field",
        "<input value='abc'><input type=password value=secret><textarea value='text'></textarea>",
        ("abc", "text"),
    ),
    ("field", "<input value='REDACTED-1a2b3c4d'>", ()),
    ("heading", "<h1>A</h1><div role=heading>B</div><h2 style='display:none'>C</h2>", ("A", "B")),
    ("text", "<p>A</p><p>...</p><p>A</p><p>B</p>", ("A", "B")),
    ("count", "<ul><li>a</li><li>a</li></ul>", ("2 rows",)),
]


@pytest.mark.parametrize(("kind", "html", "found"), FEATURES)
def test_features_are_found(kind: str, html: str, found: tuple[str, ...]) -> None:
    assert features_of("http://app.test/", "", document_of(html)).kinds.get(kind, ()) == found


def test_headings_have_levels_and_those_of_dialogs_are_left_out() -> None:
    html = "<h1>One</h1><div role=heading aria-level=3>Three</div><div role=dialog><h1>Dialog</h1></div>"
    assert features_of("http://app.test/", "", document_of(html)).headings == ((1, "One"), (3, "Three"))


@pytest.mark.parametrize(
    ("url", "route"),
    [("http://app.test/a?b=1#/c", "/a?b=1#/c"), ("http://[", "http://["), ("", ""), ("javascript:x", "x")],
)
def test_routes(url: str, route: str) -> None:
    assert route_of(url) == route


@given(
    st.text(),
    st.text(),
    st.lists(st.sampled_from(["/x\x1f<\x1fh1", "/x\x1f>\x1f", '/x\x1f"\x1fa', "/x\x1f@role\x1ftab"])),
)
def test_whatever_a_page_says_has_features(url: str, title: str, lines: list[str]) -> None:
    features = features_of(url, title, read_document("\x1e".join(lines)))
    assert features.kinds.get("route", ("",)) == (features.route,)


@pytest.mark.timeout(20)
def test_a_page_of_headings_in_headings_is_read_in_time() -> None:
    """So is one of many fields side by side, and one whose name is a list of names."""
    nested = "/x\x1f<\x1fh1\x1e/x\x1f@aria-expanded\x1ftrue\x1e" * 20_000
    fields = "/x\x1f<\x1finput\x1e/x\x1f@checked\x1f\x1e/x\x1f>\x1f\x1e" * 15_000
    names = (
        f"/x\x1f<\x1fb\x1e/x\x1f@aria-pressed\x1ftrue\x1e/x\x1f@id\x1fa\x1e/x\x1f@aria-labelledby\x1f{'a ' * 99_999}"
    )
    for form in (nested, fields, names):
        features_of("http://app.test/", "", read_document(form))
