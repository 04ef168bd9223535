"""Shared log: it appends each request once, in order, and only in the right incarnation."""

from functools import partial

import pytest

from statecrawl.coordination.partition import Partition
from statecrawl.coordination.peer_to_peer import LogEntries, LogRequest
from statecrawl.coordination.shared_facts import SharingRules
from statecrawl.journal.facts import StateFound
from statecrawl.lab.fault_trials import strategy, truth
from statecrawl.simulation.cluster import SERVER
from statecrawl.simulation.peer_to_peer import SimulatedPeers

FIRST, SECOND = (StateFound(state=name, events=()) for name in "st")


class ManualPeer:
    """A peer whose requests are written by hand."""

    def __init__(self) -> None:
        self.cluster = SimulatedPeers(
            truth("test-ria"),
            partial(strategy, "greedy"),
            nodes=0,
            seed=1,
            partition=Partition(),
            sharing=SharingRules(),
        )
        self.answers: list[LogEntries] = []
        self.cluster.network.join("me", self.answers.append)

    def say(self, request: LogRequest) -> LogEntries | None:
        self.answers.clear()
        self.cluster.network.send("me", SERVER, request)
        self.cluster.kernel.run()
        return self.answers[0] if self.answers else None

    @property
    def written(self) -> list[object]:
        return list(self.cluster.journal.facts[1:])


@pytest.fixture
def me() -> ManualPeer:
    return ManualPeer()


def test_what_is_appended_is_read_in_the_same_round_trip(me: ManualPeer) -> None:
    answer = me.say(LogRequest("me", 1, 0, 1, (FIRST,)))
    assert answer == LogEntries("me", 1, 0, (FIRST,), True, {"me": 0.0})


def test_the_same_request_again_is_answered_and_not_written_again(me: ManualPeer) -> None:
    me.say(LogRequest("me", 1, 0, 1, (FIRST,)))
    answer = me.say(LogRequest("me", 1, 0, 1, (FIRST,)))
    assert answer is not None
    assert (answer.facts, answer.appended) == ((FIRST,), True)
    assert me.written == [FIRST]


def test_an_older_request_is_ignored(me: ManualPeer) -> None:
    me.say(LogRequest("me", 2, 0, 1, (FIRST,)))
    assert me.say(LogRequest("me", 1, 0, 1, (SECOND,))) is None
    assert me.written == [FIRST]


def test_a_request_to_another_incarnation_is_answered_with_everything(me: ManualPeer) -> None:
    me.say(LogRequest("me", 1, 0, 1, (FIRST,)))
    me.cluster.journal.cut_power(1)
    answer = me.say(LogRequest("me", 2, 0, 2, (SECOND,)))
    assert answer is not None
    assert (answer.incarnation, answer.appended, len(answer.facts)) == (1, False, 1)
    assert me.written == []


@pytest.mark.parametrize(("position", "appended"), [(1, False), (2, True)])
def test_an_exclusive_entry_is_written_only_if_the_log_has_not_grown(
    me: ManualPeer, position: int, appended: bool
) -> None:
    me.say(LogRequest("me", 1, 0, 1, (FIRST,)))
    answer = me.say(LogRequest("me", 2, 0, position, (SECOND,), exclusive=True))
    assert answer is not None
    assert answer.appended is appended
    assert me.written == [FIRST, SECOND][: 1 + appended]


def test_a_restarted_log_has_its_facts_but_forgets_when_it_saw_peers(me: ManualPeer) -> None:
    me.say(LogRequest("me", 1, 0, 1, (FIRST,)))
    assert me.cluster.crash_server()
    assert not me.cluster.crash_server()
    assert me.say(LogRequest("me", 2, 0, 2)) is None
    me.cluster.start_server()
    me.cluster.network.join("you", lambda _: None)
    me.cluster.network.send("you", SERVER, LogRequest("you", 1, 0, 0))
    me.cluster.kernel.run()
    answer = me.say(LogRequest("me", 2, 0, 1))
    assert answer is not None
    assert answer.facts == (FIRST,)
    assert answer.silence.keys() == {"me", "you"}
    assert answer.silence["you"] > 0
