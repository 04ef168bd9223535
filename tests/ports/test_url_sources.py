"""URLs in the evidence of a crawl: pages and responses of every kind."""

import gzip

from hypothesis import given
from hypothesis import strategies as st

from statecrawl.ports import url_sources
from statecrawl.ports.traffic import REDIRECTED, Exchange, RecordedExchange
from statecrawl.ports.url_sources import (
    StateUrls,
    UrlSearch,
    collected,
    in_exchange,
    text_of,
    urls_of_state,
    without_secrets,
)
from statecrawl.urls.scripts import LONGEST_TEXT

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


def answer(url: str, body: str | bytes, media: str, kind: str = "", **headers: str) -> Exchange:
    return Exchange(
        method="GET",
        url=url,
        status=200,
        kind=kind,
        request_headers=(("Referer", "http://h/shop/"),),
        response_headers=(
            ("Content-Type", media),
            *((name.replace("_", "-"), value) for name, value in headers.items()),
        ),
        response_body=body if isinstance(body, bytes) else body.encode(),
    )


def named(exchange: Exchange) -> set[tuple[str, str]]:
    return {(each.url, each.where) for each in in_exchange(exchange)}


def test_answers_of_every_kind_are_read() -> None:
    sitemap = gzip.compress(b"<urlset><url><loc>http://h/packed</loc></url></urlset>")
    assert named(answer("http://h/sitemap.xml.gz", sitemap, "application/gzip")) == {("http://h/packed", "sitemap")}
    assert named(answer("http://h/js/a.js", "fetch('items')", "text/javascript")) == {("http://h/shop/items", "script")}
    assert named(answer("http://h/a.css", "@import 'b.css'", "text/css")) == {("http://h/b.css", "css")}
    assert named(answer("http://h/x", '{"start_url": "/app"}', "", "Manifest")) == {("http://h/app", "manifest")}
    assert named(answer("http://h/i.png", b"\x89PNG '/no'", "image/png", Link="</s.css>; rel=preload")) == {
        ("http://h/s.css", "header")
    }
    assert named(answer("http://h/go", "<a href=/here>", "", REDIRECTED)) == {("http://h/here", "link")}
    twice = Exchange(method="GET", url="http://h/", response_headers=(("Link", "</a>"), ("link", "</b>; rel=next")))
    assert named(twice) == {("http://h/a", "header"), ("http://h/b", "header")}


def test_all_that_is_known_of_an_address_comes_together() -> None:
    page = StateUrls(
        state="aa",
        url="http://h/shop/#/list",
        html="<a href='item?token=abcdef123456'>x</a><!-- http://h/old -->",
        links=("http://h/shop/item?token=abcdef123456", "http://h/shop/#/about"),
        actions=("http://h/send",),
    )
    asked = RecordedExchange(id="1", exchange=answer("http://h/old", "gone", "text/plain"), places=(("aa", None),))
    urls = {each.url: each for each in collected([page], [asked], [("http://o/", "aa")], lambda u: "//h/" in u).urls}
    assert urls.keys() == {
        *("http://h/shop/#/list", "http://h/shop/#/about", "http://h/shop/item?token=REDACTED"),
        *("http://h/send", "http://h/old", "http://o/"),
    }
    old = urls["http://h/old"]
    assert (old.where, old.visited, old.status, old.in_scope) == (["comment", "request"], True, 200, True)
    assert (urls["http://h/send"].visited, urls["http://o/"].in_scope) == (False, False)


def test_limits_are_kept_and_said() -> None:
    search = UrlSearch(lambda _: True, without_secrets)
    search.add_exchange(answer("http://h/a.js", "x" * (LONGEST_TEXT + 1) + '"/late"', "text/javascript"))
    search._read = url_sources.MOST_TEXT  # as if so much had been read
    assert [each.url for each in search.add_exchange(answer("http://h/b.js", '"/later"', "text/javascript"))] == [
        "http://h/b.js"
    ]
    collected_urls = search.all()
    assert [each.url for each in collected_urls.urls] == ["http://h/a.js", "http://h/b.js"]
    assert len(collected_urls.left_out) == 2


def test_a_packed_text_is_unpacked_only_so_far() -> None:
    bomb = gzip.compress(b"a" * (8 * LONGEST_TEXT), 1)
    assert len(text_of(bomb)) <= 4 * LONGEST_TEXT


@given(st.dictionaries(st.sampled_from(["state", "url", "links", "forms"]), JSON), st.binary(max_size=60))
def test_nothing_that_was_kept_breaks_the_search(about: dict[str, object], body: bytes) -> None:
    search = UrlSearch(lambda _: True, without_secrets)
    search.add_state(urls_of_state(about, body.decode(errors="replace")))
    for media in ("text/html", "application/json", "text/xml", "text/css", "text/javascript", "application/gzip"):
        search.add_exchange(answer("http://h/x", b"\x1f\x8b" * (media[-1] == "p") + body, media))
    assert all(each.url.isprintable() and " " not in each.url for each in search.all().urls)
