"""Every error statecrawl raises on purpose, split by whose fault it is.

    StatecrawlError
    ├── UserError                 what was asked cannot be done: exit code 2
    │   ├── UnknownName           no such application, strategy or format; the nearest known names are offered
    │   ├── NodeRefused           a coordinator does not want this node, and says why
    │   └── BadInput              a file or a parameter that cannot be read as what it should be
    ├── StoreError                the journal: exit code 3
    │   ├── StoreAway             it is in a Redis that cannot be reached, or refuses: exit code 6
    │   ├── DamagedJournal        the file is not a sound journal
    │   ├── NewerFormat           the file was written by a newer statecrawl
    │   └── JournalInUse          another process writes this file
    ├── BrowserError              the browser: exit code 4
    │   ├── BrowserMissing        no Chrome or Chromium can be started here
    │   ├── BrowserLost           it ended, or does not answer any more
    │   ├── PageLost              one of its pages crashed or was closed
    │   └── CallRefused           it refused a command
    ├── SiteUnreachable           the application cannot be loaded: exit code 5
    ├── CoordinatorLost           the coordinator, or the Redis, cannot be reached: exit code 6
    ├── Disagreement              what was found is not what it should be: exit code 7, after it was shown
    ├── WorkerLost                a process of the laboratory died: exit code 1, after what is known was shown
    └── Interrupted               Ctrl-C: exit code 130, after what is known was shown

The message of an error is one sentence that says what is wrong and what to do about it. It may quote names as they
are; whoever shows it in a terminal passes it through `printable`.
"""

import difflib
import re
from collections.abc import Iterable

ALIKE = 0.5  # share of letters in common from which a name may be meant
NEARLY = 0.15  # less alike than the best by more than this is noise

EXIT_OK = 0
EXIT_LOST = 1
EXIT_USER = 2  # the same number that command-line parsers use for wrong usage
EXIT_STORE = 3
EXIT_BROWSER = 4
EXIT_SITE = 5
EXIT_LINE = 6
EXIT_DISAGREES = 7
EXIT_INTERRUPTED = 130  # 128 + SIGINT, as shells expect


# Control characters, marks that turn the direction of writing, separators of lines, and halves of surrogate pairs
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def printable(text: str) -> str:
    """The text on one line, with escapes for all that a terminal would obey or could not write."""
    return _UNPRINTABLE.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


class StatecrawlError(Exception):
    """Base of every deliberate error."""

    exit_code = 1


class UserError(StatecrawlError):
    """The request itself is at fault."""

    exit_code = EXIT_USER


class BadInput(UserError):
    """A file or parameter that cannot be read as what it should be."""


class UnknownName(UserError):
    """A name that is not known; the message offers the nearest ones."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        known = sorted(known)
        self._asked = (kind, name, known)
        near = _nearest(name.lower(), known)
        hint = f"did you mean {' or '.join(near)}?" if near else f"known: {', '.join(known)}."
        super().__init__(f"unknown {kind} '{name}': {hint}")

    def __reduce__(self) -> tuple[type["UnknownName"], tuple[str, str, list[str]]]:
        return type(self), self._asked  # an error of a worker process travels to the one that started it


def _nearest(name: str, known: list[str]) -> list[str]:
    """The known names most like this one, best first: those nearly as like it as the best."""
    alike = {other: difflib.SequenceMatcher(None, name, other).ratio() for other in known}
    least = max(ALIKE, max(alike.values(), default=0.0) - NEARLY)
    return sorted((other for other in known if alike[other] >= least), key=lambda other: -alike[other])[:3]


class NodeRefused(UserError):
    """A coordinator does not want this node."""


class StoreError(StatecrawlError):
    """The journal cannot be used as it is."""

    exit_code = EXIT_STORE


class StoreAway(StoreError):
    """The Redis that a crawl is kept in cannot be reached, or refuses."""

    exit_code = EXIT_LINE


class DamagedJournal(StoreError):
    """The file is not a sound journal."""


class NewerFormat(StoreError):
    """The file was written by a newer statecrawl."""


class JournalInUse(StoreError):
    """Another process holds this journal for writing."""


class BrowserError(StatecrawlError):
    """The browser does not do what it should."""

    exit_code = EXIT_BROWSER


class BrowserMissing(BrowserError):
    """No Chrome or Chromium can be started here."""


class BrowserLost(BrowserError):
    """The browser ended, or does not answer any more."""


class PageLost(BrowserError):
    """A page crashed or was closed."""


class CallRefused(BrowserError):
    """The browser refused a command."""


class SiteUnreachable(StatecrawlError):
    """The application cannot be loaded."""

    exit_code = EXIT_SITE


class CoordinatorLost(StatecrawlError):
    """The coordinator of a crawl cannot be reached."""

    exit_code = EXIT_LINE


class Disagreement(StatecrawlError):
    """What was found is not what it should be."""

    exit_code = EXIT_DISAGREES


class WorkerLost(StatecrawlError):
    """A process that worked for this one died before it was done."""

    exit_code = EXIT_LOST


class Interrupted(StatecrawlError):
    """The person pressed Ctrl-C."""

    exit_code = EXIT_INTERRUPTED
