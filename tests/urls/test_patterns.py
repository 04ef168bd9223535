"""Addresses that are alike."""

import pytest

from statecrawl.urls.patterns import pattern


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
    assert pattern(address) == like


def test_other_pages_and_other_arguments_are_other_patterns() -> None:
    addresses = ["http://h/a", "http://h/b", "http://h/a/1", "http://h/a?x=1", "http://h/a?y=1", "http://i/a"]
    assert len({pattern(address) for address in addresses}) == len(addresses)
