"""A coordinator that begins anew in the middle of a crawl: nobody who asks is left without an answer."""

from statecrawl.coordination.client import Node
from statecrawl.coordination.client_server import Coordinator
from statecrawl.coordination.questions import Do
from statecrawl.journal.facts import Fact, StateFound
from statecrawl.model.graph import Graph
from statecrawl.strategies.registry import make_strategy
from statecrawl.strategies.rules import Rules
from statecrawl.strategies.strategy import Strategy

JOURNAL: list[Fact] = [StateFound(state="A", events=("a", "b"))]


def greedy(graph: Graph) -> Strategy:
    return make_strategy("greedy", graph, Rules())


def test_a_sign_of_life_before_the_question_does_not_hide_it() -> None:
    node = Node("n")
    question = node.ask(None)
    restarted = Coordinator(JOURNAL, greedy, lease=10.0)
    restarted.beat(node.beat(), now=1.0)
    (answer,) = restarted.asked(question, now=2.0).answers
    assert isinstance(node.heard(answer), Do)


def test_what_a_node_is_at_is_given_to_nobody_else() -> None:
    first = Coordinator(JOURNAL, greedy, lease=10.0)
    node, other = Node("n"), Node("o")
    (answer,) = first.asked(node.ask(None), now=1.0).answers
    assert isinstance(node.heard(answer), Do)
    restarted = Coordinator(JOURNAL, greedy, lease=10.0)
    restarted.beat(node.beat(), now=2.0)
    (given,) = restarted.asked(other.ask("A"), now=3.0).answers
    assert isinstance(answer, Do)
    assert isinstance(given, Do)
    assert given.holds != answer.holds
