"""Sharing: how much of what members find the others hear of, and when it is told.

S. M. Mir Taheri, "Distributed Crawling of Rich Internet Applications", 2015: Dist-RIA shares states only (§4.1), peers
share states and transitions (§6.4); that transitions may be told in batches or at intervals, and not all of them, is
left there to future work (§8.1.5).

Theory of operation
    What is *recorded* is always everything. A `SharingFilter` is told the record, fact by fact, and says which of it
    the others hear. They hear of all states and events, of all members and what is dealt to them, and of the crawl as
    a whole. They hear of every event that must not be fired or that did harm: whoever finds a state refuses events
    that others would fire. Of the transitions they hear

        states   one way to each state, so that it can be reached
        shorter  also those that make a state's distance from the initial one less than it was
        all      all

    One way to each state is not simply the first transition that led there: after a loss of power a member may tell of
    states behind others that are lost, and then the first way into a state begins where nobody can get. So the sieve
    knows the distance of each state from the initial one over what has passed, remembers all links, and lets a link
    pass when it leads from a state that can be reached to one that could not. What can be reached over everything that
    was recorded can be reached over what has passed.

    When members change, events that were somebody's become another's, who must know which of them are done. So a change
    of members takes along everything that was held back till then; sharing states costs at most what sharing everything
    does.

    An application that is not the same each time is shared as a whole, from the first surprise on: which ways can be
    relied on, one can only tell who knows all of them.
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
    """Of which transitions the others hear."""

    STATES = "states"
    SHORTER = "shorter"
    ALL = "all"


@dataclass(frozen=True, slots=True, kw_only=True)
class SharingRules:
    """What is shared, and when: as soon as so many facts wait, or the first of them has waited so long."""

    extent: SharingExtent = SharingExtent.ALL
    count: int = 1
    seconds: float = math.inf

    def __post_init__(self) -> None:
        if self.count < 1 or self.seconds < 0:
            raise ValueError(f"nothing can be told when {self.count} facts wait, or after {self.seconds} seconds")

    def is_due(self, waiting: int, seconds: float) -> bool:
        """Whether it is time to tell, when this many facts wait and the first has waited this long."""
        return waiting > 0 and (waiting >= self.count or seconds >= self.seconds)


class SharingFilter:
    """Lets pass what others hear of."""

    def __init__(self, extent: SharingExtent) -> None:
        self.extent = extent
        self._held_back: list[Fact] = []
        self._depths: dict[str, int] = {}  # state -> steps from the initial one, over what has passed
        self._links: dict[str, dict[str, TransitionExplored]] = {}  # source -> target -> the first that was recorded
        self._targets: dict[tuple[str, str], str] = {}  # state and event -> where that led first

    def passing(self, facts: Iterable[Fact]) -> list[Fact]:
        """These were recorded, in this order; what others hear now."""
        passed: list[Fact] = []
        for fact in facts:
            if self.extent is SharingExtent.ALL:
                passed.append(fact)
                continue
            match fact:
                case TransitionExplored() if (
                    self._targets.setdefault((fact.state, fact.event), fact.target) == fact.target
                ):
                    passed += self._travelled(fact)
                case TransitionExplored() | TransitionDiverged():
                    self.extent = SharingExtent.ALL
                    passed += (*self.rest(), fact)
                case MemberJoined() | MemberLeft():
                    passed += (*self.rest(), fact)
                case StateFound():
                    if not self._depths:
                        self._depths[fact.state] = 0
                    passed.append(fact)
                case ExternalTransition() | BoundarySeen():
                    self._held_back.append(fact)
                case _:
                    passed.append(fact)
        return passed

    def rest(self) -> list[Fact]:
        """What was held back; from now on it has passed."""
        held_back, self._held_back = self._held_back, []
        return held_back

    def _travelled(self, fact: TransitionExplored) -> list[Fact]:
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
