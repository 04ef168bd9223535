"""The seam to a page: whatever can open the application, fire events in it and tell which state it is in."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

from statecrawl.politeness.control import Control
from statecrawl.ports.traffic import Seen
from statecrawl.strategies.orders import Step

FAILED = "failed"  # kind of a note: a request of the application did not get through; [method, address, why]
UNREVEALED = "unrevealed"  # kind of a note: a control that can not be seen, nor revealed, where it is; its event
BACKGROUND = "background"  # kind of a note: an address that did not answer in time, and is not waited for any more
DOCUMENT = "document"  # kind of a note: the type of a document that is not HTML
BUSY = "busy"  # kind of a note: a server asks to be left alone; [address, seconds or nothing]
REJECTED = "not dynamic"  # kind of a note: content that was not taken for dynamic; [place, what, reason]
HELD = "held"  # kind of a note: another document that was not loaded, because requests did not pass the gate yet
CAPPED = "capped"  # kind of a note: the page did not become quiet in time
TOO_MANY = 429  # status of HTTP: a server says that
UNAVAILABLE = (502, 503, 504)  # status of HTTP: the server is down, says whoever stands before it
ERROR_PAGE = "chrome-error:"  # how the address of a page begins that the browser shows when it has no other
LINE_END = "\x1e"  # in a normal form
PLAIN_FIELDS = 3  # of a line of the normal form; a fourth says that there is an event at it


class Ending(StrEnum):
    """Why a walk ended."""

    END = "end"  # all steps were taken
    SURPRISE = "surprise"  # the last step taken led elsewhere than it should
    MOVED = "moved"  # the page was not in the state it should have been in: it changed without an event
    GONE = "gone"  # the state does not have the event
    LATE = "late"  # no event may start any more
    HUNG = "hung"  # the page did not become quiet, or does not answer; it was replaced
    CRASHED = "crashed"  # the page crashed; it was replaced
    STRAYED = "strayed"  # the step led out of the scope or to an error page; the page was replaced

    @property
    def is_fatal(self) -> bool:
        """Whether there is no page to go on with."""
        return self in (Ending.HUNG, Ending.CRASHED, Ending.STRAYED)


@dataclass(frozen=True, slots=True)
class Note:
    """Something that happened on the way: a dialog, a window, a request, an error, a way out of the scope."""

    kind: str
    what: Any  # JSON


@dataclass(frozen=True, slots=True, kw_only=True)
class Landing:
    """Where a page is."""

    state: str
    url: str
    quiet: bool = True  # False: it was cut short
    notes: tuple[Note, ...] = ()
    status: int = 0  # of HTTP, with which the server gave the document; 0 when nobody knows
    kept_from: str = ""  # a URL out of scope to which it led, had it been let


@dataclass(frozen=True, slots=True, kw_only=True)
class Walked:
    """How a walk went. After HUNG, CRASHED and STRAYED the page has to be reset."""

    why: Ending
    states: tuple[str, ...]  # where each step taken led to
    landed: str | None = None  # where the page is now, unless it has to be reset
    notes: tuple[Note, ...] = ()
    dialogs: int = 0  # with a choice, that the last step brought up
    back: bool = False  # the last step added to the history: from here, `BACK` can be fired
    reason: str = ""  # for people
    seconds: float = 0.0
    browser_gone: bool = False  # it took the whole browser with it, or somebody killed that meanwhile
    logged_out: bool = False  # it strayed to a page where nobody is logged in
    held: bool = False  # a step was kept from loading another document; from now on it may, so all have to be repeated
    paused: bool = False  # this process was stopped meanwhile, so that time-outs say nothing

    @property
    def done(self) -> int:
        return len(self.states)


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """A state in full."""

    state: str
    events: tuple[str, ...]
    labels: tuple[str, ...]  # all words by which a person would know each event
    url: str
    title: str
    html: str
    normal: str  # the normal form, which `lines_of` takes apart
    links: tuple[str, ...]  # URLs of all links, hidden or not, in shadow roots and frames, too
    forms: tuple[dict[str, Any], ...]
    cut: bool  # the page was too large to be seen whole
    containers: tuple[tuple[int, str], ...] = ()  # positions of events on containers, and their template
    hidden: tuple[str, ...] = ()  # events of controls that can not be seen here, nor revealed by hovering
    selectors: tuple[str, ...] = ()  # in CSS, where the element of each event was; "" in frames and shadows
    # What each event needs besides its element: values with the selectors of their fields, a key, or where something is
    # dragged to. None: a password that is nobody else's business
    given: tuple[tuple[tuple[str, str | None], ...], ...] = ()
    # Only where a whole site is crawled:
    addresses: tuple[tuple[str, str], ...] = ()  # URLs of links to other documents, each with all words of the link
    linked: tuple[int, ...] = ()  # positions of events that click a link to another document
    submits: tuple[int, ...] = ()  # positions of events that submit a form
    denied: tuple[tuple[str, str], ...] = ()  # URLs of such links, each with a selector of the user that matches
    controls: tuple[Control, ...] = ()  # what is known of each event before it is fired; none in older evidence
    strings: tuple[str, ...] = ()  # that the page keeps in globals and that look like URLs


def lines_of(normal: str) -> tuple[tuple[Any, ...], ...]:
    """The lines of a normal form: (place, what, value), and 1 where an event is. See agent/runner.js."""
    lines = (line.split("\x1f") for line in normal.split(LINE_END))
    whole = (fields for fields in lines if len(fields) >= PLAIN_FIELDS)
    return tuple((*fields[:PLAIN_FIELDS], 1) if len(fields) > PLAIN_FIELDS else tuple(fields) for fields in whole)


class OutOfTime(Exception):
    """What waits is told that nobody wants it to go on: it is left undone."""


class Page(Protocol):
    """A page of the application, in a session of its own."""

    async def reset(self, background: Collection[str] = ()) -> Landing:
        """Open the application anew in a fresh session. Raises SiteUnreachable or BrowserLost.

        Requests to the addresses `background`, which are without query, are not waited for. Nor are those to other
        addresses once one has not answered in time; that is forgotten with the next reset.
        """

    async def renew(self) -> bool:
        """Whether the page can do without a reset if its next step opens a URL. Raises nothing.

        That is so when it did nothing but open URLs since the last reset, and these left nothing behind in the session.
        """

    async def walk(self, start: str | None, steps: Sequence[Step], *, sure: int | None = None) -> Walked:
        """Fire events one after the other, from a state, until one leads elsewhere than it should.

        Steps after the first `sure` are new, and the states they should lead to are guesses: if there is anything to
        tell about such a step, it is the last.
        """

    async def describe(self, *, lines: bool = False) -> Snapshot:
        """The state the page is in. Raises PageLost."""

    async def rest(self) -> bool:
        """Move the pointer away and take the focus off; whether the page is quiet then. Raises PageLost."""

    async def styled(self, attributes: Collection[str]) -> frozenset[str]:
        """Which of these attributes, or classes (.on), style sheets look at: people may see them. Raises PageLost."""

    async def rehash(self, forms: Sequence[tuple[str, str]]) -> list[str]:
        """The ids of states, from where they were and their normal forms. Raises PageLost."""

    def obey(self, rules: Collection[tuple[str, str]]) -> None:
        """Tell states apart by these rules, from the next reset on."""

    async def picture(self) -> bytes:
        """What the page looks like, as a JPEG picture. Raises PageLost."""

    def take_traffic(self) -> Sequence[Seen]:
        """What the application asked for and was answered, as far as it is complete and was not taken yet."""

    async def wait_for_traffic(self) -> None:
        """A moment, until what was answered is complete."""

    async def close(self) -> None:
        """Give up the page. What it asked for last can be taken after that."""
