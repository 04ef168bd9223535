"""HAR: every exchange is an entry that the schema lets through, and its body can be had back."""

import base64
import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from statecrawl.exports.har import har
from statecrawl.ports.traffic import Exchange
from tests.exports.har_schema import HAR
from tests.exports.made_up import EXCHANGES, HOME, crawled

VALIDATOR = Draft202012Validator(HAR)


def written(*exchanges: Exchange) -> Any:
    told = json.loads(b"".join(har(crawled(*exchanges))))
    VALIDATOR.validate(told)
    return told["log"]


@settings(max_examples=50)
@given(st.lists(EXCHANGES, max_size=4))
def test_what_goes_in_comes_out(exchanges: list[Exchange]) -> None:
    log = written(*exchanges)
    assert len(log["entries"]) == len(exchanges)
    for entry, exchange in zip(log["entries"], exchanges, strict=True):
        request, response = entry["request"], entry["response"]
        assert (request["method"], request["url"], response["status"]) == (
            exchange.method,
            exchange.url,
            exchange.status,
        )
        told = [(header["name"], header["value"]) for header in response["headers"]]
        assert tuple(told) == exchange.response_headers
        content = response["content"]
        assert ("text" in content) == (exchange.response_body is not None)
        if exchange.response_body is not None:
            text = content["text"]
            assert exchange.response_body == (base64.b64decode(text) if "encoding" in content else text.encode())


def test_a_page_for_each_state_with_traffic() -> None:
    log = written(Exchange(method="GET", url="http://host/?a=1&b=", status=200, started=12.5))
    assert log["pages"] == [
        {"startedDateTime": "1970-01-01T00:00:12.500Z", "id": HOME, "title": "Home", "pageTimings": {}}
    ]
    (entry,) = log["entries"]
    assert entry["pageref"] == HOME
    assert entry["_places"][1]["event"] == "click a"
    assert entry["request"]["queryString"] == [{"name": "a", "value": "1"}, {"name": "b", "value": ""}]


def test_forms_and_cookies_are_taken_apart() -> None:
    log = written(
        Exchange(
            method="POST",
            url="http://host/",
            status=302,
            request_headers=(("Content-Type", "application/x-www-form-urlencoded"), ("Cookie", "a=1; b=2")),
            request_body=b"q=chair&n=2",
            response_headers=(("Set-Cookie", "sid=x; Path=/"), ("Location", "/next")),
        )
    )
    (entry,) = log["entries"]
    assert entry["request"]["cookies"] == [{"name": "a", "value": "1"}, {"name": "b", "value": "2"}]
    assert entry["request"]["postData"]["params"] == [{"name": "q", "value": "chair"}, {"name": "n", "value": "2"}]
    assert entry["response"]["cookies"] == [{"name": "sid", "value": "x"}]
    assert entry["response"]["redirectURL"] == "/next"


def test_no_traffic_is_an_empty_archive() -> None:
    assert written() == written() | {"entries": [], "pages": []}
