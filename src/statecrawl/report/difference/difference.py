"""The difference: states, events and transitions that are gone, new or changed."""

from collections.abc import Callable
from dataclasses import dataclass

from statecrawl.model.graph import UNEXPLORED
from statecrawl.model.ways import Ways, ways_of
from statecrawl.report.crawl.words import way_in_words
from statecrawl.report.difference.matching import Matching, Side

Place = tuple[str, tuple[str, ...], tuple[str, ...]]  # where, what stood there, what stands there now


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """A state that is on one side only."""

    number: int
    id: str
    url: str
    title: str
    way: tuple[str, ...]  # in words


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """A state that is not what it was."""

    old: State
    new: State
    places: tuple[Place, ...]
    events_gone: tuple[str, ...]
    events_new: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Transition:
    """An event that leads elsewhere, or that led or leads anywhere on one side only. Numbers are those of states."""

    event: str
    old: int | None  # the state it is in
    new: int | None
    led: int | None
    leads: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Between an old crawl and a new one."""

    states: tuple[int, int]  # in each
    transitions: tuple[int, int]
    same: int  # states
    states_gone: tuple[State, ...]
    states_new: tuple[State, ...]
    states_changed: tuple[Changed, ...]
    events_gone: tuple[str, ...]  # that no state has any more
    events_new: tuple[str, ...]
    transitions_gone: tuple[Transition, ...]
    transitions_new: tuple[Transition, ...]
    transitions_changed: tuple[Transition, ...]
    warnings: tuple[str, ...] = ()  # why some of that may say nothing about the application

    @property
    def is_empty(self) -> bool:
        gone = self.states_gone or self.events_gone or self.transitions_gone
        new = self.states_new or self.events_new or self.transitions_new
        return not (gone or new or self.states_changed or self.transitions_changed)


def difference_of(matching: Matching, places: Callable[[str, str], tuple[Place, ...]]) -> Difference:
    """What is different. `places` tells where two states differ, by their ids."""
    old, new = matching.old, matching.new
    ways = ways_of(old.graph), ways_of(new.graph)
    changed = [
        _changed(matching, one, other, ways, places)
        for one, other in sorted(matching.there.items())
        if old.graph.ids[one] != new.graph.ids[other]
    ]
    before, after = (_vocabulary(side) for side in (old, new))
    gone, fresh, moved = _transitions(matching)
    return Difference(
        states=(len(old.graph), len(new.graph)),
        transitions=(old.graph.explored, new.graph.explored),
        same=len(matching.there) - len(changed),
        states_gone=_alone(old, matching.there, ways[0]),
        states_new=_alone(new, matching.back, ways[1]),
        states_changed=tuple(changed),
        events_gone=tuple(sorted(before - after)),
        events_new=tuple(sorted(after - before)),
        transitions_gone=tuple(gone),
        transitions_new=tuple(fresh),
        transitions_changed=tuple(moved),
    )


def _alone(side: Side, matched: dict[int, int], ways: Ways) -> tuple[State, ...]:
    return tuple(_state(side, state, ways) for state in range(len(side.graph)) if state not in matched)


def _state(side: Side, state: int, ways: Ways) -> State:
    names = [side.graph.event(*pair).local for pair in ways.to(state)]
    return State(
        number=state,
        id=side.graph.ids[state],
        url=side.urls[state],
        title=side.titles[state],
        way=tuple(way_in_words(names)) if ways.depths[state] >= 0 else (),
    )


def _changed(
    matching: Matching, one: int, other: int, ways: tuple[Ways, Ways], places: Callable[[str, str], tuple[Place, ...]]
) -> Changed:
    old, new = matching.old, matching.new
    before, after = old.names(one), new.names(other)
    return Changed(
        old=_state(old, one, ways[0]),
        new=_state(new, other, ways[1]),
        places=places(old.graph.ids[one], new.graph.ids[other]),
        events_gone=tuple(sorted(before - after)),
        events_new=tuple(sorted(after - before)),
    )


def _transitions(matching: Matching) -> tuple[list[Transition], list[Transition], list[Transition]]:
    """Gone, new, changed."""
    gone, fresh, moved = [], [], []
    old, new = matching.old, matching.new
    for state, leads in enumerate(old.leads):
        there = matching.there.get(state)
        after = {} if there is None else new.leads[there]
        for event, target in sorted(leads.items()):
            now = after.get(event, UNEXPLORED)
            told = Transition(event=event, old=state, new=there, led=target, leads=now if now != UNEXPLORED else None)
            if now == UNEXPLORED:
                gone.append(told)
            elif matching.there.get(target) != now:
                moved.append(told)
    for state, leads in enumerate(new.leads):
        here = matching.back.get(state)
        before = {} if here is None else old.leads[here]
        for event, target in sorted(leads.items()):
            if event not in before:
                fresh.append(Transition(event=event, old=here, new=state, led=None, leads=target))
    return gone, fresh, moved


def _vocabulary(side: Side) -> set[str]:
    return set(side.vocabulary)
