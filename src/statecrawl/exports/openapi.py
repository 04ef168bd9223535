"""An OpenAPI 3.1 document of the application's API, inferred from recorded calls.

It describes what was observed, not what is possible: all observed bodies satisfy the schemas, a parameter is required
if no call omitted it, and operations that were never called are missing.
"""

import json
import re
from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from statecrawl.exports.crawl_data import CrawlData
from statecrawl.exports.json_shapes import JsonShape, shape_of, shape_of_text
from statecrawl.exports.routes import routes
from statecrawl.ports.traffic import Exchange
from statecrawl.privacy.redaction import MARKER

CALLS = frozenset({"XHR", "Fetch", "EventSource", "Ping"})  # requests of scripts
METHODS = frozenset({"get", "put", "post", "delete", "options", "head", "patch", "trace"})
FORM = "application/x-www-form-urlencoded"
DESCRIPTION = "Inferred by statecrawl from observed calls. Operations that were not called are missing."


@dataclass(slots=True)
class _Content:
    """Bodies of one media type."""

    shape: JsonShape = field(default_factory=JsonShape)
    is_known: bool = False  # at least one body was parsed


@dataclass(slots=True)
class _Operation:
    """One method of one route."""

    calls: int = 0
    path: dict[str, JsonShape] = field(default_factory=dict)
    query: dict[str, JsonShape] = field(default_factory=dict)
    seen: dict[str, int] = field(default_factory=dict)  # query parameter -> number of calls with it
    bodies: dict[str, _Content] = field(default_factory=dict)  # of requests, by media type
    with_body: int = 0
    answers: dict[str, dict[str, _Content]] = field(default_factory=dict)  # status -> media type -> bodies
    reasons: dict[str, str] = field(default_factory=dict)
    schemes: set[str] = field(default_factory=set)  # of authorization


def openapi(crawled: CrawlData) -> Iterator[bytes]:
    yield json.dumps(sketch(crawled), indent=2).encode() + b"\n"


def sketch(crawled: CrawlData) -> dict[str, Any]:
    """Return the document."""
    kinds: dict[str, set[Hashable]] = defaultdict(set)  # path -> kinds of its responses
    for exchange in _calls(crawled):
        kinds[split(exchange.url)[1]].add(kind_of_answer(exchange))
    routed = routes({path: frozenset(known) for path, known in kinds.items()})
    operations: dict[str, dict[str, _Operation]] = defaultdict(lambda: defaultdict(_Operation))
    servers: dict[str, set[str]] = defaultdict(set)  # of a route
    for exchange in _calls(crawled):
        origin, path, query = split(exchange.url)
        route, values = routed[path]
        servers[route].add(origin)
        _learn(operations[route][exchange.method.lower()], exchange, values, query)
    return _document(crawled, operations, servers)


def _calls(crawled: CrawlData) -> Iterator[Exchange]:
    return (recorded.exchange for recorded in crawled.traffic() if is_call(recorded.exchange))


def kind_of_answer(exchange: Exchange) -> Hashable:
    """Return what distinguishes kinds of responses: method, status, and the names of the fields."""
    try:
        body = json.loads(exchange.response_body or b"null")
    except (ValueError, RecursionError):
        body = None
    names = tuple(sorted(body)) if isinstance(body, dict) else type(body).__name__
    return exchange.method, exchange.status, names


def is_call(exchange: Exchange) -> bool:
    """Whether a script made the request, rather than the browser to load a page."""
    speaks = "json" in exchange.response_type or "json" in exchange.request_type
    wanted = exchange.kind in CALLS or speaks
    return wanted and exchange.status > 0 and exchange.method.lower() in METHODS


