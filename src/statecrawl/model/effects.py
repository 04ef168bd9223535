"""Effects: whether an event did the same again, and what explains it if not. See `model.components`."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from statecrawl.model.component_tasks import Pair, Unit, Value, are_nested
from statecrawl.model.dependences import Aspect, Context
from statecrawl.model.page_views import PageViews

PAGE_SHARE = 0.5  # of all units; an event that changes more of them changes the page


@dataclass(frozen=True, slots=True)
class Effects:
    """Compares what the events of a unit have done: pairs of the states before and after."""

    views: PageViews

    def agree(self, unit: Unit, first: Pair, again: Pair) -> bool:
        """Whether an event did the same twice: what it changed at least once shows the same after both firings."""
        if first[1] == again[1]:
            return True
        views = self.views
        after, there = views.views[first[1]], views.views[again[1]]
        changed = views.changed(*first)
        if views.is_loose(unit):  # its texts are not distinguished, so those that it changes cannot be predicted
            compared = (other for other in changed if not views.is_loose(other))
            return all(views.shape(other, first[1]) == views.shape(other, again[1]) for other in compared)
        if not self._changes_page(first):
            changed |= views.changed(*again)
        return all(there.get(other) == after.get(other) or views.is_loose(other) for other in changed)

    def agrees_with_all(self, unit: Unit, earlier: Iterable[Pair], again: Pair) -> bool:
        """Whether an event did the same as each time before."""
        return all(self.agree(unit, other, again) for other in earlier)

    def are_consistent(self, unit: Unit, outcomes: Iterable[Pair]) -> bool:
        """Whether all outcomes agree, in time that is linear in their number."""
        outcomes, views = list(outcomes), self.views
        if outcomes and (views.is_loose(unit) or self._changes_page(outcomes[0])):
            return all(self.agree(unit, outcomes[0], again) for again in outcomes)
        expected: dict[Unit, Value | None] = {}
        for outcome in outcomes:
            after = views.views[outcome[1]]
            for other in views.changed(*outcome):
                if not views.is_loose(other) and expected.setdefault(other, after.get(other)) != after.get(other):
                    return False
        afters = [views.views[after] for _, after in outcomes]
        return all(after.get(other) == value for other, value in expected.items() for after in afters)

    def explanation(
        self, unit: Unit, outcomes: Sequence[Pair], aspects: Callable[[Unit], Iterable[Aspect]]
    ) -> Context | None:
        """Return what explains why the last outcome is different: the coarsest aspect of the most plausible unit.

        Most plausible is one that does not end up as it should: like a pager, it goes on from what it showed before.
        """
        views = self.views
        here, befores = views.views[outcomes[-1][0]].items(), [views.views[before] for before, _ in outcomes]
        differing = set[tuple[Unit, Value]]().union(*(here ^ before.items() for before in befores))
        touched = set[Unit]().union(*(views.changed(*outcome) for outcome in outcomes))
        afters = [views.views[after] for _, after in outcomes]
        compared = (other for other in touched if not views.is_loose(other))
        unexpected = {other for other in compared if len({after.get(other) for after in afters}) > 1}

        def plausibility(other: Unit) -> tuple[bool, bool, bool, int, Unit]:
            is_nested = are_nested(unit[0], other[0])
            return other not in unexpected, other not in touched, not is_nested, len(views.shown[other]), other

        contexts = (
            Context(other, aspect)
            for other in sorted({other for other, _ in differing} - {unit}, key=plausibility)
            for aspect in aspects(other)
        )
        return next((context for context in contexts if self._separates(unit, context, outcomes)), None)

    def _changes_page(self, outcome: Pair) -> bool:
        before, after = (self.views.views[state] for state in outcome)
        return len(self.views.changed(*outcome)) > PAGE_SHARE * len(before.keys() | after.keys())

    def _separates(self, unit: Unit, context: Context, outcomes: Iterable[Pair]) -> bool:
        """Whether outcomes agree wherever the context is the same."""
        alike: dict[object, list[Pair]] = defaultdict(list)
        for outcome in outcomes:
            alike[self.views.aspect(outcome[0], context)].append(outcome)
        return all(self.are_consistent(unit, among) for among in alike.values())
