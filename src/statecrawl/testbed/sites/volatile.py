"""The parcel desk: pages written by the server, whose panels a script exchanges in place.

Every browser gets a session by a cookie. A form is only accepted with a nonce that was made for the session it comes
in, as applications do against forged requests. The server remembers nothing but how often it was visited.
"""

import hashlib
import hmac
import secrets
import time
from dataclasses import dataclass, field
from html import escape
from itertools import count
from string import Template

from aiohttp import web

from statecrawl.testbed.sites.server import STATIC
from statecrawl.testbed.sites.site import Site, SiteRoute
from statecrawl.testbed.volatile import LIST, NOTED, SECTIONS, VIEWS

FOLDER = "volatile"
SESSION_COOKIE = "session"
FIRST_VISIT = 1000  # a desk that nobody ever visited would look odd

ENTRIES = {  # of each section: who it is from, and what it is
    "orders": (("Ada Byron", "two boxes of gears"), ("Emil Post", "tape"), ("Grace Murray", "a clock")),
    "parcels": (("Blaise Pascal", "barometer"), ("Lise Meitner", "lead bricks")),
    "returns": (("Karl Benz", "a spare wheel"), ("Maria Mayer", "shells"), ("Otto Hahn", "beakers")),
    "messages": (("Guglielmo Marconi", "a single letter"), ("Hedy Lamarr", "please call back")),
}
ADVERTISEMENTS = (  # all of different shape; an odd number, so that two pages in step do not see one each for ever
    "<p>Ropes and <b>strings</b>, lot $number</p>",
    "<h3>Sealing wax</h3><p>Offer $number ends soon.</p>",
    "<ul><li>paper</li><li>paste</li><li>box $number</li></ul>",
    '<figure><svg viewBox="0 0 $number 9"><rect width="9" height="9"/></svg><figcaption>Stamps</figcaption></figure>',
    '<blockquote cite="#$number"><p>The best scales I ever had.</p><p>A customer</p></blockquote>',
)


def site() -> Site:
    desk = ParcelDesk()
    return Site(
        folder=FOLDER,
        routes=(
            SiteRoute("GET", "/", desk.show),
            SiteRoute("GET", f"/{{section:{'|'.join(SECTIONS)}}}/{{view:{'|'.join(VIEWS)}}}", desk.show),
            SiteRoute("POST", f"/{{section:{'|'.join(SECTIONS)}}}/{{deed:refresh|note}}", desk.take),
        ),
    )


@dataclass(frozen=True, slots=True)
class ParcelDesk:
    """Data of the pages."""

    secret: bytes = field(default_factory=lambda: secrets.token_bytes(32))
    visits: "count[int]" = field(default_factory=lambda: count(FIRST_VISIT))

    async def show(self, request: web.Request) -> web.StreamResponse:
        session = request.cookies.get(SESSION_COOKIE) or secrets.token_hex(12)
        section = request.match_info.get("section", SECTIONS[0])
        view = request.match_info.get("view", LIST)
        response = web.Response(text=self._page(section, view, session), content_type="text/html")
        response.set_cookie(SESSION_COOKIE, session, httponly=True, samesite="Lax")
        return response

    async def take(self, request: web.Request) -> web.StreamResponse:
        form = await request.post()
        session = request.cookies.get(SESSION_COOKIE, "")
        salt, _, proof = str(form.get("nonce", "")).partition(".")
        if form.get("session") != session or not hmac.compare_digest(proof, self._proof(session, salt)):
            raise web.HTTPForbidden(text="This form was not made for your session.")
        view = NOTED if request.match_info["deed"] == "note" else LIST
        raise web.HTTPSeeOther(f"/{request.match_info['section']}/{view}?session={session}")

    def _page(self, section: str, view: str, session: str) -> str:
        visit = next(self.visits)
        facts = {"section": section, "title": section.title(), "session": session, "nonce": self._nonce(session)}
        return _template("page").substitute(
            facts,
            visitor=session,
            visits=f"{visit:,}",
            menu="".join(_menu_entry(other, section, session) for other in SECTIONS),
            main=_panel(section, view, facts),
            advertisement=Template(ADVERTISEMENTS[visit % len(ADVERTISEMENTS)]).substitute(number=visit),
        )

    def _nonce(self, session: str) -> str:
        salt = secrets.token_hex(8)
        return f"{salt}.{self._proof(session, salt)}"

    def _proof(self, session: str, salt: str) -> str:
        return hmac.new(self.secret, f"{session}.{salt}".encode(), hashlib.sha256).hexdigest()


def _panel(section: str, view: str, facts: dict[str, str]) -> str:
    entries = ENTRIES[section]
    first, contents = entries[0]
    rows = "".join(f"<tr><th>{escape(sender)}</th><td>{escape(what)}</td></tr>" for sender, what in entries)
    milliseconds = str(time.time_ns() // 1_000_000)
    return _template(view).substitute(facts, first=first, contents=contents, entries=rows, now=milliseconds)


def _menu_entry(section: str, shown: str, session: str) -> str:
    current = ' aria-current="page"' if section == shown else ""
    return f'<li><a href="/{section}/{LIST}?session={session}"{current}>{section.title()}</a></li>'


def _template(name: str) -> Template:
    return Template((STATIC / FOLDER / f"{name}.html").read_text("utf-8"))
