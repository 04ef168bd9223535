"""Lines: what DOT and Mermaid have in common when they are read back.

Both are languages for drawing, with far more in them than a model. We read only what we write ourselves: a comment with
the version, then one line per state and one per event, in order. Any other line is refused by its number, so
nothing is silently lost; layout lines that we write are listed by each format.
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
    """How one language writes a model."""

    name: str
    header: re.Pattern[str]  # group `version`
    layout: frozenset[str]  # lines that say nothing about the model
    state: re.Pattern[str]  # groups `key`, `id`
    event: re.Pattern[str]  # groups `source`, `target`, `local`, perhaps `logical`
    escapes: Escapes

    def loads(self, text: str) -> Graph:
        """The model that the text describes; BadInput or NewerFormat when it cannot be read."""
        lines = [line.strip() for line in text.split("\n")]
        header = self.header.fullmatch(lines[0])
        if header is None:
            raise BadInput(f"this is not {self.name} that statecrawl wrote: its first line does not say so.")
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
            raise BadInput(f"{where} is not {self.name} that statecrawl wrote: {line[:60]!r}.")
