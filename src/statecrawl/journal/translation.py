"""What is known of states, told again under other ids. Pure.

When the rules by which states are told apart change, states get other ids, and some that were different become one.
What was seen stays true: a state that was found is found, and an event that led from one to another still does. Facts
about a state without a new id are left out: it is found again. An event that led to several states that are still
different, after its own states became one, is left open, so that it is fired again; going back in the history may lead
anywhere. So are events that hung, crashed or were not there any more: a page that was never the same twice may be all
that was wrong with them. An event that must not be fired in one of the states that became one is not fired any more in
any of them, nor used to get somewhere: which of them a page is in, nobody can tell from now on.
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

NOT_THERE = "the event is not there any more"  # why it was refused


def translated(facts: Iterable[Fact], names: Mapping[str, str]) -> list[Fact]:
    """The facts about states, with these ids instead of those before, each once."""
    told = [*facts]
    dropped = _ambiguous(told, names) | _forbidden(told, names)
    crawl, found = FoldedCrawl(), list[Fact]()
    for fact in _renamed(told, names):
        if isinstance(fact, TransitionExplored | TransitionDiverged) and (fact.state, fact.event) in dropped:
            continue
        if (fresh := new_fact(crawl, fact)) is not None:
            crawl.apply(fresh)
            found.append(fresh)
    return found


def _renamed(facts: Iterable[Fact], names: Mapping[str, str]) -> Iterator[Fact]:
    for fact in facts:
        match fact:
            case StateFound() | EventAdded() | EventRefused() | BoundarySeen():
                if fact.state in names and not (isinstance(fact, EventRefused) and fact.reason == NOT_THERE):
                    told = _with_witness(fact, names) if isinstance(fact, StateFound) else fact
                    yield msgspec.structs.replace(told, state=names[fact.state])
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
    """A state with how it was reached, if the state before it has a new id."""
    if fact.after is None:
        return fact
    if fact.after not in names:
        return msgspec.structs.replace(fact, walk=None, after=None, steps=())
    return msgspec.structs.replace(fact, after=names[fact.after])


def _ambiguous(facts: Iterable[Fact], names: Mapping[str, str]) -> set[tuple[str, str]]:
    """Events that led elsewhere from states that became one."""
    targets: dict[tuple[str, str], set[str]] = {}
    for fact in facts:
        if isinstance(fact, TransitionExplored) and fact.state in names and fact.target in names and fact.event != BACK:
            targets.setdefault((names[fact.state], fact.event), set()).add(names[fact.target])
    return {pair for pair, landed in targets.items() if len(landed) > 1}


def _forbidden(facts: Iterable[Fact], names: Mapping[str, str]) -> set[tuple[str, str]]:
    """Events that the plan forbids in one of the states that became one."""
    return {
        (names[fact.state], fact.event)
        for fact in facts
        if isinstance(fact, EventRefused) and fact.state in names and is_forbidden(fact.reason)
    }


def forbidden_events(facts: Iterable[Fact]) -> frozenset[str]:
    """The names of events that the plan forbids in any state."""
    return frozenset(fact.event for fact in facts if isinstance(fact, EventRefused) and is_forbidden(fact.reason))
