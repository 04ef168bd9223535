"""Settings for crawling a whole site: which URLs are opened, and how many."""

from dataclasses import dataclass

from statecrawl.errors import BadInput
from statecrawl.urls.sources import DEFAULT_PLACES, HEADER, PLACES, REQUEST

EVERYWHERE = "all"  # every place in which URLs can be found


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteSettings:
    """Where URLs are looked for, and limits on what is opened and expanded. None: no limit."""

    follow: tuple[str, ...] = DEFAULT_PLACES  # places whose URLs are opened
    urls: int | None = None  # URLs opened
    urls_alike: int | None = 20  # URLs opened among those with the same pattern, such as /item/1 and /item/2
    states_at_url: int | None = 50  # states expanded among those at the same URL

    def __post_init__(self) -> None:
        for place in self.follow:
            if place not in (*PLACES, EVERYWHERE):
                raise BadInput(f"--follow takes any of {', '.join((*PLACES, EVERYWHERE))}, not '{place}'.")
        limits = {"--max-urls": self.urls, "--max-alike": self.urls_alike, "--max-states-per-url": self.states_at_url}
        for name, limit in limits.items():
            if limit is not None and limit < 1:
                raise BadInput(f"a limit must be more than 0: {name} {limit}.")

    def traffic_places(self) -> list[str]:
        """Return the followed places that only exist in recorded traffic: headers and requests."""
        return [place for place in self.follow if place in (HEADER, REQUEST)]
