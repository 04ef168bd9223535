"""Tables of results: medians, ranges, missing figures, and figures that are never truncated."""

from dataclasses import replace

import pytest
from rich.console import Console
from rich.table import Table

from statecrawl.cli import console
from statecrawl.cli.console import print_whole
from statecrawl.cli.tables import MISSING, published_tables, run_table
from statecrawl.lab.comparison import compare
from statecrawl.lab.jobs import OfflineBounds
from statecrawl.lab.measurement import measure
from statecrawl.model.cost import Cost
from statecrawl.ports.measurement import MeasuredRun
from statecrawl.strategies.offline_bounds import OfflineBound
from statecrawl.strategies.registry import STRATEGIES
from statecrawl.strategies.settings import StrategySettings
from statecrawl.testbed.altoro import altoro
from statecrawl.testbed.generated import tiny
from statecrawl.testbed.published import STRATEGIES as COLUMNS

GREEDY = measure(tiny(), "greedy", StrategySettings())


def lines(table: Table) -> list[str]:
    """The rows as words, without blank lines and rules."""
    wide = Console(width=200, highlight=False, color_system=None)
    with wide.capture() as captured:
        wide.print(table)
    return [" ".join(line.split()) for line in captured.get().splitlines() if line.strip(" ─")]


def crawl(events: int, resets: int) -> MeasuredRun:
    return replace(GREEDY, cost=Cost(events, resets), discovery=(*GREEDY.discovery[:-1], Cost(events - 6, resets)))


def test_one_run_is_one_row() -> None:
    title, *_, row = lines(run_table("tiny", [GREEDY]))
    assert title == "tiny"
    assert row.startswith("greedy 9 / 1 11 17 / 3 23 ")


def test_several_runs_show_the_median_and_the_range() -> None:
    *_, row, below = lines(run_table("tiny", [crawl(10, 1), crawl(30, 4), crawl(14, 2)]))
    assert row.startswith("greedy 8 / 2 12 14 / 2 18 ")
    assert below == "4–24 / 1–4 6–32 10–30 / 1–4 12–38"


def test_where_only_one_of_two_figures_varies_the_range_is_still_shown() -> None:
    *_, row, below = lines(run_table("tiny", [crawl(10, 2), crawl(30, 2), crawl(14, 2)]))
    assert row.startswith("greedy 8 / 2 12 14 / 2 18 ")
    assert below == "4–24 / 2 8–28 10–30 / 2 14–34"


def test_a_stopped_run_is_marked_and_shows_what_it_did_not_reach() -> None:
    stopped = replace(GREEDY, complete=False, states=2, discovery=GREEDY.discovery[:2])
    *_, row = lines(run_table("tiny", [stopped]))
    assert row.startswith(f"greedy (stopped at 13 transitions) {MISSING} {MISSING} 17 / 3 23 ")


def test_ours_stands_above_the_published_figure() -> None:
    app = altoro()
    runs = [measure(app, strategy, StrategySettings(reset_cost=app.reset_cost)) for strategy in STRATEGIES]
    bounds = OfflineBounds("altoro", OfflineBound(lower=74, upper=80, tour=Cost(76, 2)), 2_400.0)
    tables = published_tables([compare(app, runs, bounds)])
    for table, title, theirs in zip(
        tables,
        ("Finding all states (Table II)", "Complete crawl (Table III)"),
        ("paper 6,790 1,635 1,842 906 104 172 72", "paper 6,802 3,076 2,521 2,490 2,468 2,452"),
        strict=True,
    ):
        shown = lines(table)
        assert shown[0] == title
        assert [name for name in COLUMNS if name not in shown[1]] == []
        assert shown[2].startswith("altoro events ")
        assert shown[3] == theirs
        assert [line.split()[0] for line in shown[4:]] == ["resets", "paper", "cost", "paper", "time", "paper"]
    assert lines(tables[0])[6].endswith(" ≥ 74")
    assert lines(tables[1])[6].endswith(" 2,400")


def test_an_unpublished_application_has_no_row_of_the_paper() -> None:
    for table in published_tables([compare(tiny(), [GREEDY], None)]):
        assert not [line for line in lines(table) if "paper" in line]
    assert lines(published_tables([])[0])[0] == "Finding all states (Table II)"


@pytest.mark.parametrize("width", [20, 80])
def test_a_narrow_terminal_does_not_cut_figures(
    width: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(console, "output", Console(width=width, highlight=False))
    print_whole(
        run_table("tiny", [replace(GREEDY, strategy="a-strategy-with-quite-a-name", cost=Cost(10**12, 10**12))])
    )
    shown = capsys.readouterr().out
    assert "a-strategy-with-quite-a-name" in shown
    assert "1,000,000,000,000 / 1,000,000,000,000" in shown
    assert "…" not in shown
