"""Files for logging in: steps with secrets from the environment, and saved sessions."""

import json
from pathlib import Path
from typing import Any

import pytest

from statecrawl.config.login_file import read_login
from statecrawl.errors import UserError

URL = "http://localhost:8000/app/"
STEPS = """
session = "#account"

[[step]]
goto = "/login"
[[step]]
fill = "#user"
value = "ann"
[[step]]
fill = "#password"
env = "APP_PASSWORD"
[[step]]
select = "#year"
value = 2024
[[step]]
press = "#password"
key = "Enter"
[[step]]
click = "button[type=submit]"
[[step]]
submit = "form"
"""
COOKIE = {  # as Playwright 1.5x writes it
    "name": "sid",
    "value": "1",
    "domain": "localhost",
    "path": "/",
    "expires": -1,
    "httpOnly": True,
    "secure": False,
    "sameSite": "Lax",
    "partitionKey": "https://localhost",
}
STORED = {"origin": "http://localhost:8000", "localStorage": [{"name": "token", "value": "x"}]}


def read(tmp_path: Path, text: str) -> dict[str, Any]:
    path = tmp_path / "login"
    path.write_text(text)
    return read_login(path, URL)


def test_steps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("APP_PASSWORD", "s3cret")
    assert read(tmp_path, STEPS) == {
        "session": "#account",
        "login": (
            {"goto": "http://localhost:8000/login"},
            {"verb": "fill", "selector": "#user", "value": "ann"},
            {"verb": "fill", "selector": "#password", "value": "s3cret", "secret": "yes"},
            {"verb": "select", "selector": "#year", "value": "2024"},
            {"verb": "press", "selector": "#password", "value": "Enter"},
            {"verb": "click", "selector": "button[type=submit]", "value": ""},
            {"verb": "submit", "selector": "form", "value": ""},
        ),
    }


def test_steps_may_be_json(tmp_path: Path) -> None:
    told = read(tmp_path, '{"step": [{"fill": "#user", "value": ""}]}')
    assert told == {"session": "", "login": ({"verb": "fill", "selector": "#user", "value": ""},)}


def test_a_secret_that_is_not_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("APP_PASSWORD", raising=False)
    with pytest.raises(UserError, match=r"step 3 needs the environment variable APP_PASSWORD: set it and run again\.$"):
        read(tmp_path, STEPS)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "login has no [[step]]: see 'Log in' in docs/crawling.md."),
        ("step = []", "has no [[step]]"),
        ('step = ["click"]', "step 1: write one of goto, fill, select, click, submit, press"),
        ('[[step]]\nvalue = "ann"', "step 1: write one of goto, fill"),
        ('[[step]]\nclick = "#a"\n[[step]]\nclick = "#b"\nsubmit = "form"', "step 2: write one of"),
        ("[[step]]\nclick = 3", "step 1: write one of"),
        ('[[step]]\nclick = ""', "step 1: write one of"),
        ('[[step]]\nfil = "#user"', "did you mean fill"),
        ('[[step]]\nfill = "#user"\nvaule = "ann"', "unknown word in "),
        ('[[step]]\nfill = "#user"', "step 1: 'fill' needs one of value, env."),
        ('[[step]]\nfill = "#user"\nkey = "a"', "step 1: 'fill' needs one of value, env."),
        ('[[step]]\nfill = "#user"\nvalue = "a"\nenv = "A"', "step 1: 'fill' needs one of value, env."),
        ('[[step]]\nfill = "#user"\nvalue = ["a"]', "step 1: 'value' must be a text."),
        ('[[step]]\npress = "#user"', "step 1: 'press' needs one of key, value, env."),
        ('[[step]]\nclick = "#user"\nvalue = "a"', "step 1: 'click' takes no value."),
        ('sesion = "#a"\n[[step]]\nclick = "#b"', "did you mean session"),
        ('session = 3\n[[step]]\nclick = "#b"', "'session' is a CSS selector"),
        ("[[step]", "is not TOML"),
        ("{", "is not JSON"),
    ],
)
def test_wrong_steps(text: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(UserError) as caught:
        read(tmp_path, text)
    assert words in str(caught.value)
    assert str(caught.value).endswith((".", "?"))


def test_a_password_is_never_quoted(tmp_path: Path) -> None:
    for step in ('value = "s3cret"', 'fill = "#p"\nclick = "#p"\nvalue = "s3cret"', 'click = "#p"\nvalue = "s3cret"'):
        with pytest.raises(UserError) as caught:
            read(tmp_path, f"[[step]]\n{step}")
        assert "s3cret" not in str(caught.value)


def test_a_saved_session(tmp_path: Path) -> None:
    """What the browser would refuse is left out: it takes all cookies or none."""
    told = read(tmp_path, json.dumps({"cookies": [COOKIE], "origins": [STORED], "session": "#account"}))
    kept = {name: value for name, value in COOKIE.items() if name != "partitionKey"}
    assert told == {"storage_state": {"cookies": [kept], "origins": [STORED]}, "session": "#account"}


@pytest.mark.parametrize(
    ("saved", "words"),
    [
        ({"cookies": {"sid": "1"}}, "each of 'cookies' needs a name, a value and a domain"),
        ({"cookies": ["sid=1"]}, "each of 'cookies'"),
        ({"cookies": [{"name": "sid", "value": "1"}]}, "each of 'cookies'"),
        ({"cookies": [COOKIE | {"value": 1}]}, "each of 'cookies'"),
        ({"cookies": [COOKIE | {"secure": "yes"}]}, "each of 'cookies'"),
        ({"cookies": [COOKIE | {"sameSite": "lax"}]}, "each of 'cookies'"),
        ({"origins": {"http://a": {}}}, "each of 'origins' needs an origin, and a localStorage"),
        ({"origins": [{"localStorage": []}]}, "each of 'origins'"),
        ({"origins": [STORED | {"localStorage": {"token": "x"}}]}, "each of 'origins'"),
        ({"origins": [STORED | {"localStorage": [{"name": "token", "value": 1}]}]}, "each of 'origins'"),
        ({"cookies": [], "session": ["#a"]}, "'session' is a CSS selector"),
    ],
)
def test_a_saved_session_that_is_none(saved: dict[str, Any], words: str, tmp_path: Path) -> None:
    with pytest.raises(UserError) as caught:
        read(tmp_path, json.dumps(saved))
    assert words in str(caught.value)
