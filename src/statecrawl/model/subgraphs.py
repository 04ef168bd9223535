"""Parts of a graph: the reachable part and the deterministic part."""

from statecrawl.model.graph import INITIAL, UNEXPLORED, Graph


def reachable_part(graph: Graph) -> Graph:
    """Return the graph if all states can be reached from the initial one, otherwise a copy without the others."""
    reached = dict.fromkeys([INITIAL])
    queue = [INITIAL]
    for state in queue:
        new = [target for target in graph.links.successors[state] if target not in reached]
        reached.update(dict.fromkeys(new))
        queue += new
    if len(reached) == len(graph):
        return graph
    part = Graph()
    for state in reached:
        part.add_state(graph.ids[state], [graph.vocabulary[number] for number in graph.events[state]])
    for state, position, target in graph.transitions():
        if state in reached and target in reached:
            part.explore(part.numbers[graph.ids[state]], position, part.numbers[graph.ids[target]])
    return part


def explored_part(graph: Graph) -> Graph:
    """Return the part of a recorded model that can be simulated: every event has exactly one target."""
    if not graph.unexplored and not graph.divergences:
        return graph
    part = Graph()
    for state, targets in enumerate(graph.targets):
        known = [position for position, target in enumerate(targets) if target != UNEXPLORED]
        part.add_state(graph.ids[state], [graph.event(state, position) for position in known])
    for state, targets in enumerate(graph.targets):
        for position, target in enumerate(target for target in targets if target != UNEXPLORED):
            part.explore(state, position, target)
    return part
