"""The site of shared clips as a web application: the server knows the clips of each page and who voted for them.

GET /clips/popular      the twelve clips of a page: a tab of the front page, or the profile of a user
GET /voters/ann/3       who voted for a clip; those who are members have a profile to visit
"""

from itertools import product

from aiohttp import web

from statecrawl.testbed.clip_marks import AUTHORS, CLIPS, MOST_VOTERS, TABS, USERS, VOTED
from statecrawl.testbed.sites.site import Site, SiteRoute

# Voters who are no members go by a nickname. The same few vote everywhere, so nicknames come back.
MOODS = ("brave", "calm", "eager", "fond", "jolly", "keen", "merry", "proud")
BIRDS = ("crane", "eagle", "finch", "heron", "jay", "kite", "robin", "wren")
NICKNAMES = tuple(f"{mood} {bird}" for mood, bird in product(MOODS, BIRDS))  # more than vote for any clip

SUBJECTS = (
    "a bridge",
    "a lake",
    "bread",
    "chess",
    "clouds",
    "a comet",
    "ferns",
    "jazz",
    "maps",
    "owls",
    "tea",
    "trains",
)
SOURCES = ("herald.example", "gazette.example", "notes.example")

Voter = dict[str, str | bool]  # name, and whether there is a profile to visit


def site() -> Site:
    """The front page with its two tabs, and eight profiles."""
    return Site(
        folder="clip-marks",
        routes=(SiteRoute("GET", "/clips/{page}", _clips), SiteRoute("GET", "/voters/{page}/{clip}", _who)),
    )


async def _clips(request: web.Request) -> web.Response:
    page = request.match_info["page"]
    if page not in VOTED:
        raise web.HTTPNotFound(text=f"There is no page {page}.\n")
    return web.json_response(
        {"page": page, "profile": page in USERS, "clips": [_clip(page, number + 1) for number in range(CLIPS)]}
    )


def _clip(page: str, number: int) -> dict[str, object]:
    shown = {
        "number": number,
        "text": f"Something worth keeping about {SUBJECTS[(number + len(page)) % len(SUBJECTS)]}.",
        "votes": len(_voters(page, number)),
    }
    if page in TABS:
        return shown | {"author": AUTHORS[number % len(AUTHORS)]}
    return shown | {"source": SOURCES[number % len(SOURCES)]}


async def _who(request: web.Request) -> web.Response:
    page, clip = request.match_info["page"], request.match_info["clip"]
    if page not in VOTED or clip not in {str(number + 1) for number in range(VOTED[page])}:
        raise web.HTTPNotFound(text=f"Nobody voted for clip {clip} of {page}.\n")
    return web.json_response(_voters(page, int(clip)))


def _voters(page: str, clip: int) -> list[Voter]:
    """Return the voters, members first. The others have nicknames that depend on their position."""
    if clip > VOTED[page]:
        return []
    members = _members(page, clip)
    names = [*members, *NICKNAMES[len(members) : _votes(page, clip)]]
    return [{"name": name, "profile": name in members} for name in names]


def _votes(page: str, clip: int) -> int:
    """Return the number of votes: many for the first clip, varying for the others across all pages."""
    pages = list(VOTED)
    before = sum(VOTED[other] for other in pages[: pages.index(page)]) + clip - 1
    return 2 + 6 * before % 23 if before else MOST_VOTERS


def _members(page: str, clip: int) -> list[str]:
    """Return the voters with a profile: the next user, and possibly an earlier one."""
    if page in TABS:
        return []
    place = USERS.index(page)
    earlier = clip % (place + 1)
    return [*USERS[place + 1 : place + 2], *(USERS[earlier : earlier + 1] if earlier < place else ())]
