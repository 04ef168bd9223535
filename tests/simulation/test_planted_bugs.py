"""Planted bugs: each is a plausible mistake, which the fault schedules must detect."""

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
from statecrawl.simulation.network import NetworkConditions
from statecrawl.simulation.service_times import ServiceTimes
from statecrawl.simulation.simulated_journal import FencedJournal
from statecrawl.simulation.star import SimulatedStar

SCHEDULES = 300
IMPATIENT = ServiceTimes(latest=300.0)  # virtual seconds: three times what the longest of thousands of such crawls took

# -- any architecture --


class TrustsReportedRefusals(Inspection):
    """Relies on the refusals that the finder of a state reports, and does not inspect the state itself."""

    def knows(self, state: str) -> bool:
        return True


class HidesRefusals(dist_ria.DistRiaMachine):
    """Does not share refusals with other nodes."""

    def _learn(self, fact: Fact, source: str | None) -> None:
        super()._learn(fact, source)
        self._shared = [passed for passed in self._shared if not isinstance(passed[0], EventRefused)]


class IgnoresRefusals(peer_to_peer.Peer):
    def _start(self, incarnation: int) -> None:
        super()._start(incarnation)
        passing = self._filter.share

        def withholding(facts: Iterable[Fact]) -> list[Fact]:
            return [fact for fact in passing(facts) if not isinstance(fact, EventRefused)]

        self._filter.share = withholding  # type: ignore[method-assign]


# -- client and server --


class EndsDuringWork(client_server.ClientServerMachine):
    def _reply_to(
        self, ask: client_server_messages.TaskRequest, output: client_server.ClientServerOutput, now: float
    ) -> client_server_messages.TaskReply | None:
        answer = super()._reply_to(ask, output, now)
        if answer is None:
            self.strategy._holders.clear()
            answer = super()._reply_to(ask, output, now)
        return answer


class NeverExpiresLeases(client_server.ClientServerMachine):
    def tick(self, now: float) -> client_server.ClientServerOutput:
        return self._reply_to_waiting(client_server.ClientServerOutput(), now)


class ForgetsWaitingNodes(client_server.ClientServerMachine):
    def _reply_to_waiting(
        self, output: client_server.ClientServerOutput, now: float
    ) -> client_server.ClientServerOutput:
        super()._reply_to_waiting(output, now)
        self._waiting.clear()
        return output


class TakesUnknownForInitial(client_server.ClientServerMachine):
    def _must_describe(self, ask: client_server_messages.TaskRequest) -> bool:
        return len(self.crawl.graph) == 0 and super()._must_describe(ask)

    def _reply_to(
        self, ask: client_server_messages.TaskRequest, output: client_server.ClientServerOutput, now: float
    ) -> client_server_messages.TaskReply | None:
        if ask.position is not None and len(self.crawl.graph) and ask.position not in self.crawl.graph.numbers:
            ask = client_server_messages.TaskRequest(ask.node, ask.number, self.crawl.graph.ids[INITIAL])
        return super()._reply_to(ask, output, now)


class TakesAnyStateForInitial(client_server.ClientServerMachine):
    def _must_describe(self, ask: client_server_messages.TaskRequest) -> bool:
        return super()._must_describe(
            client_server_messages.TaskRequest(ask.node, ask.number, ask.position, ask.facts, 0, 1)
        )

    def _record(self, ask: client_server_messages.TaskRequest, *, once_more: bool) -> list[Fact]:
        asked = client_server_messages.TaskRequest(ask.node, ask.number, ask.position, ask.facts, 0, 1)
        return super()._record(asked, once_more=once_more)


class AcceptsOldReplies(client_node.ClientNode):
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


def remembers_lost_facts(cluster: SimulatedStar) -> None:
    journal = cluster.journal
    write = FencedJournal.append

    def append(facts: Iterable[Fact], fence: int, _: int) -> None:
        write(journal, facts, fence, journal.incarnation)

    journal.append = append  # type: ignore[method-assign, assignment]


def replies_before_writing(cluster: SimulatedStar) -> None:
    def write(output: Output[Any]) -> bool:
        if cluster.chance.random() < 0.98:
            cluster.journal.write(output.facts)
        return True

    cluster.server.write = write  # type: ignore[method-assign]


# -- Dist-RIA --


