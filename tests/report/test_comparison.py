"""The comparison page: safe, whole by itself, and right about what it shows."""

import re
from collections.abc import Mapping
from html.parser import HTMLParser
from itertools import pairwise
from math import log10
from xml.etree import ElementTree

import pytest

from statecrawl.model.cost import Cost
from statecrawl.ports.measurement import MeasuredRun, PublishedFigure
from statecrawl.report.comparison import AppComparison, render
from statecrawl.report.page import quantity
from statecrawl.report.page.axis import GAP, LogScale, around, clock_ticks, decimal_ticks
from statecrawl.report.page.comparison_facts import ORDER, ComparisonCount, ordered
from statecrawl.report.page.discovery_curves import BOTTOM, POINTS, TOP, curve, stairs
from statecrawl.report.page.headline import headline_of, multiples
from statecrawl.report.page.markup import Markup, tag

SVG = "{http://www.w3.org/2000/svg}"
NASTY = "</script><script>alert(1)</script>\"'&<b>\x00"
VOID = {"meta", "link", "input", "br", "wbr"}


def crawl(
    strategy: str, costs: list[int], *, states: int | None = None, seed: int = 0, end: int | None = None
) -> MeasuredRun:
    """States found at these numbers of events, after one reset of cost 2."""
    expected = len(costs) if states is None else states
    return MeasuredRun(
        app="demo",
        strategy=strategy,
        seed=seed,
        reset_cost=2,
        event_seconds=0.1,
        states=len(costs),
        transitions=10,
        complete=len(costs) == expected,
        cost=Cost(end if end is not None else (costs or [0])[-1] + 5, 1),
        discovery=tuple(Cost(events, 1) for events in costs),
        next_task_mean_us=12.5,
        next_task_p999_us=340.0,
        seconds=0.5,
        expected_states=expected,
    )


def comparison(
    *runs: MeasuredRun,
    name: str = "demo",
    title: str = "A demo",
    states: int | None = None,
    optimal: tuple[float, float | None] = (10.0, 10.0),
    published: Mapping[str, PublishedFigure] | None = None,
    best: PublishedFigure | None = None,
    bound: float | None = 12.0,
    remarks: tuple[str, ...] = (),
) -> AppComparison:
    return AppComparison(
        name=name,
        title=title,
        states=states if states is not None else runs[0].expected_states if runs else 0,
        transitions=10,
        reset_cost=2,
        event_seconds=0.1,
        runs=runs,
        optimal_states=optimal,
        completion_bound=bound,
        published_states=published or {},
        published_complete=published or {},
        published_optimal=best,
        remarks=remarks,
    )


def page(*apps: AppComparison, finished: bool = True) -> str:
    return render(apps, command="statecrawl compare demo", finished=finished)


class Checker(HTMLParser):
    """Every element that opens is closed, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.scripts = 0
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.scripts += tag == "script"
        assert not [name for name, _ in attrs if name.startswith("on")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] not in {"script", "style"}:
            self.words.append(data)


def check(text: str) -> str:
    """The words of a well-formed page."""
    checker = Checker()
    checker.feed(text)
    checker.close()
    assert checker.open == []
    assert checker.scripts == 1
    return " ".join("".join(checker.words).split())


def drawings(text: str, css: str) -> list[ElementTree.Element]:
    found = [ElementTree.fromstring(drawn) for drawn in re.findall(r"<svg.*?</svg>", text, re.DOTALL)]  # noqa: S314 - ours
    return [svg for svg in found if css in svg.attrib["class"].split() and svg.find(f"{SVG}desc") is not None]


GREEDY = crawl("greedy", [0, 4, 30, 98])
BREADTH = crawl("breadth-first", [0, 40, 300, 998])


def test_the_page_is_well_formed_and_says_what_was_found() -> None:
    words = check(page(comparison(GREEDY, BREADTH)))
    assert "greedy finds every state at 1/10 of the cost of breadth-first." in words
    assert "On one application, greedy spends 10.0 times the optimal cost." in words
    assert "statecrawl compare demo" in words
    assert "Interrupted" not in words


def test_nothing_is_fetched_from_anywhere() -> None:
    text = page(comparison(GREEDY, BREADTH))
    assert set(re.findall(r"[a-z]+://[^\s\"'<>]*", text)) == {"http://www.w3.org/2000/svg"}
    assert not re.findall(r"""(?:src|href)=["'](?!#|data:,)""", text)
    assert "@import" not in text
    assert "url(" not in text


