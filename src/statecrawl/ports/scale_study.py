"""Results of a scaling study beyond single crawls: saturation points, balance of partitions, published claims."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Saturation:
    """Number of nodes beyond which more nodes stop helping."""

    architecture: str
    strategy: str
    pace: str
    app: str
    nodes: int  # beyond which each doubling of nodes gains less than a tenth
    is_found: bool  # False: the crawl still got faster at `nodes`, the largest number tried
    speed_up: float  # with `nodes` nodes
    most_speed_up: float  # with any number of nodes
    most_nodes: int  # number of nodes with the highest speed-up
    bottleneck: str  # what limits the speed beyond that
    coordinator_busy: float  # shares of the time, at saturation
    overhead: float
    idle: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PartitionBalance:
    """How evenly a partition distributes the events of an application."""

    partition: str
    app: str
    members: int
    busiest: float  # events of the member with the most, relative to the average
    fewest: float
    moved: float  # share of all events that change owner when a member joins
    microseconds: float  # to assign one event


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """Published claim and our own observation."""

    text: str
    source: str
    published: str
    ours: str
    holds: bool | None  # None: neither confirmed nor refuted
