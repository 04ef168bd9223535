"""`statecrawl compare`: tables, the page, hostile names, and Ctrl-C."""

import re
from pathlib import Path

import pytest

from statecrawl.model.exchange import json_format
from statecrawl.strategies.registry import STRATEGIES
from statecrawl.testbed.generated import tiny
from tests.cli.command import Command, Running, statecrawl

HOSTILE = "<script>alert(1)<script>.json"
MARKUP = "[red]x[bold].json"


def test_tables_are_printed_and_a_page_is_written(tmp_path: Path) -> None:
    done = statecrawl("compare", "tiny", "hypercube:4", "tiny", "--out", "page.html", cwd=tmp_path).fine()
    assert "(Table II)" in done.out
    assert "(Table III)" in done.out
    assert done.out.count("hypercube:4") == done.out.count("tiny") == 2  # a name given twice is one application
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert set(re.findall(r"[a-z]+://[^\s\"'<>]*", page)) == {"http://www.w3.org/2000/svg"}
    assert not re.findall(r"""(?:src|href)=["'](?!#|data:,)""", page)
    assert "statecrawl compare tiny hypercube:4 tiny --out page.html" in page
    assert "Interrupted" not in page
    assert [name for name in STRATEGIES if name not in page] == []
    assert done.err.endswith("wrote page.html\n")


def test_hostile_names_are_only_names(tmp_path: Path, here: Command) -> None:
    for name in (HOSTILE, MARKUP):
        (tmp_path / name).write_text(json_format.dumps(tiny().truth))
    done = here("compare", HOSTILE, MARKUP, "-s", "greedy", "--out", "page.html", cwd=tmp_path).fine()
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)" in page
    assert MARKUP in page
    assert done.out.count(MARKUP) == done.out.count(HOSTILE) == 2
    assert "\x1b" not in done.out + done.err
    assert f"{MARKUP} greedy: " in done.err


def test_json_is_one_object_per_run(tmp_path: Path, here: Command) -> None:
    done = here("compare", "tiny", "viol8", "-s", "menu", "--json", "-q", "--out", "page.html", cwd=tmp_path).fine()
    assert [(row["app"], row["strategy"]) for row in done.objects] == [("tiny", "menu"), ("viol8", "menu")]
    assert done.err == "wrote page.html\n"


def test_an_unwritable_page_is_refused_before_the_work(tmp_path: Path, here: Command) -> None:
    (tmp_path / "file").touch()
    here("compare", "tiny", "--out", "file/page.html", cwd=tmp_path).refused(2, "cannot write file/page.html: ")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_tables_and_page_contain_partial_results_when_a_worker_dies(tmp_path: Path) -> None:
    running = Running("compare", "tiny", "widgets:5,5", "-s", "greedy", "--out", "page.html", cwd=tmp_path)
    try:
        running.wait_for_note("tiny greedy: ")
        done = running.kill_a_worker()
        assert running.leaves_nobody()
    finally:
        running.end()
    assert done.code == 1
    assert "Traceback" not in done.err
    assert "statecrawl: a worker process died, " in done.err.splitlines()[-1]
    assert "tiny" in done.out
    assert "<code>tiny</code>" in (tmp_path / "page.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("moment", ["while processes are starting", "when something is known"])
def test_tables_and_page_contain_partial_results_after_ctrl_c(moment: str, tmp_path: Path) -> None:
    running = Running(
        "compare", "tiny", "bebop", "-s", "greedy", "-s", "depth-first", "--out", "page.html", cwd=tmp_path
    )
    try:
        if moment == "when something is known":
            running.wait_for_note("tiny greedy: ")
        else:
            running.wait_for_workers(2)
        done = running.press_ctrl_c()
        assert running.leaves_nobody()
    finally:
        running.end()
    assert done.code == 130
    assert "Traceback" not in done.err
    assert done.err.endswith("contain partial results.\n")
    assert "(Table II)" in done.out
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "Interrupted." in page
    if moment == "when something is known":
        assert "tiny" in done.out
        assert "<code>tiny</code>" in page
