"""Termination ring: in any interleaving of work, messages and token, the end is declared when it is reached."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from statecrawl.coordination.termination import Token, next_in_ring, visit, visit_reader


class Peers:
    """Nodes that find states, tell each other after random delays, and pass one token around."""

    def __init__(self, count: int, states: int, chance: Random) -> None:
        self.names = [f"n{number}" for number in range(count)]
        self.chance = chance
        self.unfound = [f"s{number}" for number in range(1, states)]
        self.knows: dict[str, set[str]] = {name: {"s0"} for name in self.names}
        self.todo = dict.fromkeys(self.names, 1)  # each has an event of its own in every state it learns of
        self.mail: list[tuple[str, str]] = []  # to whom, which state
        self.token, self.holder = Token(), self.names[0]
        self.over = False

    def step(self) -> None:
        """One thing happens, whichever."""
        choices = [("work", name) for name in self.names if self.todo[name]]
        choices += [("mail", str(number)) for number in range(len(self.mail))]
        if not self.todo[self.holder]:
            choices.append(("token", self.holder))
        kind, which = self.chance.choice(choices)
        if kind == "work":
            self.todo[which] -= 1
            if self.unfound and self.chance.random() < 0.5:
                self.learn(which, self.unfound.pop(), tells=True)
        elif kind == "mail":
            to, state = self.mail.pop(int(which))
            self.learn(to, state, tells=False)
        else:
            verdict = visit(self.token, which, self.knows[which], self.names)
            self.token, self.over = verdict.token, verdict.over
            self.holder = next_in_ring(which, self.names)

    def learn(self, name: str, state: str, *, tells: bool) -> None:
        if state not in self.knows[name]:
            self.knows[name].add(state)
            self.todo[name] += 1
        if tells:
            self.mail += [(other, state) for other in self.names if other != name]


@given(count=st.integers(1, 6), states=st.integers(1, 12), chance=st.randoms(use_true_random=False))
@settings(max_examples=300, deadline=None)
def test_the_end_is_declared_when_nothing_is_left(count: int, states: int, chance: Random) -> None:
    peers = Peers(count, states, chance)
    for _ in range(20_000):
        if peers.over:
            break
        peers.step()
    assert peers.over, "never"
    assert not any(peers.todo.values()), "early: somebody has work"
    assert not any(state not in peers.knows[to] for to, state in peers.mail), "early: news are on their way"


def test_one_round_is_not_enough_if_the_first_peer_knew_less() -> None:
    members = ["a", "b"]
    first = visit(Token(), "a", {"s0"}, members)
    second = visit(first.token, "b", {"s0", "s1"}, members)
    third = visit(second.token, "a", {"s0", "s1"}, members)
    assert [one.over for one in (first, second, third)] == [False, False, True]


def test_a_peer_that_has_left_is_not_waited_for() -> None:
    token = visit(Token(), "a", {"s0"}, ["a", "b"]).token
    assert visit(token, "b", {"s0"}, ["b"]).over


def test_a_duplicate_is_recognized_by_its_number() -> None:
    first = visit(Token(), "a", {"s0"}, ["a", "b"]).token
    second = visit(first, "b", {"s0"}, ["a", "b"]).token
    assert first.is_older_than(second)
    assert second.is_older_than(second)
    assert not second.is_older_than(first)
    assert second.is_older_than(Token(round=1))


def test_the_ring_goes_round() -> None:
    assert [next_in_ring(name, ["b", "c", "a"]) for name in "abc"] == ["b", "c", "a"]
    assert next_in_ring("a", ["a"]) == "a"


def test_only_members_are_in_the_ring() -> None:
    with pytest.raises(ValueError, match="not in the ring"):
        visit(Token(), "x", set(), ["a"])


def test_readers_are_done_when_all_were_idle_after_the_same_facts() -> None:
    first = visit_reader(Token(), "a", 7, ("a", "b"))
    assert (first.over, first.token.known, first.token.hop) == (False, {"a": 7}, 1)
    assert visit_reader(first.token, "b", 7, ("a", "b")).over
    later = visit_reader(first.token, "b", 8, ("a", "b"))  # a fact that a has not read when it was idle
    assert not later.over
    assert visit_reader(later.token, "a", 8, ("a", "b")).over
    assert visit_reader(later.token, "a", 8, ("a",)).over  # b has left
    with pytest.raises(ValueError, match="c is not in the ring"):
        visit_reader(later.token, "c", 8, ("a", "b"))
