"""JavaScript functions that an application executed.

Chromium counts them, in the same way for every variant (`statecrawl.browser.coverage`). A function is identified by
the hash of its script and its place there, so the same script counts once whatever URL it came from.
"""

from collections.abc import Iterable

from statecrawl.ports.coverage import Script

Functions = frozenset[tuple[str, int, int]]  # hash of the script, start, end


def executed(scripts: Iterable[Script]) -> Functions:
    """Return the functions that ran at least once."""
    return frozenset(
        (script.hash, function.start, function.end)
        for script in scripts
        for function in script.functions
        if function.ran
    )
