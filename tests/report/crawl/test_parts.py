"""Parts of the page in a report: their states in words, and what led to them."""

from collections.abc import Sequence

from statecrawl.journal.facts import CrawlStarted, Fact, StateFound, TransitionExplored
from statecrawl.model.regions import Region
from statecrawl.report.crawl.part_pictures import Boxes
from statecrawl.report.crawl.part_words import FIRST, FURTHER, HIDDEN, SAME, VISIBLE
from statecrawl.report.crawl.parts import MOST_SHOWN, Part, PartReader
from statecrawl.report.crawl.screens import Screen
from statecrawl.strategies.component_frontier import ComponentFrontier
from statecrawl.strategies.component_summary import folded_components, summary_of_frontier
from tests.report.crawl.documents import document_of

STARTED = CrawlStarted(application="app", reset_cost=1.0, configuration={"model": "components"})
NEXT, DETAILS = 'click button "Next" in section#month', 'click button "Details" in section#side'
BOXES = {("", 0): (0, 0, 1280, 800), ("#month", 0): (100, 100, 400, 300)}


def found(state: int, month: str, side: str = "closed") -> StateFound:
    regions = (
        Region("", "page", "page", "page"),
        Region("#month", "month", "month", month, (0,)),
        Region("#side", "side", "side", side, (1,)),
    )
    return StateFound(state=f"{state:04x}", events=(NEXT, DETAILS), regions=regions)


def page(month: str, side: str = "closed") -> str:
    opened = "<p>More about it</p>" if side == "open" else ""
    return (
        f"<section id='month' aria-label='Month'><h2>{month}</h2><button>Next</button></section>"
        f"<section id='side'><h3>Details</h3>{opened}</section>"
    )


def explored(state: int, event: str, target: int) -> TransitionExplored:
    return TransitionExplored(state=f"{state:04x}", event=event, target=f"{target:04x}", fired=1, resets=1)


def frontier_of(facts: Sequence[Fact]) -> ComponentFrontier:
    frontier = folded_components([STARTED, *facts])
    assert frontier is not None
    return frontier


def parts_of(facts: Sequence[Fact], pages: Sequence[str]) -> tuple[list[Part], PartReader]:
    frontier = frontier_of(facts)
    reader = PartReader(frontier)
    for state, html in enumerate(pages):
        reader.add(state, document_of(html), BOXES)
    return reader.parts(summary_of_frontier(frontier).cut), reader


TWO_PARTS: tuple[list[Fact], list[str]] = (
    [
        *(found(0, "March"), found(1, "April"), found(2, "March", "open")),
        *(explored(0, NEXT, 1), explored(0, DETAILS, 2)),
    ],
    [page("March"), page("April"), page("March", "open")],
)


def test_parts_have_names_and_states_that_people_understand() -> None:
    parts, _ = parts_of(*TWO_PARTS)
    assert {part.name: [state.words for state in part.shown] for part in parts} == {
        "section “Month”": ["'March'", "'April'"],
        "section “Details”": ["without 'More about it'", "'More about it'"],
    }


def test_a_state_of_a_part_has_a_picture_of_that_part_only() -> None:
    parts, _ = parts_of(*TWO_PARTS)
    pictures = {part.place: [state.picture for state in part.shown] for part in parts}
    assert pictures["#month"] == [(1280, 800, (92, 92, 416, 316))] * 2
    assert pictures["#side"] == [None, None]  # evidence has no box of it


def test_what_opens_what_is_told() -> None:
    parts, _ = parts_of(*TWO_PARTS)
    month = next(part for part in parts if part.place == "#month")
    assert [(way.event, way.before, way.state) for way in month.shown[1].ways] == [("click “Next”", 0, 0)]
    assert parts[month.shown[1].ways[0].part] is month
    assert month.shown[0].ways == []


def shown(regions: Sequence[str], pages: Sequence[str], boxes: Sequence[Boxes] = ()) -> list[str]:
    """What is told of states of a page in which only the region "#box" differs, or the page itself if there is none."""
    facts: list[Fact] = []
    for state, content in enumerate(regions):
        place = "#box" if "box" in pages[0] else ""
        region = Region(place, "shape", content, content, (0,))
        facts.append(StateFound(state=f"{state:04x}", events=(NEXT,), regions=(region,)))
    reader = PartReader(frontier_of(facts))
    for state, html in enumerate(pages):
        reader.add(state, document_of(html), boxes[state] if boxes else {})
    (part,) = reader.parts(())
    return [state.words for state in part.shown]


