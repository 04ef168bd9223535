"""What a command says of itself, as its help shows it.

The docstring of a command tells what it is for, shows examples and names the exit codes:

    Examples:
      # a comment in the words of a shell
      statecrawl crawl http://localhost:8000/ --live

    Exit codes: 0 done; 2 the request cannot be done as asked.

A terminal may be of any width, so paragraphs are one line each, which the help breaks where it must. Examples are kept
line by line, as they can be typed: none is longer than EXAMPLE_WIDTH, and a longer command goes on after a backslash.
"""

from typing import Any

from rich.markup import escape

EXAMPLES, EXIT_CODES = "Examples:", "Exit codes:"
INDENT = "  "
EXAMPLE_WIDTH = 76  # of a terminal of 80 columns, two are margin and two the indentation


def teach(command: Any) -> Any:
    """The same command, and all below it, with its help laid out."""
    command.help = laid_out(command.help or "")
    for below in getattr(command, "commands", {}).values():
        teach(below)
    return command


def laid_out(text: str) -> str:
    """The help in rich's markup, from the words of a docstring."""
    return "\n\n".join(_paragraph(each) for each in text.split("\n\n"))


def examples(text: str) -> list[str]:
    """The commands among the examples of a docstring, each as one line to type."""
    found = [lines[1:] for lines in map(str.splitlines, text.split("\n\n")) if lines[:1] == [EXAMPLES]]
    typed = "\n".join(line.strip() for lines in found for line in lines if not _is_comment(line))
    return typed.replace("\\\n", "").splitlines()


def _paragraph(text: str) -> str:
    lines = text.splitlines()
    if lines[:1] == [EXAMPLES]:
        return "\n".join([f"[bold]{EXAMPLES}[/]", *map(_example, lines[1:])])
    joined = " ".join(line.strip() for line in lines)
    if joined.startswith(EXIT_CODES):
        return f"[bold]{EXIT_CODES}[/]{joined.removeprefix(EXIT_CODES)}"
    return joined


def _example(line: str) -> str:
    style = "dim" if _is_comment(line) else "cyan"
    return f"[{style}]{escape(line)}[/]"


def _is_comment(line: str) -> bool:
    return line.strip().startswith("#")
