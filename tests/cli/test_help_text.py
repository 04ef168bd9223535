"""The help of every command teaches: what it is for, examples that can be typed, and the exit codes."""

import re
import shlex
from typing import Any

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st
from rich.text import Text

from statecrawl import errors
from statecrawl.cli.command_list import COMMANDS
from statecrawl.cli.help_text import EXAMPLE_WIDTH, EXIT_CODES, examples, laid_out
from statecrawl.cli.init import template
from statecrawl.cli.main import app
from statecrawl.config import options
from tests.cli.command import Command

ALL = [[], *([name] for name in COMMANDS), ["apps", "serve"]]
CODES = {value for name, value in vars(errors).items() if name.startswith("EXIT_")}
every_command = pytest.mark.parametrize("name", ALL, ids=" ".join)


def command_of(name: list[str]) -> Any:
    found: Any = typer.main.get_command(app)
    for each in name:
        found = found.get_command(None, each)
    return found


def plain(name: list[str]) -> str:
    """The help without its markup."""
    return Text.from_markup(command_of(name).help).plain


@every_command
def test_it_says_what_it_is_for_shows_examples_and_names_exit_codes(name: list[str]) -> None:
    what, *_ = paragraphs = plain(name).split("\n\n")
    assert what.endswith(".")
    assert any(f" {' '.join(['statecrawl', *name])}" in f" {typed}" for typed in examples(plain(name)))
    assert paragraphs[-1].startswith(EXIT_CODES), "they come last"
    codes = [int(code) for code in re.findall(r"(?:codes:|;) (\d+) ", paragraphs[-1].replace("\n", " "))]
    assert codes == sorted(codes)
    assert codes[0] == 0
    assert set(codes) <= CODES
    assert name or set(codes) == CODES


@every_command
def test_every_example_can_be_typed(name: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("STATECRAWL_JOIN", raising=False)
    for typed in examples(plain(name)):
        for part in typed.split(" | "):
            words = shlex.split(part)
            if "statecrawl" in words:
                parse(words[words.index("statecrawl") + 1 :])


def parse(words: list[str]) -> None:
    """Raises what the command line would say of a word that it does not know."""
    found: Any = typer.main.get_command(app)
    context = found.make_context("statecrawl", list(words))
    while words and hasattr(found, "commands"):
        _, found, words = found.resolve_command(context, words)
    with found.make_context("statecrawl", list(words)) as parsed:
        assert not parsed.args


@pytest.mark.parametrize("words", ["crawl tiny --no-such-option", "status", "apps serve", "crawl a b", "crwal"])
def test_what_cannot_be_typed_is_noticed(words: str) -> None:
    with pytest.raises(Exception, match=r"(?i)no such option|missing|unexpected|no such command|option"):
        parse(words.split())


@pytest.mark.parametrize("columns", [80, 110])
@every_command
def test_no_line_of_an_example_is_broken(
    here: Command, monkeypatch: pytest.MonkeyPatch, name: list[str], columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    shown = [line.strip() for line in here(*name, "--help").fine().out.splitlines()]
    wanted = [line for line in plain(name).splitlines() if line.startswith("  ")]
    assert wanted
    assert [line for line in wanted if line.strip() not in shown] == []
    assert [line for line in wanted if len(line) > EXAMPLE_WIDTH + 2] == []


def test_the_panels_of_the_help_are_those_of_the_table(here: Command) -> None:
    shown = re.findall("─ ([A-Z][a-z, ]+) ─", here("crawl", "--help").fine().out)
    joining = "Connections from nodes"
    assert shown == ["Arguments", "Options", *(name for name in options.panels() if name not in ("", joining))]
    assert joining in here("serve", "--help").fine().out


def test_a_settings_file_has_the_same_panels() -> None:
    found = re.findall("^# -- (.*) --$", template("http://shop.test/"), re.MULTILINE)
    without = ("", "Connections from nodes", "Continuous integration")
    assert found == [name for name in options.panels() if name not in without]


@given(st.lists(st.text(st.characters(codec="ascii", categories=["L", "N"]), min_size=1), min_size=1))
def test_a_paragraph_is_one_line(words: list[str]) -> None:
    assert laid_out("\n".join(words)) == " ".join(words)


def test_a_command_of_several_lines_is_one_to_type() -> None:
    assert examples("What for.\n\nExamples:\n  # why\n  one \\\n    two\n  three\n\nExit codes: 0") == [
        "one two",
        "three",
    ]