def split(url: str) -> tuple[str, str, str]:
    """Return the origin, path and query of a URL."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return "", "/", ""
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}", parts.path or "/", parts.query


def _learn(operation: _Operation, exchange: Exchange, values: Mapping[str, str], query: str) -> None:
    operation.calls += 1
    for name, value in values.items():
        operation.path[name] = operation.path.get(name, JsonShape()) | shape_of_text(value)
    pairs = parse_qsl(query, keep_blank_values=True)
    for name, value in pairs:
        operation.query[name] = operation.query.get(name, JsonShape()) | _shape_of_parameter(value)
    for name in {name for name, _ in pairs}:
        operation.seen[name] = operation.seen.get(name, 0) + 1
    if exchange.request_body:
        operation.with_body += 1
        kind = _media(exchange.request_type)
        _add(operation.bodies.setdefault(kind, _Content()), exchange.request_body, kind)
    status = str(exchange.status)
    operation.reasons.setdefault(status, exchange.reason or f"status {status}")
    answers = operation.answers.setdefault(status, {})
    if exchange.response_type:
        kind = _media(exchange.response_type)
        _add(answers.setdefault(kind, _Content()), exchange.response_body, kind)
    for name, value in exchange.request_headers:
        if name.lower() == "authorization":
            operation.schemes.add(value.partition(" ")[0].lower())


def _shape_of_parameter(value: str) -> JsonShape:
    return shape_of("") if value.startswith(MARKER) else shape_of_text(value)


def _add(content: _Content, body: bytes | None, kind: str) -> None:
    if not body:
        return
    try:
        if "json" in kind:
            shape = shape_of(json.loads(body))
        elif kind == FORM:
            pairs = parse_qsl(body.decode(), keep_blank_values=True)
            each = {name: _shape_of_parameter(value) for name, value in pairs}
            shape = JsonShape(frozenset({"object"}), properties=each, required=frozenset(each))
        else:
            return
    except (ValueError, RecursionError):
        return
    content.shape = content.shape | shape if content.is_known else shape
    content.is_known = True


def _media(content_type: str) -> str:
    kind = content_type.partition(";")[0].strip().lower()
    return kind if re.fullmatch(r"[\w.+-]+/[\w.+*-]+", kind) else "application/octet-stream"


def _document(
    crawled: CrawlData, operations: Mapping[str, Mapping[str, _Operation]], servers: Mapping[str, set[str]]
) -> dict[str, Any]:
    paths: dict[str, dict[str, Any]] = {}
    schemes: set[str] = set()
    used: set[str] = set()
    origins = sorted({origin for each in servers.values() for origin in each})
    for route, methods in sorted(operations.items()):
        item = paths[route] = {}
        if len(origins) > 1:
            item["servers"] = [{"url": origin} for origin in sorted(servers[route])]
        for method, operation in sorted(methods.items()):
            item[method] = _operation(operation, _operation_id(method, route, used))
            schemes |= operation.schemes
    known = {"bearer", "basic"} & schemes
    document: dict[str, Any] = {
        "openapi": "3.1.0",
        "info": {"title": f"API of {crawled.application}", "version": "0", "description": DESCRIPTION},
        "servers": [{"url": origin} for origin in origins],
        "paths": paths,
    }
    if known:
        document["components"] = {"securitySchemes": {name: {"type": "http", "scheme": name} for name in sorted(known)}}
    return document if origins else {name: value for name, value in document.items() if name != "servers"}


def _operation(operation: _Operation, name: str) -> dict[str, Any]:
    parameters = [
        {"name": each, "in": "path", "required": True, "schema": shape.schema()}
        for each, shape in operation.path.items()
    ] + [
        {"name": each, "in": "query", "required": operation.seen[each] == operation.calls, "schema": shape.schema()}
        for each, shape in sorted(operation.query.items())
    ]
    result: dict[str, Any] = {"operationId": name, "responses": {}}
    if parameters:
        result["parameters"] = parameters
    if operation.bodies:
        required = operation.with_body == operation.calls
        result["requestBody"] = {"required": required, "content": _contents(operation.bodies)}
    for status, answers in sorted(operation.answers.items()):
        answer: dict[str, Any] = {"description": operation.reasons[status]}
        result["responses"][status] = answer
        if answers:
            answer["content"] = _contents(answers)
    if known := {"bearer", "basic"} & operation.schemes:
        result["security"] = [{scheme: []} for scheme in sorted(known)]
    return result


def _contents(known: Mapping[str, _Content]) -> dict[str, Any]:
    return {kind: {"schema": content.shape.schema()} if content.is_known else {} for kind, content in known.items()}


def _operation_id(method: str, route: str, used: set[str]) -> str:
    words = re.findall(r"[A-Za-z0-9]+", route)
    base = method + "".join(word[:1].upper() + word[1:] for word in words)
    name, number = base, 2
    while name in used:
        name, number = f"{base}{number}", number + 1
    used.add(name)
    return name
