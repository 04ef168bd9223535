"""Rows of the table of URLs: where each was found, and its response."""

from collections.abc import Mapping
from dataclasses import dataclass

from statecrawl.urls.collection import CollectedUrl, UrlCollection

MOST_SHOWN = 20_000  # URLs; the browser loads all of them


@dataclass(frozen=True, slots=True, kw_only=True)
class UrlRow:
    """One URL."""

    url: str
    ways: tuple[str, ...]  # page, link, form, script, …
    places: tuple[tuple[str, int, str], ...]  # each: kind of place, state, response
    more: int  # places that are left out
    states: int  # states that contain it
    visited: bool
    status: int | None  # of the last response; 0: no response; None: never requested
    in_scope: bool


def shown(collected: UrlCollection, numbers: Mapping[str, int]) -> tuple[list[UrlRow], list[str]]:
    """Return the rows to show, and remarks on those left out. `numbers` has the number of each state."""
    remarks, urls = list(collected.left_out), collected.urls
    if len(urls) > MOST_SHOWN:
        remarks.append(f"{MOST_SHOWN:,} of {len(urls):,} URLs are shown; statecrawl export --format urls exports all")
        urls = sorted(urls, key=lambda url: (not url.visited, not url.in_scope))[:MOST_SHOWN]
        urls.sort(key=lambda url: url.url)
    return [_row(url, numbers) for url in urls], remarks


def _row(url: CollectedUrl, numbers: Mapping[str, int]) -> UrlRow:
    return UrlRow(
        url=url.url,
        ways=tuple(url.where),
        places=tuple((place.where, numbers.get(place.state, -1), place.resource) for place in url.places),
        more=url.more,
        states=url.states,
        visited=url.visited,
        status=url.status,
        in_scope=url.in_scope,
    )
