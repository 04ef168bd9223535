"""URLs in text for people."""

import pytest

from statecrawl.urls.markup import looks_like_url
from statecrawl.urls.plain_text import in_comment, in_page_comment, in_program_comments, in_shown
from statecrawl.urls.scripts import in_program


@pytest.mark.parametrize(
    "text",
    [
        *("and/or", "1/2", "/usr/bin/env", "a </p> b", "http:", "24/7 support", "/", "./", "../", "c:/x/y.html"),
        *("me@h/x.html", "//", "km/h", "</a></p>"),
    ],
)
def test_what_a_page_shows_is_mostly_no_url(text: str) -> None:
    assert list(in_shown(text)) == []


@pytest.mark.parametrize("text", ["/navbar", "/.container", "end of /header", "// x", "[if IE]", "a / b"])
def test_marks_in_comments_are_no_urls(text: str) -> None:
    assert list(in_comment(text)) == []


@pytest.mark.parametrize(
    "text",
    [
        *(" /container ", "/header", " /wp:group ", " /.container ", " /#main ", " end /header ", " END OF /header "),
        *(" /.row /.container ", " /div.container ", " /nav#top.wide "),
    ],
)
def test_marks_where_elements_end_are_no_urls(text: str) -> None:
    assert list(in_page_comment(text)) == []


@pytest.mark.parametrize(
    ("text", "path"),
    [
        *((" see /console ", "/console"), (" /admin/users ", "/admin/users"), (" /admin.php ", "/admin.php")),
        *((" /console?debug=1 ", "/console?debug=1"), (" /console, for staff ", "/console"), ("/help/", "/help/")),
    ],
)
def test_other_paths_in_comments_of_pages_are(text: str, path: str) -> None:
    assert list(in_page_comment(text)) == [path]


def test_a_url_in_a_program_is_no_comment() -> None:
    assert list(in_program_comments('x = "http://h/a/b"; y = "//h/c/d"; // then /e/f.')) == ["/e/f"]


@pytest.mark.parametrize(
    ("program", "found"),
    [
        ("const a = '/x'; go(a + '/y')", True),
        ("a = '/x'; a = '/z'; go(a + '/y')", False),
        ("go(a + '/y')", False),
        ("const a = '/x'; go(a + b + '/y')", False),
        ("const a = '/x'; go(`${a}/y`)", True),
        ("const a = '/x'; go(`${a}${b}/y`)", False),
        ("go(['/x', 'y'].join('/'))", True),
        ("const a = 'y'; go(['', 'x', a].join('/'))", True),
        ("go(['/x', y].join('/'))", False),
        ("const a = '/x'; go(a.concat('/', 'y'))", True),
        ("go(list.concat('/x', '/y'))", False),
    ],
)
def test_only_what_is_put_together_from_constants_is_told(program: str, found: bool) -> None:
    assert ("/x/y" in in_program(program)) == found


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        *(("/a", True), ("http://h", True), ("x/y.html", True), ("../a?b=c", True)),
        *(
            ("/", False),
            ("a/b", False),
            ("/a b", False),
            ("text/html", False),
            ("1.5", False),
            ("/" + 3000 * "a", False),
        ),
    ],
)
def test_a_text_that_can_only_be_a_url(text: str, is_one: bool) -> None:
    assert looks_like_url(text) == is_one
