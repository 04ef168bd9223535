"""Interface to a page of the application: open it, fire events in it, and identify the state it is in."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

from statecrawl.model.regions import Box, Regions
from statecrawl.politeness.control import Control
from statecrawl.ports.traffic import ObservedExchange
from statecrawl.strategies.orders import Step

# Kinds of notes, with their content
FAILED = "failed"  # a request of the application failed; [method, URL, reason]
UNREVEALED = "unrevealed"  # an event whose control is hidden and could not be revealed in this state
BACKGROUND = "background"  # a URL that did not respond in time; later requests to it are not waited for
DOCUMENT = "document"  # the content type of a document that is not HTML
BUSY = "busy"  # a server asks the crawler to slow down; [URL, seconds or nothing]
REJECTED = "not dynamic"  # content that was not classified as dynamic; [place, what, reason]
HELD = "held"  # a document that was not loaded because requests do not pass the request gate yet
CAPPED = "capped"  # the page did not settle in time

TOO_MANY = 429  # HTTP status: too many requests
UNAVAILABLE = (502, 503, 504)  # HTTP statuses by which a proxy or load balancer reports that the server is down
ERROR_PAGE = "chrome-error:"  # scheme of the URL of the browser's own error page
LINE_END = "\x1e"  # in a normal form
PLAIN_FIELDS = 3  # fields of a line in the normal form; a fourth marks an event


class Ending(StrEnum):
    """Reason why a walk ended."""

    END = "end"  # all steps were taken
    SURPRISE = "surprise"  # the last step led to an unexpected state
    MOVED = "moved"  # the page was not in the expected state: it changed without an event
    GONE = "gone"  # the state does not have the event
    LATE = "late"  # the deadline for starting events has passed
    HUNG = "hung"  # the page did not settle or does not respond; it was replaced
    CRASHED = "crashed"  # the page crashed; it was replaced
    STRAYED = "strayed"  # the step led out of the scope or to an error page; the page was replaced

    @property
    def is_fatal(self) -> bool:
        """Whether the page is lost and has to be reset."""
        return self in (Ending.HUNG, Ending.CRASHED, Ending.STRAYED)


@dataclass(frozen=True, slots=True)
class Note:
    """Something that happened in a page beside its events: a dialog, window, request, error or external link."""

    kind: str
    what: Any  # JSON


@dataclass(frozen=True, slots=True, kw_only=True)
class Landing:
    """State and URL of a page after a reset."""

    state: str
    url: str
    quiet: bool = True  # False: the page did not settle in time
    notes: tuple[Note, ...] = ()
    status: int = 0  # HTTP status of the document; 0 if unknown
    blocked_url: str = ""  # URL out of scope to which the page tried to navigate


@dataclass(frozen=True, slots=True, kw_only=True)
class Walked:
    """Result of a walk. After HUNG, CRASHED and STRAYED the page has to be reset."""

    why: Ending
    states: tuple[str, ...]  # state after each step taken
    landed: str | None = None  # current state of the page; None if it has to be reset
    notes: tuple[Note, ...] = ()
    dialogs: int = 0  # opened by the last step, with a choice between accepting and dismissing
    back: bool = False  # the last step added a history entry, so `BACK` can be fired
    reason: str = ""  # of a failure, as a sentence for people
    seconds: float = 0.0
    browser_gone: bool = False  # the whole browser crashed or was killed
    logged_out: bool = False  # the step led to a page that requires a login
    held: bool = False  # a step tried to load a document before requests passed the gate; they do now: repeat the walk
    paused: bool = False  # this process was suspended during the walk, so timeouts prove nothing

    @property
    def done(self) -> int:
        return len(self.states)


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """Complete description of a state."""

    state: str
    events: tuple[str, ...]
    labels: tuple[str, ...]  # for each event, all text by which a person would recognize it
    url: str
    title: str
    html: str
    normal: str  # the normal form; see `lines_of`
    links: tuple[str, ...]  # URLs of all links, including hidden ones and those in shadow roots and frames
    forms: tuple[dict[str, Any], ...]
    cut: bool  # the page was too large to be read completely
    regions: Regions = ()  # parts that may change independently; empty unless the crawl is by components
    boxes: tuple[Box, ...] = ()  # where each region is; the first one, the page, is what a screenshot shows
    containers: tuple[tuple[int, str], ...] = ()  # positions of events on containers, each with its template
    hidden: tuple[str, ...] = ()  # events of controls that are hidden and cannot be revealed by hovering
    selectors: tuple[str, ...] = ()  # CSS selector of each event's element; "" in frames and shadow roots
    # Input of each event: values with the selectors of their fields, a key, or the target of a drag. None stands for a
    # secret value
    given: tuple[tuple[tuple[str, str | None], ...], ...] = ()
    # Site crawls only:
    addresses: tuple[tuple[str, str], ...] = ()  # URLs of links to other documents, each with the text of the link
    linked: tuple[int, ...] = ()  # positions of events that click a link to another document
    submits: tuple[int, ...] = ()  # positions of events that submit a form
    denied: tuple[tuple[str, str], ...] = ()  # URLs of excluded links, each with the user's selector that matches
    controls: tuple[Control, ...] = ()  # description of each event's control; missing in older evidence
    strings: tuple[str, ...] = ()  # strings in global variables of the page that look like URLs


def lines_of(normal: str) -> tuple[tuple[Any, ...], ...]:
    """Split a normal form into lines (place, what, value), with a fourth element 1 at events. See agent/describe.js."""
    lines = (line.split("\x1f") for line in normal.split(LINE_END))
    whole = (fields for fields in lines if len(fields) >= PLAIN_FIELDS)
    return tuple((*fields[:PLAIN_FIELDS], 1) if len(fields) > PLAIN_FIELDS else tuple(fields) for fields in whole)


class OutOfTime(Exception):
    """The crawl's time is up: the waiting operation was abandoned."""