class EndsWhenOneIsDone(dist_ria.DistRiaMachine):
    def _all_done(self) -> bool:
        return any(self._done.get(node) == len(self._shared) for node in self.crawl.members)


class EndsWhenAllWereDoneOnce(dist_ria.DistRiaMachine):
    """Ignores how much the nodes had received when they were done."""

    def _all_done(self) -> bool:
        return bool(self.crawl.members) and all(node in self._done for node in self.crawl.members)


class NeverRemovesNodes(dist_ria.DistRiaMachine):
    def tick(self, now: float) -> dist_ria.DistRiaOutput:
        return dist_ria.DistRiaOutput()


class AcceptsAnyIncarnation(dist_ria.DistRiaMachine):
    def handle_report(self, ask: dist_ria.StatusReport, now: float) -> dist_ria.DistRiaOutput:
        known = min(ask.received, len(self._shared))
        current = dist_ria.StatusReport(
            ask.node, ask.number, ask.status, self.incarnation, known, ask.facts, ask.events, ask.resets
        )
        return super().handle_report(current, now)


class AcceptsAnyReply(dist_ria_node.DistRiaNode):
    """Accepts replies to earlier reports."""

    def handle_reply(self, reply: dist_ria.DistRiaReply) -> None:
        if isinstance(reply, dist_ria.SharedStates | dist_ria.NothingNew):
            kind = type(reply)
            fields = {name: getattr(reply, name) for name in kind.__struct_fields__} | {"number": self._number}
            reply = kind(**fields)
        super().handle_reply(reply)


class ReportsFactsOnce(dist_ria_node.DistRiaNode):
    """Repeats a report without its facts."""

    def repeat(self) -> dist_ria.StatusReport | None:
        if self._report is not None:
            self.member.mark_recorded(len(self._report.facts))
            self._report = None
        return super().repeat()


class IsDoneWithoutNews(dist_ria_node.DistRiaNode):
    @property
    def status(self) -> dist_ria.DistRiaStatus:
        status = super().status
        busy = any(True for _ in self.member.unreported)
        return dist_ria.DistRiaStatus.DONE if status is dist_ria.DistRiaStatus.ACTIVE and not busy else status


class AbandonsSharesOfLostNodes(dist_ria_node.DistRiaNode):
    """Leaves dealt events with their owner even when it has left."""

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


class ReservesForever(dist_ria.DistRiaMachine):
    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self._assigner._give = lambda *_: iter(())  # type: ignore[method-assign]


class DoesNotRecordDeals(dist_ria.DistRiaMachine):
    """Does not record deals, so that the next coordinator does not know them."""

    def _write(self, fact: Fact, output: dist_ria.DistRiaOutput, source: str | None = None) -> None:
        super()._write(fact, output, source)
        if isinstance(fact, EventsDealt):
            output.facts.pop()


class ForgetsReservedEvents(dist_ria.DistRiaMachine):
    """Ignores events held back or reserved by an earlier coordinator when it takes over."""

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self._assigner._unassigned.clear()
        self._assigner.unassigned = 0


# -- peers --


class EndsWhenIdle(peer_to_peer.Peer):
    def _end(self) -> CrawlEnded | None:
        return CrawlEnded(reason=COMPLETE) if self._is_done() and len(self.member.crawl.graph) else None


class WaitsForFullBatch(peer_to_peer.Peer):
    def _must_report(self, now: float) -> bool:
        return super()._must_report(now) and (not self.member.idle or len(self.member.unreported) >= self.sharing.count)


class IsDoneWithUnreportedFacts(WaitsForFullBatch):
    def _is_done(self) -> bool:
        return self.member.is_member and self.member.idle


def loses_some_messages(cluster: SimulatedCluster) -> None:
    """Lose messages all the time: a token is seldom under way during another fault."""
    cluster.network.normal = cluster.network.conditions = NetworkConditions(loss=0.05)


class SendsTheTokenOnce(peer_to_peer.Peer):
    def token_to_resend(self) -> None:
        return None


class NeverRemovesPeers(peer_to_peer.Peer):
    def _changes(self) -> list[Fact]:
        self._silent = []
        return super()._changes()


class KeepsTokenAfterMembershipChange(peer_to_peer.Peer):
    def _start_round(self) -> None:
        if self._newest == Token():
            super()._start_round()


