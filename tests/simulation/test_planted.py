"""Planted: each of these is wrong in a way that a person might be, and must be noticed by the schedules of faults."""

from collections.abc import Iterable
from typing import Any

import pytest

from statecrawl.coordination import (
    client_node,
    client_server,
    client_server_messages,
    dist_ria,
    dist_ria_node,
    peer_to_peer,
)
from statecrawl.coordination.assignment import BY_PARTITION, order
from statecrawl.coordination.inspection import Inspection
from statecrawl.coordination.output import Output
from statecrawl.coordination.termination import Token
from statecrawl.journal.end_reasons import COMPLETE
from statecrawl.journal.facts import CrawlEnded, EventRefused, EventsDealt, Fact
from statecrawl.lab.fault_trials import trial
from statecrawl.model.graph import INITIAL
from statecrawl.simulation.cluster import SimulatedCluster
from statecrawl.simulation.journal import FencedJournal
from statecrawl.simulation.network import NetworkConditions
from statecrawl.simulation.service_times import ServiceTimes
from statecrawl.simulation.star import SimulatedStar

SCHEDULES = 300
IMPATIENT = ServiceTimes(latest=300.0)  # virtual seconds: three times what the longest of thousands of such crawls took

# -- any architecture --


class TrustsWhatOthersSay(Inspection):
    """Whoever found a state has reported what must not be fired there, so nobody else looks."""

    def knows(self, state: str) -> bool:
        return True


class HoldsRefusalsBack(dist_ria.DistRiaMachine):
    """They are somebody's own business, like what is explored."""

    def _learn(self, fact: Fact, source: str | None) -> None:
        super()._learn(fact, source)
        self._shared = [passed for passed in self._shared if not isinstance(passed[0], EventRefused)]


class HearsOfNoRefusals(peer_to_peer.Peer):
    def _start(self, incarnation: int) -> None:
        super()._start(incarnation)
        passing = self._filter.share

        def withholding(facts: Iterable[Fact]) -> list[Fact]:
            return [fact for fact in passing(facts) if not isinstance(fact, EventRefused)]

        self._filter.share = withholding  # type: ignore[method-assign]


# -- client and server --


class EndsWhileSomebodyWorks(client_server.ClientServerMachine):
    def _reply_to(
        self, ask: client_server_messages.TaskRequest, output: client_server.ClientServerOutput, now: float
    ) -> client_server_messages.TaskReply | None:
        answer = super()._reply_to(ask, output, now)
        if answer is None:
            self.strategy._holders.clear()
            answer = super()._reply_to(ask, output, now)
        return answer


class NeverTakesBack(client_server.ClientServerMachine):
    def tick(self, now: float) -> client_server.ClientServerOutput:
        return self._reply_to_waiting(client_server.ClientServerOutput(), now)


class ForgetsWhoWaits(client_server.ClientServerMachine):
    def _reply_to_waiting(
        self, output: client_server.ClientServerOutput, now: float
    ) -> client_server.ClientServerOutput:
        super()._reply_to_waiting(output, now)
        self._waiting.clear()
        return output


class BelievesThatUnknownIsFirst(client_server.ClientServerMachine):
    def _must_describe(self, ask: client_server_messages.TaskRequest) -> bool:
        return len(self.crawl.graph) == 0 and super()._must_describe(ask)

    def _reply_to(
        self, ask: client_server_messages.TaskRequest, output: client_server.ClientServerOutput, now: float
    ) -> client_server_messages.TaskReply | None:
        if ask.position is not None and len(self.crawl.graph) and ask.position not in self.crawl.graph.numbers:
            ask = client_server_messages.TaskRequest(ask.node, ask.number, self.crawl.graph.ids[INITIAL])
        return super()._reply_to(ask, output, now)


class TakesAnyPlaceForTheBeginning(client_server.ClientServerMachine):
    def _must_describe(self, ask: client_server_messages.TaskRequest) -> bool:
        return super()._must_describe(
            client_server_messages.TaskRequest(ask.node, ask.number, ask.position, ask.facts, 0, 1)
        )

    def _record(self, ask: client_server_messages.TaskRequest, *, once_more: bool) -> list[Fact]:
        asked = client_server_messages.TaskRequest(ask.node, ask.number, ask.position, ask.facts, 0, 1)
        return super()._record(asked, once_more=once_more)


class BelievesOldAnswers(client_node.ClientNode):
    def handle_reply(
        self, reply: client_server_messages.TaskReply
    ) -> (
        client_server_messages.RunTask
        | client_server_messages.DescribeState
        | client_server_messages.LearnContent
        | client_server_messages.ReviseRules
        | None
    ):
        if isinstance(reply, client_server_messages.RunTask) and reply.number < self._number:
            return reply
        return super().handle_reply(reply)


def remembers_what_the_journal_lost(cluster: SimulatedStar) -> None:
    journal = cluster.journal
    write = FencedJournal.append

    def append(facts: Iterable[Fact], fence: int, _: int) -> None:
        write(journal, facts, fence, journal.incarnation)

    journal.append = append  # type: ignore[method-assign, assignment]


