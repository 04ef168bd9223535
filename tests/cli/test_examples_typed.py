"""The examples in the help of the commands that follow a crawl, run one after the other."""

import shlex
import shutil
from pathlib import Path

import pytest
import typer
from rich.text import Text

from statecrawl.cli.command_list import COMMANDS
from statecrawl.cli.help_text import examples
from statecrawl.cli.main import app
from tests.cli.command import Command

pytestmark = pytest.mark.product

FOLDER = "crawl-test-ria"  # which the first example of statecrawl crawl makes
SOME = ["--max-states", "20", "--learn-states", "0", "--no-screenshots", "-q"]  # states, for a test that is quick
TOO_LONG = ("statecrawl replay crawl-test-ria 12 --headed --slow", "statecrawl verify crawl-test-ria")


def after_a_crawl() -> list[str]:
    group = typer.main.get_command(app)
    helps = [Text.from_markup(group.get_command(None, name).help).plain for name in COMMANDS]  # type: ignore[attr-defined]
    typed = [line for said in helps for line in examples(said) if FOLDER in line or "monday" in line]
    return [line for line in typed if line not in TOO_LONG]


def test_what_comes_after_a_crawl(here: Command, tmp_path: Path) -> None:
    here("crawl", "test-ria", *SOME, cwd=tmp_path).fine()
    for copy in ("monday", "tuesday"):
        shutil.copytree(tmp_path / FOLDER, tmp_path / copy)
    lines = after_a_crawl()
    assert len(lines) > 15
    for line in lines:
        words = shlex.split(line.partition(" | ")[0])
        done = here(*words[1:], cwd=tmp_path)
        assert done.code == 0, (line, done.err)
    made = {
        "shop.graphml",
        "shop.har",
        "shop.warc.gz",
        "api.json",
        "tables",
        "tests",
        "diff.html",
        "shop.sarif",
        "shop.xml",
    }
    assert {path.name for path in tmp_path.iterdir()} >= made
