"""Comparison of new states that look like known ones: differences that only the page itself uses become rules.

`browser.lookalikes` explains which evidence makes a rule. This module decides when a page is asked for that evidence:
cheap checks run as soon as a look-alike is found; a check that puts the page to rest waits until there is time for it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from statecrawl.browser.dynamic_content import Rule
from statecrawl.browser.lookalikes import Likeness, Lookalikes, data_attributes, marks, notes_of_fields
from statecrawl.crawler.stored_normal_forms import NormalForms
from statecrawl.ports.page import Page, lines_of

MOST_WAITING = 50  # look-alikes that wait for their comparison


class RulesRevised(Exception):
    """States have to be told apart by additional rules."""

    def __init__(self, rules: frozenset[Rule]) -> None:
        super().__init__()
        self.rules = rules
        self.new_ids: dict[str, str] = {}  # old id of a state -> its id under the new rules, where that is known


@dataclass(slots=True)
class LookalikeComparison:
    """Compares the look-alikes among the states found under one set of rules."""

    lookalikes: Lookalikes | None  # None: the rules are final
    forms: NormalForms | None
    rules: frozenset[Rule]  # in force
    waiting: dict[str, tuple[str, Likeness]] = field(default_factory=dict)  # state -> normal form, and its likeness
    _without_rest: set[str] = field(default_factory=set)  # those that only lack the check with the page at rest

    def add(self, state: str, normal: str) -> None:
        """Queue a state for comparison if it looks like others."""
        if self.lookalikes is not None and (like := self.lookalikes.met(state, normal)) is not None:
            self.waiting[state] = normal, like
            if len(self.waiting) > MOST_WAITING:
                del self.waiting[next(iter(self.waiting))]

    async def compare(self, page: Page, state: str, recent: Sequence[str], *, may_rest: bool = True) -> bool:
        """Find out why a state that was just found looks like others. Return whether the page is still in it.

        `recent` lists the states of the page since its last reset. Without `may_rest`, only the cheap checks (counters
        and notes of fields) are done, and the rest is postponed. Raises PageLost and RulesRevised.
        """
        waiting = self.waiting.pop(state, None)
        if waiting is None or self.lookalikes is None or (self.forms is not None and self.forms.is_full):
            return True
        normal, like = waiting
        if state not in self._without_rest:
            await self._find_counters(page, self.lookalikes.counters(state, like, recent))
            await self._find_field_notes(page, normal, self.lookalikes.marked_otherwise(like))
        if not may_rest and self.lookalikes.has_other_marks(like):
            self.waiting[state] = waiting
            self._without_rest.add(state)
            return True
        if not self.lookalikes.wants_rest(state, like):
            return True
        settled = await page.rest()
        rested = await page.describe(lines=True)
        found = marks(lines_of(normal), lines_of(rested.normal), self.rules) if settled else frozenset()
        if rules := found - self.rules:
            raise RulesRevised(rules)
        return rested.state == state

    def next_left(self) -> tuple[str, tuple[str, ...]] | None:
        """A state that still has to be compared, and the events that lead to it."""
        if self.lookalikes is None or self.lookalikes.is_exhausted or self.forms is None:
            return None
        for state, (_, like) in tuple(self.waiting.items()):
            if state in self.forms.paths and self.lookalikes.has_other_marks(like):
                return state, self.forms.paths[state]
            del self.waiting[state]
        return None

    async def _find_counters(self, page: Page, rules: frozenset[Rule]) -> None:
        if rules:
            seen = await page.styled(data_attributes(rules))
            rules = frozenset(rule for rule in rules if not data_attributes([rule]) & seen) - self.rules
        if rules:
            raise RulesRevised(rules)

    async def _find_field_notes(self, page: Page, normal: str, others: Iterable[str]) -> None:
        """Ignore classes that only record what was done to fields before, and that no style sheet uses."""
        for other in others:
            known = None if self.forms is None else self.forms.normal(other)
            found = frozenset() if known is None else notes_of_fields(lines_of(known), lines_of(normal))
            words = {word for _, word in found}
            if words and not await page.styled(words) and (rules := found - self.rules):
                raise RulesRevised(rules)
