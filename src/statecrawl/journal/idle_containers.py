"""Idle containers: listeners on elements that contain other controls, refused once they have proved to do nothing.

Theory of operation
    A listener on a `section` or `li` usually serves the controls inside it, but the page does not declare this, so the
    crawl has to fire its events. Most of them do nothing, in every state again. The agent reports which events are on
    containers and gives similar ones (same kind of event, element, classes and listener) the same *template*.

    A template is *idle* when its events were fired at least PROBES times, in at least LEAST_STATES states, without any
    effect: none led to another state, out of the application, or to a dialog. Events of an idle template are refused
    with a reason of their own. It counts as a qualification, so the crawl does not claim that every event was fired.
    Within one state, the remaining containers of a template are refused once PROBES of them had no effect there.

    The effect of a listener may depend on the state. So idle templates are probed again, with one event in each state
    whose ordinal among the states with that template is a power of two. After the first effect, a template is never
    idle again, and its events are fired in all states found from then on.

    All decisions follow from the facts in their order, so every process that folds the whole journal decides alike.
    Nodes that fold only part of it fire a few more events.
"""

from collections import Counter
from dataclasses import dataclass, field

from statecrawl.journal.facts import (
    BoundarySeen,
    EquivalenceRevised,
    EventAdded,
    EventRefused,
    Fact,
    StateFound,
    TransitionExplored,
)
from statecrawl.journal.fold import FoldedCrawl, Pair
from statecrawl.model.event import ACCEPTED, DISMISSED
from statecrawl.model.graph import UNEXPLORED

PROBES = 3  # events without effect
LEAST_STATES = 2  # in which the events were fired
IDLE = "a listener on a container had no effect when it was tried"  # start of the reason of a refusal


@dataclass(slots=True)
class _ContainerTemplate:
    """Knowledge about containers with the same template."""

    places: dict[int, list[int]] = field(default_factory=dict)  # state -> positions, in the order of the states
    idle: Counter[int] = field(default_factory=Counter)  # state -> events fired there without effect
    has_effect: bool = False

    def is_idle(self, probes: int) -> bool:
        return not self.has_effect and len(self.idle) >= LEAST_STATES and self.idle.total() >= probes

    @property
    def is_due(self) -> bool:
        """Whether even an idle template is probed in the state found last."""
        return len(self.places).bit_count() == 1


class IdleContainers:
    """Receives every fact of a crawl in order, after it was folded."""

    def __init__(self, probes: int, crawl: FoldedCrawl) -> None:
        """With 0 probes, no event is ever refused."""
        self._probes = probes
        self._crawl = crawl
        self._templates: dict[str, _ContainerTemplate] = {}
        self._of: dict[Pair, _ContainerTemplate] = {}
        self._tried: set[Pair] = set()
        for state in crawl.containers:
            self._found(state)
            self._note_dialogs(state)
        for state, position in list(self._of):
            target = crawl.graph.targets[state][position]
            if target != UNEXPLORED:
                self._fired((state, position), target)
        for boundary in crawl.boundaries.values():
            self._note_effect(boundary)

    def refusals_after(self, fact: Fact) -> list[EventRefused]:
        """Return the refusals that follow from a fact that has just been folded."""
        if not self._probes:
            return []
        match fact:
            case EquivalenceRevised() if not len(self._crawl.graph):
                self._templates, self._of, self._tried = {}, {}, set()
            case StateFound() if fact.containers:
                return self._refused_in(self._found(self._crawl.state(fact.state)))
            case TransitionExplored() if self._of:
                pair = self._crawl.pair(fact.state, fact.event)
                template = self._of.get(pair)
                if template is not None:
                    self._fired(pair, self._crawl.state(fact.target))
                    return self._refused_after(template, pair[0])
            case BoundarySeen() | EventAdded() if self._of:
                self._note_effect(fact)
        return []

    def _found(self, state: int) -> list[_ContainerTemplate]:
        """Register a state. Return its templates if the state is new."""
        here: dict[str, None] = {}
        for position, name in self._crawl.containers[state]:
            if (state, position) in self._of:
                return []
            template = self._templates.setdefault(name, _ContainerTemplate())
            template.places.setdefault(state, []).append(position)
            self._of[state, position] = template
            here[name] = None
        return [self._templates[name] for name in here]

    def _fired(self, pair: Pair, target: int) -> None:
        template = self._of[pair]
        if pair in self._tried:
            return
        self._tried.add(pair)
        if target == pair[0]:
            template.idle[target] += 1
        else:
            template.has_effect = True

    def _note_effect(self, fact: BoundarySeen | EventAdded) -> None:
        """Record that an event led out of the application or to a dialog."""
        event = fact.event if fact.event is None or isinstance(fact.event, str) else fact.event[0]
        if event is None or (isinstance(fact, EventAdded) and not event.endswith((ACCEPTED, DISMISSED))):
            return
        template = self._of.get(self._crawl.pair(fact.state, event.removesuffix(DISMISSED).removesuffix(ACCEPTED)))
        if template is not None:
            template.has_effect = True

    def _note_dialogs(self, state: int) -> None:
        """Record which events of a known state led to dialogs: they can be fired with the dialog dismissed, too."""
        graph = self._crawl.graph
        names = {graph.event(state, position).local for position in range(len(graph.events[state]))}
        for position, _ in self._crawl.containers[state]:
            name = graph.event(state, position).local
            if name + DISMISSED in names or name + ACCEPTED in names:
                self._of[state, position].has_effect = True

    def _refused_in(self, templates: list[_ContainerTemplate]) -> list[EventRefused]:
        """Return the refusals in a new state."""
        refused: list[EventRefused] = []
        for template in templates:
            if template.is_idle(self._probes):
                state, positions = next(reversed(template.places.items()))
                refused += self._refused(template, state, positions[1:] if template.is_due else positions)
        return refused

    def _refused_after(self, template: _ContainerTemplate, state: int) -> list[EventRefused]:
        """Return the refusals after an event of the template was fired: in all states, or in this one."""
        if template.has_effect:
            return []
        if template.is_idle(self._probes):
            states = template.places.items()
            return [refused for each, positions in states for refused in self._refused(template, each, positions)]
        if template.idle[state] >= self._probes:
            return self._refused(template, state, template.places[state])
        return []

    def _refused(self, template: _ContainerTemplate, state: int, positions: list[int]) -> list[EventRefused]:
        """Refuse those of the positions that are still open."""
        crawl, graph = self._crawl, self._crawl.graph
        tried = f"{IDLE} in {len(template.idle)} state{'' if len(template.idle) == 1 else 's'}"
        return [
            EventRefused(state=graph.ids[state], event=graph.event(state, position).local, reason=tried)
            for position in positions
            if graph.targets[state][position] == UNEXPLORED and (state, position) not in crawl.closed
        ]
