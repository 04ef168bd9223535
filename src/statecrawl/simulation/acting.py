"""Acting: walking in a true model instead of a browser."""

from dataclasses import dataclass
from typing import Protocol

from statecrawl.journal.facts import Fact, StateFound, TransitionExplored
from statecrawl.model.graph import INITIAL, Graph


class Way(Protocol):
    """Where to walk, in names."""

    @property
    def reset(self) -> bool: ...
    @property
    def start(self) -> str: ...
    @property
    def steps(self) -> tuple[tuple[str, str | None], ...]: ...


@dataclass(slots=True)
class Actor:
    """Stands somewhere in a true model."""

    truth: Graph
    position: int | None = None  # None: nothing was opened yet

    @property
    def state(self) -> str | None:
        return None if self.position is None else self.truth.ids[self.position]

    def act(self, task: Way) -> list[Fact]:
        """Walk to the end of a way; what is seen. ValueError when what it was told is not true."""
        truth = self.truth
        if task.reset:
            self.position = INITIAL
        if not task.steps:
            return []
        if self.state != task.start or self.position is None:
            raise ValueError(f"a task begins in {task.start}, and not in {self.state}")
        here = last = self.position
        for event, expected in task.steps:
            last = here
            here = truth.targets[here][truth.position(here, event)]
            if expected not in (None, truth.ids[here]):
                raise ValueError(f"{event} does not lead to {expected}")
        self.position = here
        return [TransitionExplored(state=truth.ids[last], event=task.steps[-1][0], target=truth.ids[here])]

    def describe(self) -> StateFound:
        """Where it stands. ValueError when it stands nowhere."""
        if self.position is None:
            raise ValueError("nothing was opened yet")
        truth = self.truth
        return StateFound.of(truth.ids[self.position], [truth.vocabulary[each] for each in truth.events[self.position]])
