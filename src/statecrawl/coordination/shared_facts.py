"""Shared facts: which findings of members the others receive, and when.

S. M. Mir Taheri, "Distributed Crawling of Rich Internet Applications", 2015: Dist-RIA shares states only (§4.1), peers
share states and transitions (§6.4). Sharing transitions in batches or at intervals, or only some of them, is left to
future work there (§8.1.5).

Theory of operation
    The *record* always contains everything. A `SharingFilter` reads the record, fact by fact, and decides which facts
    the others receive. They receive all states and events, all changes of members and all deals, and all facts about
    the crawl as a whole. They receive every event that must not be fired or that did harm, because the finder of a
    state refuses events that others would fire. Of the transitions they receive

        states   one path to each state, so that it can be reached
        shorter  also those that shorten a state's distance from the initial state
        all      all

    One path to each state is not simply the first transition that leads there: after a power failure, a member may
    report states behind others that are lost, and then the first transition into a state starts in an unreachable
    state. So the filter tracks the distance of each state from the initial state over the shared links, remembers all
    links, and shares a link when it leads from a reachable state to one that was not reachable. What is reachable over
    the whole record is then reachable over the shared facts.

    When the membership changes, events change their owners, and the new owner must know which of them are done. So a
    change of members releases everything held back until then. Sharing states costs at most as much as sharing
    everything.

    Once an application behaves differently from what was recorded, everything is shared: only a member that knows all
    transitions can tell which paths are reliable.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from statecrawl.journal.facts import (
    BoundarySeen,
    ExternalTransition,
    Fact,
    MemberJoined,
    MemberLeft,
    StateFound,
    TransitionDiverged,
    TransitionExplored,
)


class SharingExtent(StrEnum):
    """Which transitions the others receive."""

    STATES = "states"
    SHORTER = "shorter"
    ALL = "all"


@dataclass(frozen=True, slots=True, kw_only=True)
class SharingRules:
    """What to share, and when: as soon as `count` facts are waiting, or the first of them has waited for `seconds`."""

    extent: SharingExtent = SharingExtent.ALL
    count: int = 1
    seconds: float = math.inf

    def __post_init__(self) -> None:
        if self.count < 1 or self.seconds < 0:
            raise ValueError(f"facts cannot be shared in batches of {self.count} or after {self.seconds} seconds")

    def is_due(self, waiting: int, seconds: float) -> bool:
        """Whether to share now, when `waiting` facts are waiting, the first of them for `seconds`."""
        return waiting > 0 and (waiting >= self.count or seconds >= self.seconds)


class SharingFilter:
    """Decides which recorded facts the others receive."""

    def __init__(self, extent: SharingExtent) -> None:
        self.extent = extent
        self._held_back: list[Fact] = []
        self._depths: dict[str, int] = {}  # state -> distance from the initial state over shared links
        self._links: dict[str, dict[str, TransitionExplored]] = {}  # source -> target -> first recorded transition
        self._targets: dict[tuple[str, str], str] = {}  # state and event -> first target

    def share(self, facts: Iterable[Fact]) -> list[Fact]:
        """Process newly recorded facts, in order, and return those that the others receive now."""
        passed: list[Fact] = []
        for fact in facts:
            if self.extent is SharingExtent.ALL:
                passed.append(fact)
                continue
            match fact:
                case TransitionExplored() if (
                    self._targets.setdefault((fact.state, fact.event), fact.target) == fact.target
                ):
                    passed += self._share_transition(fact)
                case TransitionExplored() | TransitionDiverged():
                    self.extent = SharingExtent.ALL
                    passed += (*self.release(), fact)
                case MemberJoined() | MemberLeft():
                    passed += (*self.release(), fact)
                case StateFound():
                    if not self._depths:
                        self._depths[fact.state] = 0
                    passed.append(fact)
                case ExternalTransition() | BoundarySeen():
                    self._held_back.append(fact)
                case _:
                    passed.append(fact)
        return passed

    def release(self) -> list[Fact]:
        """Return the facts held back so far; from now on they count as shared."""
        held_back, self._held_back = self._held_back, []
        return held_back

    def _share_transition(self, fact: TransitionExplored) -> list[Fact]:
        self._links.setdefault(fact.state, {}).setdefault(fact.target, fact)
        if not self._leads_nearer(fact):
            self._held_back.append(fact)
            return []
        passed: list[Fact] = []
        nearer = [fact]
        while nearer:
            link = nearer.pop()
            if self._leads_nearer(link):
                passed.append(link)
                self._depths[link.target] = self._depths[link.state] + 1
                nearer += self._links.get(link.target, {}).values()
        return passed

    def _leads_nearer(self, link: TransitionExplored) -> bool:
        source, target = self._depths.get(link.state), self._depths.get(link.target)
        if source is None or target is None:
            return source is not None
        return self.extent is SharingExtent.SHORTER and source + 1 < target
