"""`statecrawl simulate`: output, options, journals, and Ctrl-C."""

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from statecrawl.journal.facts import CrawlEnded
from statecrawl.model.exchange import json_format
from statecrawl.stores.sqlite_journal import open_reader
from statecrawl.strategies.registry import STRATEGIES
from statecrawl.testbed.generated import tiny
from tests.cli.command import Command, Running, statecrawl

FIELDS = {
    "app",
    "strategy",
    "states",
    "transitions",
    "events",
    "resets",
    "cost",
    "events_to_all_states",
    "resets_to_all_states",
    "cost_quartiles",
    "next_task_mean_us",
    "next_task_p999_us",
    "seconds",
}
MEASURED_BY_CLOCK = ("next_task_mean_us", "next_task_p999_us", "seconds")


def figures(row: dict[str, Any], *but: str) -> dict[str, Any]:
    """The fields that are the same in every run of a crawl."""
    return {name: value for name, value in row.items() if name not in (*MEASURED_BY_CLOCK, *but)}


def test_json_is_one_object_per_strategy_and_nothing_else() -> None:
    done = statecrawl("simulate", "tiny", "--json").fine()
    rows = done.objects
    assert [row["strategy"] for row in rows] == list(STRATEGIES)
    for row in rows:
        assert set(row) >= FIELDS
        assert (row["app"], row["states"], row["transitions"], row["complete"]) == ("tiny", 4, 13, True)
        assert row["cost"] == row["events"] + 2 * row["resets"]
        assert len(row["cost_quartiles"]) == 4
        assert all(isinstance(cost, float) for cost in row["cost_quartiles"])
        assert row["cost_quartiles"] == sorted(row["cost_quartiles"])
        assert row["cost_quartiles"][-1] == row["events_to_all_states"] + 2 * row["resets_to_all_states"]
        assert 0 < row["next_task_mean_us"] <= row["next_task_p999_us"]
        assert row["seconds"] >= 0
    assert sorted(line.partition(":")[0] for line in done.err.splitlines()) == sorted(STRATEGIES)  # the progress


def test_every_strategy_is_a_row_of_the_table() -> None:
    done = statecrawl("simulate", "tiny", "--quiet").fine()
    assert done.err == ""
    assert done.out.startswith("tiny: 4 states, 13 transitions, a reset costs as much as 2 events")
    shown = {line.split()[0] for line in done.out.splitlines() if line.split()}
    assert set(STRATEGIES) <= shown


def test_strategies_by_name_and_the_reset_cost(here: Command) -> None:
    done = here("simulate", "altoro", "-s", "menu", "--strategy", "greedy", "--reset-cost", "7.5", "--json").fine()
    rows = done.objects
    assert [row["strategy"] for row in rows] == ["greedy", "menu"]  # in the order of the registry
    for row in rows:
        assert row["reset_cost"] == 7.5
        assert row["cost"] == row["events"] + 7.5 * row["resets"]


def test_ties_search_and_preference_change_the_crawl_but_not_the_model(here: Command) -> None:
    common = ("simulate", "altoro", "-s", "greedy", "--json", "-q")
    options = (("--ties", "reset", "--search", "reference"), ("--prefer", "diverse"))
    rows = [here(*common, *option).fine().objects[0] for option in options]
    assert {(row["states"], row["transitions"], row["complete"]) for row in rows} == {(45, 1_210, True)}
    assert len({(row["events"], row["resets"]) for row in rows}) > 1


def test_random_runs_have_seeds_of_their_own_and_can_be_repeated(here: Command) -> None:
    common = ("simulate", "hypercube:5", "-s", "greedy", "-s", "menu", "--order", "random", "--json", "-q")
    rows = here(*common, "--runs", "3", "--seed", "5").fine().objects
    assert [(row["strategy"], row["seed"]) for row in rows] == [
        (strategy, seed) for strategy in ("greedy", "menu") for seed in (5, 6, 7)
    ]
    (again, _) = here(*common, "--seed", "6").fine().objects
    assert figures(again) == figures(rows[1])
    assert len({row["events_to_all_states"] for row in rows}) > 1


def test_a_recorded_crawl_simulates_like_the_application(tmp_path: Path, here: Command) -> None:
    common = ("-s", "greedy", "--json", "-q")
    recording = here("simulate", "hypercube:4", *common, "--journal", "crawl.journal", cwd=tmp_path).fine()
    assert recording.err == "recorded in crawl.journal\n"
    (truth,) = recording.objects
    (replay,) = here("simulate", "crawl.journal", *common, cwd=tmp_path).fine().objects
    assert replay["app"] == "crawl.journal"
    assert figures(replay, "app") == figures(truth, "app")
    here("export", "crawl.journal", "--out", "model.json", cwd=tmp_path).fine()
    (replay,) = here("simulate", "model.json", "--reset-cost", "3", *common, cwd=tmp_path).fine().objects
    assert figures(replay, "app") == figures(truth, "app")


def test_the_explored_part_of_an_incomplete_model_is_simulated(tmp_path: Path, here: Command) -> None:
    events = [{"event": "a", "target": "B"}, {"event": "b", "target": None}]
    states = [{"id": "A", "events": events}, {"id": "B", "events": [{"event": "b", "target": "A"}]}]
    model = {"format": "statecrawl-model", "version": 1, "states": states}
    (tmp_path / "part.json").write_text(json.dumps(model))
    rows = here("simulate", "part.json", "-s", "menu", "--json", "-q", cwd=tmp_path).fine().objects
    assert {(row["states"], row["transitions"], row["complete"]) for row in rows} == {(2, 2, True)}