class Page(Protocol):
    """Page of the application in its own session."""

    async def reset(self, background: Collection[str] = ()) -> Landing:
        """Open the application in a fresh session. Raises SiteUnreachable or BrowserLost.

        The page does not wait for requests to the URLs in `background` (without query). If a request to any other URL
        does not complete in time, the page stops waiting for that URL until the next reset.
        """

    async def renew(self) -> bool:
        """Whether the page needs no reset before a step that opens a URL. Never raises.

        This holds when it has only opened URLs since the last reset and they left nothing behind in the session.
        """

    async def walk(self, start: str | None, steps: Sequence[Step], *, sure: int | None = None) -> Walked:
        """Fire events one after another, starting in a state, until one leads to an unexpected state.

        Steps after the first `sure` are new, and their expected states are guesses. A new step that produces anything
        to report besides its state ends the walk.
        """

    async def describe(self, *, lines: bool = False) -> Snapshot:
        """Describe the current state. Raises PageLost."""

    async def rest(self) -> bool:
        """Move the pointer away and remove the focus. Return whether the page settles. Raises PageLost."""

    async def styled(self, attributes: Collection[str]) -> frozenset[str]:
        """Return the attributes and classes (.on) that style sheets use, since they may be visible. Raises PageLost."""

    async def rehash(self, forms: Sequence[tuple[str, str]]) -> list[str]:
        """Compute the ids of states from their URLs and normal forms. Raises PageLost."""

    def obey(self, rules: Collection[tuple[str, str]]) -> None:
        """Use these rules of state equivalence from the next reset on."""

    async def picture(self) -> bytes:
        """Take a screenshot, as JPEG. Raises PageLost."""

    def take_traffic(self) -> Sequence[ObservedExchange]:
        """Return the completed exchanges that have not been taken yet."""

    async def wait_for_traffic(self) -> None:
        """Wait a moment for pending responses to complete."""

    async def close(self) -> None:
        """Close the page. Its last exchanges can still be taken afterwards."""
