"""Addresses: every URL that was found, where, and what came of it."""

from collections.abc import Mapping
from dataclasses import dataclass

from statecrawl.urls.collection import CollectedUrl, UrlCollection

MOST_SHOWN = 20_000  # addresses; a browser has to read them all


@dataclass(frozen=True, slots=True, kw_only=True)
class UrlRow:
    """One address."""

    url: str
    ways: tuple[str, ...]  # page, link, form, script, …
    places: tuple[tuple[str, int, str], ...]  # each: in which way, in which state, in which answer
    more: int  # places that are not told
    states: int  # that name it
    visited: bool
    status: int | None  # of the last answer; 0: there was none; None: nobody asked
    in_scope: bool


def shown(collected: UrlCollection, numbers: Mapping[str, int]) -> tuple[list[UrlRow], list[str]]:
    """Those that are shown, where states have numbers; and what to say of the others."""
    said, addresses = list(collected.left_out), collected.urls
    if len(addresses) > MOST_SHOWN:
        said.append(f"{MOST_SHOWN:,} of {len(addresses):,} URLs are shown; statecrawl export --format urls exports all")
        addresses = sorted(addresses, key=lambda address: (not address.visited, not address.in_scope))[:MOST_SHOWN]
        addresses.sort(key=lambda address: address.url)
    return [_found(address, numbers) for address in addresses], said


def _found(address: CollectedUrl, numbers: Mapping[str, int]) -> UrlRow:
    return UrlRow(
        url=address.url,
        ways=tuple(address.where),
        places=tuple((place.where, numbers.get(place.state, -1), place.resource) for place in address.places),
        more=address.more,
        states=address.states,
        visited=address.visited,
        status=address.status,
        in_scope=address.in_scope,
    )
