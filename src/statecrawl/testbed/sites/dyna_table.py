"""The table of lessons as a web application: the server sorts, filters and cuts it into pages, the page draws it.

The people are generated, always the same. The last of them is the last by either column, and alone on the last page.
"""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from itertools import product
from random import Random

from aiohttp import web

from statecrawl.testbed.dyna_table import ALL, COLUMNS, DAYS, NAME, PAGES, WITHOUT_LAST_PERSON, Days
from statecrawl.testbed.sites.site import Site, SiteRoute

ROWS_PER_PAGE = 15

FIRST_NAMES = (
    "Ada",
    "Boris",
    "Chidi",
    "Dora",
    "Emil",
    "Farah",
    "Goran",
    "Hana",
    "Ines",
    "Jonas",
    "Kofi",
    "Lena",
    "Mei",
)
LAST_NAMES = (
    *("Abel", "Brandt", "Castro", "Diallo", "Eriksen", "Fischer", "Greco", "Haddad"),
    *("Ivanova", "Jensen", "Kaya", "Lopez", "Moreau", "Novak", "Okafor"),
)
RANKS = ("Assistant", "Lecturer", "Professor", "Reader", "Student")
SUBJECTS = ("algebra", "botany", "chemistry", "drawing", "economics", "geology", "history", "logic", "music", "physics")
FIRST_HOUR, LAST_HOUR = 8, 17
MOST_LESSONS = 5
RANDOM_SEED = 2008  # any will do, as long as it stays


@dataclass(frozen=True, slots=True)
class Lesson:
    day: str
    hour: int

    def __str__(self) -> str:
        return f"{self.day.title()} {self.hour}:00–{self.hour}:50"


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    name: str
    description: str
    lessons: tuple[Lesson, ...]  # in the order of the week


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonRow:
    """Return a row of the table: a person with the lessons of the selected days only."""

    name: str
    description: str
    lessons: list[str]


def site() -> Site:
    return Site(folder=NAME, routes=(SiteRoute("GET", "/rows", _rows),))


async def _rows(request: web.Request) -> web.Response:
    """`/rows?column=name&days=mon,fri&page=3`"""
    column = request.query.get("column", COLUMNS[0])
    days = frozenset(request.query.get("days", ",".join(DAYS)).split(",")) - {""}
    page = request.query.get("page", "1")
    if column not in COLUMNS or not days <= ALL or page not in map(str, range(1, PAGES + 1)):
        raise web.HTTPBadRequest(text="There is no such part of the table.\n")
    return web.json_response({"pages": PAGES, "rows": [asdict(row) for row in rows(column, days, int(page))]})


def rows(column: str, days: Days, page: int) -> list[LessonRow]:
    """Return one page of the table. Every person has a row, whichever days are selected."""
    first = (page - 1) * ROWS_PER_PAGE
    return [
        LessonRow(
            name=person.name,
            description=person.description,
            lessons=[str(lesson) for lesson in person.lessons if lesson.day in days],
        )
        for person in SORTED[column][first : first + ROWS_PER_PAGE]
    ]


def _people() -> Iterable[Person]:
    chance = Random(RANDOM_SEED)
    slots = [Lesson(day, hour) for day in DAYS for hour in range(FIRST_HOUR, LAST_HOUR + 1)]
    for first, last in product(FIRST_NAMES, LAST_NAMES):
        chosen = sorted(chance.sample(range(len(slots)), chance.randint(1, MOST_LESSONS)))
        yield Person(
            name=f"{first} {last}",
            description=f"{chance.choice(RANKS)} of {chance.choice(SUBJECTS)}",
            lessons=tuple(slots[at] for at in chosen),
        )
    yield Person(
        name="Zygmunt Zweig",
        description="Visiting scholar of zoology",
        lessons=tuple(Lesson(day, FIRST_HOUR) for day in DAYS if day not in WITHOUT_LAST_PERSON),
    )


SORTED = {
    "name": sorted(_people(), key=lambda person: person.name),
    "description": sorted(_people(), key=lambda person: (person.description, person.name)),
}
