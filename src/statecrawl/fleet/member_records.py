"""What a coordinator of deciding nodes hears from them, tells them and knows of each."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from statecrawl.journal.facts import Fact
from statecrawl.journal.fold import FoldedCrawl
from statecrawl.ports.mailbox import NodeMessage


class MemberMessage(Protocol):
    """What a node says."""

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


class MemberMachine(Protocol):
    """What a log or a coordinator makes of that."""

    crawl: FoldedCrawl
    fired: int
    resets: int
    repeated: int


Said = TypeVar("Said", bound=MemberMessage)
Answer = TypeVar("Answer", bound=NodeMessage)


@dataclass(slots=True)
class CoordinatorOutput(Generic[Answer]):
    """First the facts in the journal, then the answers on their way."""

    facts: Sequence[Fact] = ()
    answers: Sequence[Answer] = ()


@dataclass(slots=True)
class MemberRecord:
    """What is known of a node."""

    name: str
    since: float
    seen: float
    number: int = 0  # of the last that it said
    transitions: int = 0  # that it told of
    events: int = 0
    resets: int = 0
    idle: float = 0.0
    gone: bool = False  # it has said so
