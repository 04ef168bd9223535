"""The headline of the comparison, computed from the measurements.

Costs of applications differ by orders of magnitude, so strategies are compared by the geometric mean of their ratios.
A strategy that did not find all states of an application has no cost for it. The comparison uses the applications that
the most successful strategy solved, and leaves out strategies that did not solve all of them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import geometric_mean

from statecrawl.report.page.comparison_facts import AppComparison, ordered

REFERENCE = "breadth-first"  # the strategy of most crawlers


@dataclass(frozen=True, slots=True, kw_only=True)
class Headline:
    """The cheapest strategy for finding all states, against a reference. `ratio` is 1 if there is only one."""

    best: str
    reference: str
    ratio: float  # cost of the reference over the cost of the best, geometric mean
    above_optimum: float | None  # cost of the best over the optimum
    cheapest_on: int  # applications on which it was the cheapest, possibly with others
    apps: int  # applications compared


def costs(app: AppComparison) -> dict[str, float]:
    """Return the median cost to find all states, for the strategies that found them."""
    spent = ((tally.strategy, tally.to_all_states) for tally in app.tallies)
    return {strategy: found.cost.median for strategy, found in spent if found}


def least(app: AppComparison) -> float:
    """Return the unit of multiples: the lower bound of the optimum, or the cheapest strategy if there is no bound."""
    return app.optimal_states[0] or min(costs(app).values(), default=0.0)


def multiples(app: AppComparison) -> dict[str, float]:
    base = least(app)
    return {strategy: cost / base for strategy, cost in costs(app).items()} if base else {}


def mean(ratios: Iterable[float]) -> float | None:
    known = list(ratios)
    return geometric_mean(known) if known and min(known) > 0 else None


def headline_of(apps: Sequence[AppComparison]) -> Headline | None:
    """Return the headline; None if no strategy found all states of any application."""
    tables = [table for table in map(costs, apps) if table and min(table.values()) > 0]
    if not tables:
        return None
    rivals, shared = _comparable(tables)
    overall = {rival: geometric_mean(table[rival] for table in shared) for rival in rivals}
    best = min(rivals, key=overall.__getitem__)
    worst = max(rivals, key=overall.__getitem__)
    reference = REFERENCE if REFERENCE in rivals and best != REFERENCE else worst
    return Headline(
        best=best,
        reference=reference,
        ratio=overall[reference] / overall[best],
        above_optimum=mean(multiples(app)[best] for app in apps if best in multiples(app)),
        cheapest_on=sum(table[best] <= min(table.values()) for table in shared),
        apps=len(shared),
    )


def _comparable(tables: Sequence[dict[str, float]]) -> tuple[tuple[str, ...], list[dict[str, float]]]:
    """Return the strategies that solved the same applications as the most successful one, and those applications."""
    names = ordered(strategy for table in tables for strategy in table)
    furthest = max(names, key=lambda name: sum(name in table for table in tables))
    shared = [table for table in tables if furthest in table]
    return tuple(name for name in names if all(name in table for table in shared)), shared
