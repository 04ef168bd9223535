"""Settings and results of one crawl by a simulated cluster."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ScaleSetting:
    """Settings of a simulated crawl. Settings that do not apply to the architecture are ignored."""

    app: str
    architecture: str
    nodes: int
    strategy: str = "greedy"
    partition: str = "rendezvous"
    share: str = "all"  # states, shorter or all
    share_every: int = 1  # facts collected before they are shared
    share_interval: float | None = None  # seconds after which they are shared, however few
    balance: str = "static"
    components: str | None = None  # who crawls a component; None: the crawl is one by states
    pace: str = "ours"
    slowdown: float = 1.0  # slowdown of the slowest node relative to the fastest
    slowdown_period: float | None = None  # seconds after which each node takes over the speed of its neighbor
    seed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ScaleResult:
    """Measurements of one simulated crawl. Seconds are virtual; shares refer to the total time of all nodes."""

    setting: ScaleSetting
    complete: bool
    states: int
    transitions: int
    seconds: float  # until the end of the crawl was detected
    seconds_to_states: float | None  # until the last state was known
    discovery: tuple[float, ...]  # when a quarter, a half, three quarters and all of the states were known
    events: int
    resets: int
    messages: int
    repeated: int  # events fired although another node had fired them
    walking: float  # share: firing events and resetting
    overhead: float  # share: choosing tasks, sending and receiving
    coordinator_busy: float  # share of the time during which the coordinator or log was busy
    idle_by_node: tuple[float, ...]  # idle share of each node
    is_shared_view: bool = False  # all nodes used one shared graph; see `simulation.crowd`

    @property
    def idle(self) -> float:
        """Share of the time that is neither walking nor overhead."""
        return max(0.0, 1 - self.walking - self.overhead)
