"""Where addresses are found."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecrawl.urls.finding import (
    Found,
    in_answer,
    in_css,
    in_headers,
    in_html,
    in_manifest,
    in_robots,
    in_script,
    in_sitemap,
)

BASE = "http://h/d/page"


def html(text: str) -> set[tuple[str, str]]:
    return {(found.url, found.where) for found in in_html(text, BASE)}


@pytest.mark.parametrize(
    ("text", "url", "where"),
    [
        ('<a href="x">', "http://h/d/x", "link"),
        ("<area href=/y>", "http://h/y", "link"),
        ("<form action=/go>", "http://h/go", "form"),
        ("<button formaction=/else>", "http://h/else", "form"),
        ("<iframe src=inner>", "http://h/d/inner", "frame"),
        ('<img srcset="a.png 1x, b.png 2x">', "http://h/d/b.png", "resource"),
        ("<link rel=stylesheet href=/s.css>", "http://h/s.css", "resource"),
        ("<link rel=manifest href=/m.webmanifest>", "http://h/m.webmanifest", "manifest"),
        ('<meta http-equiv=refresh content="3; url=/next">', "http://h/next", "redirect"),
        ("<meta property='og:url' content='http://h/me'>", "http://h/me", "meta"),
        (
            """<meta http-equiv=Content-Security-Policy content="img-src https://cdn.example; report-uri /csp">""",
            "http://h/csp",
            "meta",
        ),
        ("<style>@import 'more.css'</style>", "http://h/d/more.css", "style sheet"),
        ("""<p style="background: url('bg.png')">""", "http://h/d/bg.png", "style sheet"),
        ("<script>fetch('/api/v1/users/' + id)</script>", "http://h/api/v1/users/", "script"),
        ("<script>load(`/items/${id}/parts`)</script>", "http://h/items/*/parts", "script"),
        ("""<p onclick="go('/clicked')">""", "http://h/clicked", "script"),
        ("<p data-url=/data/1>", "http://h/data/1", "script"),
        ("<!-- <a href='/old.html'> -->", "http://h/old.html", "comment"),
        ("<base href=/sub/><a href=x>", "http://h/sub/x", "link"),
        ("<svg><use xlink:href='/icons.svg'/></svg>", "http://h/icons.svg", "resource"),
    ],
)
def test_pages_name_addresses_in_many_places(text: str, url: str, where: str) -> None:
    assert (url, where) in html(text)


@pytest.mark.parametrize(
    "text",
    [
        "<a href='#top'>",
        "<a href='javascript:void(0)'>",
        "<a href='mailto:a@b.c'>",
        "<script>const type = 'text/html', expression = /a\\/b/g, half = 'a/b';</script>",
        "<img src='data:image/png;base64,AAAA'>",
    ],
)
def test_what_leads_nowhere_is_not_found(text: str) -> None:
    assert html(text) == set()


def test_headers_name_addresses() -> None:
    headers = {
        "Link": "</a>; rel=next, <b>; rel=preload",
        "Location": "/moved",
        "Refresh": "0; url=/again",
        "Content-Security-Policy": "img-src https://images.example/ 'self' *.other.example",
    }
    assert {(found.url, found.where) for found in in_headers(headers, BASE)} == {
        ("http://h/moved", "redirect"),
        ("http://h/again", "redirect"),
        ("http://h/a", "header"),
        ("http://h/d/b", "header"),
        ("https://images.example/", "header"),
    }


def test_files_for_crawlers_name_addresses() -> None:
    robots = "User-agent: *\nDisallow: /private # not here\nAllow: /*?x\nSitemap: http://h/s.xml"
    assert [*in_robots(robots, BASE)] == [Found("http://h/private", "robots.txt"), Found("http://h/s.xml", "sitemap")]
    sitemap = (
        "<urlset><url><loc> http://h/a?x=1&amp;y=2 </loc></url><url><loc><![CDATA[http://h/b]]></loc></url></urlset>"
    )
    assert [found.url for found in in_sitemap(sitemap, BASE)] == ["http://h/a?x=1&y=2", "http://h/b"]
    assert [found.url for found in in_sitemap("http://h/c\nhttp://h/d\n", BASE)] == ["http://h/c", "http://h/d"]


def test_other_answers_are_read_by_their_kind() -> None:
    def urls(kind: str, text: str, base: str = BASE) -> list[str]:
        return [found.url for found in in_answer(kind, text, base)]

    assert urls("text/css; charset=utf-8", "a { background: url(p.png) }") == ["http://h/d/p.png"]
    assert urls("application/json", '{"next": "/page/2"}') == ["http://h/page/2"]
    assert urls("application/manifest+json", '{"start_url": "/app", "icons": [{"src": "i.png"}]}') == [
        "http://h/app",
        "http://h/d/i.png",
    ]
    assert urls("text/html", "<a href=x>") == ["http://h/d/x"]
    assert urls("image/png", "<a href=x>") == []
    assert urls("text/plain", "Disallow: /p", "http://h/robots.txt") == ["http://h/p"]


@given(st.text(max_size=300) | st.text(alphabet="<>/=\"'a:.-!{}[]# ", max_size=300))
def test_nothing_that_is_sent_breaks_the_search(text: str) -> None:
    for search in (in_html, in_css, in_script, in_robots, in_sitemap, in_manifest):
        for found in search(text, BASE):
            assert found.url.startswith(("http://", "https://"))


@pytest.mark.parametrize(
    "piece",
    [
        "<loc>",
        "'/a",
        "url(",
        "<a href='",
        "<!--",
        "<div>",
        "<a =",
        "<a b",
        "<script>",
        "a/a.",
        '"a',
        "{",
        "[",
        "=",
        "<",
    ],
)
def test_a_long_text_does_not_take_for_ever(piece: str) -> None:
    """Long nonsense takes no longer than other long texts do: nothing here tries the same again and again."""
    text = piece * (200_000 // len(piece))
    begun = time.process_time()
    for search in (in_html, in_css, in_script, in_robots, in_sitemap, in_manifest):
        for _ in search(text, BASE):
            pass
    assert time.process_time() - begun < 5
