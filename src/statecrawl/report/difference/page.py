"""The difference between two crawls as one standalone page without scripts.

Text from crawled pages goes through `tag`, which escapes it.
"""

from collections.abc import Iterable, Sequence

from statecrawl.report.crawl.event_text import in_words
from statecrawl.report.difference.difference import ChangedState, ComparedState, ComparedTransition, CrawlDifference
from statecrawl.report.page.markup import Markup, join, tag
from statecrawl.report.page.quantity import count
from statecrawl.report.page.standalone import standalone_page

MOST_SHOWN = 500  # of each kind
MOST_PLACES = 40  # of a changed state


def difference_page(difference: CrawlDifference, old: str, new: str) -> str:
    """Return the page; `old` and `new` are the names of the crawls."""
    return standalone_page(
        "difference.html",
        "statecrawl: comparison of two crawls",
        ["palette.css", "crawl/crawl.css", "difference.css"],
        headline=tag("h1", _headline(difference)),
        lead=join(
            [
                tag("p", tag("code", old), " → ", tag("code", new), class_="lead"),
                *(tag("p", warning, class_="warning") for warning in difference.warnings),
            ]
        ),
        tiles=_tiles(difference),
        sections=join(_sections(difference)),
    )


def _headline(difference: CrawlDifference) -> Markup:
    if difference.is_empty:
        return join(["The two crawls are ", tag("em", "identical", class_="good"), "."])
    gone, new, changed = (
        len(states) for states in (difference.states_gone, difference.states_new, difference.states_changed)
    )
    words = [
        f"{count(number)} {what}" for number, what in ((gone, "removed"), (new, "new"), (changed, "changed")) if number
    ]
    return join(["States: ", tag("em", ", ".join(words) or "the same, with different transitions", class_="mind"), "."])


def _tiles(difference: CrawlDifference) -> Markup:
    states, transitions = difference.states, difference.transitions
    figures = (
        ("states", count(states[1]), f"before: {count(states[0])}"),
        ("unchanged", count(difference.same), "states with the same id"),
        ("transitions", count(transitions[1]), f"before: {count(transitions[0])}"),
        ("changed", count(len(difference.transitions_changed)), "transitions with another target"),
        ("new events", f"+{count(len(difference.events_new))}", "in no state before"),
        ("removed events", f"−{count(len(difference.events_gone))}", "in no state any more"),
    )
    return join(
        tag("div", tag("dt", name), tag("dd", value), tag("dd", note, class_="note")) for name, value, note in figures
    )


def _sections(difference: CrawlDifference) -> Iterable[Markup]:
    yield _section("Changed states", [_changed(each) for each in difference.states_changed], "changes")
    yield _section("New states", [_state(each) for each in difference.states_new], "new")
    yield _section("Removed states", [_state(each) for each in difference.states_gone], "gone")
    moved = [_transition(each) for each in difference.transitions_changed]
    yield _section("Changed transitions", moved, "plain-list")
    yield _section("New transitions", [_transition(each) for each in difference.transitions_new], "new")
    yield _section("Removed transitions", [_transition(each) for each in difference.transitions_gone], "gone")
    yield _section("New events", [tag("li", tag("code", name)) for name in difference.events_new], "new")
    yield _section("Removed events", [tag("li", tag("code", name)) for name in difference.events_gone], "gone")


def _section(title: str, items: Sequence[Markup], css: str) -> Markup:
    if not items:
        return join([])
    left = len(items) - MOST_SHOWN
    more = tag("p", f"and {count(left)} more; --json lists all", class_="more") if left > 0 else None
    head = tag("h2", title, tag("span", count(len(items))))
    return tag("section", head, tag("ul", *items[:MOST_SHOWN], class_=css), more, class_="panel")


def _state(state: ComparedState) -> Markup:
    way = ", ".join(state.way) or "no known path"
    return tag("li", tag("b", str(state.number)), " ", way, tag("span", f"{state.title} — {state.url}", class_="soft"))


def _changed(changed: ChangedState) -> Markup:
    left = len(changed.places) - MOST_PLACES
    return tag(
        "li",
        tag("h3", f"{changed.old.number} → {changed.new.number} ", ", ".join(changed.new.way) or changed.new.title),
        tag("p", changed.new.url, class_="soft address"),
        *(
            tag("div", tag("code", place), _lines("del", before), _lines("ins", after), class_="place")
            for place, before, after in changed.places[:MOST_PLACES]
        ),
        tag("p", f"and {count(left)} more places", class_="soft") if left > 0 else None,
        *(() if changed.places else (_lines("del", changed.events_gone), _lines("ins", changed.events_new))),
    )


def _lines(name: str, lines: Iterable[str]) -> Markup:
    return join(tag(name, line) for line in lines)


def _transition(transition: ComparedTransition) -> Markup:
    numbers = [str(number) for number in (transition.old, transition.new) if number is not None]
    here = f"in {' → '.join(dict.fromkeys(numbers))}: "
    match transition.led, transition.leads:
        case None, leads:
            where = f" leads to {leads}"
        case led, None:
            where = f" led to {led}"
        case led, leads:
            where = f" led to {led}, now leads to {leads}"
    return tag("li", here, tag("b", in_words(transition.event)), where, tag("code", transition.event, class_="event"))
