"""A URL found in many places is collected once, and omitted URLs are counted."""

from hypothesis import given
from hypothesis import strategies as st

from statecrawl.urls import collection
from statecrawl.urls.collection import PAGE, UrlCollector, UrlPlace
from statecrawl.urls.extraction import ExtractedUrl
from statecrawl.urls.sources import PLACES

URLS = st.sampled_from([f"http://h/{name}" for name in "abcdef"])
FOUND = st.lists(st.builds(ExtractedUrl, URLS, st.sampled_from([*PLACES, PAGE])), max_size=8)
STATES = st.sampled_from([f"{number:02x}" for number in range(40)])


def collector() -> UrlCollector:
    return UrlCollector(lambda url: url.endswith(("a", "b")))


@given(st.lists(st.tuples(STATES, FOUND), max_size=60))
def test_every_url_is_new_once_and_has_every_kind_of_place(
    found_in: list[tuple[str, list[ExtractedUrl]]],
) -> None:
    collecting_ = collector()
    new = [address.url for state, found in found_in for address in collecting_.add_state(found, state)]
    everything = [(state, each) for state, found in found_in for each in found]
    urls = collecting_.all().urls
    assert [address.url for address in urls] == sorted({each.url for _, each in everything}) == sorted(new)
    for address in urls:
        here = {UrlPlace(each.where, state) for state, each in everything if each.url == address.url}
        assert set(address.places) <= here
        assert len(address.places) >= min(len(here), collection.MOST_PLACES)
        assert set(address.where) == {place.where for place in here}
        assert bool(address.more) == (len(here) > len(address.places))
        assert len(address.where) == len(set(address.where))
        assert address.visited == any(place.where == PAGE for place in here)
        assert address.in_scope == address.url.endswith(("a", "b"))
        assert address.states == len(
            {n for n, (_, found) in enumerate(found_in) if address.url in [f.url for f in found]}
        )


@given(st.lists(st.tuples(URLS, st.sampled_from([0, 200, 404])), max_size=8))
def test_what_was_asked_for_is_visited_and_has_a_status(asked: list[tuple[str, int]]) -> None:
    collecting_ = collector()
    for url, status in asked:
        collecting_.add_request(url, status)
    for address in collecting_.all().urls:
        statuses = [status for url, status in asked if url == address.url]
        answered = [status for status in statuses if status]
        assert address.visited
        assert address.status == (answered[-1] if answered else 0)


def test_too_many_are_counted_and_that_is_said() -> None:
    collecting_ = collector()
    most = collection.MOST_URLS
    new = collecting_.add(ExtractedUrl(f"http://h/{number}", "link") for number in range(most + 10))
    found = collecting_.all()
    assert len(new) == len(found.urls) == most
    assert found.left_out == (f"only the first {most:,} URLs are kept; 10 more were found",)


def test_secrets_are_taken_out_and_make_no_difference() -> None:
    collecting_ = UrlCollector(lambda _: True, lambda url: url.replace("hunter2", "REDACTED"))
    assert len(collecting_.add([ExtractedUrl("http://h/?p=hunter2", "link")])) == 1
    assert collecting_.add([ExtractedUrl("http://h/?p=REDACTED", "form")], resource="http://h/hunter2") == []
    (address,) = collecting_.all().urls
    assert (address.url, address.where) == ("http://h/?p=REDACTED", ["link", "form"])
    assert "hunter2" not in str(address)
