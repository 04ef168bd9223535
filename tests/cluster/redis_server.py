"""Real Redis server for tests, which can be killed, restarted, and made to lose its last writes."""

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PROGRAM = os.environ.get("REDIS_SERVER") or shutil.which("redis-server") or shutil.which("valkey-server")


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


class RedisServer:
    """Server with a directory of its own, on a loopback port."""

    def __init__(self, folder: Path, *settings: str) -> None:
        self._folder = folder
        self._settings = settings
        self.port = free_port()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def process_id(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        assert PROGRAM, "install redis-server: make redis does it"
        self._process = subprocess.Popen(
            [PROGRAM, "--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(self._folder), "--save", "",
             "--appendonly", "yes", "--appendfsync", "everysec", "--daemonize", "no", *self._settings],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        until = time.monotonic() + 10
        while time.monotonic() < until:
            with socket.socket() as trying:
                if trying.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.01)
        raise TimeoutError("redis-server does not start")

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def forget(self, share: float) -> None:
        """Lose the last part of what is on the disk, as a power cut may."""
        (log,) = self._folder.glob("appendonlydir/*.incr.aof")
        content = log.read_bytes()
        log.write_bytes(content[: int(len(content) * (1 - share))])


@contextmanager
def redis_server(folder: Path, *settings: str) -> Iterator[RedisServer]:
    folder.mkdir(parents=True, exist_ok=True)
    server = RedisServer(folder, *settings)
    server.start()
    try:
        yield server
    finally:
        server.kill()