def test_names_and_remarks_are_data_not_markup() -> None:
    run = crawl(NASTY, [0, 5, 9])
    app = comparison(run, name=NASTY, title=NASTY, remarks=(NASTY,))
    text = render([app], command=NASTY, finished=True)
    check(text)
    assert "<script>alert" not in text
    assert "\x00" not in text
    assert len(drawings(text, "chart")) == 3


def test_markup_escapes_all_but_markup() -> None:
    assert tag("b", "<i>", tag("i", "&"), None, title='"', data_x=1.25) == (
        '<b title="&quot;" data-x="1.2">&lt;i&gt;<i>&amp;</i></b>'
    )
    assert tag("p", Markup("<br>"), class_="note", id=None) == '<p class="note"><br></p>'


def test_box_plots_stand_where_the_costs_are() -> None:
    text = page(comparison(GREEDY, BREADTH, optimal=(10.0, 20.0)))
    by_cost, by_time = drawings(text, "boxes")
    for svg in (by_cost, by_time):
        greedy = next(g for g in svg.iter(f"{SVG}g") if g.get("data-strategy") == "greedy")
        breadth = next(g for g in svg.iter(f"{SVG}g") if g.get("data-strategy") == "breadth-first")
        one, ten = (float(next(g.iter(f"{SVG}circle")).attrib["cx"]) for g in (greedy, breadth))
        box = next(r for r in greedy.iter(f"{SVG}rect") if r.get("class") == "box")
        left, width = float(box.attrib["x"]), float(box.attrib["width"])
        decade = ten - one  # 100 and 1,000
        assert left == pytest.approx(one - decade * log10(100 / 2), abs=0.5)  # a quarter of four states is the first
        assert width == pytest.approx(decade * log10(32 / 2), abs=0.5)
    assert "optimum 10–20" in "".join(by_cost.itertext())
    assert "optimum 1–2 s" in "".join(by_time.itertext())


def test_published_figures_are_marked_and_their_cost_is_computed() -> None:
    printed = {"greedy": PublishedFigure(events=98, resets=1, cost=99, seconds=10)}
    app = comparison(GREEDY, BREADTH, published=printed, best=PublishedFigure(events=8, resets=1, cost=7))
    text = page(app)
    words = check(text)
    by_cost, by_time = drawings(text, "boxes")
    for svg in (by_cost, by_time):
        (diamond,) = [path for path in svg.iter(f"{SVG}path") if path.get("class") == "published"]
        end = next(c for g in svg.iter(f"{SVG}g") if g.get("data-strategy") == "greedy" for c in g.iter(f"{SVG}circle"))
        assert diamond.attrib["d"].startswith(f"M{float(end.attrib['cx']):.1f},")
    assert "recomputed as events + 2 × resets; the paper prints 99 for greedy, 7 for the optimum." in words
    assert "×1.00" in words
    assert "0:00:10" in words


def test_without_published_figures_the_tables_are_ours_alone() -> None:
    text = page(comparison(GREEDY, BREADTH))
    assert "ratio" not in re.sub(r"<(style|script).*?</\1>", "", text, flags=re.DOTALL).replace("Ratios", "")
    assert 'class="published"' not in text.split("How to read", 1)[1].split("</section>", 1)[1]


def test_curves_end_at_the_top_and_the_scale_gives_the_cost_back() -> None:
    (svg,) = drawings(page(comparison(GREEDY, BREADTH)), "curves")
    scale = LogScale(
        low=float(svg.attrib["data-low"]),
        high=float(svg.attrib["data-high"]),
        left=float(svg.attrib["data-left"]),
        right=float(svg.attrib["data-right"]),
    )
    for run in (GREEDY, BREADTH):
        mark = next(g for g in svg.iter(f"{SVG}g") if g.get("data-strategy") == run.strategy)
        places = [float(n) for n in re.findall(r"[\d.]+", next(mark.iter(f"{SVG}path")).attrib["d"])]
        assert places[::2] == [pytest.approx(scale(cost.total(2)), abs=0.06) for cost in run.discovery]
        heights = [BOTTOM - (BOTTOM - TOP) * share for share in (0.25, 0.5, 0.75, 1.0)]
        assert places[1::2] == [pytest.approx(height, abs=0.06) for height in heights]


