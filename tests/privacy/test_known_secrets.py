"""A known secret is found in every encoding."""

import base64
import html
import json
import urllib.parse
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecrawl.privacy.known_secrets import KnownSecrets
from statecrawl.privacy.redaction import Redactor
from statecrawl.privacy.seals import Sealer

ENCODINGS: dict[str, Callable[[str], str]] = {
    "URL": lambda text: urllib.parse.quote(text, safe=""),
    "URL in small letters": lambda text: "".join(
        letter if letter.isascii() and letter.isalnum() else urllib.parse.quote(letter, safe="").lower()
        for letter in text
    ),
    "encodeURIComponent": lambda text: urllib.parse.quote(text, safe="!'()*~-_."),
    "encodeURI": lambda text: urllib.parse.quote(text, safe=";,/?:@&=+$-_.!~*'()#"),
    "form": urllib.parse.quote_plus,
    "markup": html.escape,
    "numbers in markup": lambda text: "".join(f"&#{ord(letter)};" for letter in text),
    "hexadecimal numbers in markup": lambda text: "".join(f"&#x{ord(letter):X};" for letter in text),
    "JSON": lambda text: json.dumps(text)[1:-1],
    "JSON with its slashes escaped": lambda text: json.dumps(text, ensure_ascii=False)[1:-1].replace("/", r"\/"),
    "script": lambda text: "".join(f"\\u{ord(letter):04x}" for letter in text),
    "script in short": lambda text: "".join(letter if letter.isalnum() else f"\\x{ord(letter):02x}" for letter in text),
    "selector": lambda text: "".join(letter if letter.isalnum() else f"\\{letter}" for letter in text),
}
PLAIN = st.text("abcXYZ0189 /+&%\"'<>()!;=-_.é", min_size=8, max_size=16)


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("secret", ["hunter2x9Zebra", "p@ss w/rd&\"x'(1)+é;9", "a\\b\\c%25d!", "/Q==/+x<y>&z"])
def test_each_way_to_write_it(secret: str, encoding: str) -> None:
    assert Redactor(b"key", [secret]).text(f"<p>say {ENCODINGS[encoding](secret)}, please").count("REDACTED") == 1


@given(PLAIN, st.sampled_from(sorted(ENCODINGS)), st.sampled_from(["", "URL", "JSON", "markup"]))
def test_one_way_inside_another(secret: str, inner: str, outer: str) -> None:
    written = ENCODINGS[inner](secret)
    written = ENCODINGS[outer](written) if outer else written
    assert written not in KnownSecrets([secret], "(?!)").replaced(f"({written})", lambda *_: "…")


@pytest.mark.parametrize("before", ["", "a", "ab", "ann:", "x" * 50])
@pytest.mark.parametrize("encode", [base64.b64encode, base64.urlsafe_b64encode, lambda data: data.hex().encode()])
def test_inside_of_coded_text(before: str, encode: Callable[[bytes], bytes]) -> None:
    secret = "hunter2?x9>Zebra"  # noqa: S105
    coded = encode(f"{before}{secret}~~".encode()).decode()
    assert "REDACTED" in Redactor(b"key", [secret]).text(f"Authorization was {coded}.")


def test_all_ways_have_the_same_marker_unless_they_have_to_be_undone() -> None:
    redactor, sealer = Redactor(b"key", ["p@ss/word9"]), Sealer(b"key", ("p@ss/word9",))
    texts = ["p@ss/word9", "p%40ss%2Fword9", r"p@ss\/word9"]
    assert len({redactor.text(text) for text in texts}) == 1
    assert [sealer.opened(sealer.text(text)) for text in texts] == texts


@pytest.mark.parametrize("secret", ["hunter2x9", "\\" * 12, "%" * 12, "%25" * 6, "&amp;" * 4, "&" * 12, " + + + + "])
def test_a_page_cannot_keep_it_busy(secret: str) -> None:
    parts = ["\\", "%", "%25", "&", "&amp;", "+ ", "hunter2x", r"\u0068", "%68", "&#104;"]
    text = "".join(part * 5_000 + "hunter" for part in parts)
    assert KnownSecrets([secret], "(?!)").replaced(text, lambda *_: "").endswith("hunter")
