"""The periodic table as a web application.

The page draws its cells from `/elements` and asks `/element/{name}` for what the information window shows. All that
is known of an element follows from its number: the place in the table from the periods, the shells from the Madelung
rule. Some twenty real atoms deviate from that rule by an electron or two.
"""

from collections.abc import Iterator
from itertools import pairwise

from aiohttp import web

from statecrawl.testbed.periodic_table import ELEMENTS, NAME, SOUNDING
from statecrawl.testbed.sites.site import Site, SiteRoute

_IN_ORDER = """
    H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr Rb Sr Y Zr Nb Mo
    Tc Ru Rh Pd Ag Cd In Sn Sb Te I Xe Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho Er Tm Yb Lu Hf Ta W Re Os Ir Pt Au Hg Tl
    Pb Bi Po At Rn Fr Ra Ac Th Pa U Np Pu Am Cm Bk Cf Es Fm Md No Lr Rf Db Sg Bh Hs Mt Ds Rg Cn Nh Fl Mc Lv Ts Og
"""
SYMBOLS = tuple(_IN_ORDER.split())
NUMBERS = {name: number for number, name in enumerate(ELEMENTS, start=1)}
BELLS = dict(zip(SOUNDING, (392, 523, 659), strict=True))  # hertz: a chord of three metals

LAST_OF_PERIOD = (0, 2, 10, 18, 36, 54, 86, 118)
GROUPS = 18
LEFT = 2  # groups before the gap of a short period: the s block
F_BLOCK = 14  # elements that are set apart, below the table
ROWS_DOWN = 3  # from the sixth and seventh period to the two rows below the table

LETTERS = "spdf"
SUBSHELLS = sorted(
    ((shell, kind) for shell in range(1, 8) for kind in range(min(shell, len(LETTERS)))),
    key=lambda subshell: (sum(subshell), subshell[0]),
)
SUPERSCRIPT = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def site() -> Site:
    return Site(
        folder=NAME,
        routes=(SiteRoute("GET", "/elements", _elements), SiteRoute("GET", "/element/{name}", _element)),
    )


async def _elements(_request: web.Request) -> web.Response:
    return web.json_response([cell(number) for number in NUMBERS.values()])


async def _element(request: web.Request) -> web.Response:
    number = NUMBERS.get(request.match_info["name"])
    if number is None:
        raise web.HTTPNotFound(text="There is no such element.\n")
    return web.json_response(facts(number))


def cell(number: int) -> dict[str, object]:
    """Return a cell of the table: its text and position."""
    period, group = place(number)
    _, position = _period(number)
    row, column = (period, group) if group else (period + ROWS_DOWN, position)
    return {**_names(number), "block": _block(number), "row": row, "column": column}


def facts(number: int) -> dict[str, object]:
    """Return the content of the information window."""
    period, group = place(number)
    filled = list(electrons(number))
    shells = [sum(held for (shell, _), held in filled if shell == wanted) for wanted in range(1, period + 1)]
    written = [f"{shell}{LETTERS[kind]}{str(held).translate(SUPERSCRIPT)}" for (shell, kind), held in sorted(filled)]
    return {
        **_names(number),
        "period": period,
        "group": group,
        "block": _block(number),
        "shells": shells,
        "configuration": " ".join(written),
        "bell": BELLS.get(ELEMENTS[number - 1]),
    }


def place(number: int) -> tuple[int, int | None]:
    """Period and group; the elements of the f block have no group."""
    period, position = _period(number)
    length = LAST_OF_PERIOD[period] - LAST_OF_PERIOD[period - 1]
    left = 1 if period == 1 else LEFT
    if position <= left:
        return period, position
    if length > GROUPS and position <= left + F_BLOCK:
        return period, None
    return period, position + GROUPS - length  # the right-hand part ends with the last group


def electrons(number: int) -> Iterator[tuple[tuple[int, int], int]]:
    """Subshells (shell, kind) in the order in which they are filled, and how many electrons each holds."""
    left = number
    for shell, kind in SUBSHELLS:
        held = min(left, 4 * kind + 2)
        if not held:
            return
        yield (shell, kind), held
        left -= held


def _names(number: int) -> dict[str, object]:
    return {"number": number, "symbol": SYMBOLS[number - 1], "name": ELEMENTS[number - 1]}


def _period(number: int) -> tuple[int, int]:
    """The period of an element, and its position in it from 1."""
    for period, (before, last) in enumerate(pairwise(LAST_OF_PERIOD), start=1):
        if number <= last:
            return period, number - before
    raise ValueError(f"there is no element {number}")


def _block(number: int) -> str:
    *_, ((_, kind), _) = electrons(number)
    return LETTERS[kind]
