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
        before, after, there = (views.views[state] for state in (*first, again[1]))
        changed = views.changed(*first)
        if views.is_loose(unit):  # its texts are not distinguished, so those that it changes cannot be predicted
            compared = (other for other in changed if not views.is_loose(other))
            return all(views.shape(other, first[1]) == views.shape(other, again[1]) for other in compared)
        if len(changed) <= PAGE_SHARE * len(before.keys() | after.keys()):
            changed |= views.changed(*again)
        return all(there.get(other) == after.get(other) or views.is_loose(other) for other in changed)

    def agrees_with_all(self, unit: Unit, earlier: Iterable[Pair], again: Pair) -> bool:
        """Whether an event did the same as each time before."""
        return all(self.agree(unit, other, again) for other in earlier)

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

    def _separates(self, unit: Unit, context: Context, outcomes: Iterable[Pair]) -> bool:
        """Whether outcomes agree wherever the context is the same."""
        alike: dict[object, list[Pair]] = defaultdict(list)
        for outcome in outcomes:
            among = alike[self.views.aspect(outcome[0], context)]
            if not self.agrees_with_all(unit, among, outcome):
                return False
            among.append(outcome)
        return True
