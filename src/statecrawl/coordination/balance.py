"""Load balancing: the part of each new state that every member receives, so that all members finish at the same time.

S. M. Mir Taheri, "Distributed Crawling of Rich Internet Applications", 2015, appendix A:

    static         the partition alone decides: equal parts, whatever the speeds of the members
    dynamic        nothing is assigned in advance: an idle member receives the next task
    hybrid         the last events of each state are reserved for idle members; how many depends on the part I of their
                   time that the N members are idle otherwise: RR = min(1, I·N)
    adaptive       each new state is divided such that all members finish together if they keep their current speeds
    lazy-adaptive  the same, but only when a member is about to run out of work: until then it is unknown which members
                   will be slow

Adaptive in closed form (A.7 and A.8 solved): with speeds v, backlogs b and E new events, all members finish at
T = (E + Σb) / Σv, and member i receives v_i·T − b_i of the events. A member whose backlog alone lasts longer than T
receives none, and the rest is divided again among the others. A member that has not completed a task yet is assumed to
have the average speed of the others, since a speed of zero would keep it idle forever.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

ROUNDING = 1e-9  # relative error allowed for floating point
LEAST_BACKLOG = 1  # tasks: a member with no more is about to run out of work


class Balance(StrEnum):
    """How the events of a new state are assigned."""

    STATIC = "static"
    DYNAMIC = "dynamic"
    HYBRID = "hybrid"
    ADAPTIVE = "adaptive"
    LAZY_ADAPTIVE = "lazy-adaptive"


@dataclass(frozen=True, slots=True)
class MemberLoad:
    """Load of one member."""

    done: int  # tasks
    seconds: float  # since it joined
    backlog: int  # assigned tasks that are not done

    @property
    def speed(self) -> float:
        """Tasks per second; 0 while unknown."""
        return self.done / self.seconds if self.seconds > 0 else 0.0


def predicted_idle(loads: Iterable[MemberLoad]) -> float:
    """Return the part of their time that members will be idle if all get equal work and wait for the slowest."""
    speeds = [load.speed for load in loads if load.speed > 0]
    return sum(1 - min(speeds) / speed for speed in speeds) / len(speeds) if speeds else 0.0


def reserved_ratio(idle: float, members: int) -> float:
    """Return the part of each state's events to reserve when members are idle for this part of their time."""
    return min(1.0, max(0.0, idle) * members)


def reserved(events: int, ratio: float) -> int:
    """Return how many of a state's events, counted from the last, are reserved for idle members."""
    return min(events, math.floor(events * ratio + 1e-9))


def shares(events: int, loads: Mapping[str, MemberLoad]) -> dict[str, float]:
    """Return how many of a new state's events each member should receive so that all finish together.

    The shares add up to all events. ValueError when there are no members.
    """
    if not loads:
        raise ValueError("there are no members to share with")
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
    """Round the shares to integers that add up to all events; remaining events go to the largest remainders."""
    whole = {name: min(events, math.floor(share + 1e-9)) for name, share in given.items()}
    left = events - sum(whole.values())
    by_remainder = sorted(given, key=lambda name: (whole[name] - given[name], name))
    for name in by_remainder[:left]:
        whole[name] += 1
    return whole


def allot(undone: Sequence[bool], whole: Mapping[str, int]) -> list[tuple[str, int]]:
    """Divide a row of events among members, in the order of their names.

    `whole` says how many events that are not done each member should receive. Return how many events each member
    receives; the events after the last of these are left over.
    """
    given: list[tuple[str, int]] = []
    start = 0
    for name in sorted(whole):
        end, wanted = start, whole[name]
        while wanted:
            wanted -= undone[end]
            end += 1
        if end > start:
            given.append((name, end - start))
        start = end
    return given


def runs_out(loads: Mapping[str, MemberLoad]) -> bool:
    """Whether a member is about to run out of work, so that events held back must be dealt."""
    return any(load.backlog <= LEAST_BACKLOG for load in loads.values())


def _speeds(loads: Mapping[str, MemberLoad]) -> dict[str, float]:
    known = [load.speed for load in loads.values() if load.speed > 0]
    average = sum(known) / len(known) if known else 1.0
    return {name: load.speed or average for name, load in loads.items()}
