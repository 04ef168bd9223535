"""Layout of the help of a command, from its docstring.

The docstring says what the command is for, shows examples and lists the exit codes:

    Examples:
      # a shell comment
      statecrawl crawl http://localhost:8000/ --live

    Exit codes: 0 done; 2 the request is invalid.

A terminal may have any width, so each paragraph becomes one line, which is wrapped when it is shown. Examples stay as
they are, so that they can be copied: no line is longer than EXAMPLE_WIDTH, and a longer command has a backslash.
"""

from typing import Any

from rich.markup import escape

EXAMPLES, EXIT_CODES = "Examples:", "Exit codes:"
INDENT = "  "
EXAMPLE_WIDTH = 76  # 80 columns without a margin of two and an indentation of two


def with_layout(command: Any) -> Any:
    """Return the command, and all of its subcommands, with formatted help."""
    command.help = laid_out(command.help or "")
    for below in getattr(command, "commands", {}).values():
        with_layout(below)
    return command


def laid_out(text: str) -> str:
    """Return the help in Rich markup for a docstring."""
    return "\n\n".join(_paragraph(each) for each in text.split("\n\n"))


def examples(text: str) -> list[str]:
    """Return the commands in the examples of a docstring, each as one line."""
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
