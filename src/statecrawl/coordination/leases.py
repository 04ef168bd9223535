"""Leases: items held by members until a deadline, and taken back when it passes.

A task whose member never answers would keep a crawl from ending. So every assignment has a deadline: heartbeats of the
member renew it, and when the member is silent, the task is given to another member, which may execute it a second time.
This costs an event and nothing else. While a lease lasts, its item is not given to another member.

Times are numbers that only grow, from any clock of the caller.
"""

import heapq
from dataclasses import dataclass
from typing import Generic, TypeVar

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Lease(Generic[Item]):
    """Lease of one item to one member."""

    number: int  # increases: distinguishes successive leases of an item
    item: Item
    holder: str
    until: float


class Leases(Generic[Item]):
    """All current leases. Items must be hashable."""

    def __init__(self) -> None:
        self._number = 0
        self._by_item: dict[Item, Lease[Item]] = {}
        self._by_holder: dict[str, dict[int, Item]] = {}
        self._ends: list[tuple[float, int, Item]] = []  # heap; entries of ended or renewed leases are stale

    def __len__(self) -> int:
        return len(self._by_item)

    def grant(self, item: Item, holder: str, until: float) -> Lease[Item]:
        """Lease a free item. ValueError when it is leased already."""
        if item in self._by_item:
            raise ValueError(f"{item} is held by {self._by_item[item].holder}")
        self._number += 1
        return self._store(Lease(self._number, item, holder, until))

    def renew(self, holder: str, until: float) -> None:
        """Extend all leases of a member to `until` at least."""
        for item in tuple(self._by_holder.get(holder, {}).values()):
            lease = self._by_item[item]
            if until > lease.until:
                self._store(Lease(lease.number, item, holder, until))

    def end(self, item: Item) -> Lease[Item] | None:
        """End the lease of an item, which is done or returned; return that lease, if there was one."""
        lease = self._by_item.pop(item, None)
        if lease is not None:
            held = self._by_holder[lease.holder]
            del held[lease.number]
            if not held:
                del self._by_holder[lease.holder]
        return lease

    def end_all(self, holder: str) -> list[Lease[Item]]:
        """End all leases of a member, and return them."""
        ended = [self.end(item) for item in tuple(self._by_holder.get(holder, {}).values())]
        return [lease for lease in ended if lease is not None]

    def overdue(self, now: float) -> list[Lease[Item]]:
        """End the leases that were not renewed in time, and return them."""
        taken = []
        while self._ends and self._ends[0][0] <= now:
            until, number, item = heapq.heappop(self._ends)
            lease = self._by_item.get(item)
            if lease is not None and (lease.number, lease.until) == (number, until):
                self.end(item)
                taken.append(lease)
        return taken

    def holds(self, holder: str) -> bool:
        """Whether a member holds any lease."""
        return holder in self._by_holder

    def of(self, item: Item) -> Lease[Item] | None:
        return self._by_item.get(item)

    def _store(self, lease: Lease[Item]) -> Lease[Item]:
        self._by_item[lease.item] = lease
        self._by_holder.setdefault(lease.holder, {})[lease.number] = lease.item
        heapq.heappush(self._ends, (lease.until, lease.number, lease.item))
        return lease
