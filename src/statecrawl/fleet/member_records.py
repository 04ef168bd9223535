"""Messages and records of coordinators whose nodes decide for themselves."""

from dataclasses import dataclass
from typing import Protocol, TypeVar

from statecrawl.journal.facts import Fact
from statecrawl.ports.mailbox import NodeMessage


class MemberMessage(Protocol):
    """Report of a node."""

    @property
    def node(self) -> str: ...
    @property
    def number(self) -> int: ...
    @property
    def facts(self) -> tuple[Fact, ...]: ...
    @property
    def events(self) -> int: ...
    @property
    def resets(self) -> int: ...
    @property
    def warnings(self) -> tuple[str, ...]: ...


Report = TypeVar("Report", bound=MemberMessage)
Reply = TypeVar("Reply", bound=NodeMessage)


@dataclass(slots=True)
class MemberRecord:
    """What a coordinator knows of a node."""

    name: str
    since: float
    seen: float
    number: int = 0  # of its last report
    tasks: int = 0  # transitions that it reported
    events: int = 0
    resets: int = 0
    idle: float = 0.0  # seconds
    gone: bool = False  # it has announced that it leaves