def answers_before_it_has_written(cluster: SimulatedStar) -> None:
    def write(output: Output[Any]) -> bool:
        if cluster.chance.random() < 0.98:
            cluster.journal.write(output.facts)
        return True

    cluster.server.write = write  # type: ignore[method-assign]


# -- Dist-RIA --


class EndsWhenOneIsDone(dist_ria.DistRiaMachine):
    def _all_done(self) -> bool:
        return any(self._done.get(node) == len(self._shared) for node in self.crawl.members)


class EndsWhenAllHaveBeenDone(dist_ria.DistRiaMachine):
    """Whatever they had heard till then."""

    def _all_done(self) -> bool:
        return bool(self.crawl.members) and all(node in self._done for node in self.crawl.members)


class MissesNobody(dist_ria.DistRiaMachine):
    def tick(self, now: float) -> dist_ria.DistRiaOutput:
        return dist_ria.DistRiaOutput()


class BelievesInAnyIncarnation(dist_ria.DistRiaMachine):
    def handle_report(self, ask: dist_ria.StatusReport, now: float) -> dist_ria.DistRiaOutput:
        known = min(ask.received, len(self._shared))
        current = dist_ria.StatusReport(
            ask.node, ask.number, ask.status, self.incarnation, known, ask.facts, ask.events, ask.resets
        )
        return super().handle_report(current, now)


class BelievesAnyAnswer(dist_ria_node.DistRiaNode):
    """Also one to an earlier question."""

    def handle_reply(self, reply: dist_ria.DistRiaReply) -> None:
        if isinstance(reply, dist_ria.SharedStates | dist_ria.NothingNew):
            kind = type(reply)
            fields = {name: getattr(reply, name) for name in kind.__struct_fields__} | {"number": self._number}
            reply = kind(**fields)
        super().handle_reply(reply)


class SaysWhatItSawOnce(dist_ria_node.DistRiaNode):
    """When nobody answers, it asks without that."""

    def repeat(self) -> dist_ria.StatusReport | None:
        if self._report is not None:
            self.member.mark_recorded(len(self._report.facts))
            self._report = None
        return super().repeat()


class IsDoneWhenItHasFoundNothing(dist_ria_node.DistRiaNode):
    @property
    def status(self) -> dist_ria.DistRiaStatus:
        status = super().status
        busy = any(True for _ in self.member.unreported)
        return dist_ria.DistRiaStatus.DONE if status is dist_ria.DistRiaStatus.ACTIVE and not busy else status


class AbandonsTheSharesOfTheLost(dist_ria_node.DistRiaNode):
    """What was dealt to somebody is that one's, also when it has left."""

    def __init__(self, *arguments: Any, **balance: Any) -> None:
        super().__init__(*arguments, **balance)
        share = self.member._share

        def own(state: int) -> list[bool]:
            crawl = self.member.crawl
            whose = [member for member, count in crawl.dealt.get(state, ()) for _ in range(count)]
            lost = dict(zip(order(crawl, state), whose, strict=False))
            return [
                is_own and lost.get(position, self.name) in (self.name, BY_PARTITION)
                for position, is_own in enumerate(share(state))
            ]

        self.member._share = own  # type: ignore[method-assign]


class ReservesForEver(dist_ria.DistRiaMachine):
    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self._assigner._give = lambda *_: iter(())  # type: ignore[method-assign]


class DealsByWordOfMouth(dist_ria.DistRiaMachine):
    """Whoever takes over does not know what was dealt."""

    def _write(self, fact: Fact, output: dist_ria.DistRiaOutput, source: str | None = None) -> None:
        super()._write(fact, output, source)
        if isinstance(fact, EventsDealt):
            output.facts.pop()


class ThinksThatNothingIsLeft(dist_ria.DistRiaMachine):
    """When it takes over, what an earlier one held back or reserved."""

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self._assigner._unassigned.clear()
        self._assigner.unassigned = 0


# -- peers --


class EndsWhenItIsIdle(peer_to_peer.Peer):
    def _end(self) -> CrawlEnded | None:
        return CrawlEnded(reason=COMPLETE) if self._is_done() and len(self.member.crawl.graph) else None


class WaitsUntilItsBatchIsFull(peer_to_peer.Peer):
    def _must_report(self, now: float) -> bool:
        return super()._must_report(now) and (not self.member.idle or len(self.member.unreported) >= self.sharing.count)


class IsQuietWithThingsUntold(WaitsUntilItsBatchIsFull):
    def _is_done(self) -> bool:
        return self.member.is_member and self.member.idle


def loses_some_messages(cluster: SimulatedCluster) -> None:
    """All the time: a token is seldom on its way while something else goes wrong."""
    cluster.network.normal = cluster.network.conditions = NetworkConditions(loss=0.05)


