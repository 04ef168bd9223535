"""Generated applications: small ones whose optima are known by formula, and one that grows to any size.

    hypercube(n)     n buttons, each can be pressed once, in any order: 2^n states
    tiny()           a menu of two entries, a self-loop and a page behind a page, to follow by hand
    viol8()          an application that first looks like a hypercube and then breaks every promise of one
    menusite(m, k)   a home page, m pages in a menu shown everywhere, k details behind each page
    pager(n)         a list of n pages with next, prev and first
    widgets(k, m)    k independent choices among m values: every combination is a state
    linked(k, m)     the same, but two pairs of them depend on each other
    synthetic(t)     a large site with t transitions, for measuring how the tools scale

All are deterministic. The initial state is the first one, and the order of the events of a state is part of
the definition: recorded figures depend on it. The hypercube is the yardstick of Dincturk et al., "A
Model-Based Approach for Crawling Rich Internet Applications", 2014, §6; viol8 follows its figures 2 and 3.
"""

from collections.abc import Iterator
from itertools import product
from random import Random

from statecrawl.errors import BadInput
from statecrawl.testbed.application import Application, machine
from statecrawl.testbed.linked import LEAST_VALUES, LEAST_WIDGETS, all_shown, chosen, linked_title, offered
from statecrawl.testbed.published import RESET_COSTS, event_seconds

Row = list[tuple[str, str]]  # (event, target state), in enabled order

MAX_TRANSITIONS = 2_000_000  # about one gigabyte of model
PUBLISHED_HYPERCUBE = "hypercube:10"  # the others take their reset cost and their time per event from it
RESET_COST = 2.0

EVENTS_PER_STATE = 80  # what a page of the largest published application offers
SECTION_STATES = 50
MENU_ENTRIES = 24
LOCAL_ENTRIES = 16
TOOLS = ("sort", "filter", "refresh", "print")  # change nothing that makes a state
DIALOG_EVERY = 5  # the last of each five states of a section is a dialog of the page before it
NEIGHBOURHOOD = 6  # how many pages away a detail leads at most


def hypercube(n: int) -> Application:
    """n buttons that disappear when they are pressed. A state has a digit per button, 1 where pressed."""
    _check("hypercube", "n", n, 1, 16)
    full = (1 << n) - 1

    def name(mask: int) -> str:
        return f"{mask:0{n}b}"[::-1]

    rows = {
        name(mask): [(f"press {i + 1}", name(mask | 1 << i)) for i in range(n) if not mask >> i & 1]
        for mask in range(full + 1)
    }
    title = f"hypercube of {n} buttons"
    return Application(
        name=f"hypercube:{n}",
        title=title,
        truth=machine(rows),
        reset_cost=RESET_COSTS[PUBLISHED_HYPERCUBE],
        event_seconds=event_seconds(PUBLISHED_HYPERCUBE),
    )


def tiny() -> Application:
    """Four states: a leads to A and b to B from everywhere, x changes nothing, C is only reached from B."""
    shared = [("a", "A"), ("b", "B")]
    rows = {state: [*shared, ("x", state)] for state in "HABC"}
    rows["B"].append(("c", "C"))
    return Application(name="tiny", title="four states to follow by hand", truth=machine(rows), reset_cost=RESET_COST)


def viol8() -> Application:
    """Eight states that merge, split, lose and gain events where a hypercube would not."""
    rows = {
        "s1": [("e1", "s2"), ("e2", "s3"), ("e3", "s5")],
        "s2": [("e2", "s3"), ("e3", "s8")],
        "s3": [("e3", "s4")],
        "s4": [],
        "s5": [("e1", "s8"), ("e2", "s6")],
        "s6": [("e1", "s7")],
        "s7": [("e4", "s4"), ("e5", "s4")],
        "s8": [("e2", "s4")],
    }
    title = "a hypercube that breaks its promises"
    return Application(name="viol8", title=title, truth=machine(rows), reset_cost=RESET_COST)


def menusite(m: int, k: int) -> Application:
    """A home page, m pages in a menu shown everywhere, k details behind each page; x changes nothing."""
    _check("menusite", "m", m, 1, 1_000)
    _check("menusite", "k", k, 0, 100_000)
    _check_size("menusite", (1 + m + m * k) * (m + 1) + m * k)
    menu = [(f"menu {page}", f"page {page}") for page in range(1, m + 1)]
    rows: dict[str, Row] = {"home": [*menu, ("x", "home")]}
    for page in range(1, m + 1):
        details = [(f"open {page}.{detail}", f"detail {page}.{detail}") for detail in range(1, k + 1)]
        rows[f"page {page}"] = [*menu, ("x", f"page {page}"), *details]
        rows |= {state: [*menu, ("x", state)] for _, state in details}
    title = f"site of {m} pages with {k} details each"
    return Application(name=f"menusite:{m},{k}", title=title, truth=machine(rows), reset_cost=RESET_COST)


def pager(n: int) -> Application:
    """A list of n pages: next (not on the last), prev (not on the first), first (always)."""
    _check("pager", "n", n, 1, 100_000)
    rows: dict[str, Row] = {}
    for page in range(1, n + 1):
        forth = [("next", f"page {page + 1}")] if page < n else []
        back = [("prev", f"page {page - 1}")] if page > 1 else []
        rows[f"page {page}"] = [*forth, *back, ("first", "page 1")]
    return Application(name=f"pager:{n}", title=f"list of {n} pages", truth=machine(rows), reset_cost=RESET_COST)


