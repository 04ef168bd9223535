"""Record the outputs that README and docs show: `make docs` rewrites them.

A `console` block contains commands and their recorded output. A `sh` block after the comment `<!-- run -->` is run, but
its output is not shown. The blocks of one page run in order in one directory, so a block can use files that an earlier
one wrote.
"""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from statecrawl.config.options_page import options_page

ROOT = Path(__file__).parent.parent
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
OPTIONS_PAGE = ROOT / "docs" / "options.md"
PROMPT = "$ "
BLOCK = re.compile(
    r"^```console\n(?P<shown>.*?)^```$|^<!-- run -->\n```sh\n(?P<silent>.*?)^```$", re.MULTILINE | re.DOTALL
)


def blocks(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the body of every block that is run, and whether it shows its output."""
    for match in BLOCK.finditer(text):
        yield (match["shown"], True) if match["silent"] is None else (match["silent"], False)


def recorded(body: str, folder: Path) -> str:
    """Run the commands of a `console` block and return the block with their present output."""
    lines = []
    for line in body.splitlines():
        if line.startswith(PROMPT):
            lines += [line, *run(line.removeprefix(PROMPT), folder).stdout.splitlines()]
    return "".join(f"{line.rstrip()}\n" for line in lines)


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a statecrawl command; its standard output and errors are in `stdout`."""
    words = [sys.executable, "-m", *command.split()]
    environment = {**os.environ, "COLUMNS": "116"}
    return subprocess.run(words, cwd=folder, env=environment, check=False, stdout=-1, stderr=-2, text=True)


def rerecorded(text: str, folder: Path) -> str:
    """Run all blocks of a page and return the page with their present output."""
    for body, is_shown in blocks(text):
        if is_shown:
            text = text.replace(f"```console\n{body}```", f"```console\n{recorded(body, folder)}```")
        else:
            for command in body.splitlines():
                run(command, folder)
    return text


def main() -> None:
    OPTIONS_PAGE.write_text(options_page(), encoding="utf-8")
    subprocess.run([sys.executable, ROOT / "scripts" / "design_sections.py"], check=True)
    for page in PAGES:
        with tempfile.TemporaryDirectory() as folder:
            text = rerecorded(page.read_text(encoding="utf-8"), Path(folder))
        page.write_text(text, encoding="utf-8")
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
            if not (page.parent / target).exists():
                sys.exit(f"{page.relative_to(ROOT)} links to {target}, which does not exist")


if __name__ == "__main__":
    main()
