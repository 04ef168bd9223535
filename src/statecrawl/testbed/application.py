"""Application of the testbed: a complete model, and the durations of its events and resets."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from statecrawl.model.event import Event
from statecrawl.model.graph import Graph


@dataclass(frozen=True, slots=True, kw_only=True)
class Application:
    """A named true model.

    `reset_cost` and `event_seconds` are those of the published experiments where there are any.
    """

    name: str  # as it is asked for: "hypercube:10"
    title: str  # one line for people
    truth: Graph  # complete
    reset_cost: float
    event_seconds: float = 0.1  # stands in where nothing was published

    @property
    def events_per_page(self) -> tuple[int, int]:
        """Minimum and maximum number of events in a state."""
        sizes = [len(events) for events in self.truth.events]
        return min(sizes), max(sizes)


def machine(rows: Mapping[str, Iterable[tuple[str, str]]]) -> Graph:
    """Return a complete graph, given state -> ordered (event, target state). The first state is the initial one."""
    listed = {state: list(events) for state, events in rows.items()}
    graph = Graph()
    for state, events in listed.items():
        graph.add_state(state, [Event.named(name) for name, _ in events])
    for state, events in listed.items():
        for position, (_, target) in enumerate(events):
            graph.explore(graph.numbers[state], position, graph.numbers[target])
    return graph
