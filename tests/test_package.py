"""The package as a whole: what it offers, what it documents, and what must not be in the tree."""

import importlib
import os
import pkgutil
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import statecrawl

REPOSITORY = Path(__file__).parent.parent
PUBLIC: set[str] = set()  # names offered at the package's root, besides its modules
UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX)\b")
STRANGE = ("S0" + "02", "../" + "shared")  # in two parts, so that this file does not hold them


def modules() -> list[ModuleType]:
    names = [found.name for found in pkgutil.walk_packages(statecrawl.__path__, "statecrawl.")]
    return [statecrawl, *map(importlib.import_module, names)]


def tracked() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=REPOSITORY, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not a git checkout")
    return [path for name in listed.stdout.split("\0") if name and (path := REPOSITORY / name).is_file()]


def test_the_root_offers_what_it_says() -> None:
    offered = {
        name for name, value in vars(statecrawl).items() if not (name[0] == "_" or isinstance(value, ModuleType))
    }
    assert offered == PUBLIC


def test_what_programs_use_is_there() -> None:
    for name in statecrawl.__all__:
        assert getattr(statecrawl, name).__doc__
    with pytest.raises(AttributeError):
        statecrawl.nothing  # noqa: B018


def test_every_module_says_what_it_is_and_is_finished() -> None:
    for module in modules():
        said = (module.__doc__ or "").strip()
        assert said, module.__name__
        assert not UNFINISHED.search(said), module.__name__


def test_nothing_strange_is_in_the_tree() -> None:
    for path in tracked():
        text = path.read_text(encoding="utf-8", errors="replace")
        assert [word for word in STRANGE if word in text] == [], path


def test_tests_are_collected_on_a_machine_without_a_browser() -> None:
    environment = os.environ | {"STATECRAWL_BROWSER": "no-such-browser"}
    collect = [
        sys.executable,
        "-m",
        "pytest",
        "--collect-only",
        "--quiet",
        "tests/browser",
        "tests/cluster",
        "tests/fleet",
    ]
    done = subprocess.run(collect, cwd=REPOSITORY, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:]


@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
def test_make_alone_lists_the_targets_and_installs_nothing() -> None:
    stamp = REPOSITORY / ".venv" / ".installed"
    before = stamp.stat().st_mtime_ns if stamp.exists() else None
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    done = subprocess.run(["make"], cwd=REPOSITORY, env=environment, capture_output=True, text=True, check=True)
    (targets,) = re.findall(r"^\.PHONY: (.*)$", (REPOSITORY / "Makefile").read_text(), flags=re.MULTILINE)
    assert sorted(line.split()[1] for line in done.stdout.splitlines()) == sorted(targets.split())
    assert all(len(line.split()) > 2 for line in done.stdout.splitlines())
    assert (stamp.stat().st_mtime_ns if stamp.exists() else None) == before
