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

    Every fact bears the version of the format that its reader must know, and keeps the fields that this release does
    not know (`unknown`), so that reading and writing a journal never loses what a newer release put in it.
"""

import json
from collections.abc import Iterable
from math import isfinite
from typing import Any, Literal

import msgspec

from statecrawl.model.event import Event

VERSION: Literal[1] = 1  # rises only when an older release would misread a fact; see docs/formats.md


class Unknown(dict[str, Any]):
    """Fields that a newer release added to a fact: kept as they are, never looked at.

    A type of its own, so that no JSON value is ever taken for it.
    """


NOTHING_UNKNOWN = Unknown()


def _version() -> Literal[1]:
    """A factory where a default would do: defaults are left out when a fact is written, and the version must not be."""
    return VERSION


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

    version: Literal[1] = msgspec.field(name="v", default_factory=_version)
    unknown: Unknown = NOTHING_UNKNOWN


class CrawlStarted(_Fact, frozen=True, kw_only=True, tag="started"):
    """A run began."""

    application: str  # its URL, or the name of a generated model
    configuration: dict[str, Any]  # JSON values only
    reset_cost: float  # c_r, in units of one event
    run: int = 1

    def __post_init__(self) -> None:
        if not isfinite(self.reset_cost):
            raise ValueError(f"a reset can not cost {self.reset_cost} events")
        json.dumps(self.configuration, allow_nan=False)  # TypeError or ValueError when it is not JSON throughout


class StateFound(_Fact, frozen=True, kw_only=True, tag="state"):
    """A state was seen for the first time, with its enabled events in order."""

    state: str
    events: tuple[str | tuple[str, str], ...]  # (local, logical), or one text where both are the same
    url: str | None = None
    title: str | None = None

    def __post_init__(self) -> None:
        names = self.events
        if len({name if isinstance(name, str) else name[0] for name in names}) != len(names):
            raise ValueError(f"state {self.state!r} lists an event twice")

    @classmethod
    def of(cls, state: str, events: Iterable[Event], url: str | None = None, title: str | None = None) -> "StateFound":
        """The fact in its shortest form; ValueError when two events have the same local id."""
        names = tuple(
            [event.local if event.local == event.logical else (event.local, event.logical) for event in events]
        )
        return cls(state=state, events=names, url=url, title=title)


class TransitionExplored(_Fact, frozen=True, kw_only=True, tag="explored"):
    """An event was fired in a state for the first time and led to a target."""

    state: str
    event: str  # its local id
    target: str
    fired: int | None = None  # events fired by the crawl so far, this one included
    resets: int | None = None  # resets made by the crawl so far


class TransitionDiverged(_Fact, frozen=True, kw_only=True, tag="diverged"):
    """An explored event led elsewhere this time: the application is not deterministic here."""

    state: str
    event: str
    expected: str
    landed: str
    incident: int  # 1 for the first surprise at this state and event, then 2, 3, …


class EventRefused(_Fact, frozen=True, kw_only=True, tag="refused"):
    """An event could not be fired: gone, covered, or forbidden by the crawl's rules."""

    state: str
    event: str
    reason: str


class EventHung(_Fact, frozen=True, kw_only=True, tag="hung"):
    """After an event the page did not become quiet in time."""

    state: str
    event: str
    reason: str


class EventCrashed(_Fact, frozen=True, kw_only=True, tag="crashed"):
    """An event took the page down."""

    state: str
    event: str
    reason: str


class CrawlEnded(_Fact, frozen=True, kw_only=True, tag="ended"):
    """A run ended, and why: "complete", or the limit that ended it."""

    reason: str
    run: int = 1


Failure = EventRefused | EventHung | EventCrashed
Fact = CrawlStarted | StateFound | TransitionExplored | TransitionDiverged | Failure | CrawlEnded
