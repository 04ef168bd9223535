"""A sealed text is unreadable, and opens with its key only."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from statecrawl.privacy.redaction import MARKER, without_hashes
from statecrawl.privacy.seals import Sealer, is_sealed

KEY, OTHER = b"k" * 32, b"o" * 32
TOKEN = "tok-91c44f0a7be2"  # noqa: S105 — made up
NAMES = [
    f"open http://shop.test/orders?page=2&token={TOKEN}",
    f"open http://shop.test/back#access_token={TOKEN}&state=1",
    f"open http://ann:{TOKEN}@shop.test/",
    f'click button "Copy eyJhbGciOiJI.eyJzdWIiOiI.{TOKEN}" in main',
    f"input input[code] = {TOKEN} (dismissed)",
]

MADE_UP = f"{MARKER}-{'ab' * 20}z"
PIECES = [
    "&",
    "password='",
    "'",
    '"token": "',
    " ",
    "-",
    "abab",
    "Bearer ",
    "=",
    "AKIA0123456789ABCDEF",
    TOKEN,
    MADE_UP,
]


def sealer(key: bytes = KEY) -> Sealer:
    return Sealer(key, (TOKEN,))


@pytest.mark.parametrize("name", NAMES)
def test_a_name_tells_no_secret_and_opens_again(name: str) -> None:
    sealed = sealer().text(name)
    assert TOKEN not in sealed
    assert is_sealed(sealed)
    assert sealer().opened(sealed) == name
    assert sealer(OTHER).opened(sealed) == sealed
    assert sealer().text(sealed) == sealed


@given(st.text() | st.lists(st.sampled_from([*NAMES, *PIECES])).map("".join))
@example(f"password='{NAMES[0]}'")
@example(f"open http://shop.test/{TOKEN}-parts")
@example(f"Bearer {TOKEN}=abab")
@example(f"open http://shop.test/?token={MADE_UP}")
def test_every_text_opens_again(text: str) -> None:
    assert sealer().opened(sealer().text(text)) == text


def test_equal_secrets_look_equal_and_others_do_not() -> None:
    one, same, other = (sealer().mark(secret) for secret in (TOKEN, TOKEN, f"{TOKEN}2"))
    assert one == same != other
    assert without_hashes(one) == without_hashes(other) == MARKER


def test_a_secret_is_given_back_as_it_was_written() -> None:
    name = "open http://shop.test/?q=a%20secret%20word"
    sealing = Sealer(KEY, ("a secret word",))
    assert "word" not in sealing.text(name)
    assert sealing.opened(sealing.text(name)) == name


def test_fields_in_names_are_sealed_as_well() -> None:
    name = f'click <input type="password" value="{TOKEN}2">'
    assert TOKEN not in sealer().text(name)
    assert sealer().opened(sealer().text(name)) == name


@given(st.binary(min_size=13, max_size=40))
def test_what_was_made_up_does_not_open(data: bytes) -> None:
    made_up = f"open http://shop.test/?token={MARKER}-{data.hex()}z"
    assert sealer().opened(made_up) == made_up
    sealed = sealer().text(made_up)
    assert sealed != made_up, "or the crawl could not go on for want of a key"
    assert sealer().opened(sealed) == made_up


def test_what_is_harmless_stays() -> None:
    for name in ("click a#home", "open http://shop.test/?page=2", f"token={MARKER}-1a2b3c4d"):
        assert sealer().text(name) == name
        assert not is_sealed(name)