def test_what_only_looks_different_is_told_by_its_classes() -> None:
    plain, done = "<div id='box' class='row'>milk</div>", "<div id='box' class='row done'>milk</div>"
    assert shown("ab", [plain, done]) == [FIRST, "class 'done'"]
    assert shown("ab", [done, plain]) == [FIRST, "without class 'done'"]
    assert shown("ab", [plain, plain]) == [FIRST, SAME]
    assert shown("ab", [plain, plain.replace("row", "row trace8debbd css-1234")]) == [FIRST, SAME]


def test_what_takes_no_room_is_not_visible() -> None:
    html, page_box = "<div id='box'>milk</div>", {("", 0): (0, 0, 1280, 800)}
    visible, hidden = page_box | {("#box", 0): (0, 0, 9, 9)}, page_box | {("#box", 0): (0, 0, 0, 0)}
    assert shown("ab", [html, html], [visible, hidden]) == [VISIBLE, HIDDEN]
    assert shown("ab", [html, html.replace("milk", "tea")], [hidden, visible]) == [HIDDEN, "'tea'"]
    framed = f"<iframe>{html}</iframe>"
    assert shown("ab", [framed, framed], [visible, hidden]) == [FIRST, SAME]


def test_the_page_itself_can_change() -> None:
    assert shown("ab", ["<p>one</p>", "<p>two</p>"]) == ["'one'", "'two'"]


def test_screens_know_their_parts() -> None:
    _, reader = parts_of(*TWO_PARTS)
    one, other = Screen(pattern="/", states=(0, 1)), Screen(pattern="/", states=(2,))
    assert reader.of_state(2) == [(0, 0), (1, 1)]
    assert [dict(found) for found in reader.of_screens([one, other])] == [{0: 2, 1: 1}, {0: 1, 1: 1}]


def test_values_that_were_cut_are_told_as_such() -> None:
    months = [f"month {number}" for number in "abcdefg"]
    facts: list[Fact] = [found(number, month) for number, month in enumerate(months)]
    fired = [explored(number, NEXT, number + 1) for number in range(len(months) - 1)]
    ordered = [facts[0], *(each for pair in zip(facts[1:], fired, strict=True) for each in pair)]
    parts, _ = parts_of(ordered, [page(month) for month in months])
    assert parts[0].cut == ("section “Month”: 5 of unlimited; “Next” fired 4 times",)
    assert parts[0].shown[-1].words == FURTHER


def test_many_values_are_counted_and_not_all_told() -> None:
    facts: list[Fact] = [found(number, f"month {number}") for number in range(2 * MOST_SHOWN)]
    parts, _ = parts_of(facts, [page(f"month {number}") for number in range(2 * MOST_SHOWN)])
    assert (parts[0].values, len(parts[0].shown)) == (2 * MOST_SHOWN, MOST_SHOWN)


def test_without_evidence_parts_are_told_by_their_places() -> None:
    facts, _ = TWO_PARTS
    parts, _ = parts_of(facts, ["", "", ""])
    assert {part.name for part in parts} == {"month", "side"}
    assert parts[0].shown[0].words == FIRST


def test_rows_are_told_by_how_many_there_are() -> None:
    def listed(state: int, rows: int) -> StateFound:
        regions = tuple(Region("#list>li", "row", "row", f"row {number}") for number in range(rows))
        button = Region("#add", "add", "add", "add", (0,))
        return StateFound(
            state=f"{state:04x}", events=(NEXT,), regions=(Region("#list", "l", "l", "l"), *regions, button)
        )

    facts: list[Fact] = [listed(0, 1), listed(1, 2), explored(0, NEXT, 1), listed(2, 3), explored(1, NEXT, 2)]
    pages = [f"<ul id='list' aria-label='Tasks'>{'<li>row</li>' * rows}</ul>" for rows in (1, 2, 3)]
    parts, _ = parts_of(facts, pages)
    assert [(part.name, [state.words for state in part.shown]) for part in parts] == [
        ("items of list “Tasks”", ["one", "several"])
    ]
    assert parts[0].shown[1].states == 2