def test_long_curves_are_thinned_but_keep_their_ends() -> None:
    tally = ComparisonCount(strategy="greedy", runs=(crawl("greedy", list(range(0, 20_000, 3))),))
    points = curve(tally)
    assert len(points) == POINTS
    assert points == sorted(points)
    costs, found = zip(*points, strict=True)
    assert (costs[0], found[0]) == (2, 1)
    assert (costs[-1], found[-1]) == (2 + 19_998, 6_667)
    assert stairs([(1, 9), (2, 8), (4.25, 7)]) == "M1,9H2V8H4.2V7"


def test_eight_applications_with_eight_strategies_stay_below_a_megabyte_and_a_half() -> None:
    names = [*ORDER, "component-based", "adaptive"]
    runs = [crawl(name, list(range(0, 9_000, 5)), seed=seed) for name in names for seed in range(2)]
    text = page(*(comparison(*runs, name=f"app-{i}") for i in range(8)))
    assert len(text.encode()) < 1_500_000


def test_several_runs_show_median_and_range() -> None:
    runs = [crawl("greedy", [0, 10, end], seed=end) for end in (98, 198, 48)]
    text = page(comparison(*runs))
    words = check(text)
    assert "greedymedian of 3" in words
    assert "9848–198" in words  # events: the median, and the range below it
    (svg,) = drawings(text, "curves")
    assert len([path for path in svg.iter(f"{SVG}path") if path.get("class") == "band"]) == 1
    assert 'class="range"' in text


def test_an_interrupted_run_is_shown_as_far_as_it_came() -> None:
    stopped = crawl("breadth-first", [0, 40, 300], states=8, end=500)
    whole = crawl("greedy", [0, 1, 2, 3, 4, 5, 6, 98])
    text = page(comparison(stopped, whole), finished=False)
    words = check(text)
    assert "Interrupted." in words
    assert "37 % found" in words
    assert "greedy finds every state." in words
    assert 'class="whisker open"' in text
    assert 'class="end open"' in text


def test_some_of_several_runs_were_interrupted() -> None:
    runs = (crawl("greedy", [0, 5, 9]), crawl("greedy", [0], states=3, seed=1, end=7))
    assert "greedy1 of 2 runs" in check(page(comparison(*runs)))


def test_all_states_found_but_not_completed() -> None:
    run = crawl("greedy", [0, 5, 9])
    half = MeasuredRun(**{name: getattr(run, name) for name in MeasuredRun.__dataclass_fields__} | {"complete": False})
    assert "greedyinterrupted" in check(page(comparison(half)))


def test_nothing_found_at_all() -> None:
    words = check(page(comparison(crawl("greedy", [], states=4, end=0), optimal=(0.0, None)), finished=False))
    assert "No strategy found every state before the run ended." in words
    assert "0 % found" in words
    check(page())


def test_an_application_with_a_single_state() -> None:
    text = page(comparison(crawl("greedy", [0], end=0), crawl("menu", [0], end=0), optimal=(2.0, 2.0)))
    words = check(text)
    assert "×1.00" in words
    assert len(drawings(text, "chart")) == 3


def test_what_is_not_known_is_left_out() -> None:
    printed = {"greedy": PublishedFigure(events=0, resets=0), "breadth-first": PublishedFigure(events=5, resets=1)}
    started = crawl("breadth-first", [0], states=4, end=1)
    words = check(page(comparison(GREEDY, started, published=printed, bound=None)))
    assert "lower bound" not in words
    assert "breadth-first25 % found" in words
    barely = crawl("breadth-first", [0], states=9, end=1)
    assert "less than a quarter of the states found" in page(comparison(barely))


def test_only_a_lower_bound_of_the_optimum_is_known() -> None:
    assert "optimum ≥ 10" in check(page(comparison(GREEDY, optimal=(10.0, None))))


