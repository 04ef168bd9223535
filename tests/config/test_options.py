"""The option table is the only place where an option is defined; everything else derives from it."""

import os
import subprocess
import sys
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from statecrawl.cli.init import template
from statecrawl.config import options, options_page
from statecrawl.config.option_row import SECTIONS, Conflict, Option, Requirement
from statecrawl.config.options import LIMITS, OPTIONS
from statecrawl.config.plan_builder import crawl_plan
from statecrawl.config.recorded_settings import recorded_settings
from statecrawl.config.saved_settings import SETTINGS_NAME, save_settings
from statecrawl.config.settings import read_config, settings_of
from statecrawl.config.value_types import TIME, WHOLE_NUMBER
from statecrawl.errors import BadInput

URL = "http://shop.test/"
ROOT = Path(__file__).parents[2]
MADE_UP = Option(
    name="made-up",
    type=WHOLE_NUMBER,
    panel=LIMITS,
    field="recycle_events",  # a field of the plan that no option sets
    help="Replace a tab after this many events.",
    example=12,
    unit="events",
    short="-m",
    aliases=("made-down",),
    needs=Requirement(options=("site",)),
    conflicts=(Conflict(options=("proxy",), remedy="take the bus"),),
    recorded=True,
)
WITH_MADE_UP = """
import sys
from statecrawl.config import options
from tests.config.test_options import MADE_UP
options.OPTIONS += (MADE_UP,)
sys.argv = ["statecrawl", *sys.argv[1:]]
from statecrawl.cli.main import main
main()
"""


@pytest.fixture
def made_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """The table with one more row."""
    monkeypatch.setattr(options, "OPTIONS", (*OPTIONS, MADE_UP))


def statecrawl(folder: Path, *args: str) -> tuple[str, str]:
    """What the command prints when the table has the row from the start, on standard output and standard error."""
    command = [sys.executable, "-c", WITH_MADE_UP, *args]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path]), "COLUMNS": "300"}
    ran = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder, env=environment)
    return " ".join(ran.stdout.replace("│", " ").split()), ran.stderr


@pytest.mark.usefixtures("made_up")
class TestOneMoreRow:
    def test_is_a_setting_in_files_and_in_the_python_api(self, tmp_path: Path) -> None:
        file = tmp_path / "mine.toml"
        file.write_text("site = true\nmade-up = 5\n")
        assert crawl_plan(URL, {}, file).recycle_events == 5
        assert crawl_plan(URL, {"made-up": 6}, file).recycle_events == 6
        file.write_text("made-up = 'x'\n")
        with pytest.raises(BadInput, match=r"mine\.toml, line 1: 'made-up' is a whole number, not 'x'\."):
            read_config(file)

    def test_keeps_its_former_name(self, tmp_path: Path) -> None:
        file = tmp_path / "mine.toml"
        file.write_text("site = true\nmade-down = 5\n")
        assert crawl_plan(URL, {}, file).recycle_events == 5
        file.write_text("made-up = 1\nmade-down = 5\n")
        with pytest.raises(BadInput, match="--made-up is given twice"):
            read_config(file)

    def test_is_checked_against_others(self) -> None:
        with pytest.raises(BadInput, match=r"^--made-up needs --site\.$"):
            crawl_plan(URL, {"made-up": 5})
        with pytest.raises(BadInput, match=r"^--made-up cannot be combined with --proxy: take the bus\.$"):
            crawl_plan(URL, {"made-up": 5, "site": True, "proxy": "http://p:1"})

    def test_is_saved_and_recorded(self, tmp_path: Path) -> None:
        save_settings(tmp_path / "crawl", URL, settings_of({"made-up": 5, "site": True}))
        saved = tmp_path / "crawl" / SETTINGS_NAME
        assert "made-up = 5\n" in saved.read_text()
        assert recorded_settings(crawl_plan(URL, {}, saved))["made-up"] == 5

    def test_is_in_new_settings_files_and_in_the_reference(self) -> None:
        text = "# Replace a tab after this many events. Default: 20000. Needs --site.\n# made-up = 12\n"
        assert text in template(URL)
        line = (
            "| `--made-up`, `-m` | whole number (events) | 20000 | `made-up = 12`"
            " | Replace a tab after this many events. Needs `--site`. Not with `--proxy`. |\n"
        )
        assert line in options_page.options_page()


@pytest.mark.parametrize("command", ["crawl", "serve", "roles"])
def test_one_more_row_is_in_the_help_of_every_command(command: str, tmp_path: Path) -> None:
    shown, _ = statecrawl(tmp_path, command, "--help")
    assert "--made-up -m <int> Replace a tab after this many events. Default: 20000. Needs --site." in shown
    assert "made-down" not in shown


def test_one_more_row_can_be_typed(tmp_path: Path) -> None:
    for typed in (("--made-up", "5"), ("-m", "5"), ("--made-down", "5")):
        _, refused = statecrawl(tmp_path, "crawl", URL, *typed)
        assert refused == "statecrawl: --made-up needs --site.\n"


def test_the_committed_reference_is_up_to_date() -> None:
    assert (ROOT / "docs" / "options.md").read_text(encoding="utf-8") == options_page.options_page(), "run make docs"


class TestTheTable:
    def test_names_are_unique(self) -> None:
        names = [name for row in OPTIONS for name in (row.name, *row.aliases)]
        assert len(names) == len(set(names))
        shorts = [row.short for row in OPTIONS if row.short]
        assert len(shorts) == len(set(shorts))

    def test_the_rows_of_a_panel_stand_together(self) -> None:
        panels = [panel for panel, _ in groupby(row.panel for row in OPTIONS)]
        assert panels == options.panels()

    @pytest.mark.parametrize("row", OPTIONS, ids=lambda row: row.name)
    def test_every_row_can_be_used(self, row: Option) -> None:
        section, _, field = row.field.rpartition(".")
        assert section in SECTIONS
        assert field in ("", "*") or field in SECTIONS[section].__dataclass_fields__
        assert row.is_setting != bool(row.commands), "a setting is for all commands"
        assert row.help.endswith(".")
        assert row.type.accepts(row.example) or row.type.from_command_line(row.example)
        others = [*(row.needs.options if row.needs else ()), *(name for each in row.conflicts for name in each.options)]
        assert set(others) <= {each.name for each in OPTIONS}


@pytest.mark.parametrize(
    ("given", "refusal"),
    [
        ({"share": "all"}, "--share needs --architecture peer-to-peer."),
        ({"architecture": "dist-ria", "share-every": 3}, "--share-every needs --architecture peer-to-peer."),
        ({"partition": "hash"}, "--partition needs --architecture dist-ria or peer-to-peer."),
        ({"client-key": "a"}, "--client-key needs --client-cert."),
        ({"model": "states", "exhaustive": True}, "--exhaustive needs --model auto or components."),
        ({"model": "states", "confidence": 0.9}, "--confidence needs --model auto or components."),
    ],
)
def test_requirements(given: dict[str, Any], refusal: str) -> None:
    with pytest.raises(BadInput) as refused:
        crawl_plan(URL, given)
    assert str(refused.value) == refusal


def test_a_time_is_converted_once() -> None:
    assert settings_of({"max-time": "2m", "delay": 3, "horizon": "1.5s"}) == {
        "max-time": 120.0,
        "delay": 3.0,
        "fast-forward": 1.5,
    }
    assert {row.name for row in OPTIONS if row.type is TIME} >= {"max-time", "delay", "fast-forward"}
