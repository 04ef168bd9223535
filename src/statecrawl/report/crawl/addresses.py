"""Addresses: every URL that was found, how, and where first."""

from dataclasses import dataclass, field

from statecrawl.report.crawl.seen import Seen


@dataclass(slots=True, kw_only=True)
class Found:
    """One address."""

    url: str
    ways: list[str] = field(default_factory=list)  # page, link, form, request, scope, window, download
    state: int = -1  # where it was found first
    states: int = 0  # in how many it was found


class Addresses:
    """Collects them, in the order in which they are found."""

    def __init__(self) -> None:
        self._found: dict[str, Found] = {}

    def add(self, url: str, way: str, state: int = -1) -> None:
        if not url:
            return
        found = self._found.setdefault(url, Found(url=url, state=state))
        if way not in found.ways:
            found.ways.append(way)

    def saw(self, state: int, seen: Seen) -> None:
        """All that a state shows."""
        shown = [(seen.url, "page"), *((link, "link") for link in seen.links)]
        shown += [(form.action, "form") for form in seen.forms]
        for url, way in shown:
            self.add(url, way, state)
        for url in {url for url, _ in shown if url}:
            self._found[url].states += 1

    def all(self) -> list[Found]:
        return sorted(self._found.values(), key=lambda found: found.url)
