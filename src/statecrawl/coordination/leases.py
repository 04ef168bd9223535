"""Leases: what was given to a member until a certain time, and is taken back when that has passed.

A task that was given away and never comes back would keep a crawl from ending. So everything is given for a time only:
whoever is still at it says so and gets more; of whoever is silent it is taken back and given to another, who may then
do it a second time, which costs an event and nothing else. While a lease lives nobody else is given the same.

Times are numbers that only ever grow, from whatever clock the caller has.
"""

import heapq
from dataclasses import dataclass
from typing import Generic, TypeVar

What = TypeVar("What")


@dataclass(frozen=True, slots=True)
class Lease(Generic[What]):
    """Something in somebody's hands."""

    number: int  # rises: tells a lease from an earlier one of the same
    what: What
    holder: str
    until: float


class Leases(Generic[What]):
    """All that is given out. `What` must be hashable."""

    def __init__(self) -> None:
        self._number = 0
        self._by_what: dict[What, Lease[What]] = {}
        self._by_holder: dict[str, dict[int, What]] = {}
        self._ends: list[tuple[float, int, What]] = []  # a heap; entries of what has ended or was renewed are stale

    def __len__(self) -> int:
        return len(self._by_what)

    def grant(self, what: What, holder: str, until: float) -> Lease[What]:
        """Give something that nobody holds. ValueError when somebody does."""
        if what in self._by_what:
            raise ValueError(f"{what} is held by {self._by_what[what].holder}")
        self._number += 1
        return self._keep(Lease(self._number, what, holder, until))

    def renew(self, holder: str, until: float) -> None:
        """A member is alive: what it holds, it holds until then at least."""
        for what in tuple(self._by_holder.get(holder, {}).values()):
            lease = self._by_what[what]
            if until > lease.until:
                self._keep(Lease(lease.number, what, holder, until))

    def end(self, what: What) -> Lease[What] | None:
        """It was done, or given back; the lease that this ends, if there was one."""
        lease = self._by_what.pop(what, None)
        if lease is not None:
            held = self._by_holder[lease.holder]
            del held[lease.number]
            if not held:
                del self._by_holder[lease.holder]
        return lease

    def end_all(self, holder: str) -> list[Lease[What]]:
        """A member has gone; what it held."""
        ended = [self.end(what) for what in tuple(self._by_holder.get(holder, {}).values())]
        return [lease for lease in ended if lease is not None]

    def overdue(self, now: float) -> list[Lease[What]]:
        """Take back what was not renewed in time."""
        taken = []
        while self._ends and self._ends[0][0] <= now:
            until, number, what = heapq.heappop(self._ends)
            lease = self._by_what.get(what)
            if lease is not None and (lease.number, lease.until) == (number, until):
                self.end(what)
                taken.append(lease)
        return taken

    def next_end(self) -> float | None:
        """When the first lease ends that nobody renews; None while nothing is given out."""
        while self._ends:
            until, number, what = self._ends[0]
            lease = self._by_what.get(what)
            if lease is not None and (lease.number, lease.until) == (number, until):
                return until
            heapq.heappop(self._ends)
        return None

    def holds(self, holder: str) -> bool:
        """Whether a member has anything in its hands."""
        return holder in self._by_holder

    def of(self, what: What) -> Lease[What] | None:
        return self._by_what.get(what)

    def _keep(self, lease: Lease[What]) -> Lease[What]:
        self._by_what[lease.what] = lease
        self._by_holder.setdefault(lease.holder, {})[lease.number] = lease.what
        heapq.heappush(self._ends, (lease.until, lease.number, lease.what))
        return lease
