"""Redaction removes secrets and keeps everything else, including the format."""

import json
import re
from typing import Any
from urllib.parse import parse_qsl, quote, urlsplit

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from statecrawl.privacy.redaction import BLANK, Redactor
from statecrawl.privacy.secret_names import is_secret_name

JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJlLWhlcmU"
KEYED = Redactor(b"key", ["hunter2 & co"])
MARKED = re.compile(r"REDACTED-[0-9a-f]{8}")
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text() | st.sampled_from(["token", "password", "id"]), inner, max_size=4)
    ),
)
PIECES = st.lists(
    st.sampled_from(
        [
            'token="',
            "'",
            '"',
            "password=",
            "?",
            "&",
            "sid=",
            "=",
            JWT,
            "Bearer ",
            "abc123def456ghi",
            "://u:",
            "pw@",
            " ",
            "<input type=password value=",
            ">",
            "x",
            "REDACTED",
            "-12345678",
            "hunter2 & co",
            "hunter2%20%26%20co",
            "\n",
        ]
    ),
    max_size=12,
).map("".join)


@pytest.mark.parametrize("name", ["password", "new_password", "passwd", "apiKey", "X-API-Key", "access_token", "csrf"])
@pytest.mark.parametrize("form", ["{}", "user[{}]", "x-{}"])
def test_names_of_secrets(name: str, form: str) -> None:
    assert is_secret_name(form.format(name))


@pytest.mark.parametrize("name", ["JSESSIONID", "PHPSESSID", "sid", "csrfmiddlewaretoken", "Authorization", "session"])
def test_more_names_of_secrets(name: str) -> None:
    assert is_secret_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "author",
        "authority",
        "secretary",
        "tokenizer",
        "token_type",
        "expires_in",
        "passenger",
        "side",
        "session_timeout",
        "",
        "password_label",
        "compass",
        "bypass",
        "user",
        "tokenCount",
    ],
)
def test_names_of_other_things(name: str) -> None:
    assert not is_secret_name(name)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("http://h/?token=abc&q=1", "http://h/?token=REDACTED&q=1"),
        ("http://ann:pw@h/", "http://ann:REDACTED@h/"),
        ("http://h/#access_token=abc", "http://h/#access_token=REDACTED"),
        (f"see {JWT}!", "see REDACTED!"),
        ("Authorization: Bearer abc123def456", "Authorization: Bearer REDACTED"),
        ("Basic information about sessions", "Basic information about sessions"),
        ('{"token": "a\\"b", "user": "ann"}', '{"token": "REDACTED", "user": "ann"}'),
        ("password: 'x'", "password: 'REDACTED'"),
        ('<input type="password" value="a>b">', '<input type="password" value="REDACTED">'),
        ("<input value=abc type=password>", "<input value=REDACTED type=password>"),
        ("<meta name='csrf-token' content='abc'>", "<meta name='csrf-token' content='REDACTED'>"),
        ('<input type=hidden name=csrf value="x">', '<input type=hidden name=csrf value="REDACTED">'),
        ('<input name="q" value="chair">', '<input name="q" value="chair">'),
        ('<a href="/a?b=1&amp;sid=77">', '<a href="/a?b=1&amp;sid=REDACTED">'),
        ('<input type=password name=p placeholder="Password">', '<input type=password name=p placeholder="Password">'),
        ("the author's token of thanks", "the author's token of thanks"),
        ("AKIAIOSFODNN7EXAMPLE", "REDACTED"),
        ("http://h/?user%5Bpassword%5D=abc&q=1", "http://h/?user%5Bpassword%5D=REDACTED&q=1"),
        ('<div data-token="abc" data-page="2">', '<div data-token="REDACTED" data-page="2">'),
        (
            '<div data-x="{&quot;token&quot;:&quot;abc&quot;}">',
            '<div data-x="{&quot;token&quot;:&quot;REDACTED&quot;}">',
        ),
        ('{"state": "{\\"api_key\\":\\"abc\\"}"}', '{"state": "{\\"api_key\\":\\"REDACTED\\"}"}'),
        ("http://h/?j=%7B%22token%22%3A%22abc%22%7D", "http://h/?j=%7B%22token%22%3A%22REDACTED%22%7D"),
    ],
)
def test_texts(text: str, left: str) -> None:
    assert BLANK.text(text) == left


