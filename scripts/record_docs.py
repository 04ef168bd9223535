"""Record the outputs that README and docs show: `make docs` writes them anew.

A block that begins with a line `$ statecrawl …` is replaced by what that command prints now. Commands run in a
folder of their own, one after the other, so that one may use the file another wrote.
"""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
BLOCK = re.compile(r"^```console\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(text: str) -> Iterator[str]:
    """The bodies of the recorded blocks of a page."""
    for match in BLOCK.finditer(text):
        if match["body"].startswith("$ statecrawl"):
            yield match["body"]


def recorded(body: str, folder: Path) -> str:
    """The block as it would be recorded now: each command, and what it prints."""
    lines = []
    for line in body.splitlines():
        if line.startswith("$ "):
            lines += [line, *output(line[2:], folder)]
    return "\n".join(lines) + "\n"


def output(command: str, folder: Path) -> list[str]:
    """What a command prints, errors included, without blanks at the ends of lines."""
    words = [sys.executable, "-m", *command.split()]
    environment = {**os.environ, "COLUMNS": "116"}
    done = subprocess.run(words, cwd=folder, env=environment, check=False, stdout=-1, stderr=-2, text=True)
    return [line.rstrip() for line in done.stdout.splitlines()]


def main() -> None:
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as folder:
            for body in blocks(text):
                text = text.replace(body, recorded(body, Path(folder)))
        page.write_text(text, encoding="utf-8")
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
            if not (page.parent / target).exists():
                sys.exit(f"{page.relative_to(ROOT)} links to {target}, which is not there")


if __name__ == "__main__":
    main()
