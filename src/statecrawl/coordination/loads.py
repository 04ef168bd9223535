"""Loads: how fast members are, how much they still have to do, and how much of their time they are idle.

A coordinator sees that from what members say: how many tasks they did since they last asked, how many they have left,
and whether they are done. A member knows nothing of what was dealt to it since its last answer, so that is added; and
from what it had left, what it will have done meanwhile is taken off.

The thesis (see `balance`) divides what a member did by all of its time. Somebody who had to wait for work would seem
slow then, would be given less, and wait longer; so speed is what was done in the time it had something to do.

Nothing of this is in the journal: a coordinator that takes over begins to measure when it hears of somebody.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

from statecrawl.coordination.balance import MemberLoad


@dataclass(slots=True)
class _Account:
    since: float = math.inf  # when it was first heard of
    at: float = math.inf  # when it was last heard of
    done: int = 0
    idle: float = 0.0  # of the time till then
    is_idle: bool = False  # it had nothing to do then
    backlog: int = 0  # what it had left then, of what it knew
    answered: int = 0  # what it was given in the answer to that
    unanswered: int = 0  # and since then

    def idle_until(self, now: float) -> float:
        waits = self.is_idle and not self.answered
        return self.idle + (now - self.at if waits else 0.0)


class Loads:
    """What is known of each member."""

    def __init__(self) -> None:
        self._accounts: dict[str, _Account] = {}

    def told(self, member: str, *, done: int, backlog: int, is_idle: bool, now: float) -> None:
        """A member says how much it did since it last said so, what is left, and whether it waits for more."""
        account = self._accounts.setdefault(member, _Account())
        if account.since > now or not (account.done or done):
            account.since = now  # its time begins with its first task
        elif not done:
            account.idle = account.idle_until(now)
        account.done += done
        account.at, account.is_idle, account.backlog = now, is_idle, 0 if is_idle else backlog
        account.answered = 0

    def given(self, member: str, count: int) -> None:
        """So many tasks are a member's that were not."""
        self._accounts.setdefault(member, _Account()).unanswered += count

    def answered(self, member: str) -> None:
        """A member is told all that it was given."""
        account = self._accounts.get(member)
        if account is not None:
            account.answered += account.unanswered
            account.unanswered = 0

    def left(self, member: str) -> None:
        """A member has gone; should it come back, it is a new one."""
        self._accounts.pop(member, None)

    def of(self, member: str, now: float) -> MemberLoad:
        """What a member has done, in which time, and what it has to do."""
        account = self._accounts.get(member, _Account())
        known = account.backlog + account.answered
        if account.since > now:
            return MemberLoad(0, 0.0, known + account.unanswered)
        load = MemberLoad(account.done, account.at - account.since - account.idle, 0)
        meanwhile = int(load.speed * (now - account.at))
        return replace(load, backlog=max(0, known - meanwhile) + account.unanswered)

    def idle(self, members: Iterable[str], now: float) -> float:
        """The part of their time that members were idle, on average."""
        accounts = [
            self._accounts[member]
            for member in members
            if member in self._accounts and self._accounts[member].since <= now
        ]
        present = sum(now - account.since for account in accounts)
        return sum(account.idle_until(now) for account in accounts) / present if present > 0 else 0.0
