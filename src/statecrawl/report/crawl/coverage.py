"""Coverage of the application's scripts, for the report."""

from collections.abc import Iterable
from dataclasses import dataclass

from statecrawl.ports.coverage import Function, Script

MOST_FUNCTIONS = 2000  # of one script


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptFile:
    """One script."""

    url: str
    length: int  # characters
    covered: int  # characters that were executed
    functions: int
    ran: int
    never: tuple[tuple[str, int, int], ...]  # functions that never ran: name, line, characters


def files_of(scripts: Iterable[Script]) -> list[ScriptFile]:
    """Return the scripts, those with the most unexecuted code first."""
    files = [_file(script) for script in scripts]
    return sorted(files, key=lambda file: (file.covered - file.length, file.url))


def _file(script: Script) -> ScriptFile:
    never = [each for each in script.functions if not each.ran]
    never.sort(key=_size, reverse=True)
    return ScriptFile(
        url=script.url,
        length=script.length,
        covered=min(sum(end - start for start, end in script.covered), script.length),
        functions=len(script.functions),
        ran=len(script.functions) - len(never),
        never=tuple((each.name, each.line, _size(each)) for each in never[:MOST_FUNCTIONS]),
    )


def _size(function: Function) -> int:
    return function.end - function.start
