"""Parcels: what happened arrives as it was sent, in pieces that are not large."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from statecrawl.cluster import wire
from statecrawl.errors import BadInput
from statecrawl.ports.line import Noted
from statecrawl.ports.page import Note
from statecrawl.ports.traffic import Exchange
from tests.exports.made_up import EXCHANGES
from tests.stores.test_evidence import snapshot

NOTES = st.builds(Note, st.text(max_size=5), st.text(max_size=5) | st.lists(st.integers(0, 9), max_size=3))


@settings(max_examples=50)
@given(st.lists(st.tuples(NOTES | EXCHANGES, st.just("aa"), st.none() | st.text(max_size=5)), max_size=5))
def test_notes_and_exchanges_arrive(notes: list[Noted]) -> None:
    arrived = [wire.to_parcel(parcel) for parcel in wire.parcels((), notes)]
    found = [noted for _, each in arrived for noted in each]
    assert sorted(map(repr, found)) == sorted(map(repr, notes))


def test_large_bodies_travel_alone() -> None:
    body = bytes(wire.PIECE_BYTES)
    large: list[Noted] = [(Exchange(method="GET", url="http://host/", response_body=body), "aa", None)] * 3
    kept = [(snapshot(), b"picture")] * 2
    assert len(list(wire.parcels(kept, large))) == 3 + 2


def test_what_is_no_exchange_is_refused() -> None:
    parcel = wire.from_parcel((), [(Exchange(method="GET", url="http://host/"), "aa", None)])
    assert len(wire.to_parcel(parcel)[1]) == 1
    wrong = wire.from_parcel((), [(Exchange(method=5, url="http://host/"), "aa", None)])  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="this is no evidence"):
        wire.to_parcel(wrong)
