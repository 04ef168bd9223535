"""Rules of robots.txt, without a server."""

import pytest
from protego import Protego

from statecrawl.crawler.robots import is_own, product_of, rules_of

RULES = (
    b"User-agent: *\nDisallow: /private\nAllow: /private/open\nCrawl-delay: 2\n\nUser-agent: our-tests\nDisallow: /\n"
)


@pytest.mark.parametrize(
    ("status", "own", "allowed"),
    [
        *((404, False, True), (401, False, True), (500, False, False), (503, False, False), (429, False, False)),
        *((404, True, True), (500, True, True), (429, True, True)),
    ],
)
def test_answers_that_are_no_rules(status: int, *, own: bool, allowed: bool) -> None:
    rules = Protego.parse(rules_of(status, RULES, own=own))
    assert rules.can_fetch("http://h/private", "statecrawl") is allowed


@pytest.mark.parametrize("own", [True, False])
def test_rules_hold_on_machines_of_ones_own_as_well(*, own: bool) -> None:
    rules = Protego.parse(rules_of(200, RULES, own=own))
    found = [rules.can_fetch(f"http://h{path}", "statecrawl") for path in ("/", "/private/x", "/private/open")]
    assert found == [True, False, True]


@pytest.mark.parametrize("url", ["http://localhost:1/", "http://a.localhost/", "http://127.0.0.2/", "http://[::1]/x"])
def test_own_machines(url: str) -> None:
    assert is_own(url)
    assert is_own("http://192.168.1.9:8000/")


@pytest.mark.parametrize("url", ["http://example.org/", "http://8.8.8.8/", "http://localhost.example.org/"])
def test_machines_of_others(url: str) -> None:
    assert not is_own(url)


@pytest.mark.parametrize(
    ("said", "name"), [(None, "statecrawl"), ("our-tests/1.0 (x)", "our-tests"), ("1.0", "statecrawl")]
)
def test_by_which_name_rules_are_looked_up(said: str | None, name: str) -> None:
    assert product_of(said) == name
