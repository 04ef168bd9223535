"""Assignment of page components to members, for crawling component by component.

S. M. Mir Taheri, "Distributed Crawling of Rich Internet Applications", 2015, appendix B. A component is identified by
the XPath of the element that encloses everything an event has changed. One member is responsible for each component;
all members compute the same one from the hash of the XPath. There are two kinds of responsibility:

    handler      crawls the component itself. The finder only notifies it, which takes one message; but the handler has
                 to get to the component first
    gate-keeper  only ensures that exactly one member crawls the component. A finder that is there already and has the
                 time asks for the component, which takes two requests and replies, and no events

A gate-keeper that leaves takes its assignments with it, unless another member knows them: `assigned` is what its
successor must be given. The components of a member that has left are free again.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum

from statecrawl.coordination.partition import Partition, PartitionKey, PartitionRule
from statecrawl.model.event import Event

_BY_NAME = Partition(PartitionRule.RENDEZVOUS, PartitionKey.TYPE)


def responsible(xpath: str, members: Sequence[str]) -> str:
    """Return the handler or gate-keeper of a component. ValueError when there are no members."""
    (position,) = _BY_NAME.owners("", (Event.named(xpath),), members)
    return members[position]


class GateKeeperAnswer(Enum):
    """Reply of a gate-keeper."""

    FREE = "no member crawls it yet"
    YOURS = "you crawl it"
    TAKEN = "another member crawls it"


@dataclass(slots=True)
class GateKeeper:
    """Ensures that each of its components is crawled by exactly one member."""

    assigned: dict[str, str] = field(default_factory=dict)  # XPath -> member

    def ask(self, xpath: str, member: str) -> GateKeeperAnswer:
        """Return whether a component is assigned. Asking assigns nothing."""
        owner = self.assigned.get(xpath)
        if owner is None:
            return GateKeeperAnswer.FREE
        return GateKeeperAnswer.YOURS if owner == member else GateKeeperAnswer.TAKEN

    def request(self, xpath: str, member: str) -> GateKeeperAnswer:
        """Assign the component to the member unless it is assigned already. Idempotent."""
        return GateKeeperAnswer.YOURS if self.assigned.setdefault(xpath, member) == member else GateKeeperAnswer.TAKEN

    def remove(self, member: str) -> list[str]:
        """Remove a member; return the components that are free again."""
        freed = [xpath for xpath, owner in self.assigned.items() if owner == member]
        for xpath in freed:
            del self.assigned[xpath]
        return freed


def has_time(backlog: int, threshold: int) -> bool:
    """Whether a member that has found a component has the time to crawl it."""
    return backlog < threshold
