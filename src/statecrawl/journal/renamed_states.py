"""State renaming: facts about states are repeated under new ids. Pure.

When the rules of state equivalence change, states get new ids, and several states may merge into one. Observations
remain valid: a found state is still found, and an event that led from one state to another still does. The exceptions:

* Facts about a state without a new id are dropped. The state will be found again.
* If merged states have an event that led to different states, the event is left unexplored, so that it is fired again.
  "Back" is exempt, because its destination depends on the path.
* Events that hung, crashed or had disappeared are left unexplored, too. The reason may have been that the page was
  never the same twice.
* If an event is forbidden in one of the merged states, it is refused in the merged state and not used to reach other
  states, because from now on the states cannot be distinguished.
"""

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from statecrawl.journal.facts import (
    BoundarySeen,
    EventAdded,
    EventRefused,
    ExternalTransition,
    Fact,
    StateFound,
    TransitionDiverged,
    TransitionExplored,
)
from statecrawl.journal.fold import FoldedCrawl
from statecrawl.journal.novelty import new_fact
from statecrawl.journal.refusal_reasons import is_forbidden
from statecrawl.model.event import BACK

NOT_THERE = "the event is not there any more"  # reason of a refusal


def renamed_facts(facts: Iterable[Fact], names: Mapping[str, str]) -> list[Fact]:
    """Return the facts about states under new ids, each once. `names` maps old ids to new ones."""
    old = [*facts]
    dropped = _ambiguous(old, names) | _forbidden(old, names)
    crawl, renamed = FoldedCrawl(), list[Fact]()
    for fact in _renamed(old, names):
        if isinstance(fact, TransitionExplored | TransitionDiverged) and (fact.state, fact.event) in dropped:
            continue
        if (fresh := new_fact(crawl, fact)) is not None:
            crawl.apply(fresh)
            renamed.append(fresh)
    return renamed


def _renamed(facts: Iterable[Fact], names: Mapping[str, str]) -> Iterator[Fact]:
    for fact in facts:
        match fact:
            case StateFound() | EventAdded() | EventRefused() | BoundarySeen():
                if fact.state in names and not (isinstance(fact, EventRefused) and fact.reason == NOT_THERE):
                    moved = _with_witness(fact, names) if isinstance(fact, StateFound) else fact
                    yield msgspec.structs.replace(moved, state=names[fact.state])
            case TransitionExplored() if fact.state in names and fact.target in names:
                yield msgspec.structs.replace(fact, state=names[fact.state], target=names[fact.target])
            case ExternalTransition() if fact.state in names and fact.target in names:
                if names[fact.state] != names[fact.target]:
                    yield msgspec.structs.replace(fact, state=names[fact.state], target=names[fact.target])
            case TransitionDiverged() if {fact.state, fact.expected, fact.landed} <= names.keys():
                state, expected, landed = (names[each] for each in (fact.state, fact.expected, fact.landed))
                if expected != landed:
                    yield msgspec.structs.replace(fact, state=state, expected=expected, landed=landed)
            case _:
                pass


def _with_witness(fact: StateFound, names: Mapping[str, str]) -> StateFound:
    """Rename the witness of a state, or drop it if the state before it has no new id."""
    if fact.after is None:
        return fact
    if fact.after not in names:
        return msgspec.structs.replace(fact, walk=None, after=None, steps=())
    return msgspec.structs.replace(fact, after=names[fact.after])


def _ambiguous(facts: Iterable[Fact], names: Mapping[str, str]) -> set[tuple[str, str]]:
    """Return the events that led to different states from merged states."""
    targets: dict[tuple[str, str], set[str]] = {}
    for fact in facts:
        if isinstance(fact, TransitionExplored) and fact.state in names and fact.target in names and fact.event != BACK:
            targets.setdefault((names[fact.state], fact.event), set()).add(names[fact.target])
    return {pair for pair, landed in targets.items() if len(landed) > 1}


def _forbidden(facts: Iterable[Fact], names: Mapping[str, str]) -> set[tuple[str, str]]:
    """Return the events that the plan forbids in one of several merged states."""
    return {
        (names[fact.state], fact.event)
        for fact in facts
        if isinstance(fact, EventRefused) and fact.state in names and is_forbidden(fact.reason)
    }


def forbidden_events(facts: Iterable[Fact]) -> frozenset[str]:
    """Return the ids of events that the plan forbids in any state."""
    return frozenset(fact.event for fact in facts if isinstance(fact, EventRefused) and is_forbidden(fact.reason))
