"""Common parts of pages are parsed once, with the same result as parsing each page separately."""

import time

from hypothesis import given
from hypothesis import strategies as st

from statecrawl.urls.incremental_reader import IncrementalReader
from statecrawl.urls.markup import named_in_html

PIECES = st.sampled_from(
    [
        *("<a href=/x>", '<a href="/y">', "<p>", "</p>", "text", "<!--", "-->", "<script>", "</script>", "'/s'", "<"),
        *("<style>", "</style>", "url(a)", "<a href='", "'", '"', ">", "<base href=/b/>", "<p data-u=/d ", " x=1", "="),
    ]
)
PAGES = st.lists(PIECES, max_size=14).map("".join)


@given(st.lists(st.tuples(PAGES, PAGES, PAGES), min_size=1, max_size=4), PAGES, PAGES)
def test_it_makes_no_difference(middles: list[tuple[str, str, str]], head: str, tail: str) -> None:
    reader = IncrementalReader()
    for middle in middles:
        page = head + "".join(middle) + tail
        assert reader.read(page) == named_in_html(page)


def test_what_is_like_the_page_before_costs_little() -> None:
    rows = "".join(f"<div class=row><a href=/item/{number}>{number}</a></div>" for number in range(20_000))
    reader, times = IncrementalReader(), []
    for number in range(3):
        begun = time.process_time()
        assert len(reader.read(f"<h1>{number}</h1>{rows}<p>{number}</p>")) == 20_000
        times.append(time.process_time() - begun)
    assert min(times[1:]) < times[0] / 3
