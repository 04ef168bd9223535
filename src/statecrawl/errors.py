"""Every error that statecrawl raises deliberately, grouped by cause.

    StatecrawlError               base class: exit code 1
    ├── UserError                 the request cannot be carried out: exit code 2
    │   ├── BadInput              a file or a parameter is invalid
    │   ├── UnknownName           no such application, strategy or format; suggests the nearest names
    │   └── NodeRefused           the coordinator rejects this node and gives a reason
    ├── StoreError                the journal cannot be used: exit code 3
    │   ├── DamagedJournal        the file is not a valid journal
    │   ├── NewerFormat           a newer version of statecrawl wrote the file
    │   ├── StoreUnavailable      the Redis that stores the crawl is unreachable or refuses a command: exit code 6
    │   └── JournalInUse          another process is writing the journal
    ├── BrowserError              the browser does not work: exit code 4
    │   ├── BrowserMissing        no Chrome or Chromium can be started on this machine
    │   ├── BrowserLost           the browser exited or stopped responding
    │   ├── PageLost              a page crashed or was closed
    │   └── CallRefused           the browser refused a command
    ├── SiteUnreachable           the application cannot be loaded: exit code 5
    ├── CoordinatorLost           the coordinator of the crawl cannot be reached: exit code 6
    ├── Disagreement              the result differs from what was expected: exit code 7, after printing the result
    ├── WorkerLost                a worker process died: exit code 1, after printing partial results
    └── Interrupted               the user pressed Ctrl-C: exit code 130, after printing partial results

The message of an error is one sentence that says what is wrong and what to do about it. It may quote names verbatim;
pass it through `printable` before showing it in a terminal.
"""

import difflib
import re
from collections.abc import Iterable

MIN_SIMILARITY = 0.5  # a known name that is less similar than this is not suggested
MAX_GAP = 0.15  # nor one that is less similar than the best suggestion by more than this

EXIT_OK = 0
EXIT_LOST = 1
EXIT_USER = 2  # command-line parsers use the same number for wrong usage
EXIT_STORE = 3
EXIT_BROWSER = 4
EXIT_SITE = 5
EXIT_UNREACHABLE = 6
EXIT_DISAGREES = 7
EXIT_INTERRUPTED = 130  # 128 + SIGINT, as shells expect


# Control characters, bidirectional marks, line separators and lone surrogates
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def printable(text: str) -> str:
    """Return the text on one line, with everything escaped that would control the terminal or cannot be encoded."""
    return _UNPRINTABLE.sub(lambda match: match[0].encode("unicode_escape").decode(), text)


class StatecrawlError(Exception):
    """Base class of every deliberate error."""

    exit_code = 1


class UserError(StatecrawlError):
    """The request cannot be carried out as it is."""

    exit_code = EXIT_USER


class BadInput(UserError):
    """A file or a parameter is invalid."""


class UnknownName(UserError):
    """The name is not known; the message suggests the nearest known names."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        known = sorted(known)
        self._arguments = (kind, name, known)
        near = _nearest(name.lower(), known)
        hint = f"did you mean {' or '.join(near)}?" if near else f"known: {', '.join(known)}."
        super().__init__(f"unknown {kind} '{name}': {hint}")

    def __reduce__(self) -> tuple[type["UnknownName"], tuple[str, str, list[str]]]:
        return type(self), self._arguments  # errors of worker processes are pickled and sent to the parent


def _nearest(name: str, known: list[str]) -> list[str]:
    """Return up to three similar known names, best first."""
    similarity = {other: difflib.SequenceMatcher(None, name, other).ratio() for other in known}
    least = max(MIN_SIMILARITY, max(similarity.values(), default=0.0) - MAX_GAP)
    return sorted((other for other in known if similarity[other] >= least), key=lambda other: -similarity[other])[:3]


class NodeRefused(UserError):
    """The coordinator rejects this node."""


class StoreError(StatecrawlError):
    """The journal cannot be used."""

    exit_code = EXIT_STORE


class DamagedJournal(StoreError):
    """The file is not a valid journal."""


class NewerFormat(StoreError):
    """A newer version of statecrawl wrote the file."""


class StoreUnavailable(StoreError):
    """The Redis that stores the crawl cannot be reached or refuses a command."""

    exit_code = EXIT_UNREACHABLE


class JournalInUse(StoreError):
    """Another process is writing the journal."""


class BrowserError(StatecrawlError):
    """The browser does not work as it should."""

    exit_code = EXIT_BROWSER


class BrowserMissing(BrowserError):
    """No Chrome or Chromium can be started on this machine."""


class BrowserLost(BrowserError):
    """The browser exited or stopped responding."""


class PageLost(BrowserError):
    """A page crashed or was closed."""


class CallRefused(BrowserError):
    """The browser refused a command."""


class SiteUnreachable(StatecrawlError):
    """The application cannot be loaded."""

    exit_code = EXIT_SITE


class CoordinatorLost(StatecrawlError):
    """The coordinator of the crawl cannot be reached."""

    exit_code = EXIT_UNREACHABLE


class Disagreement(StatecrawlError):
    """The result differs from what was expected."""

    exit_code = EXIT_DISAGREES


class WorkerLost(StatecrawlError):
    """A worker process died before it had finished."""

    exit_code = EXIT_LOST


class Interrupted(StatecrawlError):
    """The user pressed Ctrl-C."""

    exit_code = EXIT_INTERRUPTED
