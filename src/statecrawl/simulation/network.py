"""A network in virtual time that loses, repeats, delays and reorders messages, and falls into parts."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from statecrawl.simulation.kernel import Kernel

Handler = Callable[[Any], None]


@dataclass(frozen=True, slots=True)
class NetworkConditions:
    """How messages fare; each has a delay of its own, so they overtake each other."""

    loss: float = 0.0  # the part of messages that is lost
    repeat: float = 0.0  # the part that arrives twice
    least: float = 0.0005  # seconds on the way, and
    most: float = 0.002


FAIR = NetworkConditions()


class Network:
    """Carries messages between names."""

    def __init__(self, kernel: Kernel, chance: Random, fair: NetworkConditions = FAIR) -> None:
        """`fair` is how messages fare while nothing is wrong."""
        self.fair = self.weather = fair
        self.carried = 0
        self.lost = 0
        self._kernel = kernel
        self._chance = chance
        self._handlers: dict[str, Handler] = {}
        self._islands: dict[str, int] = {}  # name -> the part it is in, while the network is in parts

    def join(self, name: str, handler: Handler) -> None:
        """Messages to this name go here from now on."""
        self._handlers[name] = handler

    def leave(self, name: str) -> None:
        self._handlers.pop(name, None)

    def split(self, island: set[str]) -> None:
        """These hear each other, and nobody else does."""
        self._islands = dict.fromkeys(island, 1)

    def heal(self) -> None:
        self._islands = {}

    def send(self, source: str, target: str, message: Any) -> None:
        """Have a message arrive some time, once, twice or never."""
        weather, chance = self.weather, self._chance
        self.carried += 1
        if chance.random() < weather.loss:
            self.lost += 1
            return
        for _ in range(2 if chance.random() < weather.repeat else 1):
            delay = chance.uniform(weather.least, weather.most)
            self._kernel.after(delay, lambda: self._arrive(source, target, message))

    def _arrive(self, source: str, target: str, message: Any) -> None:
        handler = self._handlers.get(target)
        if handler is None or self._islands.get(source, 0) != self._islands.get(target, 0):
            self.lost += 1
            return
        handler(message)
