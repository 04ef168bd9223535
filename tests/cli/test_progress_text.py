"""The progress view of a running crawl."""

import json
from dataclasses import replace

import pytest

from statecrawl.cli.progress_text import MOST_NODES, duration, line, machine_line, view
from statecrawl.crawler.live_view import CrawlProgress, LimitLeft, NodeProgress

AT = CrawlProgress(
    application="http://app.test/", strategy="greedy", doing="", seconds=222.4, states=339, transitions=8812,
    known=12044, queue=3232, events=12040, resets=118, events_per_second=86.4, cost_per_state=31.2, seconds_without=0,
    hung=3, crashed=0, diverged=0, pages=2, browsers=1, browser_bytes=214 << 20, nodes=(), ended="",
    limits=(LimitLeft(limit="max-time", left=560, most=600), LimitLeft(limit="max-events", left=864, most=20000)),
)  # fmt: skip
NODE = NodeProgress(
    name="node", tasks=3, events=400, resets=3, events_per_second=43.2, idle_seconds=3, idle_share=0.02,
    silent_seconds=0, at='click a "Products" in nav#menu',
)  # fmt: skip


def test_the_view_shows_all_figures_in_a_few_lines() -> None:
    assert view(AT, 120).plain.splitlines() == [
        "http://app.test/  crawling  3 min 42 s",
        f"  found     339 states · 8,812 of 12,044 transitions {'━' * 28} 73% · 3,232 to explore",
        "  spent     12,040 events · 118 resets · 86 events/s · 31 events per new state",
        "  health    2 pages · 1 browser started · 214 MiB · 3 hung",
        "  limits    9 min 20 s of 10 min left · 864 of 20,000 events left, about 10 s",
    ]


def test_the_view_shows_a_line_for_each_of_the_first_nodes() -> None:
    nodes = tuple(replace(NODE, name=f"node-{number}") for number in range(18))
    lines = view(replace(AT, nodes=nodes, browsers=0, pages=18, limits=()), 120).plain.splitlines()
    assert lines[3] == "  health    18 nodes · 3 hung"
    assert lines[4] == "  node-0      400 events   43.2/s  idle   2%  click “Products”"
    assert len(lines) == 4 + MOST_NODES + 1
    assert lines[-1] == "  and 12 more"


@pytest.mark.parametrize("width", [20, 60, 80, 200])
def test_no_line_is_too_wide_or_controls_the_terminal(width: int) -> None:
    hostile = replace(
        AT, application="http://app.test/\x1b[31m\n\x9b[red]" * 9, nodes=(replace(NODE, at="click \x1b]0;"),)
    )
    lines = view(hostile, width).plain.split("\n")
    assert len(lines) == 6
    assert all(len(each) <= width and each.isprintable() for each in lines)


def test_progress_as_a_line_of_text_and_as_json() -> None:
    assert line(AT) == (
        "339 states, 8,812 of 12,044 transitions, 12,040 events, 118 resets, 86 events/s, 3 min 42 s,"
        " 9 min 20 s of 10 min left, 864 of 20,000 events left"
    )
    assert line(replace(AT, doing="waiting for nodes")) == "waiting for nodes"
    told = json.loads(machine_line(replace(AT, nodes=(NODE,))))
    assert (told["kind"], told["states"], told["queue"], told["nodes"][0]["at"]) == ("progress", 339, 3232, NODE.at)


def test_durations_as_text() -> None:
    assert [duration(each) for each in (0, 59.9, 60, 61, 3600, 3661)] == [
        "0 s",
        "59 s",
        "1 min",
        "1 min 1 s",
        "1 h",
        "1 h 1 min",
    ]


def test_what_was_left_out_is_told_in_a_clause() -> None:
    parts = "part by part since 50 states were found, 3,000 events left out"
    at = replace(AT, parts=parts, spare=3000, switched_at=50, queue=232)
    assert line(at).endswith(f"; {parts}")
    shown = view(at, 120).plain.splitlines()
    assert f"  parts     {parts}" in shown
    assert "97% · 232 to explore" in shown[1]  # of what is wanted
