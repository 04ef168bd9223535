"""`statecrawl scale` and `statecrawl simulate --nodes`: tables, JSON, the page, and what is refused."""

import re
from pathlib import Path

import pytest

from statecrawl.model.exchange import json_format
from statecrawl.testbed.generated import tiny
from tests.cli.command import Command, statecrawl

pytestmark = pytest.mark.cluster
HOSTILE = "<script>alert(1)<script>.json"
KEYS = {
    *("app", "architecture", "strategy", "nodes", "partition", "share", "share_every", "share_interval", "balance"),
    "components",
    *(
        "slowdown",
        "slowdown_period",
        "pace",
        "seed",
        "complete",
        "shared_view",
        "states",
        "transitions",
        "seconds",
        "seconds_to_all_states",
    ),
    *("events", "resets", "messages", "repeated", "walking", "overhead", "idle", "coordinator_busy", "idle_by_node"),
}


def test_simulate_shows_a_row_for_each_number_of_nodes(here: Command) -> None:
    done = here("simulate", "tiny", "-s", "greedy", "--nodes", "1..3", "--architecture", "all", "-q").fine()
    assert done.out.count("greedy") == 3
    assert done.out.count("1.0×") == 3
    for name in ("client-server", "dist-ria", "peer-to-peer", "speed-up", "messages", "idle", "repeated"):
        assert name in done.out


def test_json_has_fixed_keys_and_is_reproducible(here: Command) -> None:
    asked = ("simulate", "test-ria", "-s", "greedy", "--nodes", "1,3", "--architecture", "all", "--json", "-q")
    one, other = statecrawl(*asked).fine(), here(*asked).fine()
    assert one.out == other.out
    assert [(row["architecture"], row["nodes"]) for row in one.objects] == [
        (name, nodes) for name in ("client-server", "dist-ria", "peer-to-peer") for nodes in (1, 3)
    ]
    for row in one.objects:
        assert row.keys() == KEYS
        assert row["complete"] is True
        assert (row["states"], row["transitions"]) == (39, 305)
        assert len(row["idle_by_node"]) == row["nodes"]


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (("--architecture", "all"), "--nodes"),
        (("--share", "states"), "--nodes"),
        (("--nodes", "x"), "'x'"),
        (("--nodes", "2", "--share", "states"), "peer-to-peer"),
        (("--nodes", "2", "--order", "random"), "--order"),
        (("--nodes", "2", "--reset-cost", "3"), "--reset-cost"),
        (("--nodes", "2", "--journal", "new.journal"), "--journal"),
        (("--nodes", "2", "--architecture", "star"), "star"),
        (("--nodes", "2", "--pace", "slow"), "slow"),
    ],
)
def test_simulate_refuses_contradictory_options(
    options: tuple[str, ...], word: str, tmp_path: Path, here: Command
) -> None:
    here("simulate", "tiny", *options, cwd=tmp_path).refused(2, word)
    assert list(tmp_path.iterdir()) == []


def test_scale_of_an_application_prints_tables_and_writes_a_page_and_plots(tmp_path: Path) -> None:
    asked = ("scale", "tiny", "--nodes", "1,2", "-s", "greedy", "--out", "page.html", "--plots", "plots", "-q")
    done = statecrawl(*asked, cwd=tmp_path).fine()
    assert "Saturation: from this number of nodes on" in done.out
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert set(re.findall(r"[a-z]+://[^\s\"'<>]*", page)) == {"http://www.w3.org/2000/svg"}
    assert not re.findall(r"""(?:src|href)=["'](?!#|data:,)""", page)
    assert "<script" not in page
    assert "statecrawl scale tiny --nodes 1,2" in page
    assert [path.name for path in (tmp_path / "plots").iterdir()] == ["scaling-tiny.svg"]


def test_hostile_names_are_only_names(tmp_path: Path, here: Command) -> None:
    (tmp_path / HOSTILE).write_text(json_format.dumps(tiny().truth))
    here("scale", HOSTILE, "--nodes", "1,2", "--out", "page.html", "-q", cwd=tmp_path).fine()
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "<script" not in page
    assert "&lt;script&gt;alert(1)" in page


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (("--nodes", "3"), "--nodes"),
        (("--pace", "ours"), "--pace"),
        (("tiny", "--full"), "--full"),
        (("tiny", "--out", "nowhere/page.html"), "cannot write"),
        (("unknown-application",), "unknown-application"),
    ],
)
def test_scale_refuses_contradictory_options(
    options: tuple[str, ...], word: str, tmp_path: Path, here: Command
) -> None:
    here("scale", *options, cwd=tmp_path).refused(2, word)
    assert list(tmp_path.iterdir()) == []