def test_file_names_are_not_markup(tmp_path: Path, here: Command) -> None:
    path = tmp_path / "[red]x[bold]\\[y]\\.json"
    path.write_text(json_format.dumps(tiny().truth))
    done = here("simulate", path.name, "-s", "greedy", cwd=tmp_path).fine()
    assert done.out.startswith(f"{path.name}: 4 states")
    assert "\x1b" not in done.out


def test_file_names_do_not_control_the_terminal(tmp_path: Path, here: Command) -> None:
    path = tmp_path / "a\x1b[31mb\x9b1m\u202ec.json"
    path.write_text(json_format.dumps(tiny().truth))
    shown = "a\\x1b[31mb\\x9b1m\\u202ec"
    done = here("simulate", path.name, "-s", "greedy", cwd=tmp_path).fine()
    assert done.out.startswith(f"{shown}.json: 4 states")
    assert done.err.startswith(f"{shown}.json: recorded model")
    compared = here("compare", path.name, "-s", "greedy", "--out", f"{path.stem}.html", cwd=tmp_path).fine()
    assert f"{shown}.json greedy: " in compared.err
    assert f"wrote {shown}.html" in compared.err
    assert f"{shown}.json" in compared.out
    recorded = ("simulate", "tiny", "-s", "greedy", "-q", "--journal", f"{path.stem}.journal")
    recording = here(*recorded, cwd=tmp_path).fine()
    assert recording.err == f"recorded in {shown}.journal\n"
    for said in (done, compared, recording):
        assert not {"\x1b", "\x9b", "\u202e"} & set(said.out + said.err)


@pytest.fixture
def widgets(tmp_path: Path) -> Iterator[Running]:
    running = Running("simulate", "widgets:6,5", "--json", cwd=tmp_path)
    yield running
    running.end()


def test_ctrl_c_while_processes_are_starting(widgets: Running) -> None:
    widgets.wait_for_workers(2)
    done = widgets.press_ctrl_c()
    assert done.code == 130
    assert "Traceback" not in done.err
    assert done.err.endswith("the results above are partial.\n")
    assert all(not row["complete"] for row in done.objects)
    assert widgets.leaves_nobody()


def test_ctrl_c_shows_partial_results(tmp_path: Path) -> None:
    running = Running("simulate", "synthetic:50000", "-s", "greedy", "-s", "hypercube", cwd=tmp_path)
    try:
        running.wait_for_note("greedy: ")  # hypercube, beside it, takes four times as long
        done = running.press_ctrl_c()
        assert running.leaves_nobody()
    finally:
        running.end()
    assert done.code == 130
    assert "Traceback" not in done.err
    assert "synthetic:50000: 625 states, 50,000 transitions" in done.out
    rows = {row[0]: row[1] for line in done.out.splitlines() if len(row := line.split()) > 1}
    assert rows["greedy"] != "(stopped"
    assert rows["hypercube"] == "(stopped"


def test_a_worker_that_dies_while_starting_is_an_error_in_one_sentence(widgets: Running) -> None:
    widgets.wait_for_workers(3)
    done = widgets.kill_a_worker()
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("statecrawl: a worker process died, ")
    assert done.err.count("\n") == 1
    assert widgets.leaves_nobody()


def test_partial_results_are_shown_when_a_worker_dies(tmp_path: Path) -> None:
    running = Running("simulate", "synthetic:20000", "--json", cwd=tmp_path)
    try:
        running.wait_for_note("breadth-first: ")
        done = running.kill_a_worker()
        assert running.leaves_nobody()
    finally:
        running.end()
    assert done.code == 1
    assert "Traceback" not in done.err
    assert "statecrawl: a worker process died, " in done.err.splitlines()[-1]
    rows = {row["strategy"]: row["complete"] for row in done.objects}
    assert rows["breadth-first"]
    assert all(rows.values())
    assert len(rows) < len(STRATEGIES)


def test_no_worker_survives_when_the_command_is_killed(widgets: Running) -> None:
    widgets.wait_for_workers(3)  # the workers, and who looks after their semaphores
    assert widgets.kill().code == -9
    assert widgets.leaves_nobody()


def test_ctrl_c_while_recording_leaves_a_valid_journal(tmp_path: Path) -> None:
    running = Running("simulate", "widgets:5,5", "-s", "greedy", "--journal", "crawl.journal", cwd=tmp_path)
    path = tmp_path / "crawl.journal"
    try:
        while not (path.exists() and (tmp_path / "crawl.journal-wal").exists()):
            assert running.alive()
        done = running.press_ctrl_c()
    finally:
        running.end()
    assert done.code == 130
    assert "Traceback" not in done.err
    assert "greedy (stopped at " in done.out
    with closing(open_reader(path)) as reader:
        *_, last = reader.read()
    assert last == CrawlEnded(reason="interrupted")
    (row,) = statecrawl("simulate", path, "-s", "greedy", "--json", "-q").fine().objects
    assert row["complete"]
    assert row["transitions"] > 0
