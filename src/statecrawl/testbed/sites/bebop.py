"""Bebop as a web application: a bibliography behind three questions.

    GET /panels/author                                    the values to filter by, and how many publications each has
    GET /publications?panel=author&value=knuth&page=1     a page of a list, and the pages one can turn to from there
    GET /publications/17                                  what the list does not say of one publication

The publications are made up, by seeded chance, so that every list has the length the model says.
"""

from dataclasses import asdict, dataclass
from random import Random

from aiohttp import web

from statecrawl.testbed.bebop import AUTHORS, FIRST_FROM, PAGE, TYPES, YEARS
from statecrawl.testbed.sites.site import Site, SiteRoute

PANELS = {"author": AUTHORS, "year": YEARS, "type": TYPES}
START = 1993  # of the random numbers: the year of the first publication, as good as any

MANNERS = ("A Note on", "Foundations of", "Lessons from", "Notes on", "On", "Principles of", "Remarks on", "Towards")
KINDS = ("Concurrent", "Distributed", "Efficient", "Incremental", "Lazy", "Optimal", "Persistent", "Verified")
THINGS = ("Automata", "Compilers", "Databases", "Editors", "Grammars", "Networks", "Proofs", "Queues", "Sorting")


@dataclass(frozen=True, slots=True, kw_only=True)
class Publication:
    """One entry of the bibliography."""

    number: int
    title: str
    authors: tuple[str, ...]  # those that have a list; none for most
    year: str
    type: str


def site() -> Site:
    """The bibliography of 700 publications."""
    bibliography = Bibliography(_publications())
    return Site(
        folder="bebop",
        routes=(
            SiteRoute("GET", "/panels/{panel}", bibliography.panel),
            SiteRoute("GET", "/publications", bibliography.page),
            SiteRoute("GET", "/publications/{number}", bibliography.details),
        ),
    )


class Bibliography:
    """Responds from the publications, which never change."""

    def __init__(self, publications: list[Publication]) -> None:
        self._publications = publications
        self._lists: dict[tuple[str, str], list[Publication]] = {}  # (panel, value) -> what the filter finds
        for publication in publications:
            authors = [("author", author) for author in publication.authors]
            for key in (*authors, ("year", publication.year), ("type", publication.type)):
                self._lists.setdefault(key, []).append(publication)

    async def panel(self, request: web.Request) -> web.Response:
        panel = request.match_info["panel"]
        if panel not in PANELS:
            raise web.HTTPNotFound(text=f"Nothing is filtered by {panel}.\n")
        return web.json_response([{"value": value, "count": count} for value, count in PANELS[panel].items()])

    async def page(self, request: web.Request) -> web.Response:
        listed = self._lists.get((request.query.get("panel", ""), request.query.get("value", "")), [])
        page = _number(request.query.get("page", "1"))
        pages = -(-len(listed) // PAGE)
        if not 1 <= page <= pages:
            raise web.HTTPNotFound(text="There is no such list, or no such page of it.\n")
        skipped = (page - 1) * PAGE
        return web.json_response(
            {
                "count": len(listed),
                "page": page,
                "pages": pages,
                "skipped": skipped,
                "turns": _turns(page, pages),
                "publications": [asdict(publication) for publication in listed[skipped : skipped + PAGE]],
            }
        )

    async def details(self, request: web.Request) -> web.Response:
        number = _number(request.match_info["number"])
        if not 0 <= number < len(self._publications):
            raise web.HTTPNotFound(text="There is no such publication.\n")
        publication = self._publications[number]
        first = 1 + 7 * number % 300
        return web.json_response(
            {
                "key": f"{publication.type}:{publication.year}:{number}",
                "pages": f"{first}–{first + 5 + number % 20}",
                "abstract": f"What was known in {publication.year} about the subject of “{publication.title}”, and "
                "what was not; with examples, measurements and a list of open questions.",
            }
        )


def _turns(page: int, pages: int) -> list[dict[str, str | int]]:
    """Return the buttons of the pager, from left to right."""
    turns = {"first": (page >= FIRST_FROM, 1), "previous": (page > 1, page - 1), "next": (page < pages, page + 1)}
    return [{"to": name, "page": there} for name, (useful, there) in turns.items() if useful]


def _number(written: str) -> int:
    """Return a number, or -1 for other text; no page or publication has that number."""
    return int(written) if written.isascii() and written.isdigit() else -1


def _publications() -> list[Publication]:
    random = Random(START)
    years = sorted(_repeated(YEARS), reverse=True)  # the newest first
    types = random.sample(_repeated(TYPES), len(years))
    authors: list[list[str]] = [[] for _ in years]
    for author, count in AUTHORS.items():
        for number in random.sample(range(len(years)), count):
            authors[number].append(author)
    return [
        Publication(number=number, title=_title(random), authors=tuple(wrote), year=year, type=kind)
        for number, (wrote, year, kind) in enumerate(zip(authors, years, types, strict=True))
    ]


def _repeated(counts: dict[str, int]) -> list[str]:
    return [value for value, count in counts.items() for _ in range(count)]


def _title(random: Random) -> str:
    return f"{random.choice(MANNERS)} {random.choice(KINDS)} {random.choice(THINGS)}"
