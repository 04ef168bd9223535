"""Output of a coordinator or log: facts for the journal and replies to nodes."""

from dataclasses import dataclass, field
from typing import Generic, TypeVar

from statecrawl.journal.facts import Fact

Reply = TypeVar("Reply")


@dataclass(slots=True)
class Output(Generic[Reply]):
    """What the caller of a machine must do next: first append the facts to the journal, then send the replies."""

    facts: list[Fact] = field(default_factory=list)
    replies: list[Reply] = field(default_factory=list)
