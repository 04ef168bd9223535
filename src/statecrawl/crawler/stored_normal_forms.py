"""Stored normal forms, from which the ids of states are computed again when the rules change.

The agent's code that computed an id first also computes the new one, from the normal form (`browser.normal_form`). If
the present id of a state does not result from its form, the state contains something that is not in the form, so its
new id is unknown.

States of one application have most lines in common, so each line is stored once, and a form is a list of line numbers.
"""

import asyncio
from array import array
from collections.abc import Awaitable, Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from statecrawl.browser.dynamic_content import Rule
from statecrawl.browser.normal_form import reduced
from statecrawl.ports.page import LINE_END

MOST_FORMS = 2000  # that are stored, with
MOST_CHARACTERS = 100_000_000  # in all their lines together; beyond that, nothing more is learned
BATCH_CHARACTERS = 4_000_000  # that are sent to a page at once

Form = tuple[str, str]  # URL, normal form
Rehash = Callable[[Sequence[Form]], Awaitable[list[str]]]


class _Numbers(dict[str, int]):
    """Gives each new line the next number."""

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
    """Normal forms of the states of one crawl, as long as its rules do not change."""

    paths: dict[str, tuple[str, ...]] = field(default_factory=dict)  # state -> events that lead to it again
    _packed: dict[str, tuple[str, "array[int]"]] = field(default_factory=dict)  # state -> URL, numbers of lines
    _numbers: _Numbers = field(default_factory=_Numbers)

    @property
    def is_full(self) -> bool:
        return len(self._packed) >= MOST_FORMS or self._numbers.characters >= MOST_CHARACTERS

    def add(self, state: str, url: str, normal: str) -> None:
        """Store the form of a state."""
        if not self.is_full:
            self._packed[state] = url, array("L", map(self._numbers.__getitem__, normal.split(LINE_END)))

    async def recall(self, states: Iterable[str], form: Callable[[str], Form | None]) -> None:
        """Store the forms of states of earlier runs, as far as the evidence has them; other tasks run meanwhile."""
        for state in states:
            if state in self._packed or self.is_full:
                continue
            if (stored := form(state)) is not None:
                self.add(state, *stored)
            await asyncio.sleep(0)

    def normal(self, state: str) -> str | None:
        """The form of a state, if it is stored."""
        return self._form(state)[1] if state in self._packed else None

    def all(self) -> Iterator[tuple[str, str]]:
        """Yield every state whose form is stored, with that form."""
        for state in self._packed:
            yield state, self._form(state)[1]

    async def renamed(self, rules: Collection[Rule], rehash: Rehash) -> dict[str, str]:
        """Return the ids of states under these additional rules, as far as they are known."""
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
        """Return the forms under these additional rules, by their new ids; paths only if they still lead there."""
        kept = NormalForms()
        for state, name in names.items():
            url, normal = self._form(state)
            kept.add(name, url, reduced(normal, rules) or "")
        if len(names) == len(self._packed):
            kept.paths = {names[state]: path for state, path in reversed(self.paths.items()) if state in names}
        return kept

    def avoid(self, events: Container[str]) -> None:
        """Drop the paths over these events."""
        for state in [state for state, path in self.paths.items() if any(event in events for event in path)]:
            del self.paths[state]

    def _form(self, state: str) -> Form:
        url, packed = self._packed[state]
        return url, LINE_END.join(map(self._numbers.lines.__getitem__, packed))


async def _ids(batch: Sequence[tuple[str, Form, Form]], rehash: Rehash) -> dict[str, str]:
    before = await rehash([form for _, form, _ in batch]) if batch else []
    after = await rehash([form for _, _, form in batch]) if batch else []
    return {state: new for (state, _, _), old, new in zip(batch, before, after, strict=True) if old == state}
