"""Run the command as a separate process, and check its exit code and its output."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

STYLED = ("FORCE_COLOR", "COLUMNS", "GITHUB_ACTIONS", "PY_COLORS", "TTY_COMPATIBLE")  # would change what is printed
ENVIRONMENT = {name: value for name, value in os.environ.items() if name not in STYLED}
GONE_SECONDS = 5.0  # for what the command started to end after it
TIMEOUT_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Done:
    """Exit code and output of a command."""

    code: int
    out: str
    err: str

    @property
    def objects(self) -> list[dict[str, Any]]:
        """Standard output, which must be one JSON object per line and nothing else."""
        return [json.loads(line) for line in self.out.splitlines()]

    def fine(self) -> "Done":
        assert self.code == 0, self.err
        assert "Traceback" not in self.err
        return self

    def refused(self, code: int, *words: str) -> None:
        """Check that it printed one sentence to standard error and nothing else."""
        assert (self.code, self.out) == (code, ""), self
        assert self.err.startswith("statecrawl: ")
        assert self.err.endswith((".\n", "?\n"))
        assert self.err.count("\n") == 1, self.err
        for word in words:
            assert word in self.err


class Command(Protocol):
    """Runs the command and returns its exit code and output."""

    def __call__(self, *args: str | Path, cwd: Path | None = None) -> Done: ...


def arguments(*args: str | Path) -> list[str]:
    return [sys.executable, "-m", "statecrawl", *map(str, args)]


def statecrawl(*args: str | Path, cwd: Path | None = None, env: Mapping[str, str] | None = None) -> Done:
    ran = subprocess.run(
        arguments(*args),
        cwd=cwd,
        env={**ENVIRONMENT, **(env or {})},
        capture_output=True,
        text=True,
        errors="surrogateescape",
        timeout=TIMEOUT_SECONDS,
        check=False,
    )
    return Done(ran.returncode, ran.stdout, ran.stderr)


class Running:
    """A command in a process group of its own, as a shell would start it."""

    def __init__(self, *args: str | Path, cwd: Path, env: Mapping[str, str] | None = None) -> None:
        self._process = subprocess.Popen(
            arguments(*args),
            cwd=cwd,
            env={**ENVIRONMENT, **(env or {})},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def wait_for_workers(self, count: int) -> None:
        """Wait until it has started this many other processes."""
        deadline = time.monotonic() + TIMEOUT_SECONDS
        while len(self.alive()) < 1 + count:
            assert time.monotonic() < deadline
            time.sleep(0.02)

    def wait_for_note(self, beginning: str) -> None:
        """Wait until a line on standard error starts with this."""
        assert self._process.stderr is not None
        assert any(line.startswith(beginning) for line in self._process.stderr)

    def press_ctrl_c(self) -> Done:
        """Send SIGINT to every process of the group, as a terminal does."""
        os.killpg(self._process.pid, signal.SIGINT)
        return self.ended()

    def kill(self) -> Done:
        self._process.kill()
        return self.ended()

    def kill_a_worker(self) -> Done:
        """Kill one of the workers, as the system does when it is out of memory."""
        worker = next(n for n in self.alive() if b"spawn_main" in Path(f"/proc/{n}/cmdline").read_bytes())
        os.kill(worker, signal.SIGKILL)
        return self.ended()

    @property
    def pid(self) -> int:
        return self._process.pid

    def is_there(self) -> bool:
        return self._process.poll() is None

    def ended(self, seconds: float = TIMEOUT_SECONDS) -> Done:
        out, err = self._process.communicate(timeout=seconds)
        return Done(self._process.returncode, out, err)

    def leaves_nobody(self) -> bool:
        deadline = time.monotonic() + GONE_SECONDS
        while self.alive() and time.monotonic() < deadline:
            time.sleep(0.05)
        return not self.alive()

    def alive(self) -> list[int]:
        """The running processes of its group, without zombies."""
        found = []
        for entry in Path("/proc").glob("[0-9]*"):
            try:
                state, _, group = (entry / "stat").read_text().rpartition(")")[2].split()[:3]
            except OSError:
                continue  # ended while we looked
            if int(group) == self._process.pid and state != "Z":
                found.append(int(entry.name))
        return found

    def end(self) -> None:
        """End all its processes, whatever happened in the test."""
        for number in self.alive():
            os.kill(number, signal.SIGKILL)
        self._process.wait()
        for stream in (self._process.stdout, self._process.stderr):
            if stream is not None:
                stream.close()
