"""Packages of the applications: installed on demand, outside of the repository.

npm and pip read their own settings, so a mirror that is configured there is used here, too.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

from bench.applications.application import Application

VARIABLE = "BENCH_CACHE"  # directory for the packages, instead of the one below
DONE = ".installed"
LAST_LINES = 400  # characters of an installer's output that are shown when it fails


class NotInstalled(Exception):
    """The packages of an application cannot be installed."""


def cache() -> Path:
    """Return the directory in which packages are installed."""
    if VARIABLE in os.environ:
        return Path(os.environ[VARIABLE]).expanduser().resolve()
    return Path(os.environ.get("XDG_CACHE_HOME", "~/.cache")).expanduser() / "statecrawl" / "bench"


def installed(application: Application) -> Path:
    """Return the directory with the packages, after installing them if necessary. Raises NotInstalled."""
    digest = hashlib.sha256(" ".join(application.packages).encode()).hexdigest()[:8]
    folder = cache() / application.source / f"{application.name}-{digest}"
    if not (folder / DONE).exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        print(f"{application.name}: installing {' '.join(application.packages)}", flush=True)
        (_install_npm if application.source == "npm" else _install_pypi)(folder, application.packages)
        (folder / DONE).touch()
    return folder


def programs(application: Application, folder: Path) -> Path:
    """Return the directory with the programs of the packages."""
    return folder / ("node_modules/.bin" if application.source == "npm" else "venv/bin")


def _install_npm(folder: Path, packages: tuple[str, ...]) -> None:
    if shutil.which("npm") is None:
        raise NotInstalled("npm is missing: install Node.js.")
    (folder / "package.json").write_text('{"private": true}\n')
    quiet = ("--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts", "--loglevel=error")
    _run(["npm", "install", "--prefix", str(folder), *quiet, "--legacy-peer-deps", *packages])


def _install_pypi(folder: Path, packages: tuple[str, ...]) -> None:
    _run([sys.executable, "-m", "venv", str(folder / "venv")])
    python = folder / "venv" / "bin" / "python"
    _run([str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages])


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise NotInstalled(f"{' '.join(command[:4])} … failed: {done.stderr.strip()[-LAST_LINES:]}")
