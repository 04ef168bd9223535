"""What an experiment with many nodes is, and what it yields: one crawl by a simulated cluster, measured."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ScaleSetting:
    """Who crawls what, and how. What an architecture has no use for is left as it is."""

    app: str
    architecture: str
    nodes: int
    strategy: str = "greedy"
    partition: str = "rendezvous"
    share: str = "all"  # states, shorter or all
    share_every: int = 1  # facts that wait before they are told
    share_interval: float | None = None  # seconds after which they are told however few they are
    balance: str = "static"
    pace: str = "ours"
    unequal: float = 1.0  # how many times as slow as the fastest the slowest node is
    changing: float | None = None  # seconds after which everybody is as slow as its neighbour was
    seed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ScaleResult:
    """One crawl by many nodes. Seconds are virtual; shares are of the time of all nodes together."""

    setting: ScaleSetting
    complete: bool
    states: int
    transitions: int
    seconds: float  # until it was known that nothing is left
    seconds_to_states: float | None  # until the last state was known
    discovery: tuple[float, ...]  # when a quarter, a half, three quarters and all of the states were known
    events: int
    resets: int
    messages: int
    repeated: int  # events that were fired though somebody had
    walking: float  # share: firing events and resetting
    labour: float  # share: thinking, telling and learning
    centre_busy: float  # share of the time that the coordinator, or the log, was occupied
    idle_by_node: tuple[float, ...]  # share for each node
    is_crowd: bool = False  # nodes had one view of the application in common: see `simulation.crowd`

    @property
    def idle(self) -> float:
        """Share: neither walking nor at anything else."""
        return max(0.0, 1 - self.walking - self.labour)
