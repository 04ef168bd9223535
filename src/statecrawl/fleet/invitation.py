"""Invitations: what a node has to know of a crawl, and whether it may join."""

from dataclasses import dataclass, replace
from importlib import metadata
from pathlib import Path

from statecrawl.config.plan import CrawlPlan
from statecrawl.errors import NodeRefused

VERSION = metadata.version("statecrawl")


@dataclass(frozen=True, slots=True)
class Invitation:
    """What a crawl sends to a node that wants to join."""

    version: str
    plan: CrawlPlan
    is_open: bool = True  # nodes may join now; otherwise they have to wait

    @staticmethod
    def to(plan: CrawlPlan) -> "Invitation":
        """Return an invitation without the settings that concern only the coordinator's machine."""
        return Invitation(VERSION, replace(plan, out=Path(), pages=1, browser=None))

    def check(self, version: str = VERSION, equivalence: str | None = None) -> None:
        """Check that a node of this version, which requires this equivalence, may join. Raises NodeRefused."""
        if version != self.version:
            raise NodeRefused(
                f"this crawl uses statecrawl {self.version}, and the node {version}: install the same version."
            )
        if equivalence not in (None, self.plan.equivalence):
            raise NodeRefused(
                f"this crawl uses the equivalence {self.plan.equivalence}, and the node {equivalence}:"
                " leave out its --equivalence."
            )
        if self.plan.resetting.command is not None:
            raise NodeRefused("the coordinator asks the node to run a command, and nodes run none.")
