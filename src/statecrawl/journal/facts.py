"""Facts: everything a crawl learns, each a small immutable value.

Theory of operation
    A journal is a totally ordered list of facts. A fact refers to states and events by id (text), never by their
    numbers in a graph, so it means the same on every machine. `StateFound` introduces a state before any other fact
    refers to it.

    Facts are idempotent: applying one twice changes nothing. Each kind has a key, and of two facts with the same key
    only the first counts:

        StateFound                   the state
        TransitionExplored           the state, the event and the target. A second target for the same state and event
                                     is a divergence, counted once for each target
        TransitionDiverged           the state, the event, where it landed, and `incident`, which distinguishes a
                                     repeated surprise (2, 3, …) from a surprise that is reported twice
        EventRefused, -Hung, -Crashed   the kind, the state and the event
        CrawlStarted, CrawlEnded     `run`: a journal that is continued after its crawl ended holds several runs, and
                                     the latest counts
        EventAdded                   the state and the event
        ExternalTransition           the state, the target and `incident`
        BoundarySeen                 the state, the event, what it is and the URL
        EquivalenceRevised           `revision`: only one greater than all before it counts. It voids everything found
                                     before, so a fact that is repeated after it is new
        CostMeasured                 none: the last one counts
        MemberJoined, MemberLeft     `epoch`: only one greater than all before it counts. If two members change the same
                                     epoch, the first in the journal counts, and the other one tries again
        EventsDealt                  the state and `first`: it counts if it starts where the one before it ended
        ComponentClaimed             the place: it counts if no present member has claimed the place, and if its member
                                     has not left since the `epoch`

    Every fact carries the format version that its reader must know, and keeps the fields that this release does not
    know (`unknown`), so that reading and writing a journal never loses data of a newer release. The version belongs to
    the kind: it is that of the first release that had the kind.
"""

import json
from collections.abc import Iterable
from math import isfinite
from typing import Any, Literal

import msgspec

from statecrawl.model.event import Event
from statecrawl.model.regions import Regions

VERSION = 5  # the newest; rises only when an older release would misread a fact; see docs/formats.md


class UnknownFields(dict[str, Any]):
    """Fields that a newer release added to a fact: preserved, never interpreted.

    A type of its own, so that it cannot be confused with a JSON value.
    """


NOTHING_UNKNOWN = UnknownFields()


def _check_cost(reset_cost: float) -> None:
    if not isfinite(reset_cost):
        raise ValueError(f"a reset cannot cost {reset_cost} events")


def _name(event: Event) -> str | tuple[str, str]:
    """Return an event in its shortest form."""
    return event.local if event.local == event.logical else (event.local, event.logical)


class _Fact(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    tag_field="kind",
    gc=False,
):
    """Base of all facts. Not tracked by the garbage collector, because a fact cannot be part of a cycle."""

    unknown: UnknownFields = NOTHING_UNKNOWN


class _First(_Fact, frozen=True, kw_only=True):
    """Base of the kinds that every release knows.

    The version has a factory instead of a default, because defaults are omitted when a fact is written.
    """

    version: Literal[1] = msgspec.field(name="v", default_factory=lambda: 1)


class _Second(_Fact, frozen=True, kw_only=True):
    """Base of the kinds added in version 2."""

    version: Literal[2] = msgspec.field(name="v", default_factory=lambda: 2)


class _Third(_Fact, frozen=True, kw_only=True):
    """Base of the kinds added in version 3."""

    version: Literal[3] = msgspec.field(name="v", default_factory=lambda: 3)


class _Fourth(_Fact, frozen=True, kw_only=True):
    """Base of the kinds added in version 4."""

    version: Literal[4] = msgspec.field(name="v", default_factory=lambda: 4)


class _Fifth(_Fact, frozen=True, kw_only=True):
    """Base of the kinds added in version 5."""

    version: Literal[5] = msgspec.field(name="v", default_factory=lambda: 5)


class CrawlStarted(_First, frozen=True, kw_only=True, tag="started"):
    """A run started."""

    application: str  # its URL, or the name of a generated model
    configuration: dict[str, Any]  # JSON values only
    reset_cost: float  # c_r, in units of one event
    run: int = 1
    at: float | None = None  # seconds since 1970, by the clock of the process that started it

    def __post_init__(self) -> None:
        _check_cost(self.reset_cost)
        json.dumps(self.configuration, allow_nan=False)  # raises TypeError or ValueError unless all of it is JSON


class StateFound(_First, frozen=True, kw_only=True, tag="state"):
    """A state was seen for the first time, with its enabled events in order."""

    state: str
    events: tuple[str | tuple[str, str], ...]  # (local, logical), or one text where both are the same
    url: str | None = None
    title: str | None = None
    at: float | None = None  # seconds since 1970, by the clock of the process that found it
    # Site crawls: positions of events that come after all others. `links` are links with a URL and a listener, `forms`
    # are events that submit a form.
    links: tuple[int, ...] = ()
    forms: tuple[int, ...] = ()
    # How it was reached: `steps` are the events that a page fired since `after`, the state it had found before this
    # one, or since the reset that started its `walk`. See `journal.witnesses`.
    walk: str | None = None
    after: str | None = None
    steps: tuple[str, ...] = ()
    # Positions of events on containers, each with the template of the container; see `journal.idle_containers`.
    containers: tuple[tuple[int, str], ...] = ()
    # Crawls by components: what the parts of the page show; see `model.components`.
    regions: Regions = ()

    def __post_init__(self) -> None:
        names = self.events
        if len({name if isinstance(name, str) else name[0] for name in names}) != len(names):
            raise ValueError(f"state {self.state!r} lists an event twice")
        if any(not 0 <= position < len(names) for region in self.regions for position in region.events):
            raise ValueError(f"a region of state {self.state!r} has an event that the state does not have")

    @classmethod
    def of(cls, state: str, events: Iterable[Event], title: str | None = None) -> "StateFound":
        """Make the fact in its shortest form. Raises ValueError when two events have the same local id."""
        return cls(state=state, events=tuple([_name(event) for event in events]), title=title)


