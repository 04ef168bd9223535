"""The sketch of an API: a valid document, whatever was seen, that says what was."""

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from openapi_spec_validator import OpenAPIV31SpecValidator

from statecrawl.exports.openapi import sketch
from statecrawl.ports.traffic import Exchange
from tests.exports.made_up import EXCHANGES, answered, crawled
from tests.exports.test_json_shapes import VALUES

CALLS = st.builds(
    lambda exchange, body: answered(
        exchange.url, json.dumps(body).encode(), method=exchange.method, status=exchange.status
    ),
    EXCHANGES,
    VALUES,
)


def valid(*exchanges: Exchange) -> Any:
    told = sketch(crawled(*exchanges))
    OpenAPIV31SpecValidator(told).validate()
    return told


@settings(max_examples=30)
@given(st.lists(EXCHANGES | CALLS, max_size=5))
def test_it_is_valid_whatever_was_seen(exchanges: list[Exchange]) -> None:
    valid(*exchanges)


def test_calls_of_one_kind_become_one_operation() -> None:
    told = valid(
        answered("http://host/api/goods/11?currency=EUR&page=1", b'{"name": "chair", "price": 5}'),
        answered("http://host/api/goods/12?currency=EUR", b'{"name": "table", "price": 7.5}'),
        answered("http://host/api/goods/99?currency=EUR", b'{"error": "none"}', status=404, reason="Not Found"),
        answered("http://host/app.js", b"", "text/javascript", kind="Script"),
    )
    assert told["servers"] == [{"url": "http://host"}]
    ((route, item),) = told["paths"].items()
    assert route == "/api/goods/{goodId}"
    operation = item["get"]
    assert operation["operationId"] == "getApiGoodsGoodId"
    assert [
        (each["name"], each["in"], each["required"], each["schema"]["type"]) for each in operation["parameters"]
    ] == [
        ("goodId", "path", True, "integer"),
        ("currency", "query", True, "string"),
        ("page", "query", False, "integer"),
    ]
    assert operation["responses"].keys() == {"200", "404"}
    schema = operation["responses"]["200"]["content"]["application/json"]["schema"]
    assert schema["properties"] == {"name": {"type": "string"}, "price": {"type": "number"}}


def test_bodies_authorization_and_several_servers() -> None:
    told = valid(
        answered(
            "http://host/api/cart",
            b"[]",
            method="POST",
            status=201,
            request_headers=(("Content-Type", "application/json"), ("Authorization", "Bearer REDACTED")),
            request_body=b'{"item": 1}',
        ),
        answered("http://other/api/cart", b"oops {", method="DELETE"),
    )
    item = told["paths"]["/api/cart"]
    assert item["servers"] == [{"url": "http://host"}, {"url": "http://other"}]
    assert item["post"]["requestBody"]["content"]["application/json"]["schema"]["required"] == ["item"]
    assert item["post"]["security"] == [{"bearer": []}]
    assert told["components"]["securitySchemes"] == {"bearer": {"type": "http", "scheme": "bearer"}}
    assert item["delete"]["responses"]["200"]["content"] == {"application/json": {}}
