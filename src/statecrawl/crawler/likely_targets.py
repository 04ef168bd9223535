"""Foresight: where an event that nobody has fired here yet is likely to lead, so that a walk can go on without asking.

What has one name in several states mostly does one thing: it leads where it led last time, wherever it is fired, as
M. E. Dincturk et al. assume of menus ("A Model-Based Approach for Crawling Rich Internet Applications", 2014, §5); or
it leaves every state as it is. A guess that proves wrong costs nothing: the walk ends where it would have ended.
"""

from dataclasses import dataclass, field

HERE = ""  # it led to where it was fired


@dataclass(slots=True)
class LikelyTargets:
    """Remembers where each event led last."""

    _targets: dict[str, str] = field(default_factory=dict)  # name -> state, or HERE

    def saw(self, event: str, state: str, target: str) -> None:
        """An event was fired in a state, and there was nothing else to tell about it."""
        self._targets[event] = HERE if target == state else target

    def doubt(self, event: str) -> None:
        """More happened than a change of the page: it has to be looked at each time."""
        self._targets.pop(event, None)

    def guess(self, event: str, state: str) -> str | None:
        """The state that the event should lead to from here; None when nobody can say."""
        target = self._targets.get(event)
        return state if target == HERE else target
