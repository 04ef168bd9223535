"""Prediction of targets: where an event that has not been fired in a state yet is likely to lead.

An event that has the same name in several states mostly does the same in all of them. Either it leads where it led last
time, as M. E. Dincturk et al. assume of menus ("A Model-Based Approach for Crawling Rich Internet Applications", 2014,
§5), or it leaves every state as it is. A wrong prediction costs nothing: the walk ends where it would have ended.
"""

from dataclasses import dataclass, field

HERE = ""  # the event led to the state in which it was fired


@dataclass(slots=True)
class LikelyTargets:
    """Remembers where each event led last."""

    _targets: dict[str, str] = field(default_factory=dict)  # event -> state, or HERE

    def add(self, event: str, state: str, target: str) -> None:
        """An event was fired in a state, and nothing else happened."""
        self._targets[event] = HERE if target == state else target

    def forget(self, event: str) -> None:
        """More happened than a change of the page, so every outcome of this event has to be seen."""
        self._targets.pop(event, None)

    def guess(self, event: str, state: str) -> str | None:
        """The state to which the event should lead from here; None when there is no prediction."""
        target = self._targets.get(event)
        return state if target == HERE else target
