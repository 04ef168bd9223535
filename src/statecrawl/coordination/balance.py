"""Load balancing: how much of each new state every member is given, so that all of them end at the same time.

S. M. Mir Taheri, "Distributed Crawling of Rich Internet Applications", 2015, appendix A:

    static         by the partition alone: equal parts, whatever the members' speeds
    dynamic        nothing is given beforehand: whoever is idle is given the next task
    hybrid         the last events of each state are reserved for whoever is idle; how many depends on how much of their
                   time members are idle otherwise: RR = min(1, I·N)
    adaptive       each new state is divided such that all members end together, if they go on at the speeds they had
    lazy-adaptive  the same, but only when somebody is about to run out of work: till then nobody knows who will be slow

Adaptive in closed form (A.7 and A.8 solved): with speeds v, backlogs b and E new events, all end at T = (E + Σb) / Σv,
and member i gets v_i·T − b_i of the events. A member whose backlog alone lasts longer than T gets none, and the rest is
divided anew among the others. A member that has not done anything yet is taken to be as fast as the others on average,
since a speed of zero would keep it idle for ever.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

ROUNDING = 1e-9  # relative: what floating point may lose
LEAST_BACKLOG = 1  # tasks: who has no more than that is about to run out of work


class Balance(StrEnum):
    """How the work of a new state is given out."""

    STATIC = "static"
    DYNAMIC = "dynamic"
    HYBRID = "hybrid"
    ADAPTIVE = "adaptive"
    LAZY_ADAPTIVE = "lazy-adaptive"


@dataclass(frozen=True, slots=True)
class MemberLoad:
    """What is known of a member."""

    done: int  # tasks
    seconds: float  # since it joined
    backlog: int  # tasks that it was given and has not done

    @property
    def speed(self) -> float:
        """Tasks per second; 0 while nobody can tell."""
        return self.done / self.seconds if self.seconds > 0 else 0.0


def foreseen_idle(loads: Iterable[MemberLoad]) -> float:
    """The part of their time that members will be idle, if all are given the same and wait for the slowest."""
    speeds = [load.speed for load in loads if load.speed > 0]
    return sum(1 - min(speeds) / speed for speed in speeds) / len(speeds) if speeds else 0.0


def reserved_ratio(idle: float, members: int) -> float:
    """The part of each state's events that is reserved, when members are idle this part of their time."""
    return min(1.0, max(0.0, idle) * members)


def reserved(events: int, ratio: float) -> int:
    """How many of a state's events, counted from the last, are reserved for whoever is idle."""
    return min(events, math.floor(events * ratio + 1e-9))


def shares(events: int, loads: Mapping[str, MemberLoad]) -> dict[str, float]:
    """How many of a new state's events each member should get so that all end together; they add up to all events.

    ValueError when there are no members.
    """
    if not loads:
        raise ValueError("there is nobody to share with")
    speeds = _speeds(loads)
    given = dict.fromkeys(loads, 0.0)
    taking = list(loads)
    while True:
        end = (events + sum(loads[name].backlog for name in taking)) / sum(speeds[name] for name in taking)
        late = [name for name in taking if speeds[name] * end < loads[name].backlog * (1 - ROUNDING)]
        if not late:
            break
        taking = [name for name in taking if name not in late]
    for name in taking:
        given[name] = max(0.0, speeds[name] * end - loads[name].backlog)
    return given


def deal(events: int, given: Mapping[str, float]) -> dict[str, int]:
    """Shares as whole numbers that add up to all events: what is left goes to the largest remainders, in order."""
    whole = {name: min(events, math.floor(share + 1e-9)) for name, share in given.items()}
    left = events - sum(whole.values())
    by_remainder = sorted(given, key=lambda name: (whole[name] - given[name], name))
    for name in by_remainder[:left]:
        whole[name] += 1
    return whole


def hand_out(undone: Sequence[bool], whole: Mapping[str, int]) -> list[tuple[str, int]]:
    """How many of a row of events everybody gets, in the order of names, to have its number of those that are not done.

    The events behind the last of these are left over.
    """
    given: list[tuple[str, int]] = []
    begun = 0
    for name in sorted(whole):
        end, wanted = begun, whole[name]
        while wanted:
            wanted -= undone[end]
            end += 1
        if end > begun:
            given.append((name, end - begun))
        begun = end
    return given


def runs_out(loads: Mapping[str, MemberLoad]) -> bool:
    """Whether somebody is about to have nothing to do, so that states which are held back must be given out."""
    return any(load.backlog <= LEAST_BACKLOG for load in loads.values())


def _speeds(loads: Mapping[str, MemberLoad]) -> dict[str, float]:
    known = [load.speed for load in loads.values() if load.speed > 0]
    usual = sum(known) / len(known) if known else 1.0
    return {name: load.speed or usual for name, load in loads.items()}
