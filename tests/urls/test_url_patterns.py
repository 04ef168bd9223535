"""Similar URLs have the same pattern."""

import pytest

from statecrawl.urls.url_patterns import MOST_QUERIES, UrlPatterns


@pytest.mark.parametrize(
    ("address", "like"),
    [
        ("http://h/products/17", "http://h/products/*"),
        ("http://h/news/2020-01-02/first", "http://h/news/*/first"),
        ("http://h/item17.html?id=3&b=", "http://h/item*.html?b=*&id=*"),
        ("http://h/u/550e8400-e29b-41d4-a716-446655440000", "http://h/u/*"),
        ("http://h/about", "http://h/about"),
        ("http://h/", "http://h/"),
    ],
)
def test_what_names_one_of_many_does_not_count(address: str, like: str) -> None:
    assert UrlPatterns().of(address) == like


def test_other_pages_and_other_arguments_are_other_patterns() -> None:
    urls = ["http://h/a", "http://h/b", "http://h/a/1", "http://h/a?x=1", "http://h/a?y=1", "http://i/a"]
    patterns = UrlPatterns()
    assert len({patterns.of(address) for address in urls}) == len(urls)


def test_routes_in_fragments_are_pages_and_other_fragments_are_not() -> None:
    patterns = UrlPatterns()
    assert patterns.of("http://h/a#/users/1") == patterns.of("http://h/a#/users/2") != patterns.of("http://h/a")
    assert patterns.of("http://h/a#top") == "http://h/a"


def test_ever_new_names_of_parameters_are_alike_sooner_or_later() -> None:
    patterns = UrlPatterns()
    names = ["".join("abcdefghij"[int(digit)] for digit in str(number)) for number in range(1000)]
    assert len({patterns.of(f"http://h/search?{name}=1") for name in names}) == MOST_QUERIES + 1
    assert patterns.of("http://h/other?x=1") == "http://h/other?x=*"
    assert patterns.of("http://h/search?a=2") == "http://h/search?a=*", "known patterns stay distinct"
    assert patterns.of("http://h/list?p1=2&q") == patterns.of("http://h/list?p2=3&q")
