"""What a study of scaling yields beside single crawls: where things saturate, how partitions deal, what was claimed."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Saturation:
    """Where more nodes stop to help one way of crawling."""

    architecture: str
    strategy: str
    pace: str
    app: str
    nodes: int  # beyond which each doubling of nodes gains less than a tenth
    is_found: bool  # False: it was still gaining at this, the most nodes that were tried
    speed_up: float  # there
    most_speed_up: float  # with any number of nodes
    most_nodes: int  # with which it was reached
    bottleneck: str  # what held it up beyond that
    centre_busy: float  # shares, where it is held up
    labour: float
    idle: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Dealing:
    """How one rule deals the events of an application out."""

    way: str
    app: str
    members: int
    busiest: float  # events of the member that has most, over the average
    fewest: float
    moved: float  # share of all events that change hands when one member more comes
    microseconds: float  # for each event


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A published sentence, and what we see."""

    text: str
    source: str
    published: str
    ours: str
    holds: bool | None  # None: it is neither confirmed nor refuted
