"""Who crawls a component of a page, when pages are crawled component by component.

S. M. Mir Taheri, "Distributed Crawling of Rich Internet Applications", 2015, appendix B. A component is known by the
XPath of the element around everything that an event has changed. Each has one member that answers for it, worked out
alike by everybody from the hash of the XPath:

    handler      crawls the component itself. Whoever finds the component only tells it, which takes one message; but
                 the handler has to get there first
    gate-keeper  only sees to it that exactly one member crawls the component. Whoever finds it, is there already and
                 has the time asks for it, which takes two questions and answers, and no events

A gate-keeper that goes takes what it has assigned with it, unless somebody else knows: `assigned` is what the next one
has to be told. What belonged to a member that has gone is free again.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum

from statecrawl.coordination.partition import Partition, PartitionKey, PartitionRule
from statecrawl.model.event import Event

_BY_NAME = Partition(PartitionRule.RENDEZVOUS, PartitionKey.TYPE)


def responsible(xpath: str, members: Sequence[str]) -> str:
    """The handler or gate-keeper of a component. ValueError when there are no members."""
    (position,) = _BY_NAME.owners("", (Event.named(xpath),), members)
    return members[position]


class GateKeeperAnswer(Enum):
    """What a gate-keeper says."""

    FREE = "nobody crawls it yet"
    YOURS = "you crawl it"
    TAKEN = "somebody else crawls it"


@dataclass(slots=True)
class GateKeeper:
    """Sees to it that each of its components is crawled by one member."""

    assigned: dict[str, str] = field(default_factory=dict)  # XPath -> member

    def asked(self, xpath: str, member: str) -> GateKeeperAnswer:
        """Is it assigned? Asking assigns nothing."""
        owner = self.assigned.get(xpath)
        if owner is None:
            return GateKeeperAnswer.FREE
        return GateKeeperAnswer.YOURS if owner == member else GateKeeperAnswer.TAKEN

    def requested(self, xpath: str, member: str) -> GateKeeperAnswer:
        """A member wants to crawl it: the first one does. Saying so twice changes nothing."""
        return GateKeeperAnswer.YOURS if self.assigned.setdefault(xpath, member) == member else GateKeeperAnswer.TAKEN

    def left(self, member: str) -> list[str]:
        """A member has gone; the components that are free again."""
        freed = [xpath for xpath, owner in self.assigned.items() if owner == member]
        for xpath in freed:
            del self.assigned[xpath]
        return freed


def wants(backlog: int, threshold: int) -> bool:
    """Whether a member that has found a component has the time to crawl it."""
    return backlog < threshold
