"""Settings of how a browser gets to an application."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecrawl.config.plan_builder import crawl_plan
from statecrawl.config.recorded_settings import recorded_settings
from statecrawl.config.saved_settings import save_settings, to_file
from statecrawl.config.secrets import redactor_of
from statecrawl.errors import BadInput
from statecrawl.ports.access import Access, Proxy

PEM = Path(__file__).parents[1] / "cluster" / "self-signed.pem"


def access_of(settings: dict[str, Any]) -> Access:
    return crawl_plan("http://shop.test/", settings).access


def test_nothing_is_usual() -> None:
    assert access_of({}) == Access()


def test_headers_have_a_name_and_a_value(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOP_TENANT", "acme-inc")
    lines = ["X-Plain:  a: b ", "X-Tenant: env:SHOP_TENANT", "Authorization: Bearer 12345678"]
    access = access_of({"header": lines})
    assert access.headers == (("X-Plain", "a: b"), ("X-Tenant", "acme-inc"), ("Authorization", "Bearer 12345678"))
    assert set(access.secrets()) == {"acme-inc", "Bearer 12345678"}


@pytest.mark.parametrize("line", ["", "X-A", ": a", "X A: b", "Host: x", "Cookie: a=b", "X-A: ä", "X-A: a\r\nX-B: b"])
def test_what_is_no_header_is_refused(line: str) -> None:
    with pytest.raises(BadInput, match="--header"):
        access_of({"header": [line]})


@given(st.text(max_size=40))
def test_no_message_tells_what_may_be_a_secret(value: str) -> None:
    for settings in ({"header": [f"Authorization: hush{value}"]}, {"basic-auth": f"hush{value}"}):
        said = ""
        try:
            access_of(settings)
        except BadInput as refused:
            said = str(refused)
        assert "hush" not in said


def test_a_missing_variable_is_named() -> None:
    with pytest.raises(BadInput, match="needs the environment variable NO_SUCH_THING"):
        access_of({"basic-auth": "env:NO_SUCH_THING"})


@pytest.mark.parametrize(
    ("written", "server", "credentials"),
    [
        ("proxy.test:3128", "http://proxy.test:3128", None),
        ("https://ann:p%40ss:w@proxy.test/", "https://proxy.test", ("ann", "p@ss:w")),
        ("socks5://[::1]:1080", "socks5://[::1]:1080", None),
    ],
)
def test_proxies(written: str, server: str, credentials: tuple[str, str] | None) -> None:
    assert access_of({"proxy": written}).proxy == Proxy(server=server, credentials=credentials)


@pytest.mark.parametrize(
    "written", ["", "ftp://x", "http://", "http://x/path", "http://a b", "x;y=z", "http://x:p", "socks5://a:b@x"]
)
def test_what_is_no_proxy_is_refused(written: str) -> None:
    with pytest.raises(BadInput, match="--proxy"):
        access_of({"proxy": written})


@pytest.mark.parametrize("written", ["ann", ":secret", ""])
def test_basic_needs_a_name_and_a_password(written: str) -> None:
    with pytest.raises(BadInput, match="USER:PASSWORD"):
        access_of({"basic-auth": written})


def test_what_is_kept_holds_no_secret(tmp_path: Path) -> None:
    asked = {
        "header": ["X-Tenant: acme", "Authorization: Bearer hush", "X-Api-Key: env:KEY"],
        "basic-auth": "ann:hush",
        "proxy": "http://ann:hush@proxy.test:3128",
        "device": "pixel",
    }
    save_settings(tmp_path, "http://shop.test/", asked)
    text = (tmp_path / "crawl.toml").read_text()
    assert "hush" not in text
    assert to_file(asked) == {
        "header": ["X-Tenant: acme", "X-Api-Key: env:KEY"],
        "proxy": "http://proxy.test:3128",
        "device": "pixel",
    }
    assert to_file({"basic-auth": "env:A", "proxy": "env:B"}) == {"basic-auth": "env:A", "proxy": "env:B"}


def test_secrets_are_known_to_whoever_redacts() -> None:
    given = {
        "basic-auth": "ann:open-sesame",
        "proxy": "http://bob:p-word-x@proxy.test",
        "header": ["X-Token: abra-cadabra"],
    }
    plan = crawl_plan("http://shop.test/", given)
    redactor = redactor_of(plan)
    assert redactor is not None
    for secret in ("open-sesame", "YW5uOm9wZW4tc2VzYW1l", "p-word-x", "abra-cadabra"):
        assert secret not in redactor.text(f"it says {secret} here")
        assert secret not in str(recorded_settings(plan))


def test_one_crawl_is_not_gone_on_with_as_another_device() -> None:
    plain, phone = (recorded_settings(crawl_plan("http://shop.test/", given)) for given in ({}, {"device": "pixel"}))
    assert {name for name in plain if plain[name] != phone[name]} == {"device", "user-agent"}


def test_name_and_password_of_the_address_are_sent_when_the_server_asks() -> None:
    plan = crawl_plan("http://ann:p%40ss@shop.test:8000/a?b=1", {})
    assert plan.url == "http://shop.test:8000/a?b=1"
    assert plan.access.basic == ("ann", "p@ss")
    assert crawl_plan("http://ann:x@shop.test/", {"basic-auth": "bob:y"}).access.basic == ("bob", "y")


def test_a_certificate_is_read_with_its_key(tmp_path: Path) -> None:
    both = PEM.read_text()
    key, mark, certificate = both.partition("-----END PRIVATE KEY-----\n")
    (tmp_path / "key").write_text(key + mark)
    (tmp_path / "certificate").write_text(certificate)
    assert access_of({"client-cert": str(PEM)}).certificate == both
    two = {"client-cert": str(tmp_path / "certificate"), "client-key": str(tmp_path / "key")}
    access = access_of(two)
    assert access.certificate is not None
    assert access.recorded_settings()["client-cert"] is True
    assert "client-cert" not in access_of({}).recorded_settings()
    for settings, words in (
        ({"client-cert": str(tmp_path / "certificate")}, "certificate and key must be in PEM format"),
        ({"client-cert": str(tmp_path / "key")}, "certificate and key must be in PEM format"),
        ({"client-cert": str(tmp_path / "none")}, "No such file"),
        ({"client-key": str(tmp_path / "key")}, "--client-key needs --client-cert"),
        ({**two, "proxy": "http://proxy.test:3128"}, "--client-cert cannot be combined with --proxy"),
    ):
        with pytest.raises(BadInput, match=words):
            access_of(settings)
