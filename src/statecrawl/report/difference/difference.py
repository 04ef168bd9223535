"""The difference between two crawls: states, events and transitions that were removed, added or changed."""

from collections.abc import Callable
from dataclasses import dataclass

from statecrawl.model.graph import UNEXPLORED
from statecrawl.model.shortest_paths import ShortestPaths, shortest_paths_of
from statecrawl.report.crawl.event_text import way_in_words
from statecrawl.report.difference.state_match import Side, StateMatch

Place = tuple[str, tuple[str, ...], tuple[str, ...]]  # place, old lines, new lines


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedState:
    """A state, as shown in a difference."""

    number: int
    id: str
    url: str
    title: str
    way: tuple[str, ...]  # in words


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedState:
    """A state that has changed."""

    old: ComparedState
    new: ComparedState
    places: tuple[Place, ...]
    events_gone: tuple[str, ...]
    events_new: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedTransition:
    """A transition with another target, or one that only one of the crawls has. Numbers are those of states."""

    event: str
    old: int | None  # its source in the old crawl
    new: int | None
    led: int | None
    leads: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlDifference:
    """Difference between an old crawl and a new one."""

    states: tuple[int, int]  # in each
    transitions: tuple[int, int]
    same: int  # states
    states_gone: tuple[ComparedState, ...]
    states_new: tuple[ComparedState, ...]
    states_changed: tuple[ChangedState, ...]
    events_gone: tuple[str, ...]  # in no state of the new crawl
    events_new: tuple[str, ...]
    transitions_gone: tuple[ComparedTransition, ...]
    transitions_new: tuple[ComparedTransition, ...]
    transitions_changed: tuple[ComparedTransition, ...]
    warnings: tuple[str, ...] = ()  # why the difference may not be due to the application

    @property
    def is_empty(self) -> bool:
        gone = self.states_gone or self.events_gone or self.transitions_gone
        new = self.states_new or self.events_new or self.transitions_new
        return not (gone or new or self.states_changed or self.transitions_changed)


def difference_of(matching: StateMatch, places: Callable[[str, str], tuple[Place, ...]]) -> CrawlDifference:
    """Return the difference. `places` returns where two states differ, given their ids."""
    old, new = matching.old, matching.new
    ways = shortest_paths_of(old.graph), shortest_paths_of(new.graph)
    changed = [
        _changed(matching, one, other, ways, places)
        for one, other in sorted(matching.there.items())
        if old.graph.ids[one] != new.graph.ids[other]
    ]
    before, after = (_vocabulary(side) for side in (old, new))
    gone, fresh, moved = _transitions(matching)
    return CrawlDifference(
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


def _alone(side: Side, matched: dict[int, int], ways: ShortestPaths) -> tuple[ComparedState, ...]:
    return tuple(_state(side, state, ways) for state in range(len(side.graph)) if state not in matched)


def _state(side: Side, state: int, ways: ShortestPaths) -> ComparedState:
    names = [side.graph.event(*pair).local for pair in ways.to(state)]
    return ComparedState(
        number=state,
        id=side.graph.ids[state],
        url=side.urls[state],
        title=side.titles[state],
        way=tuple(way_in_words(names)) if ways.depths[state] >= 0 else (),
    )


def _changed(
    matching: StateMatch,
    one: int,
    other: int,
    ways: tuple[ShortestPaths, ShortestPaths],
    places: Callable[[str, str], tuple[Place, ...]],
) -> ChangedState:
    old, new = matching.old, matching.new
    before, after = old.names(one), new.names(other)
    return ChangedState(
        old=_state(old, one, ways[0]),
        new=_state(new, other, ways[1]),
        places=places(old.graph.ids[one], new.graph.ids[other]),
        events_gone=tuple(sorted(before - after)),
        events_new=tuple(sorted(after - before)),
    )


def _transitions(
    matching: StateMatch,
) -> tuple[list[ComparedTransition], list[ComparedTransition], list[ComparedTransition]]:
    """Return the removed, new and changed transitions."""
    gone, fresh, moved = [], [], []
    old, new = matching.old, matching.new
    for state, leads in enumerate(old.leads):
        there = matching.there.get(state)
        after = {} if there is None else new.leads[there]
        for event, target in sorted(leads.items()):
            now = after.get(event, UNEXPLORED)
            transition = ComparedTransition(
                event=event, old=state, new=there, led=target, leads=now if now != UNEXPLORED else None
            )
            if now == UNEXPLORED:
                gone.append(transition)
            elif matching.there.get(target) != now:
                moved.append(transition)
    for state, leads in enumerate(new.leads):
        here = matching.back.get(state)
        before = {} if here is None else old.leads[here]
        for event, target in sorted(leads.items()):
            if event not in before:
                fresh.append(ComparedTransition(event=event, old=here, new=state, led=None, leads=target))
    return gone, fresh, moved


def _vocabulary(side: Side) -> set[str]:
    return set(side.vocabulary)
