"""Joining: what a node has to know of a crawl, and whether it may take part."""

from dataclasses import dataclass, replace
from importlib import metadata
from pathlib import Path

from statecrawl.config.plan import CrawlPlan
from statecrawl.errors import NodeRefused

VERSION = metadata.version("statecrawl")


@dataclass(frozen=True, slots=True)
class Invitation:
    """What a crawl tells whoever wants to take part."""

    version: str
    plan: CrawlPlan
    is_open: bool = True  # nodes may come, else soon

    @staticmethod
    def to(plan: CrawlPlan) -> "Invitation":
        """Without what is only of this machine."""
        return Invitation(VERSION, replace(plan, out=Path(), pages=1, browser=None))

    def check(self, version: str = VERSION, equivalence: str | None = None) -> None:
        """Whether somebody of this version, who was told that this makes a state, may take part. Raises NodeRefused."""
        if version != self.version:
            raise NodeRefused(
                f"this crawl is run by statecrawl {self.version}, and the node is {version}: install the same."
            )
        if equivalence not in (None, self.plan.equivalence):
            raise NodeRefused(
                f"states are told apart by {self.plan.equivalence} here, and by {equivalence} at the node:"
                " leave out its --equivalence."
            )
        if self.plan.resetting.command is not None:
            raise NodeRefused("the coordinator wants a command to be run here, and nodes run none.")
