"""Facts: everything a crawl learns, each a small immutable value.

Theory of operation
    A journal is a totally ordered list of facts. A fact speaks in ids (text), never in the numbers of a graph, so it
    means the same on every machine. States are introduced by `StateFound` before any other fact speaks of them.

    Facts are idempotent: saying one twice changes nothing. Each kind has a key, and of two facts with the same key
    only the first counts:

        StateFound                   the state
        TransitionExplored           the state, the event and the target. A second target for the same state and event
                                     is a divergence, counted once for each target
        TransitionDiverged           the state, the event, where it landed, and `incident`, which tells a repeated
                                     surprise (2, 3, …) from a surprise that is told again
        EventRefused, -Hung, -Crashed   the kind, the state and the event
        CrawlStarted, CrawlEnded     `run`: a journal that is continued after its crawl ended holds several runs, and
                                     the latest counts
        EventAdded                   the state and the event
        ExternalTransition           the state, the target and `incident`
        BoundarySeen                 the state, the event, what it is and the URL
        EquivalenceRevised           `revision`: only one that is greater than all before it counts. It makes void what
                                     was found before it, so that a fact which is told again behind it is news
        CostMeasured                 none is needed: the one told last counts
        MemberJoined, MemberLeft     `epoch`: only one that is greater than all before it counts. Of two members that
                                     change the same epoch, the first in the journal does, and the other tries again
        EventsDealt                  the state and `first`: one that begins where the one before it ended counts

    Every fact bears the version of the format that its reader must know, and keeps the fields that this release does
    not know (`unknown`), so that reading and writing a journal never loses what a newer release put in it. The version
    belongs to the kind: it is that of the first release that knew it.
"""

import json
from collections.abc import Iterable
from math import isfinite
from typing import Any, Literal

import msgspec

from statecrawl.model.event import Event

VERSION = 4  # the newest; rises only when an older release would misread a fact; see docs/formats.md


class UnknownFields(dict[str, Any]):
    """Fields that a newer release added to a fact: kept as they are, never looked at.

    A type of its own, so that no JSON value is ever taken for it.
    """


NOTHING_UNKNOWN = UnknownFields()


def _check_cost(reset_cost: float) -> None:
    if not isfinite(reset_cost):
        raise ValueError(f"a reset can not cost {reset_cost} events")


def _name(event: Event) -> str | tuple[str, str]:
    """An event in its shortest form."""
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
    """What all facts share. Outside of garbage collection: a fact can not be part of a cycle."""

    unknown: UnknownFields = NOTHING_UNKNOWN


class _First(_Fact, frozen=True, kw_only=True):
    """Kinds that every release knows.

    The version has a factory where a default would do: defaults are left out when a fact is written.
    """

    version: Literal[1] = msgspec.field(name="v", default_factory=lambda: 1)


class _Second(_Fact, frozen=True, kw_only=True):
    """Kinds that came with version 2."""

    version: Literal[2] = msgspec.field(name="v", default_factory=lambda: 2)


class _Third(_Fact, frozen=True, kw_only=True):
    """Kinds that came with version 3."""

    version: Literal[3] = msgspec.field(name="v", default_factory=lambda: 3)


class _Fourth(_Fact, frozen=True, kw_only=True):
    """Kinds that came with version 4."""

    version: Literal[4] = msgspec.field(name="v", default_factory=lambda: 4)


class CrawlStarted(_First, frozen=True, kw_only=True, tag="started"):
    """A run began."""

    application: str  # its URL, or the name of a generated model
    configuration: dict[str, Any]  # JSON values only
    reset_cost: float  # c_r, in units of one event
    run: int = 1
    at: float | None = None  # seconds since 1970, by the clock of whoever began it

    def __post_init__(self) -> None:
        _check_cost(self.reset_cost)
        json.dumps(self.configuration, allow_nan=False)  # TypeError or ValueError when it is not JSON throughout


class StateFound(_First, frozen=True, kw_only=True, tag="state"):
    """A state was seen for the first time, with its enabled events in order."""

    state: str
    events: tuple[str | tuple[str, str], ...]  # (local, logical), or one text where both are the same
    url: str | None = None
    title: str | None = None
    at: float | None = None  # seconds since 1970, by the clock of whoever found it
    # Where a whole site is crawled, positions of events that come later than others: links that name a URL although
    # somebody listens to them, and what submits a form.
    links: tuple[int, ...] = ()
    forms: tuple[int, ...] = ()
    # How it was reached: `steps` are the events that a page fired since `after`, the state that it had found before
    # this one, or since the reset with which its `walk` began. See `journal.witnesses`.
    walk: str | None = None
    after: str | None = None
    steps: tuple[str, ...] = ()
    # Positions of events on containers, and what is the same for all containers alike; see `journal.idle_containers`.
    containers: tuple[tuple[int, str], ...] = ()

    def __post_init__(self) -> None:
        names = self.events
        if len({name if isinstance(name, str) else name[0] for name in names}) != len(names):
            raise ValueError(f"state {self.state!r} lists an event twice")

    @classmethod
    def of(
        cls,
        state: str,
        events: Iterable[Event],
        url: str | None = None,
        title: str | None = None,
        at: float | None = None,
        links: tuple[int, ...] = (),
        forms: tuple[int, ...] = (),
        containers: tuple[tuple[int, str], ...] = (),
        witness: tuple[str, str | None, tuple[str, ...]] | None = None,
    ) -> "StateFound":
        """The fact in its shortest form; `witness` is walk, after and steps.

        Raises ValueError when two events have the same local id.
        """
        walk, after, steps = witness or (None, None, ())
        return cls(
            state=state,
            events=tuple([_name(event) for event in events]),
            url=url,
            title=title,
            at=at,
            links=links,
            forms=forms,
            walk=walk,
            after=after,
            steps=steps,
            containers=containers,
        )


