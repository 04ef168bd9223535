"""The demo bank as a web application: the server writes the panels as pieces of HTML, the page puts them in place.

The server remembers nobody. What it answers depends on the panel that is asked for, and whoever knows the address of
an account's panel may read it: there is nothing in it but figures that were made up.
"""

from collections.abc import Iterator
from html import escape
from urllib.parse import quote

from aiohttp import web

from statecrawl.testbed.altoro import DIALOG, DONE, LISTS, NAME, PRINTED, SERVICES, TRANSFER
from statecrawl.testbed.sites.site import Site, SiteRoute

SIGN_IN = "sign in"
REFUSED = "sign in/refused"
SUMMARY = "account/summary"
USERS = {"customer": SUMMARY, "guest": REFUSED}  # user of the form -> the panel that signing in leads to

TEXTS = {  # panel -> what it says
    SIGN_IN: "Choose who you are. The demo asks for no password.",
    REFUSED: "A guest has no accounts here. Please choose another user.",
    "personal/overview": "Everything for the household, from the first account to the last mortgage payment.",
    "personal/deposits": "Savings at 2.1 %, fixed deposits of one to five years at up to 3.4 %.",
    "personal/checking": "A checking account without monthly fees and with a card.",
    "personal/loans": "Cars, kitchens and houses: loans from 4.9 %, decided within a day.",
    "personal/cards": "Three cards, one of which returns one percent of every purchase.",
    "personal/investments": "Funds and shares, with advice that is charged by the hour.",
    "personal/services": "Standing orders, safe deposit boxes and travellers' cash.",
    "business/overview": "Everything for the firm, from the first invoice to the last payroll.",
    "business/deposits": "Money that is not needed this month earns interest by the day.",
    "business/lending": "Credit lines and machinery on lease, with one person to talk to.",
    "business/cards": "Cards with a limit for each employee and one statement for all.",
    "business/insurance": "Against fire, water and the failure of a customer.",
    "business/retirement": "Pension plans for staff of three and staff of three hundred.",
    "business/services": "Payroll, cash collection and terminals for the counter.",
    "inside/about": "Founded by four merchants, owned by its savers.",
    "inside/contact": "Telephone 555-0100, on working days from eight to six.",
    "inside/locations": "Our three branches:",
    "inside/investors": "The annual report is published in March.",
    "inside/press": "Our latest releases:",
    "inside/careers": "Open positions:",
    "feedback": "Write to feedback at this bank. Every letter is answered.",
    "subscribe": "The newsletter is handed out at the counter, on the first of the month.",
    "privacy": "The demo keeps nothing: no cookies, no records, no sessions.",
    "security": "We never ask for a number by telephone, nor here.",
    "search": "The search is being rebuilt and will be back soon.",
    SUMMARY: "Checking 1,423.10, savings 8,210.00, card -312.45.",
    "account/recent": "Groceries -54.20, rent -780.00, salary 2,450.00.",
    TRANSFER: "100.00 from checking to savings.",
    "account/news": "Savings earn 2.1 % from next month on.",
    "account/customize": "Language: English. Statements: monthly, on paper.",
    "account/card": "Owed 312.45 of a limit of 2,000.00.",
    "account/checking": "Balance 1,423.10, overdraft 500.00.",
    "account/savings": "Balance 8,210.00, interest this year 131.60.",
    DIALOG: "Transfer 100.00 from checking to savings?",
    DONE: "100.00 went from checking to savings.",
    "inside/locations/boston": "12 Harbour Street, with a drive-in counter.",
    "inside/locations/chicago": "480 Lake Avenue, open on Saturdays.",
    "inside/locations/new york": "7 Exchange Place, third floor.",
    "inside/press/award": "The bank was named the friendliest of its size.",
    "inside/press/merger": "The bank joins forces with the Savers' Union.",
    "inside/careers/analyst": "Reads balance sheets, writes recommendations.",
    "inside/careers/teller": "Counts, smiles, and counts again.",
}
SIGN_IN_FORM = """
<form id="sign-in" action="/sign-in" method="post">
  <label>User <select name="user">{options}</select></label>
  <button type="submit">Sign in</button>
</form>
"""
DIALOG_BUTTONS = """
<button type="button" class="confirm">Confirm</button>
<button type="button" class="cancel">Cancel</button>
<button type="button" class="explain">Explain</button>
"""


def site() -> Site:
    return Site(
        folder=NAME, routes=(SiteRoute("GET", "/panel/{name:.+}", _panel), SiteRoute("POST", "/sign-in", _sign_in))
    )


async def _panel(request: web.Request) -> web.Response:
    panel = request.match_info["name"]
    if panel not in TEXTS:
        raise web.HTTPNotFound(text="There is no such panel.\n")
    return web.Response(text=fragment(panel), content_type="text/html")


async def _sign_in(request: web.Request) -> web.Response:
    user = (await request.post()).get("user")
    return web.Response(text=fragment(USERS.get(str(user), REFUSED)), content_type="text/html")


def fragment(panel: str) -> str:
    """Return the HTML of a panel, as it is inserted into the page."""
    *above, own = panel.split("/")
    title = " / ".join(map(str.title, [*above[:1], own]))
    return (
        f'<article data-shown="{escape(panel)}">'
        f"<h2>{escape(title)}</h2><p>{escape(TEXTS[panel])}</p>{''.join(_controls(panel))}</article>\n"
    )


def _controls(panel: str) -> Iterator[str]:
    above, _, own = panel.rpartition("/")
    if panel in (SIGN_IN, REFUSED):
        yield SIGN_IN_FORM.format(options="".join(f"<option>{user}</option>" for user in USERS))
    if panel == SUMMARY:
        yield _list((service, f"account/{service}") for service in SERVICES)
    if panel == TRANSFER:
        yield '<button type="button" class="transfer">Transfer</button>'
    if panel == DIALOG:
        yield DIALOG_BUTTONS
    elif panel.startswith("account/"):
        yield _link("Sign off", SIGN_IN)
    if panel in LISTS:
        yield _list((detail, f"{panel}/{detail}") for detail in LISTS[panel])
    if above in LISTS:
        # A button, because there is one "back to list" wherever it leads, while links differ by their address
        yield f'<button type="button" data-panel="{above}">Back to list</button>'
    if above in ("personal", "business") and own != "overview":
        yield _link("Apply", SIGN_IN)
    if panel in PRINTED:
        yield '<button type="button" class="print">Print</button>'


def _list(entries: Iterator[tuple[str, str]]) -> str:
    return "<ul>" + "".join(f"<li>{_link(text.title(), panel)}</li>" for text, panel in entries) + "</ul>"


def _link(text: str, panel: str) -> str:
    return f'<a href="/panel/{quote(panel)}">{escape(text)}</a>'