def test_equal_secrets_look_equal_and_others_do_not() -> None:
    one, two, three = (KEYED.text(f"?token={value}") for value in ("abc", "abc", "abd"))
    assert one == two != three
    assert MARKED.fullmatch(one.removeprefix("?token="))
    assert Redactor(b"another key").text("?token=abc") != one


@given(PIECES, st.sampled_from([BLANK, KEYED]))
@example("token=\"x' password='y\"", KEYED)
def test_twice_is_once(text: str, redactor: Redactor) -> None:
    once = redactor.text(text)
    assert redactor.text(once) == once


@given(VALUES)
def test_json_stays_json(value: Any) -> None:
    written = json.dumps(value)
    redacted = KEYED.body(written.encode(), "application/json")
    assert json.loads(redacted) == KEYED.json(value)
    assert KEYED.json(KEYED.json(value)) == KEYED.json(value)


@given(st.text(min_size=1))
def test_a_secret_in_json_is_gone_whatever_it_is(secret: str) -> None:
    left = KEYED.json({"user": {"password": f"=={secret}==", "tokens": [f"=={secret}=="]}})
    assert MARKED.fullmatch(left["user"]["password"])
    assert left["user"]["tokens"] == [left["user"]["password"]]


@given(st.text(min_size=1, alphabet=st.characters(exclude_categories=["Cs"])), st.text("abc", max_size=5))
def test_addresses_stay_addresses(secret: str, other: str) -> None:
    url = f"https://h/a?q={other}&token={quote(f'x{secret}', safe='')}&r=1"
    redacted = KEYED.text(url)
    before, after = urlsplit(url), urlsplit(redacted)
    assert (before.netloc, before.path) == (after.netloc, after.path)
    arguments = dict(parse_qsl(after.query, keep_blank_values=True))
    assert arguments["q"] == other
    assert MARKED.fullmatch(arguments["token"])


def test_what_somebody_said_is_a_secret_goes_however_it_is_written() -> None:
    marker = KEYED.mark("hunter2 & co")
    for written in ("hunter2 & co", "hunter2%20%26%20co", "hunter2+%26+co", "hunter2 &amp; co"):
        assert KEYED.text(f"<p>{written}</p>") == f"<p>{marker}</p>"
        assert KEYED.body(f"x = '{written}'".encode(), "text/javascript") == f"x = '{marker}'".encode()


@pytest.mark.parametrize("written", ["user_hunter2x9", "%3Dhunter2x9", "ahunter2x9b", "#id-hunter2x9", "passhunter2x9"])
def test_a_known_password_goes_wherever_it_stands(written: str) -> None:
    redactor = Redactor(literals=["hunter2x9", "demo"])
    assert redactor.text(written) == written.replace("hunter2x9", "REDACTED")
    assert redactor.text(f"q={written}&demo") == f"q={written}&demo".replace("hunter2x9", "REDACTED").replace(
        "demo", "REDACTED"
    )
    assert redactor.program(written) == written.replace("hunter2x9", "REDACTED")


@pytest.mark.parametrize(
    ("text", "left"), [("a demonstration", None), ("my_demo", "my_REDACTED"), ("%20demo", "%20REDACTED")]
)
def test_a_password_that_is_a_word_stays_in_other_words(text: str, left: str | None) -> None:
    assert Redactor(literals=["demo"]).text(text) == (left or text)


