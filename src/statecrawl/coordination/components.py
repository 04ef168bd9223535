"""Which member crawls a component, where members decide for themselves.

S. M. Mir Taheri, "Distributed Crawling of Rich Internet Applications", 2015, appendix B. A component is identified by
its location. There are two kinds of responsibility:

    handlers      All members compute the same owner from a hash of the location. A component is passed on without any
                  message; but its owner has to get there first.
    gate-keepers  A member that is there, or has nothing else to do, claims the component. In the thesis, a hash of the
                  location chooses a gate-keeper, which ensures that exactly one member crawls the component. Here all
                  members share a record with one order, so the record is the gate-keeper of all components: of several
                  claims, the first one counts. A claim takes one request and its reply, and no events.

The location is the place of a region (`model.regions`). A member claims a component only while it has fewer than
MOST_OPEN tasks of its own: the thesis asks the same, without a number. Claims end when their member leaves. A component
with a task that was never fired is claimed by the next member that has nothing to do, so none is forgotten.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from enum import StrEnum

from statecrawl.coordination.partition import Partition, PartitionKey, PartitionRule
from statecrawl.model.cheapest_paths import Settling, Ties
from statecrawl.model.components import Components
from statecrawl.model.event import Event
from statecrawl.model.graph import Graph

MOST_OPEN = 4  # own tasks with which a member still claims the component that it has found
_BY_NAME = Partition(PartitionRule.RENDEZVOUS, PartitionKey.TYPE)


class Responsibility(StrEnum):
    """How the member that crawls a component is chosen."""

    HANDLERS = "handlers"
    GATE_KEEPERS = "gate-keepers"


def responsible(place: str, members: Sequence[str]) -> str:
    """Return the handler of a component. ValueError when there are no members."""
    (position,) = _BY_NAME.owners("", (Event.named(place),), members)
    return members[position]


def open_places(components: Components, claims: Mapping[str, str]) -> frozenset[str]:
    """Return the places of components that no member has claimed, and that have a task which was never fired."""
    return frozenset(task[0][0] for task in components.untried_tasks() if task[0][0] not in claims)


def place_to_claim(
    graph: Graph, components: Components, places: Collection[str], position: int | None, reset_cost: float
) -> str | None:
    """Return the place with the nearest untried task, as seen from a state; any place if none can be reached."""
    if not places:
        return None
    for state, _ in Settling(graph, position, reset_cost, Ties.WALK) if len(graph) else ():
        found = place_here(components, places, state)
        if found is not None:
            return found
    return min(places)


def place_here(components: Components, places: Collection[str], state: int) -> str | None:
    """Return the first of these places that has an untried task in a state."""
    return next(_untried_places(components, places, state), None)


def _untried_places(components: Components, places: Collection[str], state: int) -> Iterator[str]:
    for position, task in components.tasks(state).items():
        if task[0][0] in places and components.is_untried(task) and (state, position) in components.record(task).left:
            yield task[0][0]