class TransitionExplored(_First, frozen=True, kw_only=True, tag="explored"):
    """An event was fired in a state for the first time and led to a target."""

    state: str
    event: str  # its local id
    target: str
    fired: int | None = None  # events fired by the crawl so far, this one included
    resets: int | None = None  # resets made by the crawl so far


class TransitionDiverged(_First, frozen=True, kw_only=True, tag="diverged"):
    """An explored event led to a different state: the application is not deterministic here."""

    state: str
    event: str
    expected: str
    landed: str
    incident: int  # 1 for the first surprise at this state and event, then 2, 3, …


class _Failed(_First, frozen=True, kw_only=True):
    """Base of the failures of an event."""

    state: str
    event: str
    reason: str


class EventRefused(_Failed, frozen=True, kw_only=True, tag="refused"):
    """An event could not be fired: gone, covered, or forbidden by the crawl's rules."""


class EventHung(_Failed, frozen=True, kw_only=True, tag="hung"):
    """After an event the page did not settle in time."""


class EventCrashed(_Failed, frozen=True, kw_only=True, tag="crashed"):
    """An event took the page down."""


class CrawlEnded(_First, frozen=True, kw_only=True, tag="ended"):
    """A run ended. The reason is "complete" or the limit that ended it; see `journal.end_reasons`."""

    reason: str
    run: int = 1
    at: float | None = None  # seconds since 1970, by the clock of the process that ended it
    fired: int | None = None  # events fired by the crawl so far, including those after the last transition
    resets: int | None = None  # resets made by the crawl so far, likewise


class EventAdded(_Second, frozen=True, kw_only=True, tag="event"):
    """A state has one more event, discovered after the state. It follows the events that the state has."""

    state: str
    event: str | tuple[str, str]  # (local, logical), or one text where both are the same

    @classmethod
    def of(cls, state: str, event: Event) -> "EventAdded":
        """Make the fact in its shortest form."""
        return cls(state=state, event=_name(event))


class ExternalTransition(_Second, frozen=True, kw_only=True, tag="external"):
    """The page changed from one state to another without an event fired by the crawl."""

    state: str
    target: str
    incident: int  # 1 for the first time from this state to this target, then 2, 3, …


class BoundarySeen(_Second, frozen=True, kw_only=True, tag="boundary"):
    """Something led out of the crawled application and was not followed."""

    state: str
    event: str | None = None  # its local id; None when the state itself holds the boundary
    what: str  # "scope", "window", "download", "frame", …
    url: str


class EquivalenceRevised(_Second, frozen=True, kw_only=True, tag="revised"):
    """From here on, other rules decide whether two states are equal. Everything found before is void."""

    revision: int  # 1, 2, …; a crawl starts with revision 0
    rules: tuple[tuple[str, str], ...]


class CostMeasured(_Second, frozen=True, kw_only=True, tag="cost"):
    """Measured cost of a reset."""

    reset_cost: float  # c_r, in units of one event

    def __post_init__(self) -> None:
        _check_cost(self.reset_cost)


class MemberJoined(_Third, frozen=True, kw_only=True, tag="joined"):
    """A node joined and takes over its share of the events."""

    member: str
    epoch: int  # 1, 2, …; a crawl starts with epoch 0 and no members


class MemberLeft(_Third, frozen=True, kw_only=True, tag="left"):
    """A node left or was silent for too long. The others take over its share."""

    member: str
    epoch: int


class EventsDealt(_Fourth, frozen=True, kw_only=True, tag="dealt"):
    """The next events of a state are assigned to these members.

    The order of assignment follows from the state alone (`coordination.assignment`), so counts are sufficient.
    """

    state: str
    first: int  # number of its events assigned before
    shares: tuple[tuple[str, int], ...]  # (member, number of events); "" leaves them to the partition

    def __post_init__(self) -> None:
        if not self.shares or any(count < 1 for _, count in self.shares):
            raise ValueError(f"an assignment of state {self.state!r} to {len(self.shares)} members has an empty share")


class ComponentClaimed(_Fifth, frozen=True, kw_only=True, tag="claimed"):
    """A node crawls the components at a place, until it leaves."""

    place: str  # of regions, see `model.regions`
    member: str
    epoch: int  # the latest change of members that the node knew


Membership = MemberJoined | MemberLeft
RunFact = CrawlStarted | CrawlEnded | CostMeasured
CrawlFact = (
    RunFact | EquivalenceRevised | Membership | EventsDealt | ComponentClaimed
)  # about the crawl, not about what it found
Failure = EventRefused | EventHung | EventCrashed
Fact = (
    CrawlStarted
    | StateFound
    | EventAdded
    | TransitionExplored
    | TransitionDiverged
    | ExternalTransition
    | Failure
    | BoundarySeen
    | EquivalenceRevised
    | CostMeasured
    | Membership
    | EventsDealt
    | ComponentClaimed
    | CrawlEnded
)