def widgets(k: int, m: int) -> Application:
    """k widgets of m values each; an event sets one widget to a value it does not have. All start at 0."""
    _check("widgets", "k", k, 1, 16)
    _check("widgets", "m", m, 1, 1_000)
    _check_size("widgets", k * (m - 1) * m**k)
    names = {values: ".".join(map(str, values)) for values in product(range(m), repeat=k)}

    def settings(values: tuple[int, ...]) -> Iterator[tuple[str, str]]:
        for i, value in enumerate(values):
            for other in range(m):
                if other != value:
                    yield f"widget {i + 1} = {other}", names[(*values[:i], other, *values[i + 1 :])]

    rows = {name: settings(values) for values, name in names.items()}
    title = f"{k} independent widgets of {m} values"
    return Application(name=f"widgets:{k},{m}", title=title, truth=machine(rows), reset_cost=RESET_COST)


def linked(k: int, m: int) -> Application:
    """k widgets of m values each, of which two depend on another one; see `statecrawl.testbed.linked`."""
    _check("linked", "k", k, LEAST_WIDGETS, 16)
    _check("linked", "m", m, LEAST_VALUES, 1_000)
    _check_size("linked", k * (m - 1) * m**k)
    names = {shown: ".".join(map(str, shown)) for shown in all_shown(k, m)}
    rows = {
        name: [
            (f"widget {index + 1} = {value}", names[chosen(shown, index, value, m)])
            for index in range(k)
            for value in offered(shown, index, m)
            if value != shown[index]
        ]
        for shown, name in names.items()
    }
    return Application(name=f"linked:{k},{m}", title=linked_title(k, m), truth=machine(rows), reset_cost=RESET_COST)


def synthetic(transitions: int) -> Application:
    """A large site with exactly this many transitions, about 80 events per state.

    Every state shows the same menu; the states of a section share its local navigation; pages have next and
    prev, dialogs have close; a few tools change nothing; the rest are details that only this state has and
    that lead to a page nearby or, from a page, to its dialog. Sections that have no place in the menu are
    listed on the front page of one that has; so no state is more than a handful of events away.
    """
    _check("synthetic", "transitions", transitions, 1_000, MAX_TRANSITIONS)
    random = Random(20140801)  # fixed, so that every run measures the same site
    size = transitions // EVENTS_PER_STATE
    names = [_place(number) for number in range(size)]
    fronts = range(0, size, SECTION_STATES)
    menu = [(f"menu {entry}", names[front]) for entry, front in enumerate(fronts[:MENU_ENTRIES])]

    def row(number: int) -> Iterator[tuple[str, str]]:
        first = number - number % SECTION_STATES
        pages = [page for page in range(first, min(first + SECTION_STATES, size)) if not _is_dialog(page)]
        section, own = first // SECTION_STATES, names[number]
        listed = [*menu]
        spread = range(0, len(pages), max(1, len(pages) // LOCAL_ENTRIES))
        listed += [(f"section {section}: entry {at}", names[pages[at]]) for at in spread[:LOCAL_ENTRIES]]
        here = pages.index(number - _is_dialog(number))
        if _is_dialog(number):
            listed.append(("close", names[pages[here]]))
        else:
            onward = [*pages, (first + SECTION_STATES) if first + SECTION_STATES < size else 0][here + 1]
            listed += [("next", names[onward]), ("prev", names[pages[here - 1]])]
        listed += [(tool, own) for tool in TOOLS]
        if number == first and section < MENU_ENTRIES:
            listed += [(f"{own}: to {names[front]}", names[front]) for front in fronts[section::MENU_ENTRIES][1:]]
        wanted = EVENTS_PER_STATE + (transitions % EVENTS_PER_STATE if number == 0 else 0)
        near = pages[max(0, here - NEIGHBOURHOOD) : here + NEIGHBOURHOOD + 1]
        for detail in range(wanted - len(listed)):
            opens_dialog = detail == 0 and number + 1 < size and _is_dialog(number + 1)
            listed.append((f"{own}: detail {detail}", names[number + 1 if opens_dialog else random.choice(near)]))
        yield from listed

    rows = {names[number]: row(number) for number in range(size)}
    title = f"site of {size:,} states and {transitions:,} transitions"
    return Application(name=f"synthetic:{transitions}", title=title, truth=machine(rows), reset_cost=RESET_COST)


def _is_dialog(number: int) -> bool:
    return number % SECTION_STATES % DIALOG_EVERY == DIALOG_EVERY - 1


def _place(number: int) -> str:
    section, place = divmod(number, SECTION_STATES)
    return f"section {section}/dialog {place - 1}" if _is_dialog(number) else f"section {section}/page {place}"


def _check(name: str, parameter: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        raise BadInput(f"{name} needs {parameter} between {least:,} and {most:,}, not {value:,}.")


def _check_size(name: str, transitions: int) -> None:
    if transitions > MAX_TRANSITIONS:
        raise BadInput(
            f"this {name} would have {transitions:,} transitions, and {MAX_TRANSITIONS:,} is the most: "
            "choose smaller numbers."
        )
