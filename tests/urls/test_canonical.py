"""Canonical form of URLs."""

from urllib.parse import unquote, unquote_to_bytes

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecrawl.urls.canonical import LONGEST, _cached_form, _form, canonical

BASE = "http://host/d/page?x=1"


@pytest.mark.parametrize(
    ("written", "form"),
    [
        ("HTTP://Host:80/a/../b?z=1&a=2#f", "http://host/b?a=2&z=1"),
        ("https://host:443", "https://host/"),
        ("https://host:8443/", "https://host:8443/"),
        ("next", "http://host/d/next"),
        ("?x=2", "http://host/d/page?x=2"),
        ("//other/x", "http://other/x"),
        ("http://user:word@host/", "http://host/"),  # nobody has to know that
        ("http://[::1]:80/", "http://[::1]/"),
        ("  /spaces around \n", "http://host/spaces%20around"),
        ("?2", "http://host/d/page?2"),  # no name=value: what it means, and in which order, only the server knows
        ("?/blog/1&b&a=%c3", "http://host/d/page?/blog/1&b&a=%C3"),
        ("?b=1&a=2&a=1&&", "http://host/d/page?a=2&a=1&b=1"),
        ("?q='x y|[]+%27", "http://host/d/page?q=%27x%20y|[]+%27"),
        ("/x?", "http://host/x"),
        ("//host./x", "http://host./x"),
        ("/a//b;c=1;/%7eann%2fx/%2E%2e/;", "http://host/a//b;c=1;/;"),
        ("e//f", "http://host/d/e//f"),
        ("\\\\other\\x?a\\b", "http://other/x?a\\b"),
        ("http:next", "http://host/d/next"),
        ("/%%341", "http://host/%%341"),
    ],
)
def test_an_address_has_one_form(written: str, form: str) -> None:
    assert canonical(written, BASE) == form


@pytest.mark.parametrize(
    "written",
    ["javascript:alert(1)", "mailto:a@b", "data:text/html,x", "http://h:99999/", "http://[::1/", "/" * 3000],
)
def test_what_is_no_address_of_the_web_is_none(written: str) -> None:
    assert canonical(written, BASE) is None


@given(st.text(max_size=200) | st.from_regex(r"https?://[a-z]{1,5}(:\d{1,3})?/[ -~]{0,40}", fullmatch=True))
def test_the_form_of_a_form_is_itself(written: str) -> None:
    form = canonical(written, BASE)
    assert form is None or canonical(form) == form


PARTS = st.text("ab/.;%41cC3~-:@!$'()*+,[]|{} é", max_size=15)


@given(PARTS, st.text("ab=&;%2Cf+/?'é |", max_size=20))
def test_a_server_gets_what_is_written(path: str, query: str) -> None:
    """Decoding gives the original, except for the order of named arguments and empty parts."""
    form = canonical(f"http://h/{path}?{query}")
    assert form is not None
    sent, _, asked = form.removeprefix("http://h").partition("?")
    if not any(segment in (".", "..") for segment in unquote(path).split("/")):
        assert unquote_to_bytes(sent) == unquote_to_bytes(f"/{path}")
        assert sent.count("/") == f"/{path}".count("/")
    arguments = [unquote_to_bytes(each) for each in query.rstrip().split("&") if each]
    kept = [unquote_to_bytes(each) for each in asked.split("&") if each]
    assert sorted(kept) == sorted(arguments)
    if any("=" not in each for each in query.rstrip().split("&") if each):
        assert kept == arguments


def test_pictures_that_are_written_out_are_not_remembered() -> None:
    before = _cached_form.cache_info().misses
    assert canonical(f"data:image/png;base64,{'A' * LONGEST}", BASE) is None
    assert canonical("next", f"http://host/d/?{'x' * LONGEST}") == "http://host/d/next"
    assert _cached_form.cache_info().misses == before


@given(
    st.sampled_from(["", "/", "//", "http://", "https://", "http:", "?", "/../", ".", "a/../", ";", " /", "HTTP://B"]),
    st.text("ab/.;?#:@[\\ \t%", max_size=12),
    st.sampled_from([BASE, "https://u:p@host:8443/d/e;x/?/y#/z", "about:blank", "http://", "http:///x", "//h/x", ""]),
)
def test_what_of_the_base_has_no_say_changes_nothing(begin: str, rest: str, base: str) -> None:
    assert canonical(begin + rest, base) == _form(begin + rest, base)
