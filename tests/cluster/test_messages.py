"""Encoding of evidence: everything arrives as it was sent, in parcels of limited size."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from statecrawl.cluster import messages
from statecrawl.errors import BadInput
from statecrawl.ports.coordinator_link import NoteEvidence
from statecrawl.ports.page import Note
from statecrawl.ports.traffic import Exchange
from tests.exports.made_up import EXCHANGES
from tests.stores.test_evidence import snapshot

NOTES = st.builds(Note, st.text(max_size=5), st.text(max_size=5) | st.lists(st.integers(0, 9), max_size=3))


@settings(max_examples=50)
@given(st.lists(st.tuples(NOTES | EXCHANGES, st.just("aa"), st.none() | st.text(max_size=5)), max_size=5))
def test_notes_and_exchanges_arrive(notes: list[NoteEvidence]) -> None:
    arrived = [messages.decode_evidence(parcel) for parcel in messages.split_evidence((), notes)]
    found = [noted for _, each in arrived for noted in each]
    assert sorted(map(repr, found)) == sorted(map(repr, notes))


def test_large_bodies_travel_alone() -> None:
    body = bytes(messages.PIECE_BYTES)
    large: list[NoteEvidence] = [(Exchange(method="GET", url="http://host/", response_body=body), "aa", None)] * 3
    kept = [(snapshot(), b"picture")] * 2
    assert len(list(messages.split_evidence(kept, large))) == 3 + 2


def test_an_invalid_exchange_is_refused() -> None:
    parcel = messages.encode_evidence((), [(Exchange(method="GET", url="http://host/"), "aa", None)])
    assert len(messages.decode_evidence(parcel)[1]) == 1
    wrong = messages.encode_evidence((), [(Exchange(method=5, url="http://host/"), "aa", None)])  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="invalid evidence"):
        messages.decode_evidence(wrong)
