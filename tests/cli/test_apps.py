"""`statecrawl apps`."""

import subprocess

import pytest

from statecrawl.testbed.catalogue import LISTED
from statecrawl.testbed.sites.registry import SITES
from tests.cli.command import ENVIRONMENT, TIMEOUT_SECONDS, Command, arguments, statecrawl

SIZES = {  # states and transitions, as published, or by formula
    "test-ria": (39, 305),
    "altoro": (45, 1_210),
    "file-tree": (214, 8_428),
    "file-tree:httpd": (91, 2_293),
    "file-tree:cassandra": (163, 4_816),
    "periodic-table": (240, 29_040),
    "clip-marks": (129, 10_580),
    "dyna-table": (448, 5_380),
    "elfinder": (1_360, 43_816),
    "bebop": (1_800, 145_811),
    "hypercube:10": (1_024, 5_120),
    "widgets:6,5": (15_625, 375_000),
}


def test_the_sizes_are_those_that_were_published() -> None:
    done = statecrawl("apps", "--json").fine()
    assert done.err == ""
    rows = {row["app"]: row for row in done.objects if "states" in row}
    assert list(rows) == list(LISTED)
    assert {row["app"].partition(":")[0] for row in done.objects if row["has_pages"]} == set(SITES)
    assert {name: (rows[name]["states"], rows[name]["transitions"]) for name in SIZES} == SIZES
    assert all(row["title"] and row["reset_cost"] > 0 for row in rows.values())
    assert all(0 <= least <= most for least, most in (row["events_per_page"] for row in rows.values()))


def test_the_list_is_printed_as_a_table(here: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    few = ("altoro", "hypercube:10", "tiny")
    monkeypatch.setattr("statecrawl.cli.apps.LISTED", few)
    shown = here("apps").fine().out
    assert [name for name in few if name not in shown] == []
    assert "5,120" in shown


def test_the_list_has_every_application_that_an_unknown_name_suggests(here: Command) -> None:
    shown, error = here("apps").fine().out, here("crawl", "nosuch").err
    known = error.partition("known: ")[2].partition(".")[0].split(", ")
    assert set(known) == set(SITES)
    assert [name for name in known if name not in shown] == []


def test_a_closed_pipe_is_no_error() -> None:
    """As in `statecrawl apps --json | head -1`: the reader closes the pipe after the first line."""
    with subprocess.Popen(
        arguments("apps", "--json"), env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith('{"app": ')
        process.stdout.close()
        assert process.stderr.read() == ""
        assert process.wait(TIMEOUT_SECONDS) == 0