class RemembersLostEntries(peer_to_peer.Peer):
    def handle_entries(self, entries: peer_to_peer.LogEntries, now: float) -> None:
        if self._incarnation != peer_to_peer.NOTHING_HEARD and entries.incarnation != self._incarnation:
            self._incarnation = entries.incarnation
            self._position = 0
        super().handle_entries(entries, now)


class AcceptsAnyEntries(peer_to_peer.Peer):
    def handle_entries(self, entries: peer_to_peer.LogEntries, now: float) -> None:
        fields = {name: getattr(entries, name) for name in entries.__struct_fields__} | {"number": self._number}
        super().handle_entries(peer_to_peer.LogEntries(**fields), now)


BUGS: dict[str, tuple[str, dict[str, Any]]] = {
    "client trusts reported refusals": ("client-server", {"inspection": TrustsReportedRefusals}),
    "node trusts reported refusals": ("dist-ria", {"inspection": TrustsReportedRefusals, "coordinator": HidesRefusals}),
    "peer trusts reported refusals": ("peer-to-peer", {"inspection": TrustsReportedRefusals, "peer": IgnoresRefusals}),
    "ends during work": ("client-server", {"coordinator": EndsDuringWork}),
    "never expires leases": ("client-server", {"coordinator": NeverExpiresLeases}),
    "forgets waiting nodes": ("client-server", {"coordinator": ForgetsWaitingNodes}),
    "takes unknown for initial": ("client-server", {"coordinator": TakesUnknownForInitial}),
    "takes any state for initial": ("client-server", {"coordinator": TakesAnyStateForInitial}),
    "accepts old replies": ("client-server", {"node": AcceptsOldReplies}),
    "remembers lost facts": ("client-server", {"change": remembers_lost_facts}),
    "replies before writing": ("client-server", {"change": replies_before_writing}),
    "ends when one is done": ("dist-ria", {"coordinator": EndsWhenOneIsDone}),
    "ends when all were done once": ("dist-ria", {"coordinator": EndsWhenAllWereDoneOnce}),
    "never removes nodes": ("dist-ria", {"coordinator": NeverRemovesNodes}),
    "accepts any incarnation": ("dist-ria", {"coordinator": AcceptsAnyIncarnation}),
    "accepts any reply": ("dist-ria", {"node": AcceptsAnyReply}),
    "reports facts once": ("dist-ria", {"node": ReportsFactsOnce}),
    "is done without news": ("dist-ria", {"node": IsDoneWithoutNews}),
    "star remembers lost facts": ("dist-ria", {"change": remembers_lost_facts}),
    "star replies before writing": ("dist-ria", {"change": replies_before_writing}),
    "abandons shares of lost nodes": ("dist-ria", {"node": AbandonsSharesOfLostNodes}),
    "reserves forever": ("dist-ria", {"coordinator": ReservesForever}),
    "does not record deals": ("dist-ria", {"coordinator": DoesNotRecordDeals}),
    "forgets reserved events": ("dist-ria", {"coordinator": ForgetsReservedEvents}),
    "ends when idle": ("peer-to-peer", {"peer": EndsWhenIdle}),
    "waits for full batch": ("peer-to-peer", {"peer": WaitsForFullBatch}),
    "is done with unreported facts": ("peer-to-peer", {"peer": IsDoneWithUnreportedFacts}),
    "sends the token once": ("peer-to-peer", {"peer": SendsTheTokenOnce, "change": loses_some_messages}),
    "never removes peers": ("peer-to-peer", {"peer": NeverRemovesPeers}),
    "keeps token after membership change": ("peer-to-peer", {"peer": KeepsTokenAfterMembershipChange}),
    "remembers lost entries": ("peer-to-peer", {"peer": RemembersLostEntries}),
    "accepts any entries": ("peer-to-peer", {"peer": AcceptsAnyEntries}),
}


def test_peers_that_resend_the_token_end_despite_lost_messages() -> None:
    assert [trial("peer-to-peer", seed, change=loses_some_messages).verdict for seed in range(10)] == [None] * 10


@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_is_detected(bug: str) -> None:
    architecture, wrong = BUGS[bug]
    for seed in range(SCHEDULES):
        if trial(architecture, seed, pace=IMPATIENT, **wrong).verdict is not None:
            return
    pytest.fail(f"{bug}: {SCHEDULES} schedules did not detect it")
