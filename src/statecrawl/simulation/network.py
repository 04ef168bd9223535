"""Network in virtual time that loses, duplicates, delays and reorders messages, and can be partitioned."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from statecrawl.simulation.kernel import Kernel

Handler = Callable[[Any], None]


@dataclass(frozen=True, slots=True)
class NetworkConditions:
    """How messages are delivered. Each has a delay of its own, so messages overtake each other."""

    loss: float = 0.0  # fraction of messages that are lost
    repeat: float = 0.0  # fraction of messages that arrive twice
    min_delay: float = 0.0005  # seconds
    max_delay: float = 0.002


FAIR = NetworkConditions()


class Network:
    """Carries messages between named endpoints."""

    def __init__(self, kernel: Kernel, chance: Random, fair: NetworkConditions = FAIR) -> None:
        """`normal` are the conditions while no fault is active."""
        self.normal = self.conditions = fair
        self.carried = 0
        self.lost = 0
        self._kernel = kernel
        self._chance = chance
        self._handlers: dict[str, Handler] = {}
        self._islands: dict[str, int] = {}  # name -> its part, while the network is partitioned

    def join(self, name: str, handler: Handler) -> None:
        """Deliver messages for this name to `handler` from now on."""
        self._handlers[name] = handler

    def leave(self, name: str) -> None:
        self._handlers.pop(name, None)

    def split(self, island: set[str]) -> None:
        """Separate these endpoints from all others."""
        self._islands = dict.fromkeys(island, 1)

    def heal(self) -> None:
        self._islands = {}

    def send(self, source: str, target: str, message: Any) -> None:
        """Deliver a message later: once, twice or never."""
        weather, chance = self.conditions, self._chance
        self.carried += 1
        if chance.random() < weather.loss:
            self.lost += 1
            return
        for _ in range(2 if chance.random() < weather.repeat else 1):
            delay = chance.uniform(weather.min_delay, weather.max_delay)
            self._kernel.after(delay, lambda: self._arrive(source, target, message))

    def _arrive(self, source: str, target: str, message: Any) -> None:
        handler = self._handlers.get(target)
        if handler is None or self._islands.get(source, 0) != self._islands.get(target, 0):
            self.lost += 1
            return
        handler(message)
