"""Recorder of a simulated crawl: writes a journal in groups, as a real crawl does."""

from dataclasses import asdict

from statecrawl.journal.facts import CrawlEnded, CrawlStarted, Fact, StateFound, TransitionExplored
from statecrawl.model.graph import INITIAL, Graph
from statecrawl.ports.journal_store import Journal
from statecrawl.strategies.settings import StrategySettings
from statecrawl.strategies.task import Task

GROUP_FACTS = 500  # facts per durable write; a simulation records this many in about ten milliseconds


class JournalRecorder:
    """Turns the tasks of a simulated crawl into facts."""

    def __init__(self, journal: Journal, graph: Graph) -> None:
        self._journal = journal
        self._graph = graph
        self._group: list[Fact] = []
        self._fired = 0
        self._resets = 1  # the first load
        self._begun = False

    def begin(self, app: str, strategy: str, rules: StrategySettings) -> None:
        configuration = {"strategy": strategy, **asdict(rules)}
        self._group.append(CrawlStarted(application=app, configuration=configuration, reset_cost=rules.reset_cost))

    def task(self, task: Task, target: int, is_new: bool) -> None:
        graph = self._graph
        self._initial()
        self._fired += task.events
        self._resets += task.reset
        if is_new:
            self._found(target)
        state, position = task.pair
        self._group.append(
            TransitionExplored(
                state=graph.ids[state],
                event=graph.event(state, position).local,
                target=graph.ids[target],
                fired=self._fired,
                resets=self._resets,
            )
        )
        if len(self._group) >= GROUP_FACTS:
            self._write()

    def end(self, reason: str) -> None:
        self._initial()
        self._group.append(CrawlEnded(reason=reason))
        self._write()

    def _initial(self) -> None:
        if not self._begun:
            self._begun = True
            self._found(INITIAL)

    def _found(self, state: int) -> None:
        graph = self._graph
        events = [graph.vocabulary[number] for number in graph.events[state]]
        self._group.append(StateFound.of(graph.ids[state], events))

    def _write(self) -> None:
        self._journal.append(self._group)
        self._group = []