class TransitionExplored(_First, frozen=True, kw_only=True, tag="explored"):
    """An event was fired in a state for the first time and led to a target."""

    state: str
    event: str  # its local id
    target: str
    fired: int | None = None  # events fired by the crawl so far, this one included
    resets: int | None = None  # resets made by the crawl so far


class TransitionDiverged(_First, frozen=True, kw_only=True, tag="diverged"):
    """An explored event led elsewhere this time: the application is not deterministic here."""

    state: str
    event: str
    expected: str
    landed: str
    incident: int  # 1 for the first surprise at this state and event, then 2, 3, …


class EventRefused(_First, frozen=True, kw_only=True, tag="refused"):
    """An event could not be fired: gone, covered, or forbidden by the crawl's rules."""

    state: str
    event: str
    reason: str


class EventHung(_First, frozen=True, kw_only=True, tag="hung"):
    """After an event the page did not become quiet in time."""

    state: str
    event: str
    reason: str


class EventCrashed(_First, frozen=True, kw_only=True, tag="crashed"):
    """An event took the page down."""

    state: str
    event: str
    reason: str


class CrawlEnded(_First, frozen=True, kw_only=True, tag="ended"):
    """A run ended, and why: "complete", or the limit that ended it."""

    reason: str
    run: int = 1
    at: float | None = None  # seconds since 1970, by the clock of whoever ended it
    fired: int | None = None  # events fired by the crawl so far: those after the last transition count, too
    resets: int | None = None  # likewise


class EventAdded(_Second, frozen=True, kw_only=True, tag="event"):
    """An enabled event of a state showed itself only later: it comes after those that the state has."""

    state: str
    event: str | tuple[str, str]  # (local, logical), or one text where both are the same

    @classmethod
    def of(cls, state: str, event: Event) -> "EventAdded":
        """The fact in its shortest form."""
        return cls(state=state, event=_name(event))


class ExternalTransition(_Second, frozen=True, kw_only=True, tag="external"):
    """The page went from a state to a target without an event of ours."""

    state: str
    target: str
    incident: int  # 1 for the first time from this state to this target, then 2, 3, …


class BoundarySeen(_Second, frozen=True, kw_only=True, tag="boundary"):
    """Something led out of what is crawled, and was not followed."""

    state: str
    event: str | None = None  # its local id; None when the state itself holds the boundary
    what: str  # "scope", "window", "download", "frame", …
    url: str


class EquivalenceRevised(_Second, frozen=True, kw_only=True, tag="revised"):
    """From here on states are told apart by other rules: what was found before is void."""

    revision: int  # 1, 2, …; a crawl begins with revision 0
    rules: tuple[tuple[str, str], ...]


class CostMeasured(_Second, frozen=True, kw_only=True, tag="cost"):
    """What a reset costs, as measured."""

    reset_cost: float  # c_r, in units of one event

    def __post_init__(self) -> None:
        _check_cost(self.reset_cost)


class MemberJoined(_Third, frozen=True, kw_only=True, tag="joined"):
    """A node takes part from here on, and has its share of everything."""

    member: str
    epoch: int  # 1, 2, …; a crawl begins with epoch 0 and no members


class MemberLeft(_Third, frozen=True, kw_only=True, tag="left"):
    """A node has gone, or was silent for too long: its share is the others'."""

    member: str
    epoch: int


class EventsDealt(_Fourth, frozen=True, kw_only=True, tag="dealt"):
    """The next events of a state, in the order in which they are dealt, are these members' to fire.

    That order follows from the state alone (`coordination.assignment`), so numbers say enough.
    """

    state: str
    first: int  # how many of its events were dealt before
    shares: tuple[tuple[str, int], ...]  # members, or "" for whomever the partition says, and how many events each

    def __post_init__(self) -> None:
        if not self.shares or any(count < 1 for _, count in self.shares):
            raise ValueError(f"nothing is dealt of state {self.state!r} to one of {len(self.shares)} members")


Membership = MemberJoined | MemberLeft
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
    | CrawlEnded
)
