"""A demo bank whose pages are panels loaded into one page.

The interface
    A state is the panel that is shown. Before any panel was loaded there is a *start* page with teasers, and no link
    leads back to it. Every panel has the bank's menu of 26 links; a dialog covers the menu.

    * the products of the personal and the business section have an "apply" link, which asks to sign in first;
    * signing in works for one customer and is refused to a guest (a dictionary of two values for the form);
    * the account summary lists seven services; the pages of the services only lead out again, by the menu or by
      signing off, so the way from one to the next is menu, sign in, service;
    * a transfer must be confirmed in a dialog with three buttons, one of which explains in place;
    * locations, press releases and vacancies open a panel with a way back to their list;
    * eight panels have a print button, which changes nothing.

The shape
    start + 26 panels of the menu + 18 behind them = 45 states. The start page has 26 + 8 events and the dialog has 3,
    which are the published extremes: 1,210 transitions.

    Every event of the start page leaves it for good, so it takes 34 loads to explore, in any strategy. The 26
    panels are linked all to all: greedy hardly travels there, and breadth-first resets for the half that is not
    worked off yet (26 × 25 / 2, and once for each event of the start page, and a few more). The panels behind
    are two and more events from anywhere, which makes the rest of the travelling.

Published beside measured (events/resets; ties walk, indexed)
    Published: Dincturk et al., A Model-Based Approach for Crawling Rich Internet Applications, 2014, Tables
    II and III. Size: Mir Taheri, Distributed Crawling of Rich Internet Applications, 2015, Table 7.2.

        strategy       all states found                     complete
                       published        measured            published        measured
        depth-first    6,790/25         6,685/1             6,802/34         6,799/34
        breadth-first  1,635/352        2,909/377           3,076/353        3,073/378
        greedy         1,842/25         1,685/34            2,521/34         2,362/34
        hypercube      906/32           1,544/34            2,490/34         2,324/34
        menu           104/7            69/1                2,468/34         2,337/34
        probability    172/7            248/1               2,452/35         2,331/34
        optimum        72/1             60/1

    The order of strategies is the published one. What does not fit: breadth-first finds the last state, the end
    of a transfer, later than published (at 95 % of the crawl, not at 53 %); hypercube gains less over greedy.
"""

from collections.abc import Iterator

from statecrawl.testbed.application import Application, machine
from statecrawl.testbed.published import RESET_COSTS, event_seconds

NAME = "altoro"

MENU = (
    "sign in",
    *(f"personal/{p}" for p in ("overview", "deposits", "checking", "loans", "cards", "investments", "services")),
    *(f"business/{p}" for p in ("overview", "deposits", "lending", "cards", "insurance", "retirement", "services")),
    *(f"inside/{p}" for p in ("about", "contact", "locations", "investors", "press", "careers")),
    "feedback",
    "subscribe",
    "privacy",
    "security",
    "search",
)
TEASERS = (
    "sign in",
    "personal/loans",
    "personal/cards",
    "personal/investments",
    "business/lending",
    "business/retirement",
    "privacy",
    "inside/press",
)
SERVICES = ("recent", "transfer", "news", "customize", "card", "checking", "savings")
LISTS = {
    "inside/locations": ("boston", "chicago", "new york"),
    "inside/press": ("award", "merger"),
    "inside/careers": ("analyst", "teller"),
}
PRINTED = (*(panel for panel in MENU if panel.startswith("inside/")), "privacy", "security")
TRANSFER = "account/transfer"
DIALOG = f"{TRANSFER}/confirm"
DONE = f"{TRANSFER}/done"


def altoro() -> Application:
    """45 states, 1,210 transitions. A state is named like its panel, "account/transfer/confirm"."""
    accounts = [f"account/{service}" for service in ("summary", *SERVICES)]
    details = [f"{panel}/{detail}" for panel, listed in LISTS.items() for detail in listed]
    menu = [(f"menu {panel}", panel) for panel in MENU]
    rows = {"start": [*menu, *((f"teaser {panel}", panel) for panel in TEASERS)]}
    for panel in (*MENU, "sign in/refused", *accounts, DONE, *details):
        rows[panel] = [*menu, *_controls(panel)]
    rows[DIALOG] = [("confirm", DONE), ("cancel", TRANSFER), ("explain", DIALOG)]
    return Application(
        name=NAME,
        title="demo bank with accounts and transfers",
        truth=machine(rows),
        reset_cost=RESET_COSTS[NAME],
        event_seconds=event_seconds(NAME),
    )


def _controls(panel: str) -> Iterator[tuple[str, str]]:
    """Return the events of a panel other than those of the menu."""
    above, _, own = panel.rpartition("/")
    if panel in ("sign in", "sign in/refused"):
        yield "sign in as customer", "account/summary"
        yield "sign in as guest", "sign in/refused"
    if panel == "account/summary":
        yield from ((f"service {service}", f"account/{service}") for service in SERVICES)
    if panel == TRANSFER:
        yield "transfer", DIALOG
    if panel.startswith("account/"):
        yield "sign off", "sign in"
    yield from ((f"open {detail}", f"{panel}/{detail}") for detail in LISTS.get(panel, ()))
    if above in LISTS:
        yield "back to list", above
    if above in ("personal", "business") and own != "overview":
        yield "apply", "sign in"
    if panel in PRINTED:
        yield "print", panel
