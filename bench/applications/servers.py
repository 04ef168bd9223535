"""Servers of the applications: each run has one of its own, with fresh data, on a free port of this machine."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.applications.application import Application
from bench.applications.packages import installed, programs

HERE = Path(__file__).parent
DOCS = HERE.parent.parent / "docs"
START_SECONDS = 90.0  # for a server to answer
STOP_SECONDS = 5.0  # for it to stop by itself
HOST = "127.0.0.1"


class NotStarted(Exception):
    """The server of an application does not answer."""


@contextmanager
def served(application: Application) -> Iterator[str]:
    """Run the application, and yield the URL of its first page. Raises NotInstalled or NotStarted."""
    packages = installed(application)
    with TemporaryDirectory(prefix="statecrawl-bench-") as folder:
        data = Path(folder)
        port = _free_port()
        command = _command(application, packages, data, port)
        with (data / "server.log").open("wb") as log:
            server = subprocess.Popen(
                command, cwd=data, stdout=log, stderr=log, stdin=subprocess.DEVNULL, start_new_session=True
            )
        try:
            _wait_for(f"http://{HOST}:{port}{application.start}", server, data / "server.log")
            yield f"http://{HOST}:{port}{application.start}"
        finally:
            _stop(server)


def _command(application: Application, packages: Path, data: Path, port: int) -> list[str]:
    if not application.command:
        _lay_out_files(application, packages, data / "files")
        return [sys.executable, "-m", "http.server", "--bind", HOST, "--directory", str(data / "files"), str(port)]
    places = {
        "port": str(port),
        "bin": str(programs(application, packages)),
        "modules": str(packages / "node_modules"),
        "sites": str(HERE / "sites"),
        "docs": str(DOCS),
        "data": str(data),
    }
    return [part.format(**places) for part in application.command]


def _lay_out_files(application: Application, packages: Path, folder: Path) -> None:
    folder.mkdir()
    (folder / "npm").symlink_to(packages / "node_modules")
    page = HERE / "pages" / application.page
    if page.exists():
        shutil.copy(page, folder / "index.html")


def _wait_for(url: str, server: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until and server.poll() is None:
        try:
            with urllib.request.urlopen(url, timeout=10):  # noqa: S310 — our own server
                return
        except urllib.error.HTTPError as error:
            if error.code < 500:  # it answers, although only after a login
                return
        except OSError:
            pass
        time.sleep(0.2)
    raise NotStarted(f"{url} does not answer: {log.read_text(errors='replace')[-500:]}")


def _free_port() -> int:
    with socket.socket() as free:
        free.bind((HOST, 0))
        return int(free.getsockname()[1])


def _stop(server: subprocess.Popen[bytes]) -> None:
    """Stop the server and everything that it has started."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(server.pid, number)
            server.wait(STOP_SECONDS)
        except (ProcessLookupError, subprocess.TimeoutExpired):
            continue
