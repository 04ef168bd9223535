"""Whatever goes wrong in a cluster: the model is the true one, and the end is told when it is the end."""

from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache, partial

import pytest

from statecrawl.coordination.client_server import Ask, Coordinator, Do, Learn, Look, Node, Renew, Reply, Told
from statecrawl.errors import StatecrawlError
from statecrawl.journal.facts import Fact
from statecrawl.model.graph import INITIAL, Graph
from statecrawl.simulation.cluster import FencedJournal, SimulatedCluster, SimulatedServer
from statecrawl.simulation.faults import KINDS, LEAST_EFFECTS, Trouble, draw, judge
from statecrawl.strategies.registry import STRATEGIES, make_strategy
from statecrawl.strategies.rules import Rules
from statecrawl.strategies.strategy import Strategy
from statecrawl.testbed.catalogue import application

SCHEDULES = 300
APPLICATIONS = ("test-ria", "menusite:4,3", "widgets:2,5", "hypercube:5")
SECONDS = 60.0  # of one node: in which faults happen


@cache
def truth(name: str) -> Graph:
    return application(name).truth


def strategy(name: str, graph: Graph) -> Strategy:
    return make_strategy(name, graph, Rules(reset_cost=3.0))


def run(
    seed: int,
    coordinator: type[Coordinator] = Coordinator,
    node: type[Node] = Node,
    change: Callable[[SimulatedCluster], object] = lambda _: None,
) -> tuple[str | None, Trouble, SimulatedCluster]:
    schedule = draw(seed, APPLICATIONS, list(STRATEGIES), SECONDS)
    cluster = SimulatedCluster(
        truth(schedule.application),
        partial(strategy, schedule.strategy),
        nodes=schedule.nodes,
        seed=seed,
        coordinator=coordinator,
        node=node,
    )
    change(cluster)
    trouble = Trouble(cluster, schedule)
    try:
        return judge(cluster, cluster.run()), trouble, cluster
    except AssertionError as wrong:
        return f"astray: {wrong}", trouble, cluster


@pytest.mark.parametrize("part", range(10))
def test_any_schedule_of_faults_ends_with_the_true_model(part: int) -> None:
    effective = 0
    seed = part * 1_000_000
    while effective < SCHEDULES // 10:
        verdict, trouble, _ = run(seed)
        assert verdict is None, f"seed {seed}: {verdict} ({', '.join(trouble.effects)})"
        effective += len(trouble.effects) >= LEAST_EFFECTS
        seed += 1


def test_every_kind_of_fault_happens() -> None:
    happened: Counter[str] = Counter()
    for seed in range(60):
        happened.update(run(seed)[1].effects)
    assert happened.keys() == KINDS.keys()


def test_the_same_seed_gives_the_same_journal() -> None:
    for seed in range(20):
        assert run(seed)[2].journal.facts == run(seed)[2].journal.facts


def test_few_events_are_fired_twice() -> None:
    fired = repeated = 0
    for seed in range(100):
        _, _, cluster = run(seed)
        fired += sum(node.events for node in cluster.nodes)
        repeated += cluster.repeated + cluster.server.repeated
    assert 0 < repeated < fired * 0.05


def test_without_faults_nothing_is_fired_twice() -> None:
    for name in STRATEGIES:
        cluster = SimulatedCluster(truth("test-ria"), partial(strategy, name), nodes=5, seed=1)
        assert judge(cluster, cluster.run()) is None
        assert cluster.server.repeated == 0


# -- planted: each of these is wrong in a way that a person might be, and must be noticed --


class EndsWhileSomebodyWorks(Coordinator):
    def _answer(self, ask: Ask, told: Told, now: float) -> Reply | None:
        answer = super()._answer(ask, told, now)
        if answer is None:
            self.strategy._holders.clear()
            answer = super()._answer(ask, told, now)
        return answer


class NeverTakesBack(Coordinator):
    def passed(self, now: float) -> Told:
        return self._serve(Told(), now)


class ForgetsWhoWaits(Coordinator):
    def _serve(self, told: Told, now: float) -> Told:
        super()._serve(told, now)
        self._waiting.clear()
        return told


class BelievesThatUnknownIsFirst(Coordinator):
    def _must_look(self, ask: Ask) -> bool:
        return len(self.crawl.graph) == 0 and super()._must_look(ask)

    def _answer(self, ask: Ask, told: Told, now: float) -> Reply | None:
        if ask.position is not None and len(self.crawl.graph) and ask.position not in self.crawl.graph.numbers:
            ask = Ask(ask.node, ask.number, self.crawl.graph.ids[INITIAL])
        return super()._answer(ask, told, now)


class TakesAnyPlaceForTheBeginning(Coordinator):
    def _must_look(self, ask: Ask) -> bool:
        return super()._must_look(Ask(ask.node, ask.number, ask.position, ask.facts, 0, 1))

    def _learn(self, ask: Ask) -> list[Fact]:
        return super()._learn(Ask(ask.node, ask.number, ask.position, ask.facts, 0, 1))


class BelievesOldAnswers(Node):
    def heard(self, reply: Reply) -> Do | Look | Learn | Renew | None:
        if isinstance(reply, Do) and reply.number < self._number:
            return reply
        return super().heard(reply)


def remembers_what_the_journal_lost(cluster: SimulatedCluster) -> None:
    journal = cluster.journal
    write = FencedJournal.append

    def append(facts: Iterable[Fact], fence: int, _: int) -> None:
        write(journal, facts, fence, journal.incarnation)

    journal.append = append  # type: ignore[method-assign, assignment]


def answers_before_it_has_written(cluster: SimulatedCluster) -> None:
    def do(server: SimulatedServer, told: Told) -> None:
        if cluster.chance.random() < 0.98:
            cluster.journal.facts.extend(told.facts)
        for answer in told.answers:
            cluster.network.send("coordinator", answer.node, answer)

    cluster.server._do = partial(do, cluster.server)  # type: ignore[method-assign]


BUGS: dict[str, dict[str, object]] = {
    "ends while somebody works": {"coordinator": EndsWhileSomebodyWorks},
    "never takes back": {"coordinator": NeverTakesBack},
    "forgets who waits": {"coordinator": ForgetsWhoWaits},
    "believes that unknown is first": {"coordinator": BelievesThatUnknownIsFirst},
    "takes any place for the beginning": {"coordinator": TakesAnyPlaceForTheBeginning},
    "believes old answers": {"node": BelievesOldAnswers},
    "remembers what the journal lost": {"change": remembers_what_the_journal_lost},
    "answers before it has written": {"change": answers_before_it_has_written},
}


@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_is_noticed(bug: str) -> None:
    for seed in range(SCHEDULES):
        try:
            verdict = run(seed, **BUGS[bug])[0]  # type: ignore[arg-type]
        except (StatecrawlError, ValueError, KeyError) as wrong:
            verdict = f"broken: {wrong}"
        if verdict is not None:
            return
    pytest.fail(f"{bug}: {SCHEDULES} schedules, and nobody noticed")