def test_published_thinking_times_stand_below_ours() -> None:
    text = render([comparison(GREEDY)], command="x", finished=True, published_next_task_ms={"greedy": 0.946})
    words = check(text)
    assert "12.5 µs340 µs" in words
    assert "946 µs" in words


def test_strategies_keep_their_colours_whoever_is_there() -> None:
    for runs in ((GREEDY,), (crawl("adaptive", [0, 1, 2, 3]), BREADTH, GREEDY)):
        (svg,) = drawings(page(comparison(*runs)), "curves")
        css = {g.get("data-strategy"): g.attrib["class"] for g in svg.iter(f"{SVG}g")}
        assert css["greedy"] == "mark s2"
    assert css["adaptive"] == "mark s6"
    assert ordered(["new", "menu", "greedy", "new"]) == ("greedy", "menu", "new")


def test_the_finding_compares_by_geometric_mean_on_the_same_applications() -> None:
    menu = crawl("menu", [0, 4, 30, 8])
    apps = [comparison(GREEDY, BREADTH, menu), comparison(BREADTH, GREEDY)]
    found = headline_of(apps)
    assert found is not None
    assert (found.best, found.reference, found.apps, found.cheapest_on) == ("greedy", "breadth-first", 2, 1)
    assert found.ratio == pytest.approx(10)
    assert found.above_optimum == pytest.approx(10)
    assert multiples(apps[0])["menu"] == pytest.approx(1)


def test_without_breadth_first_the_dearest_is_the_reference() -> None:
    found = headline_of([comparison(GREEDY, crawl("menu", [0, 1, 2, 48]))])
    assert found is not None
    assert (found.best, found.reference) == ("menu", "greedy")
    assert found.ratio == pytest.approx(2)
    assert "menu finds every state at 50 %" in check(page(comparison(GREEDY, crawl("menu", [0, 1, 2, 48]))))


def test_disjoint_success_still_yields_a_finding() -> None:
    stopped = crawl("menu", [0, 1], states=4)
    found = headline_of([comparison(GREEDY, stopped), comparison(crawl("menu", [0, 1, 2, 3]), states=4)])
    assert found is not None
    assert found.best == found.reference == "greedy"


@pytest.mark.parametrize(("low", "high"), [(2, 2), (2, 60), (2, 13_000_000), (0.004, 400_000), (59, 61)])
def test_ticks_lie_on_the_scale_and_apart(low: float, high: float) -> None:
    scale = around([0, low, high], left=100, right=500)
    assert scale.left < scale(low) <= scale(high) < scale.right
    for ticks in (decimal_ticks(scale), clock_ticks(scale)):
        places = [scale(tick) for tick in ticks]
        assert len(places) >= 2
        assert places == sorted(places)
        assert all(after - before >= GAP for before, after in pairwise(places))
        assert all(scale.left <= place <= scale.right for place in places)
    assert scale(0) == scale.left
    assert scale(high * 1e9) == pytest.approx(scale.right)


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (quantity.short(999.9), "1k"),
        (quantity.short(12_542_686), "12.5M"),
        (quantity.short(2.5), "2.5"),
        (quantity.count(12_542_686), "12,542,686"),
        (quantity.count(7.25), "7.2"),
        (quantity.counted(1, "state"), "1 state"),
        (quantity.counted(0, "state"), "0 states"),
        (quantity.multiple(0.874), "×0.87"),
        (quantity.multiple(54.74), "×54.7"),
        (quantity.multiple(2688.4), "×2,688"),
        (quantity.percent(0.9999), "99 %"),
        (quantity.percent(0.29), "29 %"),
        (quantity.duration(0.000_012_5), "12.5 µs"),
        (quantity.duration(0.0371), "37.1 ms"),
        (quantity.duration(59.3), "59.3 s"),
        (quantity.duration(60), "1 min"),
        (quantity.duration(349_522), "97.1 h"),
        (quantity.clock(29_827), "8:17:07"),
        (quantity.clock(349_522), "97:05:22"),
        (quantity.bounds(0, None, quantity.count), "–"),
        (quantity.bounds(165, 231, quantity.duration), "2.75–3.85 min"),
        (quantity.bounds(30, 90, quantity.duration), "30 s–1.5 min"),
    ],
)
def test_numbers_in_words(shown: str, expected: str) -> None:
    assert shown == expected
