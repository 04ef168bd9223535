"""An application that is installed already: its package was written by the test."""

from pathlib import Path

import pytest

from bench.applications.application import Application
from bench.applications.packages import DONE, VARIABLE

APPLICATION = Application(name="own", packages=("own@1.0.0",), start="/npm/own/")
DIGEST = "bc0bae0b"


def install(folder: Path, html: str, monkeypatch: pytest.MonkeyPatch) -> Application:
    """Put a page where npm would have put it."""
    monkeypatch.setenv(VARIABLE, str(folder))
    package = folder / "npm" / f"own-{DIGEST}" / "node_modules" / "own"
    package.mkdir(parents=True)
    (package / "index.html").write_text(html, encoding="utf-8")
    (folder / "npm" / f"own-{DIGEST}" / DONE).touch()
    return APPLICATION
