"""Commands are imported on demand."""

import subprocess
import sys

from statecrawl.cli.command_list import COMMANDS
from tests.cli.command import Command

EXPORTING = """
import sys
from statecrawl.cli.main import main
sys.argv = ["statecrawl", "export", "tiny"]
try:
    main()
except SystemExit:
    print(*sorted({"aiohttp", "redis", "scipy"} & sys.modules.keys()), file=sys.stderr)
"""


def test_a_command_imports_only_what_it_needs() -> None:
    done = subprocess.run([sys.executable, "-c", EXPORTING], capture_output=True, text=True, check=True)
    assert done.stdout.startswith('{"format": "statecrawl-model"')
    assert done.stderr == "\n"


def test_help_lists_all_commands(here: Command) -> None:
    said = here("--help").fine().out
    assert [name for name in COMMANDS if f"│ {name} " not in said] == []


def test_the_nearest_command_is_suggested_for_an_unknown_name(here: Command) -> None:
    done = here("crwal")
    assert done.code == 2
    assert "No such command 'crwal'. Did you mean 'crawl'" in done.err
