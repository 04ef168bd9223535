"""A crawl that is stuck in one widget warns which it is, and how to ignore it."""

import asyncio
from pathlib import Path

import pytest
from aiohttp import web
from hypothesis import given
from hypothesis import strategies as st

from statecrawl.config.plan import CrawlLimits, CrawlPlan
from statecrawl.crawler.assembly import crawl
from statecrawl.crawler.live_view import CrawlProgress, ProgressMeter
from statecrawl.crawler.outcome import Outcome
from statecrawl.crawler.widget import (
    LEAST_STATES,
    MOST_URLS,
    OF_ONE_NODE,
    Widget,
    WidgetWatch,
    differing,
    latest,
    withdraw,
)
from statecrawl.results.report import write_report

HOME = "http://h/"


def element(path: str, *inside: list[str]) -> list[str]:
    tag = path.rpartition("/")[2]
    return [f"{path}\x1f<\x1f{tag}", *(line for lines in inside for line in lines), f"{path}\x1f>\x1f"]


def text(path: str, words: str) -> list[str]:
    return [f'{path}\x1f"\x1f{words}']


def page(items: int = 0, count: int = 0, title: str = "t") -> str:
    """The normal form of a page with a heading, a list and a counter."""
    body = "html/body"
    rows = [element("#list/li.row", text("#list/li.row", f"row {row}")) for row in range(items)]
    lines = element(
        "html",
        element(
            body,
            element(f"{body}/h1", text(f"{body}/h1", title)),
            element("#list", *rows),
            element(f"{body}/p.count", text(f"{body}/p.count", str(count))),
        ),
    )
    return "".join(f"{line}\x1e" for line in lines)


def met(*pages: str) -> Widget | None:
    widgets = WidgetWatch()
    for each in pages:
        widgets.add(HOME, each)
    return widgets.stuck()


def test_of_a_whole_site_only_the_last_pages_are_remembered() -> None:
    widgets = WidgetWatch()
    for number in range(MOST_URLS + 50):
        widgets.add(f"{HOME}{number}", page(items=number % 3))
    assert len(widgets._recent) == MOST_URLS
    assert f"{HOME}0" not in widgets._recent
    assert widgets.stuck() is None


def test_a_list_that_grows_is_found() -> None:
    widget = met(*(page(items=number) for number in range(41)))
    assert widget == Widget("#list", 40, 41)
    assert widget.sentence() == (
        "stuck in one widget: 98% of the states (40 of 41) differ only in '#list': --ignore '#list' leaves it out"
    )
    assert "98% of the states that one node met first (40 of 41)" in widget.sentence(OF_ONE_NODE)


def test_a_counter_is_found_and_named_by_its_place() -> None:
    widget = met(*(page(count=number) for number in range(41)))
    assert widget is not None
    assert widget.selector == "html > body > p.count"


def test_what_holds_nearly_all_of_a_page_is_no_widget() -> None:
    """Whatever happens in an application, happens there: to leave it out would leave nothing."""

    def whole(number: int) -> str:
        parts = (text(f"#app/p{part}", f"{part} {number}") for part in range(20))
        return "\x1e".join(element("html", element("html/body", element("#app", *parts))))

    assert met(*map(whole, range(41))) is None


def test_states_that_differ_everywhere_are_no_widget() -> None:
    assert met(*(page(items=number % 7, count=number, title=str(number)) for number in range(100))) is None


def test_a_few_other_states_make_no_difference() -> None:
    widget = met(*(page(items=number, title=str(number % 2)) for number in range(60)))
    assert widget is not None
    assert widget.path == "#list"


def test_there_is_no_warning_about_a_few_states() -> None:
    assert met(*(page(items=number) for number in range(LEAST_STATES))) is None


def test_of_many_states_only_some_are_compared() -> None:
    widget = met(*(page(count=number) for number in range(20_000)))
    assert widget is not None
    assert widget.compared < 5_000


def test_selectors_are_escaped_and_do_not_leave_a_shadow_tree() -> None:
    assert Widget("#a:b", 1, 1).selector == "#a\\:b"
    assert Widget("html/body/my-card/~/ul.x", 1, 1).selector == "ul.x"


def test_of_growing_figures_the_last_are_reported() -> None:
    told = [Widget("#list", number, number + 1).sentence() for number in (40, 400, 80)]
    assert latest(["mind", *told]) == ["mind", told[1]]
    assert latest(["mind", *told], all_done=True) == ["mind"]
    warnings = dict.fromkeys(["mind", *told])
    withdraw(warnings)
    assert [*warnings] == ["mind"]


@given(st.lists(st.integers(0, 9), max_size=8), st.lists(st.integers(0, 9), max_size=8))
def test_whatever_changes_in_a_list_is_inside_of_it(one: list[int], other: list[int]) -> None:
    pages = []
    for numbers in (one, other):
        rows = [element("html/ul/li", text("html/ul/li", str(number))) for number in numbers]
        lines = element("html", element("html/p"), element("html/ul", *rows), element("html/p"))
        pages.append(lines)
    if one != other:
        assert differing(*pages)[:2] == ("html", "html/ul")


GROWS = (
    "<!doctype html><title>g</title><link rel=icon href='data:,'><ul id=items></ul><button onclick=\""
    "document.getElementById('items').append(document.createElement('li'))\">more</button>"
)


def crawled(out: Path, *ignored: str) -> tuple[Outcome, list[CrawlProgress]]:
    """Crawl a page with a list that grows; how it went, and what was told meanwhile."""
    meter, told = ProgressMeter(), []

    async def answer(_: web.Request) -> web.Response:
        return web.Response(text=GROWS, content_type="text/html")

    async def run() -> Outcome:
        application = web.Application()
        application.router.add_get("/", answer)
        runner = web.AppRunner(application)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        plan = CrawlPlan(
            url=f"http://127.0.0.1:{runner.addresses[0][1]}/",
            out=out,
            screenshots=False,
            learn_states=0,
            reset_cost=3.0,
            limits=CrawlLimits(states=45),
            ignore_selectors=ignored,
        )
        try:
            return await crawl(plan, lambda _: None, lambda crawling: told.append(meter.measure(crawling)))
        finally:
            await runner.cleanup()

    return asyncio.run(run()), told


@pytest.mark.product
def test_the_warning_is_shown_during_and_after_the_crawl_and_in_the_report_and_the_advice_works(tmp_path: Path) -> None:
    outcome, told = crawled(tmp_path / "stuck")
    (warning,) = outcome.warnings
    assert warning.startswith("stuck in one widget: 98% of the states (44 of 45) differ only in '#items'")
    assert any("'#items'" in progress.widget for progress in told)
    assert not told[0].widget
    write_report(tmp_path / "stuck")
    assert "differ only in '#items'" in (tmp_path / "stuck" / "report" / "data.js").read_text()
    outcome, _ = crawled(tmp_path / "ignored", "#items")
    assert (outcome.complete, outcome.states, outcome.warnings) == (True, 1, ())
