"""Tests that needed a second run are named, whether they passed then or not."""

import shutil
import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "scripts" / "run_tests.py"
TESTS = """
from pathlib import Path

def test_lucky():
    first = not (mark := Path("seen")).exists()
    mark.touch()
    assert not first

def test_unlucky():
    assert False

def test_well():
    pass
"""


def command(folder: Path, *arguments: str) -> tuple[int, str]:
    script = shutil.copy(SCRIPT, folder / "scripts" / SCRIPT.name)
    ran = subprocess.run(
        [sys.executable, script, *arguments], cwd=folder, capture_output=True, text=True, timeout=60, check=False
    )
    return ran.returncode, ran.stdout + ran.stderr


def prepared(folder: Path) -> Path:
    for name in ("scripts", ".venv"):
        (folder / name).mkdir()
    (folder / "pyproject.toml").write_text("[tool.pytest.ini_options]\n")
    (folder / "test_chance.py").write_text(TESTS)
    return folder


def test_each_is_named_at_once_and_in_the_end(tmp_path: Path) -> None:
    folder = prepared(tmp_path)
    code, said = command(folder, "-k", "not unlucky", "test_chance.py")
    assert code == 0
    assert "1 test failed and needed a second run:\n  passed then: test_chance.py::test_lucky\n" in said
    code, said = command(folder, "-k", "unlucky", "test_chance.py")
    assert code == 1
    assert "failed again: test_chance.py::test_unlucky" in said
    assert "test_lucky" not in said.partition("needed a second run")[2]
    said = command(folder, "--summary")[1]
    assert "2 tests failed" in said
    assert said.index("test_lucky") < said.index("test_unlucky")


def test_where_none_did_that_is_said(tmp_path: Path) -> None:
    folder = prepared(tmp_path)
    assert command(folder, "-k", "well", "test_chance.py")[0] == 0
    assert command(folder, "--summary") == (0, "No test needed a second run.\n")


def test_earlier_commands_are_forgotten(tmp_path: Path) -> None:
    folder = prepared(tmp_path)
    command(folder, "test_chance.py")
    assert command(folder, "--begin") == (0, "")
    assert command(folder, "--summary") == (0, "No test needed a second run.\n")
