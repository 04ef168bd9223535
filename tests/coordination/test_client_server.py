"""A coordinator that starts again in the middle of a crawl: every node that sends a request gets a reply."""

import pytest

from statecrawl.coordination.client_node import ClientNode
from statecrawl.coordination.client_server import ClientServerMachine
from statecrawl.coordination.client_server_messages import RunTask
from statecrawl.journal.facts import ExternalTransition, Fact, StateFound, TransitionDiverged, TransitionExplored
from statecrawl.model.graph import Graph
from statecrawl.strategies.registry import make_strategy
from statecrawl.strategies.settings import StrategySettings
from statecrawl.strategies.strategy import Strategy

JOURNAL: list[Fact] = [StateFound(state="A", events=("a", "b"))]


def greedy(graph: Graph) -> Strategy:
    return make_strategy("greedy", graph, StrategySettings())


def test_a_heartbeat_that_overtakes_a_request_does_not_hide_it() -> None:
    node = ClientNode("n")
    question = node.next_request(None)
    restarted = ClientServerMachine(JOURNAL, greedy, lease=10.0)
    restarted.handle_heartbeat(node.heartbeat(), now=1.0)
    (answer,) = restarted.handle_request(question, now=2.0).replies
    assert isinstance(node.handle_reply(answer), RunTask)


@pytest.mark.parametrize(
    "surprise",
    [
        TransitionExplored(state="A", event="a", target="B"),
        TransitionDiverged(state="A", event="a", expected="A", landed="B", incident=1),
        ExternalTransition(state="A", target="B", incident=1),
    ],
    ids=lambda fact: type(fact).__name__,
)
def test_a_surprise_reported_again_to_the_next_coordinator_counts_once(surprise: Fact) -> None:
    journal = [*JOURNAL, StateFound(state="B", events=("b",)), TransitionExplored(state="A", event="a", target="A")]
    first = ClientServerMachine(journal, greedy, lease=10.0)
    node = ClientNode("n")
    (answer,) = first.handle_request(node.next_request(None), now=1.0).replies
    node.handle_reply(answer)
    question = node.next_request("B", [surprise])
    (surprise_fact,) = first.handle_request(question, now=2.0).facts
    restarted = ClientServerMachine([*journal, surprise_fact], greedy, lease=10.0)
    restarted.handle_heartbeat(node.heartbeat(), now=3.0)
    repeated = restarted.handle_request(question, now=4.0)
    assert repeated.facts == []
    node.handle_reply(repeated.replies[0])
    (again,) = restarted.handle_request(node.next_request("B", [surprise]), now=5.0).facts
    assert isinstance(again, TransitionDiverged | ExternalTransition)
    assert again.incident == 2, "one more time is one more surprise"


def test_the_first_request_of_a_new_node_counts_in_full() -> None:
    known = ExternalTransition(state="A", target="B", incident=1)
    coordinator = ClientServerMachine([*JOURNAL, StateFound(state="B", events=("b",)), known], greedy, lease=10.0)
    (fact,) = coordinator.handle_request(ClientNode("n").next_request("B", [known]), now=1.0).facts
    assert isinstance(fact, ExternalTransition)
    assert fact.incident == 2


def test_a_task_in_progress_is_given_to_no_other_node() -> None:
    first = ClientServerMachine(JOURNAL, greedy, lease=10.0)
    node, other = ClientNode("n"), ClientNode("o")
    (answer,) = first.handle_request(node.next_request(None), now=1.0).replies
    assert isinstance(node.handle_reply(answer), RunTask)
    restarted = ClientServerMachine(JOURNAL, greedy, lease=10.0)
    restarted.handle_heartbeat(node.heartbeat(), now=2.0)
    (given,) = restarted.handle_request(other.next_request("A"), now=3.0).replies
    assert isinstance(answer, RunTask)
    assert isinstance(given, RunTask)
    assert given.holds != answer.holds
