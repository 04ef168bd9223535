"""Messages on standard error."""

import time

import pytest

from statecrawl.cli import console
from statecrawl.cli.console import noted_if_slow


def test_only_what_takes_long_is_told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(console, "SLOW_SECONDS", 60.0)
    with noted_if_slow("writing the report"):
        pass
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(console, "SLOW_SECONDS", 0.01)
    with noted_if_slow("writing the report"):
        time.sleep(0.3)
    assert capsys.readouterr().err == "writing the report\n"
    with noted_if_slow("writing the report", as_json=True):
        time.sleep(0.3)
    assert capsys.readouterr().err == '{"kind": "note", "text": "writing the report"}\n'
