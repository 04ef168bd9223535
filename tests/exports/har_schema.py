"""What an HTTP archive has to look like: HAR 1.2 as JSON Schema."""

from typing import Any

TEXT, NUMBER, WHOLE = {"type": "string"}, {"type": "number"}, {"type": "integer"}
MOMENT = {"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$"}
TIME = {"type": "number", "minimum": -1}


def _thing(required: dict[str, Any], **optional: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "required": list(required),
        "properties": {**required, **optional, "comment": TEXT},
        "patternProperties": {"^_": {}},
        "additionalProperties": False,
    }


NAMED = {"type": "array", "items": _thing({"name": TEXT, "value": TEXT})}
COOKIES = {
    "type": "array",
    "items": _thing({"name": TEXT, "value": TEXT}, path=TEXT, domain=TEXT, expires=MOMENT, httpOnly={}, secure={}),
}
POSTED = _thing({"mimeType": TEXT}, text=TEXT, params={"type": "array", "items": _thing({"name": TEXT}, value=TEXT)})
REQUEST = _thing(
    {
        "method": TEXT,
        "url": {"type": "string", "pattern": "^https?://"},
        "httpVersion": {"type": "string", "minLength": 1},
        "cookies": COOKIES,
        "headers": NAMED,
        "queryString": NAMED,
        "headersSize": WHOLE,
        "bodySize": WHOLE,
    },
    postData=POSTED,
)
RESPONSE = _thing(
    {
        "status": WHOLE,
        "statusText": TEXT,
        "httpVersion": {"type": "string", "minLength": 1},
        "cookies": COOKIES,
        "headers": NAMED,
        "content": _thing({"size": WHOLE, "mimeType": TEXT}, compression=WHOLE, text=TEXT, encoding=TEXT),
        "redirectURL": TEXT,
        "headersSize": WHOLE,
        "bodySize": WHOLE,
    }
)
ENTRY = _thing(
    {
        "startedDateTime": MOMENT,
        "time": {"type": "number", "minimum": 0},
        "request": REQUEST,
        "response": RESPONSE,
        "cache": {"type": "object"},
        "timings": _thing(
            {"send": TIME, "wait": TIME, "receive": TIME}, blocked=TIME, dns=TIME, connect=TIME, ssl=TIME
        ),
    },
    pageref=TEXT,
    serverIPAddress=TEXT,
    connection=TEXT,
)
PAGE = _thing(
    {
        "startedDateTime": MOMENT,
        "id": TEXT,
        "title": TEXT,
        "pageTimings": _thing({}, onContentLoad=NUMBER, onLoad=NUMBER),
    }
)
CREATOR = _thing({"name": TEXT, "version": TEXT})
HAR = {
    "type": "object",
    "required": ["log"],
    "properties": {
        "log": _thing(
            {"version": {"const": "1.2"}, "creator": CREATOR, "entries": {"type": "array", "items": ENTRY}},
            pages={"type": "array", "items": PAGE},
            browser=CREATOR,
        )
    },
}
