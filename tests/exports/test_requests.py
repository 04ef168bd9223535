"""Requests that somebody could be refused."""

from hypothesis import given
from hypothesis import strategies as st

from statecrawl.exports.requests import SeenRequest, requests, routes_of
from statecrawl.ports.traffic import Exchange, RecordedExchange
from tests.exports.made_up import EXCHANGES, answered

OWN = "http://host"


def found(*exchanges: Exchange) -> list[SeenRequest]:
    return list(requests((RecordedExchange(id="0", exchange=each, places=()) for each in exchanges), OWN))


def test_pages_and_calls_count_and_parts_of_pages_do_not() -> None:
    told = found(
        answered("http://host/", media="text/html", kind="Document"),
        answered("http://host/app.js", media="text/javascript", kind="Script"),
        answered("http://host/api/goods/7?currency=EUR", b"{}"),
        answered("http://other:81/api", b"{}", status=403),
        answered("http://host/api/gone", status=0),
        answered("data:text/html,hello", kind="Document"),
    )
    assert [(each.server, each.path, each.status) for each in told] == [
        ("", "/", 200),
        ("", "/api/goods/7", 200),
        ("http://other:81", "/api", 403),
        ("", "/api/gone", 0),
    ]
    assert routes_of(told)["/api/goods/7"] == "/api/goods/{goodId}"


def test_where_a_redirect_leads() -> None:
    def sent(to: str) -> str:
        (told,) = found(answered("http://host/a/b", status=302, kind="Document", response_headers=(("Location", to),)))
        return told.to

    assert sent("/login?next=/a/b") == "/login"
    assert sent("http://host/login#x") == "/login"
    assert sent("c") == "/a/c"
    assert sent("https://id.test/enter?token=x") == "https://id.test/enter"
    assert sent("http://[half") == ""


@given(st.lists(EXCHANGES, max_size=8))
def test_every_path_has_a_route(exchanges: list[Exchange]) -> None:
    told = found(*exchanges)
    assert routes_of(told).keys() == {each.path for each in told}
