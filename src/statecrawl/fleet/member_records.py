"""Messages and records of coordinators whose nodes decide for themselves."""

from dataclasses import dataclass
from typing import TypeVar

from statecrawl.coordination.dist_ria import StatusReport
from statecrawl.coordination.peer_to_peer import LogRequest
from statecrawl.ports.mailbox import NodeMessage

Report = TypeVar("Report", bound=StatusReport | LogRequest)
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
