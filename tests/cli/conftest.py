"""Fixtures for the tests of the commands."""

from pathlib import Path

import pytest

from statecrawl.cli.main import main
from tests.cli.command import Command, Done


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Command:
    """The command, run in this process: starting a new one takes most of the time."""

    def command(*args: str | Path, cwd: Path | None = None) -> Done:
        if cwd is not None:
            monkeypatch.chdir(cwd)
        monkeypatch.setattr("sys.argv", ["statecrawl", *map(str, args)])
        with pytest.raises(SystemExit) as ended:
            main()
        assert isinstance(ended.value.code, int)
        return Done(ended.value.code, *capfd.readouterr())

    return command
