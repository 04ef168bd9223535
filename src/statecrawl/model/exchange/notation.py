"""Reader for line-based notations: the common part of DOT and Mermaid.

Both are drawing languages with far more features than a model needs. The reader accepts only files written by
statecrawl: a comment with the version, then one line per state and one per event, in order. Any other line is rejected
with its number, so nothing is lost silently. Each format lists its own layout lines.
"""

import re
from dataclasses import dataclass

from statecrawl.errors import BadInput
from statecrawl.model.event import Event
from statecrawl.model.exchange.draft import ModelDraft, check_version
from statecrawl.model.exchange.escapes import Escapes
from statecrawl.model.graph import Graph

UNEXPLORED_NODE = "unexplored"


@dataclass(frozen=True, slots=True, kw_only=True)
class TextNotation:
    """Syntax of a model in one language."""

    name: str
    header: re.Pattern[str]  # group `version`
    layout: frozenset[str]  # lines without information about the model
    state: re.Pattern[str]  # groups `key`, `id`
    event: re.Pattern[str]  # groups `source`, `target`, `local`, optionally `logical`
    escapes: Escapes

    def loads(self, text: str) -> Graph:
        """Read a model. Raises BadInput or NewerFormat."""
        lines = [line.strip() for line in text.split("\n")]
        header = self.header.fullmatch(lines[0])
        if header is None:
            raise BadInput(f"this {self.name} was not written by statecrawl: its first line is not the header.")
        check_version(int(header["version"]))
        draft = ModelDraft()
        for number, line in enumerate(lines[1:], start=2):
            if line and line not in self.layout:
                self._read(line, draft, f"line {number}")
        return draft.graph()

    def _read(self, line: str, draft: ModelDraft, where: str) -> None:
        read = self.escapes.read
        if state := self.state.fullmatch(line):
            draft.add_state(state["key"], read(state["id"]), where)
        elif event := self.event.fullmatch(line):
            local = read(event["local"])
            logical = local if event["logical"] is None else read(event["logical"])
            target = None if event["target"] == UNEXPLORED_NODE else event["target"]
            draft.add_event(event["source"], Event(local, logical), target, where)
        else:
            raise BadInput(f"{where} of this {self.name} was not written by statecrawl: {line[:60]!r}.")