class SendsTheTokenOnce(peer_to_peer.Peer):
    def token_to_resend(self) -> None:
        return None


class MissesNoPeer(peer_to_peer.Peer):
    def _changes(self) -> list[Fact]:
        self._silent = []
        return super()._changes()


class KeepsItsTokenWhenMembersChange(peer_to_peer.Peer):
    def _start_round(self) -> None:
        if self._newest == Token():
            super()._start_round()


class RemembersWhatTheLogLost(peer_to_peer.Peer):
    def handle_entries(self, entries: peer_to_peer.LogEntries, now: float) -> None:
        if self._incarnation != peer_to_peer.NOTHING_HEARD and entries.incarnation != self._incarnation:
            self._incarnation = entries.incarnation
            self._position = 0
        super().handle_entries(entries, now)


class TakesAnyAnswerForThisOne(peer_to_peer.Peer):
    def handle_entries(self, entries: peer_to_peer.LogEntries, now: float) -> None:
        fields = {name: getattr(entries, name) for name in entries.__struct_fields__} | {"number": self._number}
        super().handle_entries(peer_to_peer.LogEntries(**fields), now)


BUGS: dict[str, tuple[str, dict[str, Any]]] = {
    "client trusts what others say": ("client-server", {"inspection": TrustsWhatOthersSay}),
    "node trusts what others say": ("dist-ria", {"inspection": TrustsWhatOthersSay, "coordinator": HoldsRefusalsBack}),
    "peer trusts what others say": ("peer-to-peer", {"inspection": TrustsWhatOthersSay, "peer": HearsOfNoRefusals}),
    "ends while somebody works": ("client-server", {"coordinator": EndsWhileSomebodyWorks}),
    "never takes back": ("client-server", {"coordinator": NeverTakesBack}),
    "forgets who waits": ("client-server", {"coordinator": ForgetsWhoWaits}),
    "believes that unknown is first": ("client-server", {"coordinator": BelievesThatUnknownIsFirst}),
    "takes any place for the beginning": ("client-server", {"coordinator": TakesAnyPlaceForTheBeginning}),
    "believes old answers": ("client-server", {"node": BelievesOldAnswers}),
    "remembers what the journal lost": ("client-server", {"change": remembers_what_the_journal_lost}),
    "answers before it has written": ("client-server", {"change": answers_before_it_has_written}),
    "ends when one is done": ("dist-ria", {"coordinator": EndsWhenOneIsDone}),
    "ends when all have been done": ("dist-ria", {"coordinator": EndsWhenAllHaveBeenDone}),
    "misses nobody": ("dist-ria", {"coordinator": MissesNobody}),
    "believes in any incarnation": ("dist-ria", {"coordinator": BelievesInAnyIncarnation}),
    "believes any answer": ("dist-ria", {"node": BelievesAnyAnswer}),
    "says what it saw once": ("dist-ria", {"node": SaysWhatItSawOnce}),
    "is done when it has found nothing": ("dist-ria", {"node": IsDoneWhenItHasFoundNothing}),
    "star remembers what the journal lost": ("dist-ria", {"change": remembers_what_the_journal_lost}),
    "star answers before it has written": ("dist-ria", {"change": answers_before_it_has_written}),
    "abandons the shares of the lost": ("dist-ria", {"node": AbandonsTheSharesOfTheLost}),
    "reserves for ever": ("dist-ria", {"coordinator": ReservesForEver}),
    "deals by word of mouth": ("dist-ria", {"coordinator": DealsByWordOfMouth}),
    "thinks that nothing is left": ("dist-ria", {"coordinator": ThinksThatNothingIsLeft}),
    "ends when it is idle": ("peer-to-peer", {"peer": EndsWhenItIsIdle}),
    "waits until its batch is full": ("peer-to-peer", {"peer": WaitsUntilItsBatchIsFull}),
    "is quiet with things untold": ("peer-to-peer", {"peer": IsQuietWithThingsUntold}),
    "sends the token once": ("peer-to-peer", {"peer": SendsTheTokenOnce, "change": loses_some_messages}),
    "misses no peer": ("peer-to-peer", {"peer": MissesNoPeer}),
    "keeps its token when members change": ("peer-to-peer", {"peer": KeepsItsTokenWhenMembersChange}),
    "remembers what the log lost": ("peer-to-peer", {"peer": RemembersWhatTheLogLost}),
    "takes any answer for this one": ("peer-to-peer", {"peer": TakesAnyAnswerForThisOne}),
}


def test_peers_that_send_it_again_end_although_messages_are_lost() -> None:
    assert [trial("peer-to-peer", seed, change=loses_some_messages).verdict for seed in range(10)] == [None] * 10


@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_is_noticed(bug: str) -> None:
    architecture, wrong = BUGS[bug]
    for seed in range(SCHEDULES):
        if trial(architecture, seed, pace=IMPATIENT, **wrong).verdict is not None:
            return
    pytest.fail(f"{bug}: {SCHEDULES} schedules, and nobody noticed")
