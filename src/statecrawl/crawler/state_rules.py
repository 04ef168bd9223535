"""Rules that identify states, as they are revised in the course of one run.

Theory of operation
    A rule that is found alongside the crawl changes what a state is, so it is `pending` until the walkers have stopped.
    Then the ids of all known states are computed again from their stored normal forms, and the facts about them are
    translated. A state whose new id cannot be computed is found again by the crawl. If the first state is one of them,
    no id is used, and the crawl starts again.
"""

import contextlib
from collections.abc import Awaitable, Callable, Iterable, Mapping

from statecrawl.browser.dynamic_content import LoadComparison, Rule
from statecrawl.browser.lookalikes import Lookalikes
from statecrawl.browser.normal_form import reduced
from statecrawl.config.plan import CrawlPlan
from statecrawl.crawler.stored_normal_forms import MOST_FORMS, NormalForms
from statecrawl.errors import PageLost
from statecrawl.journal.facts import EquivalenceRevised
from statecrawl.journal.fold import FoldedCrawl
from statecrawl.ports.page import REJECTED, Note, OutOfTime, Page
from statecrawl.ports.recorder import EvidenceSink

MOST_REVISIONS = 10


class StateRules:
    """The rules of one run, and the normal forms of the states found under them."""

    def __init__(self, plan: CrawlPlan, evidence: EvidenceSink) -> None:
        self.active: frozenset[Rule] = frozenset()
        self.pending: frozenset[Rule] = frozenset()  # found, but not in force yet
        self.forms = NormalForms()
        self.is_revised = False  # in this run
        self._revision = 0
        self._plan = plan
        self._evidence = evidence
        self._lookalikes = Lookalikes()

    @property
    def is_final(self) -> bool:
        """Whether the rules have been revised so often that they stay as they are."""
        return self._revision >= MOST_REVISIONS

    def resume(self, before: FoldedCrawl) -> None:
        """Take over the rules of an earlier run."""
        self._revision, self.active = before.revision, frozenset(before.rules)

    def add(self, state: str, compared: LoadComparison) -> None:
        """Add the rules that the comparison of a state with itself has shown; note the candidates that it rejected."""
        rejected = [Note(REJECTED, [*candidate, reason]) for candidate, reason in compared.rejected]
        self._evidence.note(rejected, state, None)
        if not self.forms.is_full:  # otherwise too many states would have to be found again
            self.pending |= compared.rules - self.active

    def lookalikes(self, states: int) -> Lookalikes | None:
        """A new comparison of look-alikes; None when the rules of a crawl with so many states must not change."""
        if not self._plan.learn_states or self._plan.equivalence != "content" or self.is_final:
            return None
        if states >= MOST_FORMS:
            return None  # too many states would have to be found again
        self._lookalikes = Lookalikes(rests=self._lookalikes.rests, notes=self._lookalikes.notes)
        return self._lookalikes

    async def new_ids(
        self,
        rules: frozenset[Rule],
        states: list[str],
        pages: Iterable[Page],
        open_page: Callable[[], Awaitable[Page]],
    ) -> dict[str, str]:
        """The ids of known states under additional rules; empty if the first of them has none.

        The first page that answers computes them; a new page is opened only when none does, because loading takes long.
        """
        new_ids: dict[str, str] = {}
        await self.forms.recall(states, self._evidence.form)  # of earlier runs
        for page in pages:
            with contextlib.suppress(PageLost):
                new_ids = await self.forms.renamed(rules, page.rehash)
                break
        else:
            fresh = await open_page()
            try:
                with contextlib.suppress(PageLost, OutOfTime):
                    await fresh.reset()
                    new_ids = await self.forms.renamed(rules, fresh.rehash)
            finally:
                await fresh.close()
        return new_ids if states and states[0] in new_ids else {}

    def revise(self, rules: frozenset[Rule], new_ids: Mapping[str, str]) -> EquivalenceRevised:
        """Put additional rules in force, for the forms and the evidence of known states, too; return the fact."""
        self.active |= rules
        self.pending -= self.active  # others may have been found meanwhile
        self._revision += 1
        self.is_revised = True
        self.forms = self.forms.under(rules, new_ids)
        self._evidence.revise(new_ids, lambda normal: reduced(normal, rules) or normal)
        return EquivalenceRevised(revision=self._revision, rules=tuple(sorted(self.active)))
