"""Stored normal forms: what lets states keep what was found in them when the rules change.

A new rule changes the ids of states. They are computed again from the normal forms (`browser.normal_form`), by the same
code of the agent that computed them first. A state whose present id does not come out of its form has something in it
that the form does not tell, so nothing is said about its new id.

States of one application have most lines in common, so each line is stored once and a form is a list of their numbers.
"""

import asyncio
from array import array
from collections.abc import Awaitable, Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from statecrawl.browser.dynamic_content import Rule
from statecrawl.browser.normal_form import reduced
from statecrawl.ports.page import LINE_END

MOST_FORMS = 2000  # that are remembered, and
MOST_CHARACTERS = 100_000_000  # of all their lines together; afterwards, nothing more is learnt
BATCH_CHARACTERS = 4_000_000  # that are sent to a page at a time

Form = tuple[str, str]  # address, and normal form
Rehash = Callable[[Sequence[Form]], Awaitable[list[str]]]


class _Numbers(dict[str, int]):
    """Numbers lines as they come."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self.characters = 0

    def __missing__(self, line: str) -> int:
        self.lines.append(line)
        self.characters += len(line)
        return self.setdefault(line, len(self))


@dataclass(slots=True)
class NormalForms:
    """Of the states of one crawl, as long as its rules do not change."""

    paths: dict[str, tuple[str, ...]] = field(default_factory=dict)  # state -> events to it, where it can be repeated
    _packed: dict[str, tuple[str, "array[int]"]] = field(default_factory=dict)  # state -> URL, numbers of lines
    _numbers: _Numbers = field(default_factory=_Numbers)

    @property
    def is_full(self) -> bool:
        return len(self._packed) >= MOST_FORMS or self._numbers.characters >= MOST_CHARACTERS

    def add(self, state: str, url: str, normal: str) -> None:
        """Remember the form of a state."""
        if not self.is_full:
            self._packed[state] = url, array("L", map(self._numbers.__getitem__, normal.split(LINE_END)))

    async def recall(self, states: Iterable[str], form: Callable[[str], Form | None]) -> None:
        """Remember the forms of these states, too, as far as somebody has kept them; others may go on meanwhile."""
        for state in states:
            if state in self._packed or self.is_full:
                continue
            if (kept := form(state)) is not None:
                self.add(state, *kept)
            await asyncio.sleep(0)

    def normal(self, state: str) -> str | None:
        """The form of a state, if it is remembered."""
        return self._form(state)[1] if state in self._packed else None

    def all(self) -> Iterator[tuple[str, str]]:
        """Every state whose form is remembered, with that form."""
        for state in self._packed:
            yield state, self._form(state)[1]

    async def renamed(self, rules: Collection[Rule], rehash: Rehash) -> dict[str, str]:
        """The ids of states under these further rules, as far as they can be told."""
        names: dict[str, str] = {}
        batch: list[tuple[str, Form, Form]] = []
        size = 0
        for state in self._packed:
            url, normal = self._form(state)
            if (left := reduced(normal, rules)) is not None:
                batch.append((state, (url, normal), (url, left)))
                size += len(normal) + len(left)
            if size > BATCH_CHARACTERS:
                names |= await _ids(batch, rehash)
                batch, size = [], 0
            await asyncio.sleep(0)
        return names | await _ids(batch, rehash)

    def under(self, rules: Collection[Rule], names: Mapping[str, str]) -> "NormalForms":
        """The forms under these further rules, by their new ids; paths only if they are sure to lead there still."""
        kept = NormalForms()
        for state, name in names.items():
            url, normal = self._form(state)
            kept.add(name, url, reduced(normal, rules) or "")
        if len(names) == len(self._packed):
            kept.paths = {names[state]: path for state, path in reversed(self.paths.items()) if state in names}
        return kept

    def avoid(self, events: Container[str]) -> None:
        """Forget paths over these events."""
        for state in [state for state, path in self.paths.items() if any(event in events for event in path)]:
            del self.paths[state]

    def _form(self, state: str) -> Form:
        url, packed = self._packed[state]
        return url, LINE_END.join(map(self._numbers.lines.__getitem__, packed))


async def _ids(batch: Sequence[tuple[str, Form, Form]], rehash: Rehash) -> dict[str, str]:
    before = await rehash([form for _, form, _ in batch]) if batch else []
    after = await rehash([form for _, _, form in batch]) if batch else []
    return {state: new for (state, _, _), old, new in zip(batch, before, after, strict=True) if old == state}
