"""Stored traffic: each exchange once, complete, redacted, with file names that no page can choose."""

import gzip
import json
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from statecrawl.errors import StoreError
from statecrawl.ports.traffic import GONE, Exchange, RecordedExchange, redacted
from statecrawl.privacy.redaction import Redactor
from statecrawl.stores.evidence import EvidenceWriter
from statecrawl.stores.traffic import LOST, TrafficReader
from tests.exports.made_up import EXCHANGES
from tests.stores.test_evidence import no_room

PAGE = Exchange(
    method="GET",
    url="http://host/?sid=abc",
    status=200,
    request_headers=(("Cookie", "sid=abc"),),
    response_headers=(("Content-Type", "text/html"),),
    response_body=b"<p>hello",
)


def keep(folder: Path, *seen: tuple[Exchange, str, str | None], redactor: Redactor | None = None) -> None:
    with closing(EvidenceWriter(folder, redactor)) as evidence:
        for exchange, state, event in seen:
            evidence.note([exchange], state, event)
        evidence.flush()


def read(folder: Path) -> list[RecordedExchange]:
    return list(TrafficReader(folder).read())


def lines(folder: Path) -> list[str]:
    return (folder / "traffic" / "index.jsonl").read_text().splitlines()


def test_what_is_kept_can_be_read_again_with_every_place(tmp_path: Path) -> None:
    keep(tmp_path, (PAGE, "aa", None), (PAGE, "aa", None), (PAGE.without_content(), "bb", "click a"))
    (recorded,) = read(tmp_path)
    assert recorded.exchange == PAGE
    assert recorded.places == (("aa", None), ("bb", "click a"))
    names = {path.name for path in (tmp_path / "traffic").iterdir()} - {"index.jsonl"}
    assert len(names) == 1
    assert all(set(name.removesuffix(".gz")) <= set("0123456789abcdef") for name in names)


def test_another_session_and_another_key_make_no_other_exchange(tmp_path: Path) -> None:
    keep(tmp_path, (PAGE, "aa", None), redactor=Redactor(b"one"))
    keep(tmp_path, (replace(PAGE, url="http://host/?sid=xyz"), "aa", None), redactor=Redactor(b"two"))
    (recorded,) = read(tmp_path)
    assert recorded.exchange == redacted(PAGE, Redactor(b"one"))
    assert len(lines(tmp_path)) == 1
    everything = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert b"abc" not in everything


def test_a_body_that_comes_later_is_kept_then(tmp_path: Path) -> None:
    keep(tmp_path, (replace(PAGE, response_body=None, missing=GONE), "aa", None))
    assert read(tmp_path)[0].exchange.missing == GONE
    keep(tmp_path, (PAGE, "aa", None))
    (recorded,) = read(tmp_path)
    assert recorded.exchange == PAGE


@settings(max_examples=30)
@given(st.lists(EXCHANGES, max_size=5))
def test_any_exchanges(tmp_path_factory: pytest.TempPathFactory, exchanges: list[Exchange]) -> None:
    folder = tmp_path_factory.mktemp("traffic")
    for _ in range(2):
        keep(folder, *((exchange, "aa", None) for exchange in exchanges))
    found = {recorded.id: recorded.exchange for recorded in read(folder)} if exchanges else {}
    assert all(exchange in exchanges for exchange in found.values())


def test_a_line_cut_off_by_a_crash_does_not_spoil_the_next(tmp_path: Path) -> None:
    keep(tmp_path, (PAGE, "aa", None))
    index = tmp_path / "traffic" / "index.jsonl"
    index.write_bytes(index.read_bytes()[:-20])
    assert read(tmp_path) == []
    keep(tmp_path, (PAGE, "aa", None))
    assert [recorded.exchange for recorded in read(tmp_path)] == [PAGE]


def test_what_others_have_written_is_not_believed(tmp_path: Path) -> None:
    (tmp_path / "secret.gz").write_bytes(gzip.compress(b"secret"))
    (tmp_path / "traffic").mkdir()
    told = [
        {"id": "x", "method": "GET", "url": "http://host/", "response_body": "../secret"},
        {"id": "y", "method": 5, "url": "http://host/"},
        {"id": "z", "method": "GET", "url": "http://host/", "response_body": "0" * 64},
        ["id"],
    ]
    (tmp_path / "traffic" / "index.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in told))
    found = {recorded.id: recorded.exchange for recorded in read(tmp_path)}
    assert found.keys() == {"x", "z"}
    assert {(exchange.response_body, exchange.missing) for exchange in found.values()} == {(None, LOST)}


def test_a_disk_that_takes_no_more(tmp_path: Path) -> None:
    with closing(EvidenceWriter(tmp_path)) as evidence:
        with no_room():
            evidence.note([PAGE], "aa", None)
            with pytest.raises(StoreError, match=r"cannot write into .*: File too large; make room"):
                evidence.flush()
        assert not list((tmp_path / "traffic").glob(".*")), "no draft stays"
        evidence.flush()
    assert [recorded.exchange for recorded in read(tmp_path)] == [PAGE]


def test_without_traffic_there_is_no_folder_for_it(tmp_path: Path) -> None:
    keep(tmp_path)
    assert not (tmp_path / "traffic").exists()
    assert not TrafficReader(tmp_path).exists
