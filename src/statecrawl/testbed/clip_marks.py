"""A site where people share clips: votes, pop-ups that list the voters, and profiles.

The interface
    A state is (page, what is shown on it). The front page has two tabs, *popular* and *latest*; the other pages are the
    profiles of eight users. Every page lists twelve clips. Over the list a pop-up may show the voters of one of them.
    The tabs have a *welcome* banner until something is opened; it never comes back.

    * every clip has vote, comment and save, which ask a visitor to sign in and change nothing;
    * every clip has a number of votes, which opens or turns the pop-up; three clips nobody voted for have an idle one;
    * a clip of the front page names its author and leads to a profile; a clip of a profile names a source, idle;
    * the bar below the third clip changes the tab, and is idle on a profile; "all clips" leads to the popular tab;
    * six links of the head are idle;
    * the pop-up has a close button and a link for each voter. Few of them are members of the copied part of the site
      and have a profile; the other links are dead.

The shape
    2 tabs × (welcome, list, 12 pop-ups) + 8 profiles × (list, 11 or 12 pop-ups) = 129 states. A page has 69 events and with
    a pop-up 72 to 129: 10,580 transitions, of which about four in five change nothing, so that breadth-first needs
    few more events than there are transitions. Its resets come from pop-ups that lead to pop-ups not worked off yet.

    Each user's voters know the next user, so the profiles form a chain, and the last pop-ups are found late by
    breadth-first. Nothing leads back to a welcome page but a reset: 12 pop-ups and 12 authors and "all clips" on two
    such pages make the 50 resets. The second of them is found through the tab bar of the first, the seventh of the
    events that leave it, and greedy turns to it last because a reset costs 18. To the menu strategy the bar is
    unpredictable, which makes it urgent.

Published beside measured (events/resets; ties walk, indexed)
    Published: Dincturk et al., A Model-Based Approach for Crawling Rich Internet Applications, 2014, Tables II and III; size:
    Mir Taheri, Distributed Crawling of Rich Internet Applications, 2015, Table 7.2 (10,581 transitions there).

@TABLE@
"""

from collections.abc import Iterator

from statecrawl.testbed.application import Application, machine
from statecrawl.testbed.published import RESET_COSTS, event_seconds

NAME = "clip-marks"

TABS = ("popular", "latest")
USERS = ("ann", "ben", "cleo", "dan", "eve", "finn", "gus", "hana")
AUTHORS = ("ann", "ben")  # who shared the clips of the front page, in turns
FRONT = "popular/list"
WELCOME = "welcome"

CLIPS = 12  # on a page
CLIPS_ABOVE_BAR = 3  # puts the tab bar seventh among the events that leave the first page; 7 resets were published
VOTED = dict.fromkeys((*TABS, *USERS), CLIPS) | dict.fromkeys(("finn", "gus", "hana"), CLIPS - 1)  # clips with votes
IDLE = ("sign in", "sign up", "search", "tour", "help", "terms")
MOST_VOTERS = 59  # of the first clip


def clip_marks() -> Application:
    """129 states, 10,580 transitions. A state is named "popular/welcome", "ann/list" or "ann/clip 3"."""
    rows = {}
    popups = 0
    for page, voted in VOTED.items():
        for shown in (WELCOME, "list") if page in TABS else ("list",):
            rows[f"{page}/{shown}"] = list(_page(page, shown))
        for clip in range(1, voted + 1):
            voters = 2 + 6 * popups % 23 if popups else MOST_VOTERS  # scattered, 1,562 in all
            popups += 1
            rows[f"{page}/clip {clip}"] = [*_page(page, f"clip {clip}"), *_popup(page, clip, voters)]
    return Application(
        name=NAME,
        title="shared clips with votes and profiles",
        truth=machine(rows),
        reset_cost=RESET_COSTS[NAME],
        event_seconds=event_seconds(NAME),
    )


def _page(page: str, shown: str) -> Iterator[tuple[str, str]]:
    own = f"{page}/{shown}"
    yield "all clips", FRONT
    yield from ((link, own) for link in IDLE)
    for clip in range(1, CLIPS + 1):
        yield from ((f"{act} {page} {clip}", own) for act in ("vote", "comment", "save"))
        yield f"voters {page} {clip}", f"{page}/clip {clip}" if clip <= VOTED[page] else own
        if page in TABS:
            yield f"author {page} {clip}", f"{AUTHORS[clip % len(AUTHORS)]}/list"
        else:
            yield f"source {page} {clip}", own
        if clip == CLIPS_ABOVE_BAR:
            for tab in TABS:
                there = f"{tab}/{WELCOME if shown == WELCOME else 'list'}"
                yield f"show {tab}", own if page not in TABS or tab == page else there


def _popup(page: str, clip: int, voters: int) -> Iterator[tuple[str, str]]:
    yield "close", f"{page}/list"
    members = _members(page, clip)
    yield from ((f"voter {user}", f"{user}/list") for user in members)
    yield from ((f"voter {number}", f"{page}/clip {clip}") for number in range(len(members), voters))


def _members(page: str, clip: int) -> list[str]:
    """The voters who have a profile: the next user, and one of those before."""
    if page in TABS:
        return []
    user = USERS.index(page)
    before = clip % (user + 1)
    return [*USERS[user + 1 : user + 2], *([USERS[before]] if before != user else [])]
