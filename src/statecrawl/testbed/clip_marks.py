"""A site where people share clips: votes, pop-ups that list the voters, and profiles.

The interface
    A state is (page, what is shown on it). The front page has two tabs, *popular* and *latest*; the other pages
    are the profiles of eight users. Every page lists twelve clips; a pop-up over the list may show the voters of
    one of them. The tabs have a *welcome* banner until something else is opened; it never comes back.

    * every clip has vote, comment and save, which ask a visitor to sign in and change nothing;
    * every clip has a number of votes, which opens or turns the pop-up (idle for three clips without votes);
    * a clip of the front page names its author and leads to a profile; a clip of a profile names a source, idle;
    * the bar below the third clip changes the tab, and is idle on a profile; "all clips" leads to the popular tab;
    * six links of the head are idle;
    * the pop-up has a close button and a link for each voter. Few of them are members of the copied part of the site
      and have a profile; the other links are dead.

The shape
    2 tabs × (welcome, list, 12 pop-ups) + 8 profiles × (list, 11 or 12 pop-ups) = 129 states. A page has 69
    events, with a pop-up 72 to 129: 10,580 transitions. 8,432 of them change nothing, so that even
    breadth-first need not walk back for most; it resets where a pop-up leads to one not worked off yet.

    The voters of each user know the next one, so the profiles form a chain, and breadth-first finds the last
    pop-ups late. Only a reset leads back to the two welcome pages. Each load can leave them once, and 12 pop-ups,
    12 authors and "all clips" on each of them do: 50 loads. The second is found through the tab bar of the first,
    the eighth way out of it, and greedy turns to that last because a reset costs 18. To the menu strategy the
    bar is unpredictable, hence urgent.

Published beside measured (events/resets; ties walk, indexed)
    Published: Dincturk et al., A Model-Based Approach for Crawling Rich Internet Applications, 2014, Tables
    II and III. Size: Mir Taheri, Distributed Crawling of Rich Internet Applications, 2015, Table 7.2
    (10,581 transitions there).

        strategy       all states found                     complete
                       published        measured            published        measured
        depth-first    18,617/46        27,028/8            18,799/71        27,167/50
        breadth-first  12,608/900       16,111/853          15,327/925       18,146/909
        greedy         10,748/7         12,470/8            11,390/55        12,609/50
        hypercube      10,732/7         12,422/8            11,363/56        12,561/50
        menu           3,106/9          1,962/2             11,623/69        12,779/50
        probability    11,114/33        12,347/26           11,492/62        12,499/51
        optimum        128/2            128/1

    The order of strategies is the published one. What does not fit: depth-first needs 1.4 times the events; the
    published optimum needs a second load.
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
CLIPS_ABOVE_BAR = 3  # greedy finds the second welcome page with 2 × 3 + 2 resets; 7 were published
VOTED = dict.fromkeys((*TABS, *USERS), CLIPS) | dict.fromkeys(USERS[-3:], CLIPS - 1)  # clips with votes
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
    """Return the voters with a profile: the next user, and one of the previous ones."""
    if page in TABS:
        return []
    user = USERS.index(page)
    before = clip % (user + 1)
    return [*USERS[user + 1 : user + 2], *([USERS[before]] if before != user else [])]