@pytest.mark.parametrize(
    ("selector", "left"),
    [
        ("a[href=\\/open\\?token\\=abc123]", 'a[href="/open?token=REDACTED"]'),
        ("div[data-csrf=abc] > a:nth-of-type(2)", 'div[data-csrf="REDACTED"] > a:nth-of-type(2)'),
        ("#row-hunter2x9 > b", "#row-REDACTED > b"),
        ("a[href=\\/items\\/7]", "a[href=\\/items\\/7]"),
        ("input[name=csrf_token]", "input[name=csrf_token]"),
        ("a[title=s3\\!cret\\ pw]", 'a[title="REDACTED"]'),
    ],
)
def test_selectors(selector: str, left: str) -> None:
    assert Redactor(literals=["hunter2x9", "s3!cret pw"]).selector(selector) == left


def test_headers() -> None:
    headers = [("Cookie", "a=b; c=d"), ("Set-Cookie", "sid=x; Path=/; HttpOnly"), ("Authorization", "Bearer abc")]
    headers += [("X-CSRF-Token", "y"), ("Accept", "*/*"), ("Access-Control-Allow-Credentials", "true")]
    assert BLANK.headers(headers) == (
        ("Cookie", "a=REDACTED; c=REDACTED"),
        ("Set-Cookie", "sid=REDACTED; Path=/; HttpOnly"),
        ("Authorization", "Bearer REDACTED"),
        ("X-CSRF-Token", "REDACTED"),
        ("Accept", "*/*"),
        ("Access-Control-Allow-Credentials", "true"),
    )
    assert KEYED.headers(KEYED.headers(headers)) == KEYED.headers(headers)


def test_bodies() -> None:
    form = b"user=ann&password=hunter2&q=a%20b"
    assert BLANK.body(form, "application/x-www-form-urlencoded") == b"user=ann&password=REDACTED&q=a%20b"
    parts = (
        b'--x\r\nContent-Disposition: form-data; name="user"\r\n\r\nann\r\n'
        b'--x\r\nContent-Disposition: form-data; name="password"\r\n\r\nhunter2\r\n--x--\r\n'
    )
    redacted = BLANK.body(parts, "multipart/form-data; boundary=x")
    assert redacted == parts.replace(b"hunter2", b"REDACTED")
    assert BLANK.body(b"\x89PNG token=abc", "image/png") == b"\x89PNG token=abc"
    assert BLANK.body(b"\xff?token=abc", "text/plain") == b"\xff?token=REDACTED"
    assert BLANK.body(b"password:'Password please'", "text/javascript") == b"password:'Password please'"


PIECES_OF_MUCH = [
    *(
        "<input ",
        '<input "',
        "<input '\" ",
        "token:'",
        'token:"',
        'token:\\"',
        "token:&quot;",
        "&token",
        "eyJ" * 3,
        "password=",
    ),
    *(
        "a" * 40,
        "abcdefgh ",
        "pass",
        "?user%5B",
        "://a:",
        "bearer ",
        "a=b;",
        "--x\r\n",
        "<input \"<input '",
        "\\",
        "[a=",
    ),
]


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "kind", ["text/html", "x-www-form-urlencoded", "multipart/form-data", "application/json", "text/css"]
)
@pytest.mark.parametrize("piece", PIECES_OF_MUCH)
def test_hostile_bodies_take_no_longer_than_others(piece: str, kind: str) -> None:
    text = piece * (100_000 // len(piece))
    assert len(KEYED.body(text.encode(), kind)) > 0


@pytest.mark.timeout(60)
@pytest.mark.parametrize("piece", PIECES_OF_MUCH)
def test_other_hostile_texts_take_no_longer_either(piece: str) -> None:
    text = piece * (100_000 // len(piece))
    assert KEYED.headers([("Cookie", text), ("X-Other", text), (text, "x")])
    assert KEYED.selector(text)
    assert KEYED.json({text: text})
    assert KEYED.with_page_secrets([text[:1_000]]).text(text)
