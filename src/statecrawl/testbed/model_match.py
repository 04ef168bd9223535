"""Comparison of a crawled model with the true one, regardless of the names of states and events.

Both are walked side by side from their first states. Events are matched by their order on the page. The names of
events must match, too: whatever is one logical event in the truth must be one in the model found, and the other way
round, or the strategies that learn from names would not behave as they do in simulation.
"""

from statecrawl.model.graph import INITIAL, UNEXPLORED, Graph


def mismatch(found: Graph, truth: Graph) -> str | None:
    """Return a sentence about the first difference; None if the models are equal."""
    if not len(found) or not len(truth):
        return None if len(found) == len(truth) else f"{len(found)} states were found, and there are {len(truth)}"
    true_of = {INITIAL: INITIAL}
    found_of = {INITIAL: INITIAL}
    names: dict[str, str] = {}
    true_names: dict[str, str] = {}
    queue = [INITIAL]
    for state in queue:
        true = true_of[state]
        here = truth.ids[true]
        events, true_events = found.events[state], truth.events[true]
        if len(events) != len(true_events):
            return f"{here} has {len(events)} events and should have {len(true_events)}"
        for position in range(len(events)):
            name, true_name = found.event(state, position).logical, truth.event(true, position).logical
            if names.setdefault(name, true_name) != true_name or true_names.setdefault(true_name, name) != name:
                return f"in {here}, '{name}' is called '{true_name}' in the truth, and elsewhere it is not"
            target, true_target = found.targets[state][position], truth.targets[true][position]
            if target == UNEXPLORED:
                return f"'{true_name}' of {here} was not explored"
            if target not in true_of and true_target not in found_of:
                true_of[target], found_of[true_target] = true_target, target
                queue.append(target)
            elif true_of.get(target) != true_target:
                landed = truth.ids[true_of[target]] if target in true_of else "a state of its own"
                return f"'{true_name}' of {here} leads to {landed} and should lead to {truth.ids[true_target]}"
    if len(found) != len(queue) or len(truth) != len(queue):
        return f"{len(found)} states were found, {len(queue)} of them are right, and there are {len(truth)}"
    return None
