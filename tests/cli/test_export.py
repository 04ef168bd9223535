"""`statecrawl export`."""

import os
import subprocess
from pathlib import Path

import pytest

from statecrawl.cli.main import main
from statecrawl.lab.subjects import load_model, subject
from statecrawl.model.exchange.formats import FORMATS
from tests.cli.command import ENVIRONMENT, TIMEOUT_SECONDS, arguments, statecrawl


def exported(*args: str, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]) -> str:
    """The output of the command, run in this process."""
    monkeypatch.setattr("sys.argv", ["statecrawl", "export", *args])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 0
    return capfdbinary.readouterr().out.decode()


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_can_be_read_back(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    printed = exported("tiny", "--format", name, monkeypatch=monkeypatch, capfdbinary=capfdbinary)
    path = tmp_path / f"model{FORMATS[name].suffix}"
    exported("tiny", "--out", str(path), monkeypatch=monkeypatch, capfdbinary=capfdbinary)
    assert path.read_text(encoding="utf-8") == printed
    graph, _ = load_model(path)
    assert graph.same_as(subject("tiny").truth)


def test_json_is_the_default_format(tmp_path: Path) -> None:
    done = statecrawl("export", "tiny", cwd=tmp_path).fine()
    assert done.out.startswith('{"format": "statecrawl-model"')
    assert done.out.endswith("}\n")
    assert done.err == ""


def test_an_incomplete_model_is_exported_with_its_unexplored_events(tmp_path: Path) -> None:
    (tmp_path / "part.json").write_text(
        '{"format": "statecrawl-model", "version": 1, "states": ['
        '{"id": "A", "events": [{"event": "a", "target": null}]}]}'
    )
    done = statecrawl("export", "part.json", "--out", "part.dot", cwd=tmp_path).fine()
    assert done.err == "wrote part.dot: 1 states, 0 transitions\n"


def test_output_is_utf_8_in_every_locale(tmp_path: Path) -> None:
    (tmp_path / "model.json").write_text(
        '{"format": "statecrawl-model", "version": 1, "states": [{"id": "Zürich", "events": []}]}', encoding="utf-8"
    )
    done = subprocess.run(
        arguments("export", "model.json", "--format", "mermaid"),
        cwd=tmp_path,
        env={**ENVIRONMENT, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        timeout=TIMEOUT_SECONDS,
        check=True,
    )
    assert "Zürich" in done.stdout.decode()


def test_a_closed_pipe_is_no_error() -> None:
    """As in `statecrawl export periodic-table | head -1`, whose reader closes the pipe early."""
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as closed:
        done = subprocess.run(
            arguments("export", "periodic-table"),
            env=ENVIRONMENT,
            stdout=closed,
            stderr=subprocess.PIPE,
            timeout=TIMEOUT_SECONDS,
            check=False,
        )
    assert (done.returncode, done.stderr) == (0, b"")
