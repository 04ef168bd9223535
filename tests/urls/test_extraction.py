"""Extraction of URLs from everything that a server sends."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecrawl.urls.extraction import (
    ExtractedUrl,
    in_answer,
    in_css,
    in_data,
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
        ("<noscript><a href=/plain></noscript>", "http://h/plain", "link"),
        ("<applet codebase=classes/ archive='a.jar, b.jar'>", "http://h/d/b.jar", "attribute"),
        ("<object movie=film>", "http://h/d/film", "attribute"),
        ("<object><param name=url value=/clip></object>", "http://h/clip", "attribute"),
        ("<img dynsrc=moving.avi>", "http://h/d/moving.avi", "attribute"),
        ("<img longdesc=described>", "http://h/d/described", "link"),
        ("<x-card to=/card/1>", "http://h/card/1", "attribute"),
        ("<p data-page=about.html>", "http://h/d/about.html", "data"),
        ("<base href=/sub/>", "http://h/sub/", "base"),
        ('<!DOCTYPE html SYSTEM "/grammar.dtd">', "http://h/grammar.dtd", "doctype"),
        ("""<p title="<b><a href='/tip'>t</a></b>">""", "http://h/tip", "link"),
        ("<iframe src='data:text/html,%3Ca href=/inside%3E'>", "http://h/inside", "link"),
        ("<a href='data:text/html;base64,PGEgaHJlZj0vY29kZWQ+'>", "http://h/coded", "link"),
        ("<p>See http://h/said.</p>", "http://h/said", "text"),
        ("<p>or ../up/there, or</p>", "http://h/up/there", "text"),
        ("text /files/manual.pdf</p>", "http://h/files/manual.pdf", "text"),
        ("<!-- moved to /old/place -->", "http://h/old/place", "comment"),
        ("<!-- for admins: /console, not </p> and/or a/b -->", "http://h/console", "comment"),
        ("<link rel='Next' href=/page/2>", "http://h/page/2", "attribute"),
        ("<link rel=alternate hreflang=fr href=/fr>", "http://h/fr", "attribute"),
        ("<link rel='alternate stylesheet' href=/dark>", "http://h/dark", "resource"),
        ("<link rel=alternate type=application/rss+xml href=/feed>", "http://h/feed", "resource"),
        ("<meta name=msapplication-task content='name=x;action-uri=/task;icon-uri=/t.ico'>", "http://h/task", "meta"),
        ("<script>// see /dev/notes\n</script>", "http://h/dev/notes", "script"),
        ("<script>/* /dev/more */</script>", "http://h/dev/more", "script"),
        ("<script>var a = '/api', b = 'users'; load(a + '/' + b)</script>", "http://h/api/users", "script"),
        ("<area href=/y>", "http://h/y", "link"),
        ("<form action=/go>", "http://h/go", "form"),
        ("<button formaction=/else>", "http://h/else", "form"),
        ("<iframe src=inner>", "http://h/d/inner", "frame"),
        ('<img srcset="a.png 1x, b.png 2x">', "http://h/d/b.png", "srcset"),
        ("<link rel=stylesheet href=/s.css>", "http://h/s.css", "resource"),
        ("<link rel=manifest href=/m.webmanifest>", "http://h/m.webmanifest", "manifest"),
        ('<meta http-equiv=refresh content="3; url=/next">', "http://h/next", "redirect"),
        ("<meta property='og:url' content='http://h/me'>", "http://h/me", "meta"),
        (
            """<meta http-equiv=Content-Security-Policy content="img-src https://cdn.example; report-uri /csp">""",
            "http://h/csp",
            "csp",
        ),
        ("<style>@import 'more.css'</style>", "http://h/d/more.css", "css"),
        ("""<p style="background: url('bg.png')">""", "http://h/d/bg.png", "css"),
        ("<script>fetch('/api/v1/users/' + id)</script>", "http://h/api/v1/users/", "script"),
        ("<script>load(`/items/${id}/parts`)</script>", "http://h/items/*/parts", "script"),
        ("""<p onclick="go('/clicked')">""", "http://h/clicked", "script"),
        ("<p data-url=/data/1>", "http://h/data/1", "data"),
        ("<!-- <a href='/old.html'> -->", "http://h/old.html", "comment"),
        ("<base href=/sub/><a href=x>", "http://h/sub/x", "link"),
        ("<iframe srcdoc=\"<a href='/inner'>\">", "http://h/inner", "link"),
        ("<a href=/x ping='/seen /again'>", "http://h/again", "link"),
        ("<p hx-get=/more>", "http://h/more", "data"),
        ("<p data-hx-post=more>", "http://h/d/more", "data"),
        ("<p data-item-url=items/1>", "http://h/d/items/1", "data"),
        ("""<p data-set='{"next": "/set/2"}'>""", "http://h/set/2", "data"),
        ("""<script type="application/ld+json">{"image": "\\/i.webp"}</script>""", "http://h/i.webp", "data"),
        ("<meta name=x content='https://other.example/y'>", "https://other.example/y", "meta"),
        ("<td background=/b.gif>", "http://h/b.gif", "attribute"),
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


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("fetch('items')", "http://h/d/items"),
        ('fetch("/api/x", {method: "POST"})', "http://h/api/x"),
        ("axios.get(`/users/${user.id}/posts?page=${page + 1}`)", "http://h/users/*/posts?page=*"),
        ("request.open('GET', 'list')", "http://h/d/list"),
        ("$.ajax({url: 'ajax/all', type: 'POST'})", "http://h/d/ajax/all"),
        ("http.get('users/all')", "http://h/d/users/all"),
        ("location.href = 'next'", "http://h/d/next"),
        ("window.open('help')", "http://h/d/help"),
        ('get("/a/" + id + "/b")', "http://h/a/*/b"),
        ("get('https://o.example/' + kind)", "https://o.example/*"),
        ("get(`${base}/api/list`)", "http://h/api/list"),
        (r'{"a":"\/escaped\/x"}', "http://h/escaped/x"),
        ('load("//cdn.example.com/x.js")', "http://cdn.example.com/x.js"),
        ('import("./chunk-1.js")', "http://h/d/chunk-1.js"),
        ("new Worker('w.js')", "http://h/d/w.js"),
        ('route("/users/{id}/edit")', "http://h/users/*/edit"),
        ("x\n//# sourceMappingURL=app.js.map", "http://h/d/app.js.map"),
    ],
)
def test_programs_name_addresses(text: str, url: str) -> None:
    assert url in [found.url for found in in_script(text, BASE)]


@pytest.mark.parametrize(
    "text",
    ["map.get('key')", "x = 'text/html'", "a /* c */ + '/*'", "'//'", "s = 'and/or'", "fetch('#top')", "'/'", "'*/'"],
)
def test_what_is_no_address_is_not_found(text: str) -> None:
    assert [*in_script(text, BASE)] == []


@pytest.mark.parametrize("quote", ['"', "'", "`"])
def test_quotation_marks_around_an_address_are_no_part_of_it(quote: str) -> None:
    attribute = f"{quote}images/a.png{quote}".replace('"', "&quot;")
    assert {url for url, _ in html(f'<p data-picture="{attribute}"></p><img src="{attribute}">')} == {
        f"{BASE.rpartition('/')[0]}/images/a.png"
    }


def test_what_a_program_asks_for_is_relative_to_its_page() -> None:
    text = "fetch('items') //# sourceMappingURL=app.js.map"
    found = [each.url for each in in_script(text, "http://h/static/app.js", "http://h/shop/")]
    assert found == ["http://h/static/app.js.map", "http://h/shop/items"]


def test_data_name_addresses() -> None:
    text = r'{"next": "page2", "self": {"href": "/me"}, "html": "<a href=\"/in\">", "text": "see http://o.example/z"}'
    found = {(each.url, each.where) for each in in_answer("application/json", text, "http://h/api/", "http://h/d/page")}
    wanted = {"http://h/d/page2", "http://h/me", "http://h/in", "http://o.example/z"}
    assert found == {(url, "data") for url in wanted}
    feed = "<rss><item><link>http://h/post/1</link><enclosure url='x'/></item></rss>"
    assert [each.url for each in in_answer("application/rss+xml", feed, BASE)] == ["http://h/post/1"]


def test_headers_name_addresses() -> None:
    headers = {
        "Link": "</a>; rel=next, <b>; rel=preload",
        "Location": "/moved",
        "Refresh": "0; url=/again",
        "HX-Redirect": "/hx",
        "Reporting-Endpoints": 'main="/reports", other="https://r.example/x"',
        "Content-Security-Policy": "img-src https://images.example/ 'self' *.other.example",
    }
    assert {(found.url, found.where) for found in in_headers(headers, BASE)} == {
        ("http://h/moved", "redirect"),
        ("http://h/again", "redirect"),
        ("http://h/a", "header"),
        ("http://h/d/b", "header"),
        ("http://h/hx", "header"),
        ("http://h/reports", "header"),
        ("https://r.example/x", "header"),
        ("https://images.example/", "csp"),
    }


def test_files_for_crawlers_name_addresses() -> None:
    robots = "User-agent: *\nDisallow: /private # not here\nAllow: /*?x\nSitemap: http://h/s.xml"
    assert [*in_robots(robots, BASE)] == [
        ExtractedUrl("http://h/private", "robots"),
        ExtractedUrl("http://h/s.xml", "sitemap"),
    ]
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
    for search in (in_html, in_css, in_script, in_data, in_robots, in_sitemap, in_manifest):
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
        "'/a'+",
        "fetch('a",
        "${",
        "`/${a}`+a+",
        "url:'",
        "<p data-x='[",
        '"a',
        "{",
        "[",
        "=",
        "<",
    ],
)
def test_a_long_text_does_not_take_for_ever(piece: str) -> None:
    """Hostile texts take no longer than other long texts: no expression backtracks."""
    text = piece * (200_000 // len(piece))
    begun = time.process_time()
    for search in (in_html, in_css, in_script, in_data, in_robots, in_sitemap, in_manifest):
        for _ in search(text, BASE):
            pass
    assert time.process_time() - begun < 5


def test_pages_inside_of_pages_are_read_only_so_deep() -> None:
    started = time.perf_counter()
    assert html("<iframe srcdoc=" + "<iframe/srcdoc=" * 100_000) == set()
    assert time.perf_counter() - started < 5.0
