"""Redaction of snapshots and notes: values of password fields are removed everywhere."""

import html
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecrawl.model.regions import Region
from statecrawl.ports.page import Note, lines_of
from statecrawl.ports.snapshot_redaction import redacted_note, redacted_snapshot, sealed_snapshot
from statecrawl.privacy.redaction import Redactor
from statecrawl.privacy.seals import Sealer
from tests.crawler.crawl_folder import joined
from tests.stores.test_evidence import snapshot

REDACTOR = Redactor(b"key")
FIELD = '<input id=p type="password" value="hunter2x"><p>you typed hunter2x</p><a href="/?sid=abc&q=1">a</a>'
LINES = [
    ("#p", "<", "input"),
    ("#p", "@type", "password"),
    ("#p", "@value", "typed-by-us"),
    ("#p", ">", ""),
    ("#q", "<", "input"),
    ("#q", "@value", "chair"),
    ("", "!", "input #q = token=x"),
]


def test_a_field_for_passwords() -> None:
    before = snapshot(
        html=FIELD,
        normal=joined(LINES),
        labels=("hunter2x Go",),
        url="http://host/?token=t",
        links=("http://host/?sid=u",),
    )
    after = redacted_snapshot(before, REDACTOR)
    assert (after.state, after.events) == (before.state, before.events)
    text = repr(after)
    assert not [secret for secret in ("hunter2x", "typed-by-us", "sid=abc", "token=t'", "sid=u") if secret in text]
    lines = lines_of(after.normal)
    assert ("#q", "@value", "chair") in lines
    assert ("", "!", "input #q = token=x") in lines, "the name of an event stays"
    assert len(lines) == len(LINES)
    assert "&q=1" in after.html


@given(st.text(), st.text())
def test_twice_is_once_and_lines_stay_lines(html: str, value: str) -> None:
    value = value.replace("\x1f", "").replace("\x1e", "")
    before = snapshot(html=html, title=value, normal=joined([*LINES, ("#z", '"', value)]))
    once = redacted_snapshot(before, REDACTOR)
    assert redacted_snapshot(once, REDACTOR) == once
    assert len(lines_of(once.normal)) == len(LINES) + 1


def test_tokens_in_attributes_selectors_and_places() -> None:
    lines = [
        ("#row-t0k3n99x", "<", "div"),
        ("#row-t0k3n99x", "@data-token", "t0k3n99x"),
        ("#row-t0k3n99x", "@data-page", "2"),
    ]
    before = snapshot(html="", normal=joined(lines), selectors=("#row-t0k3n99x > a", "a[href=\\/x\\?sid\\=abc9]"))
    after = redacted_snapshot(before, Redactor())
    assert list(lines_of(after.normal)) == [
        ("#row-REDACTED", "<", "div"),
        ("#row-REDACTED", "@data-token", "REDACTED"),
        ("#row-REDACTED", "@data-page", "2"),
    ]
    assert after.selectors == ("#row-REDACTED > a", 'a[href="/x?sid=REDACTED"]')


def test_notes() -> None:
    note = redacted_note(Note("request", ["GET", "http://host/?api_key=abc", "xhr"]), Redactor())
    assert note == Note("request", ["GET", "http://host/?api_key=REDACTED", "xhr"])


def test_a_password_is_looked_for_as_it_is_and_not_as_markup_writes_it() -> None:
    before = snapshot(html='<INPUT value="a&amp;b-c-d" type=Password>', title="a&b-c-d", normal="")
    assert redacted_snapshot(before, Redactor()).title == "REDACTED"


@pytest.mark.parametrize("written", ["p%40ss/w0rd&amp;x", "p@ss\\/w0rd&x", "p%40ss%2Fw0rd%26x", "p&#64;ss/w0rd&x"])
def test_a_password_is_looked_for_in_other_ways_to_write_it(written: str) -> None:
    before = snapshot(html='<input value="p@ss/w0rd&amp;x" type=password>', title=f"({written})", normal="")
    assert redacted_snapshot(before, Redactor()).title == "(REDACTED)"


def test_many_passwords_of_one_page_are_looked_for() -> None:
    long = [f"{number:04}" * 250 for number in range(30)]
    values = [f"hunter2x{number:02}" for number in range(60)]
    fields = "".join(f"<input type=password value={value}>" for value in [*values[:1], *long, *values[1:]])
    copies = "".join(f"<a onclick=\"copy('{value}')\">copy</a>" for value in values)
    after = redacted_snapshot(snapshot(html=fields + copies, normal=""), REDACTOR)
    assert not [value for value in values if value in after.html]


@pytest.mark.timeout(20)
@pytest.mark.parametrize("letters", ["abcdefgh", "/+&%=;:("])
def test_many_long_passwords_take_no_time(letters: str) -> None:
    chance = Random(1)
    values = ["".join(chance.choices(letters, k=1_000)) for _ in range(50)]
    fields = "".join(f'<input type=password value="{html.escape(value)}">' for value in values)
    redacted_snapshot(snapshot(html=fields + "lorem ipsum " * 9_000, normal=""), REDACTOR)


@pytest.mark.timeout(20)
@pytest.mark.parametrize("piece", ["<input type=password ", '<input type=password value="', "<input "])
def test_half_fields_without_end_take_no_time(piece: str) -> None:
    redacted_snapshot(snapshot(html=f"<script>{piece * 20_000}", normal=""), REDACTOR)


def test_events_that_cannot_be_seen_are_sealed_like_others() -> None:
    before = snapshot(hidden=("click a[href=/reset?token=t0k3n99x]",))
    after = sealed_snapshot(before, Sealer(b"key"))
    assert "t0k3n99x" not in repr(after)
    assert tuple(map(Sealer(b"key").opened, after.hidden)) == before.hidden
    assert sealed_snapshot(after, Sealer(b"key")) == after


def test_places_of_regions_are_sealed_like_events() -> None:
    place = "#/reset?token=t0k3n99x>div"
    before = snapshot(regions=(Region(place, "shape", "look", "content"),))
    after = sealed_snapshot(before, Sealer(b"key"))
    assert "t0k3n99x" not in repr(after)
    assert Sealer(b"key").opened(after.regions[0].place) == place
