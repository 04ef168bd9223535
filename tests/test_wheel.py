"""The package as people install it: a wheel, in an environment of its own, far from the repository."""

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.product

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "src" / "statecrawl"
OURS = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")  # would lead back to the repository
PROGRAM = """
import statecrawl

statecrawl.crawl("http://localhost:8000/", strategy="probability")
print(statecrawl.__file__)
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([*command, "--wheel-dir", folder, ROOT], check=True, timeout=100)
    (made,) = folder.glob("*.whl")
    return made


def test_everything_is_in_it_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        packed = {name.removeprefix("statecrawl/") for name in archive.namelist() if name.startswith("statecrawl/")}
        others = {name.partition("/")[0] for name in archive.namelist()} - {"statecrawl"}
    kept = {path.relative_to(SOURCES).as_posix() for path in SOURCES.rglob("*") if path.is_file()}
    assert packed == {name for name in kept if "__pycache__" not in name}
    assert {Path(name).suffix for name in packed} >= {".js", ".lua", ".css", ".html", ".py"}
    assert [name for name in others if not name.endswith(".dist-info")] == []


def test_it_works_where_it_is_installed(wheel: Path, tmp_path: Path) -> None:
    made, work = tmp_path / "venv", tmp_path / "work"
    work.mkdir()
    venv.create(made, symlinks=True)
    site = Path(sysconfig.get_path("purelib", vars={"base": str(made), "platbase": str(made)}))
    # As the new environment's own pip would: with --prefix, pip uninstalls what the environment that runs it has.
    pip = [sys.executable, "-m", "pip", "--python", str(made / "bin" / "python"), "install", "--ignore-installed"]
    subprocess.run([*pip, "--quiet", "--no-deps", "--no-index", "--no-compile", wheel], check=True, timeout=100)
    # What it needs is there already: the rest of our own environment comes after what was installed.
    (site / "needed.pth").write_text(f"{sysconfig.get_path('purelib')}\n")
    environment = {name: value for name, value in os.environ.items() if name not in OURS}

    def run(*command: str | Path) -> str:
        ran = subprocess.run(
            command, cwd=work, env=environment, capture_output=True, text=True, timeout=60, check=False
        )
        assert ran.returncode == 0, ran.stderr
        return ran.stdout

    command = made / "bin" / "statecrawl"
    assert run(command, "--version").startswith("statecrawl ")
    assert "tiny" in run(command, "simulate", "tiny")
    said = run(command, "crawl", "tiny", "--out", "crawl", "--learn-states", "0")
    assert "the model equals the true model of the application" in said
    assert (work / "crawl" / "report" / "index.html").is_file()
    assert run(made / "bin" / "python", "-c", PROGRAM).startswith(str(site / "statecrawl"))
