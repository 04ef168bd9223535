"""Reports of what a page did, with secrets removed before the recorder sees them."""

from dataclasses import dataclass

from statecrawl.journal.fact_redaction import redacted
from statecrawl.journal.facts import Fact
from statecrawl.ports.recorder import Recorder
from statecrawl.privacy.redaction import Redactor


@dataclass(frozen=True, slots=True)
class FactReporter:
    """Passes facts to a recorder."""

    recorder: Recorder
    redactor: Redactor | None  # None: the user wants to keep secrets

    def report(self, *facts: Fact) -> None:
        """Report facts in the order in which they happened."""
        redactor = self.redactor
        self.recorder.report(*(facts if redactor is None else [redacted(fact, redactor) for fact in facts]))
