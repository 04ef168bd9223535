"""Loads: how fast members are, how much work they have left, and for which part of their time they are idle.

The coordinator derives this from the reports of the members: how many tasks they did since their last report, how many
are left, and whether they are done. A member does not know what was dealt to it since its last reply, so that is added
to its backlog; what it has probably done since its report is subtracted.

The thesis (see `balance`) divides what a member did by all of its time. A member that had to wait for work would then
look slow, receive less, and wait longer; so here the speed is what was done in the time during which it had work.

None of this is in the journal: a coordinator that takes over starts to measure with the first report of each member.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

from statecrawl.coordination.balance import MemberLoad


@dataclass(slots=True)
class _Account:
    since: float = math.inf  # time of its first report
    at: float = math.inf  # time of its last report
    done: int = 0
    idle: float = 0.0  # seconds of the time until then
    is_idle: bool = False  # it had nothing to do at its last report
    backlog: int = 0  # what it had left then, as far as it knew
    announced: int = 0  # dealt in the reply to that report
    unannounced: int = 0  # dealt since then

    def idle_until(self, now: float) -> float:
        waits = self.is_idle and not self.announced
        return self.idle + (now - self.at if waits else 0.0)


class Loads:
    """Load of each member."""

    def __init__(self) -> None:
        self._accounts: dict[str, _Account] = {}

    def report(self, member: str, *, done: int, backlog: int, is_idle: bool, now: float) -> None:
        """Process a report: tasks done since the previous one, tasks left, and whether the member waits for more."""
        account = self._accounts.setdefault(member, _Account())
        if account.since > now or not (account.done or done):
            account.since = now  # its time starts with its first task
        elif not done:
            account.idle = account.idle_until(now)
        account.done += done
        account.at, account.is_idle, account.backlog = now, is_idle, 0 if is_idle else backlog
        account.announced = 0

    def assign(self, member: str, count: int) -> None:
        """Add `count` tasks to the work of a member."""
        self._accounts.setdefault(member, _Account()).unannounced += count

    def mark_answered(self, member: str) -> None:
        """Record that a reply has told a member of all its work."""
        account = self._accounts.get(member)
        if account is not None:
            account.announced += account.unannounced
            account.unannounced = 0

    def remove(self, member: str) -> None:
        """Forget a member that has left; if it comes back, it is a new one."""
        self._accounts.pop(member, None)

    def of(self, member: str, now: float) -> MemberLoad:
        """Return what a member has done, in which time, and what it has left to do."""
        account = self._accounts.get(member, _Account())
        known = account.backlog + account.announced
        if account.since > now:
            return MemberLoad(0, 0.0, known + account.unannounced)
        load = MemberLoad(account.done, account.at - account.since - account.idle, 0)
        meanwhile = int(load.speed * (now - account.at))
        return replace(load, backlog=max(0, known - meanwhile) + account.unannounced)

    def idle(self, members: Iterable[str], now: float) -> float:
        """Return the average part of their time that members were idle."""
        accounts = [
            self._accounts[member]
            for member in members
            if member in self._accounts and self._accounts[member].since <= now
        ]
        present = sum(now - account.since for account in accounts)
        return sum(account.idle_until(now) for account in accounts) / present if present > 0 else 0.0
