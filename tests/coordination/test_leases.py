"""Leases: an item has one holder, renewed leases stay, and expired leases are found."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from statecrawl.coordination.leases import Lease, Leases

things = st.integers(0, 8)
holders = st.sampled_from("abc")


class Model(RuleBasedStateMachine):
    """Leases beside a plain list of holders and deadlines."""

    def __init__(self) -> None:
        super().__init__()
        self.leases: Leases[int] = Leases()
        self.held: dict[int, tuple[str, float]] = {}
        self.now = 0.0

    @rule(what=things, holder=holders, lasts=st.integers(1, 9))
    def grant(self, what: int, holder: str, lasts: int) -> None:
        if what in self.held:
            with pytest.raises(ValueError, match="is held by"):
                self.leases.grant(what, holder, self.now + lasts)
        else:
            self.leases.grant(what, holder, self.now + lasts)
            self.held[what] = (holder, self.now + lasts)

    @rule(holder=holders, lasts=st.integers(0, 9))
    def renew(self, holder: str, lasts: int) -> None:
        self.leases.renew(holder, self.now + lasts)
        for what, (owner, until) in self.held.items():
            if owner == holder:
                self.held[what] = (owner, max(until, self.now + lasts))

    @rule(what=things)
    def end(self, what: int) -> None:
        lease = self.leases.end(what)
        known = self.held.pop(what, None)
        assert (None if lease is None else (lease.holder, lease.until)) == known

    @rule(holder=holders)
    def leave(self, holder: str) -> None:
        ended = {lease.item for lease in self.leases.end_all(holder)}
        assert ended == {what for what, (owner, _) in self.held.items() if owner == holder}
        self.held = {what: kept for what, kept in self.held.items() if kept[0] != holder}

    @rule(seconds=st.integers(0, 6))
    def wait(self, seconds: int) -> None:
        self.now += seconds
        taken = {lease.item for lease in self.leases.overdue(self.now)}
        assert taken == {what for what, (_, until) in self.held.items() if until <= self.now}
        self.held = {what: kept for what, kept in self.held.items() if kept[1] > self.now}

    @invariant()
    def the_same_is_known(self) -> None:
        assert len(self.leases) == len(self.held)
        for what, (holder, until) in self.held.items():
            lease = self.leases.of(what)
            assert lease is not None
            assert (lease.holder, lease.until) == (holder, until)


TestModel = Model.TestCase


@given(st.lists(things, unique=True))
def test_numbers_rise(given_: list[int]) -> None:
    leases: Leases[int] = Leases()
    numbers = []
    for what in given_:
        numbers.append(leases.grant(what, "a", 1.0).number)
        leases.end(what)
        again: Lease[int] = leases.grant(what, "b", 1.0)
        numbers.append(again.number)
    assert numbers == sorted(set(numbers))
