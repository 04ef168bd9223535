"""Experiments: which strategies run on which applications, with which rules, and how often."""

from dataclasses import dataclass, field
from math import isfinite

from statecrawl.errors import BadInput, UnknownName
from statecrawl.lab.jobs import SimulationJob
from statecrawl.strategies.registry import STRATEGIES
from statecrawl.strategies.settings import StrategySettings, TieOrder

ALL = "all"
MAX_RUNS = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Experiment:
    """A validated experiment. The constructor raises BadInput or UnknownName."""

    apps: tuple[str, ...]
    strategies: tuple[str, ...] = (ALL,)
    runs: int = 1
    reset_cost: float | None = None  # None: each application's own
    rules: StrategySettings = field(default_factory=StrategySettings)

    def __post_init__(self) -> None:
        for name in self.strategies:
            if name != ALL and name not in STRATEGIES:
                raise UnknownName("strategy", name, [*STRATEGIES, ALL])
        if not 1 <= self.runs <= MAX_RUNS:
            raise BadInput(f"--runs must be between 1 and {MAX_RUNS:,}, not {self.runs}.")
        if self.runs > 1 and self.rules.order is TieOrder.FIXED:
            raise BadInput("with a fixed order all runs are identical: add --order random for several runs.")
        if self.reset_cost is not None and not (isfinite(self.reset_cost) and 0 <= self.reset_cost <= 10**6):
            raise BadInput(f"--reset-cost must be between 0 and 1,000,000 events, not {self.reset_cost}.")
        if not 0 < self.rules.aging <= 1:
            raise BadInput(f"--aging must be above 0 and at most 1 (which disables it), not {self.rules.aging}.")

    @property
    def chosen(self) -> list[str]:
        """Names of the chosen strategies, in the order of the registry."""
        return [name for name in STRATEGIES if ALL in self.strategies or name in self.strategies]

    def jobs(self) -> list[SimulationJob]:
        """Return all runs, application by application."""
        return [
            SimulationJob(app, strategy, self.rules.with_seed(self.rules.seed + run), self.reset_cost)
            for app in self.apps
            for strategy in self.chosen
            for run in range(self.runs)
        ]
